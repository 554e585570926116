//! Steps on which contacts and bodies do not agree, halved as often as allowed: taken with what is left, told, recorded and bounded.
//!
//! A pendulum hangs by a pin in a hole half a millimetre larger: the direction of the contact turns with the rod. Two iterations per step do
//! not do where it hits, however small the step; three do.
#![expect(clippy::panic, reason = "tests")]

use cosimo::master::{Outcome, WarningPlace};
use cosimo::model::ModelSpec;
use coupling_tests::Run;

const PIN_IN_A_HOLE: &str = r#"
schema = 1
time = { end = 0.12, step = 1e-4 }
[checkpoint]
every_seconds = 0
[[subsystem]]
name = "p"
kind = "multibody"
gravity = [0, 0, -9.81]
[[subsystem.body]]
name = "rod"
mass = 1.0
inertia = [0.08, 0.08, 0.08]
position = [0.5, 0, 0]
[[subsystem.joint]]
name = "plane"
type = "planar"
bodies = ["ground", "rod"]
at = [0, 0, 0]
axis = [0, 1, 0]
[[subsystem.sensor]]
name = "play"
type = "distance"
first = { body = "ground" }
second = { body = "rod", point = [-0.4999, 0, 0] }
[[subsystem.contact]]
name = "bearing"
type = "stop"
sensor = "play"
limit = 5e-4
side = "upper"
restitution = 0.3
"#;

/// A bob that spins about a point of it, which a rigid joint to a subsystem of its own holds at the tip of the rod.
const SPINNING_BOB: &str = r#"
[[subsystem.port]]
name = "tip"
body = "rod"
point = [0.5, 0, 0]
coordinates = 3
[[subsystem]]
name = "w"
kind = "multibody"
gravity = [0, 0, -9.81]
[[subsystem.body]]
name = "bob"
mass = 0.5
inertia = [0.01, 0.005, 0.012]
position = [1.3, 0, 0]
angular_velocity = [0, 30, 0]
velocity = [0, 0, -9]
[[subsystem.port]]
name = "end"
body = "bob"
point = [-0.3, 0, 0]
coordinates = 3
[[interface]]
name = "joint"
law = "rigid"
between = ["p.tip", "w.end"]
"#;

