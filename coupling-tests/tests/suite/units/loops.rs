//! Units between signals, and on load ports.

use coupling_tests::Run;

use super::{VERSIONS, file};

/// Two springs each of which is stretched by the force of the other.
fn springs(file: &str, cubic: f64, face: &str) -> String {
    format!(
        r#"schema = 1
time = {{ end = 0.01, step = 1e-3 }}
[record]
quantities = ["*"]
[[subsystem]]
name = "p"
kind = "fmu"
file = "{file}"
face = "{face}"
parameters = {{ k = 0.6, l0 = 0.5, k3 = {cubic} }}
[[subsystem]]
name = "q"
kind = "fmu"
file = "{file}"
face = "{face}"
parameters = {{ k = 0.8, l0 = -0.3, k3 = {cubic} }}
[[connection]]
from = "p.f"
to = "q.x1"
[[connection]]
from = "q.f"
to = "p.x1"
"#
    )
}

#[test]
fn algebraic_loops_of_units_are_solved() {
    for version in VERSIONS {
        let Some(file) = file("spring_half", version, &[]) else { return };
        let faces = ["model-exchange", "co-simulation"];
        for (cubic, face) in [0.0, 0.2].into_iter().flat_map(|cubic| faces.map(|face| (cubic, face))) {
            let run = Run::completed(&Run::text(&springs(&file, cubic, face), &[]));
            let force = |k: f64, stretch: f64| k * stretch + cubic * stretch.powi(3);
            let [p, q] = ["p.f", "q.f"]
                .map(|name| run.last()[run.labels().iter().position(|own| own == name).unwrap()]);
            let errors = [p - force(0.6, -q - 0.5), q - force(0.8, -p + 0.3)];
            assert!(
                errors.iter().all(|error| error.abs() < 1e-10),
                "{version:?}, {face}, {cubic}: {errors:?}"
            );
            assert!(p.abs() > 0.1 && q.abs() > 0.1);
        }
    }
}

/// A mass on a spring to the ground: native, or a unit on a load port.
fn mass_on(spring: &str, joint: &str) -> String {
    format!(
        r#"schema = 1
time = {{ end = 1.0, step = 1e-3 }}
[master]
tolerance = 1e-13
[record]
quantities = ["*"]
[[subsystem]]
name = "m"
kind = "linear"
mass = [2.0]
position = 0.1
{spring}
[[subsystem.port]]
name = "end"
coordinates = [0]
{joint}
"#
    )
}

#[test]
fn a_spring_that_is_a_unit_on_a_load_port_acts_as_a_native_one() {
    let native = mass_on("stiffness = [300.0]\ndamping = [2.0]", "");
    let reference = Run::completed(&Run::text(&native, &[])).column("m.q0");
    for version in VERSIONS {
        let Some(file) = file("spring_half", version, &[]) else { return };
        for keys in ["", "face = \"co-simulation\""] {
            let unit = format!(
                "[[subsystem]]\nname = \"s\"\nkind = \"fmu\"\nfile = \"{file}\"\n{keys}\nparameters = {{ k = 300, c = 2 }}\n\
                 [[subsystem.port]]\nname = \"end\"\nposition = \"x1\"\nvelocity = \"v1\"\nforce = \"f\"\n\
                 [[interface]]\nname = \"j\"\nbetween = [\"m.end\", \"s.end\"]\nlaw = \"load\"\n"
            );
            let found = Run::completed(&Run::text(&mass_on("", &unit), &[])).column("m.q0");
            let apart = found.iter().zip(&reference).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
            // The mean of both ends where a linear spring has that of the way: the same for the rule of the midpoint.
            assert!(apart < 1e-10, "{version:?}, {keys}: {apart:e}");
        }
    }
}
