//! Subsystems in threads of their own give the same bits as in the thread of the master, in every example; so do those whose
//! messages become bytes.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use cosimo::master::{Master, Outcome};
use cosimo::model::ModelSpec;
use cosimo::subsystem::Subsystem;
use cosimo::transport::EncodedSubsystem;
use coupling_tests::{Run, models};

/// Examples whose first impact comes after more than 1500 steps.
const LATE: [&str; 2] = ["elastic-bar/model.toml", "oscillator/model.toml"];

/// Examples without impacts.
const SMOOTH: &[&str] = &[
    "andrews/model.toml",
    "blade-elsewhere/model.toml",
    "bouc-wen-isolator/model.toml",
    "bouncing-pendulum/pva.toml",
    "bouncing-pendulum/pvv.toml",
    "controlled-slider-crank/model.toml",
    "double-pendulum/model.toml",
    "droop-stop-nonlinear/penalty.toml",
    "falling-drag/model.toml",
    "four-bar/model.toml",
    "heavy-top/model.toml",
    "puma-blade/model.toml",
    "python-controller/native.toml",
    "slider-crank-stop/compliant.toml",
    "sliding-block/model.toml",
    "ssp-wagons/whole.toml",
    "stick-slip-belt/limit-cycle.toml",
    "stick-slip-belt/model.toml",
    "tippe-top/model.toml",
    "train/model.toml",
    "train/wagon.toml",
    "turbine/model.toml",
    "walker/no-ports.toml",
];

/// Runs a model both ways until after its first impact; whether it had one.
fn assert_same_bits(model: &str, overrides: &[&str]) -> bool {
    let threads = [overrides, &["master.execution=threads"]].concat();
    let steps = if LATE.contains(&model) { 6000 } else { 1500 };
    let [here, there] =
        [overrides, &threads].map(|overrides| Run::of(&Run::first_steps(model, overrides, steps)));
    assert!(here.has_bits_of(&there), "{model} {overrides:?}");
    let (a, b) = (&here.report, &there.report);
    assert_eq!(
        (&a.outcome, a.steps, a.interface_solves, a.master_iterations),
        (&b.outcome, b.steps, b.interface_solves, b.master_iterations)
    );
    assert_eq!(
        (a.energy, a.contraction, a.impacts),
        (b.energy, b.contraction, b.impacts),
        "{model} {overrides:?}"
    );
    assert_eq!(a.outcome, Outcome::Completed, "{model} {overrides:?}");
    assert!(a.steps > 0, "{model}");
    a.impacts > 0
}

#[test]
fn every_example_has_the_same_bits_in_threads() {
    let models = models();
    assert!(models.len() >= 10, "{models:?}");
    let without = models.into_iter().filter(|model| !assert_same_bits(model, &[]));
    assert_eq!(without.collect::<Vec<_>>(), SMOOTH);
}

#[test]
fn iterations_have_the_same_bits_in_threads() {
    let thesis = [
        "time.end=0.12",
        "master.scheme=gauss-seidel",
        "interface.joint.law=tikhonov",
        "interface.joint.constant=2e-8",
        "subsystem.rod.solver=multistep",
    ];
    assert_same_bits("droop-stop/model.toml", &thesis);
    assert_same_bits(
        "droop-stop-nonlinear/model.toml",
        &["subsystem.node.mass=100", "master.tolerance=1e-12"],
    );
    assert_same_bits("oscillator/model.toml", &["master.scheme=gauss-seidel", "time.end=0.9"]);
}

/// A run in which every message becomes bytes and is read back.
fn encoded(model: &ModelSpec) -> Run {
    let encode = |subsystem| Box::new(EncodedSubsystem::new(subsystem).unwrap()) as Box<dyn Subsystem>;
    let subsystems = model.build_subsystems().unwrap().into_iter().map(encode).collect();
    let master = Master::new(subsystems, model.build_interfaces(), model.build_config(), model.time.start);
    Run::by(master.unwrap(), model)
}

fn assert_same_bits_encoded(model: &ModelSpec) {
    let (here, there) = (Run::completed(model), encoded(model));
    assert!(here.has_bits_of(&there), "{}", model.title);
    assert_eq!(here.timeless_report(), there.timeless_report(), "{}", model.title);
}

/// Two bodies in space welded at frames, the upper one on a hinge that is not parallel to an axis of either.
const WELDED: &str = r#"
schema = 1
time = { end = 0.3, step = 1e-3 }
[[subsystem]]
name = "upper"
kind = "multibody"
gravity = [9.81, 1, 2]
[[subsystem.body]]
name = "rod"
mass = 2.0
inertia = [0.1, 0.2, 0.3]
centre_of_mass = [0, -0.5, 0.1]
[[subsystem.joint]]
name = "hinge"
type = "spherical"
bodies = ["ground", "rod"]
at = [0, 0, 0]
[[subsystem.port]]
name = "end"
body = "rod"
point = [0, -1, 0]
coordinates = 6
[[subsystem]]
name = "lower"
kind = "multibody"
gravity = [9.81, 1, 2]
[[subsystem.body]]
name = "bob"
mass = 1.0
inertia = [0.1, 0.2, 0.15]
position = [0, -1, 0]
[[subsystem.port]]
name = "centre"
body = "bob"
coordinates = 6
[[interface]]
name = "weld"
between = ["upper.end", "lower.centre"]
law = "rigid"
"#;

#[test]
fn bytes_keep_the_bits() {
    for (model, end) in [("oscillator", "2"), ("droop-stop", "0.2"), ("rods", "0.1"), ("andrews", "0.01")] {
        let end = format!("time.end={end}");
        assert_same_bits_encoded(&Run::model(&format!("{model}/model.toml"), &[&end]));
    }
    assert_same_bits_encoded(&Run::model(
        "oscillator/model.toml",
        &["master.scheme=gauss-seidel", "time.end=0.5"],
    ));
    let welded = Run::text(WELDED, &[]);
    let subsystems = welded.build_subsystems().unwrap();
    assert!(subsystems.iter().all(|subsystem| subsystem.description().frames().count() == 1));
    assert_same_bits_encoded(&welded);
    let threads = Run::text(WELDED, &["master.execution=threads"]);
    assert!(Run::completed(&welded).has_bits_of(&Run::completed(&threads)));
}

#[test]
fn different_runs_have_different_bits() {
    // The comparison itself: a step of another size must be seen.
    let [a, b] = ["1e-3", "1.0000000001e-3"]
        .map(|h| Run::example("oscillator/model.toml", &["time.end=0.5", &format!("time.step={h}")]));
    assert!(a.has_bits_of(&a) && !a.has_bits_of(&b));
}
