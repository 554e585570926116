//! Which inputs reach which outputs at once, as the description says and as differences show.

use cosimo_export::ModelUnit;
use cosimo_fmi_export::{Causality, ExportedUnit};

use crate::Driven;

/// A gain of what enters, and an integral of it.
const PARTS: &str = r#"
schema = 1
time = { end = 1.0, step = 1e-3 }
[[subsystem]]
name = "gain"
kind = "controller"
type = "state-space"
d = [[2.0, -3.0]]
default = 0.0
[[subsystem]]
name = "integral"
kind = "controller"
type = "state-space"
a = [[0.0]]
b = [[1.0]]
c = [[1.0]]
start = [0.5]
[[connection]]
from = "gain.output"
to = "integral.input"
"#;

/// Two controllers that know nothing of each other; behind the second a model with a gain, of which one input is open, and an integral; and
/// behind the integral another gain.
fn model(nested: &str) -> String {
    let pid = |name: &str| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"controller\"\ntype = \"pid\"\nproportional = 4.0\nintegral = 2.0\n"
        )
    };
    format!(
        r#"
schema = 1
time = {{ end = 1.0, step = 1e-3 }}
export = {{ quantities = ["*"] }}
{}{}
[[subsystem]]
name = "parts"
kind = "model"
file = "{nested}"
[[subsystem]]
name = "last"
kind = "controller"
type = "state-space"
d = [[5.0]]
[[subsystem]]
name = "mass"
kind = "linear"
mass = [2.0]
stiffness = [500.0]
[[subsystem.port]]
name = "tip"
coordinates = [0]
[[connection]]
from = "second.output"
to = "parts.gain.input_0"
[[connection]]
from = "parts.integral.output"
to = "last.input"
"#,
        pid("first"),
        pid("second")
    )
}

/// The inputs that an output depends on, by the description.
fn declared(unit: &ModelUnit, output: &str) -> Vec<String> {
    let variables = &unit.description().variables;
    let output = variables.iter().find(|own| own.name == output).unwrap();
    output.dependencies.iter().map(|input| variables[*input].name.clone()).collect()
}

#[test]
fn outputs_depend_on_the_inputs_that_reach_them_at_once_and_on_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let nested = folder.path().join("parts.toml");
    std::fs::write(&nested, PARTS).unwrap();
    let mut driven = Driven::new(&model(&nested.display().to_string()));
    for (output, expected) in [
        ("first.output", &["first.setpoint", "first.measurement"][..]),
        ("second.output", &["second.setpoint", "second.measurement"]),
        ("parts.gain.output", &["second.setpoint", "second.measurement", "parts.gain.input_1"]),
        ("parts.integral.output", &[]),
        ("last.output", &[]),
        ("mass.tip.position", &[]),
        ("mass.q0", &[]),
    ] {
        let mut found = declared(&driven.unit, output);
        let mut expected: Vec<&str> = expected.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{output}");
    }
    // Everything that is shown, against differences.
    driven.set("first.setpoint", 0.3);
    driven.set("second.measurement", -0.2);
    driven.set("parts.gain.input_1", 0.7);
    driven.steps(1e-3, 5);
    let all = driven.unit.description().variables.clone();
    let named =
        |wanted: Causality| all.iter().filter(move |own| own.causality == wanted && own.clock.is_none());
    let signals: Vec<&str> = named(Causality::Input)
        .map(|own| own.name.as_str())
        .filter(|name| !name.starts_with("mass") && *name != "impact")
        .collect();
    assert!(signals.len() == 5, "{signals:?}");
    for output in named(Causality::Output) {
        let declared = declared(&driven.unit, &output.name);
        for input in &signals {
            let places = [output.name.as_str(), *input].map(|name| driven.scalar(name));
            let change = driven.unit.directional_derivative(&places[..1], &places[1..], &[1.0]).unwrap()[0];
            let is_declared = declared.iter().any(|own| own == input);
            assert_eq!(change.abs() > 1e-6, is_declared, "{} by {input}: {change:e}", output.name);
        }
    }
}

#[test]
fn what_stands_outside_is_no_quantity() {
    let folder = tempfile::tempdir().unwrap();
    let nested = folder.path().join("parts.toml");
    std::fs::write(&nested, PARTS).unwrap();
    let driven = Driven::new(&model(&nested.display().to_string()));
    let names: Vec<&str> = driven.unit.description().variables.iter().map(|own| own.name.as_str()).collect();
    assert!(names.contains(&"mass.q0") && names.iter().all(|name| !name.starts_with("outside")), "{names:?}");
}