/// The same in so many iterations per step at most, with further overrides.
fn pin(iterations: u32, overrides: &[&str]) -> ModelSpec {
    let iterations = format!("master.max_iterations={iterations}");
    Run::text(PIN_IN_A_HOLE, &[overrides, &[iterations.as_str()]].concat())
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Why a run has failed.
fn failure(run: &Run) -> &str {
    match &run.report.outcome {
        Outcome::Failed(text) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_step_that_is_not_solved_is_taken_with_a_warning() {
    let run = Run::completed(&pin(2, &[]));
    let report = &run.report;
    assert!(report.unsolved_steps > 100, "{}", report.unsolved_steps);
    assert!(report.largest_contact_residual > 1e-9 && report.largest_contact_residual < 1e-4);
    let warnings: Vec<_> =
        report.warnings.iter().filter(|warning| warning.text.contains("do not agree")).collect();
    let [warning] = warnings.as_slice() else { panic!("{:?}", report.warnings) };
    assert_eq!(warning.place, WarningPlace::Contact("p.bearing".to_owned()));
    for part in ["contact `p.bearing`", "residual", "on_unsolved = \"stop\"", "max_halvings", "smaller step"]
    {
        assert!(warning.text.contains(part), "{part}: {}", warning.text);
    }
    assert!((warning.time - 0.0664).abs() < 1e-3, "{}", warning.time);
}

/// The residual of every macro step is recorded: zero up to the warning, its largest that of the summary, and as many steps with one as
/// the summary counts.
#[test]
fn what_is_left_is_recorded() {
    let run = Run::completed(&pin(2, &[]));
    let residuals = run.column("contacts.residual");
    let first = residuals.iter().position(|residual| *residual > 0.0).map(|k| run.times[k]);
    let told = run.report.warnings[0].time;
    assert!(first.is_some_and(|first| (0.0..=1.01e-4).contains(&(first - told))), "{first:?}, {told}");
    assert_eq!(largest(&residuals).to_bits(), run.report.largest_contact_residual.to_bits());
    assert_eq!(
        residuals.iter().filter(|residual| **residual > 0.0).count() as u64,
        run.report.unsolved_steps
    );
}

/// What is left does little: the motion is that of the steps that are solved, the contact holds, and no energy is made that the balance
/// does not show.
#[test]
fn what_is_left_does_little() {
    let (left, solved) = (Run::completed(&pin(2, &[])), Run::completed(&pin(100, &[])));
    assert_eq!((solved.report.unsolved_steps, largest(&solved.column("contacts.residual"))), (0, 0.0));
    for name in ["p.rod.x", "p.rod.z"] {
        let (end, other) = (left.at(name, 0.12), solved.at(name, 0.12));
        assert!((end - other).abs() < 1e-5, "{name}: {end} and {other}");
    }
    let gaps = left.column("p.bearing.gap");
    let deepest = gaps.iter().fold(0.0_f64, |least, gap| least.min(*gap));
    assert!(deepest > -1e-8, "{deepest}");
    let energy = left.report.energy;
    let closed = energy.end
        - energy.start
        - (energy.contact + energy.external - energy.dissipated + energy.monitor_sum);
    assert!(closed.abs() < 1e-12 && energy.monitor_sum < 1e-4, "{closed:e}, {energy:?}");
}

/// Contact and interface are told once each, whatever the number of steps; the joint stays closed by what is left.
#[test]
fn every_place_is_told_once() {
    let text = PIN_IN_A_HOLE.to_owned() + SPINNING_BOB;
    let run = Run::completed(&Run::text(&text, &["time.step=1e-3", "master.max_iterations=1"]));
    assert!(run.report.unsolved_steps > 100, "{}", run.report.unsolved_steps);
    let told: Vec<_> =
        run.report.warnings.iter().filter(|warning| warning.text.contains("do not agree")).collect();
    let joint = WarningPlace::Interface("joint".to_owned());
    let bearing = WarningPlace::Contact("p.bearing".to_owned());
    assert!(
        told.len() == 2 && [joint, bearing].iter().all(|place| told.iter().any(|own| own.place == *place))
    );
    assert!(told[0].text.starts_with("interface `joint`"), "{}", told[0].text);
    let gap = (0..3).map(|k| largest(&run.column(&format!("joint.gap_{k}")))).fold(0.0, f64::max);
    assert!(gap < 1e-9, "{gap:e} m");
    assert!(run.report.energy.monitor_sum.abs() < 1e-5, "{:e} J", run.report.energy.monitor_sum);
}

#[test]
fn the_run_ends_there_where_it_is_to_stop() {
    let run = Run::of(&pin(2, &["master.on_unsolved=stop"]));
    let text = failure(&run);
    assert!(
        text.contains("contact `p.bearing`") && text.contains("did not converge in 2 iterations"),
        "{text}"
    );
    assert!((run.report.end_time - 0.0664).abs() < 1e-3, "{}", run.report.end_time);
    assert_eq!(run.report.unsolved_steps, 0);
}

/// In steps of 20 ms even a 64th of one leaves more than a hundredth in the first iteration: that is no solution, and the run ends.
#[test]
fn more_than_a_hundredth_is_never_left() {
    for iterations in [1, 2] {
        let run = Run::of(&pin(iterations, &["time.step=2e-2", "time.end=0.5"]));
        let text = failure(&run);
        let (_, residual) = text.split_once("the relative residual ").unwrap_or_else(|| panic!("{text}"));
        let residual: f64 = residual.split(';').next().and_then(|number| number.parse().ok()).unwrap_or(0.0);
        assert!(residual > 1e-2, "{text}");
        assert!(text.contains("contact `p.bearing`"), "{text}");
        assert!(run.report.largest_contact_residual <= 1e-2, "{:e}", run.report.largest_contact_residual);
    }
}

#[test]
fn steps_that_are_left_go_on_with_the_same_bits() {
    let model = pin(2, &[]);
    let whole = Run::completed(&model);
    assert!(whole.report.unsolved_steps > 100);
    let parts = Run::interrupted(&model, &[1, 600, 665, 700, 1000]);
    assert!(parts.has_bits_of(&whole));
    assert_eq!(parts.timeless_report(), whole.timeless_report());
    for threads in ["master.execution=threads", "master.threads=2"] {
        assert!(Run::completed(&pin(2, &[threads])).has_bits_of(&whole), "{threads}");
    }
}

/// Where the error chooses the steps, the smallest that it may take is the last.
#[test]
fn steps_chosen_by_their_error_are_taken_too() {
    let by_error = ["master.step_control=error", "master.max_refinements=4"];
    let run = Run::completed(&pin(2, &by_error));
    assert!(run.report.unsolved_steps > 100 && run.report.largest_contact_residual < 1e-4);
    let run = Run::of(&pin(2, &[&by_error[..], &["master.on_unsolved=stop"]].concat()));
    assert!(failure(&run).contains("contact `p.bearing`"));
}
