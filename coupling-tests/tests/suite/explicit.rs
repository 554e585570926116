//! A subsystem that neither reports its inverse mass nor re-evaluates a step, on a spring.
//!
//! Reference: two masses on a spring in closed form, `g(t) = g₀ cos ωt` with `ω² = k (1/m₁ + 1/m₂)`.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo::master::{CouplingMode, Master, MasterConfig, NoObserver, RunReport, StepControl};
use cosimo::subsystem::Subsystem;
use cosimo::subsystem::conformance::Hidden;
use coupling_tests::{Run, fitted_order, step_sizes};

const MODEL: &str = r#"
schema = 1
time = { end = 1.0, step = 1e-3 }
[[subsystem]]
name = "a"
kind = "linear"
mass = [1.0]
position = [0.02]
port = [{ name = "end", coordinates = [0] }]
[[subsystem]]
name = "b"
kind = "linear"
mass = [2.0]
position = [-0.01]
port = [{ name = "end", coordinates = [0] }]
[[interface]]
name = "spring"
between = ["a.end", "b.end"]
law = "compliant"
stiffness = 1e4
"#;
const STRETCH: f64 = 0.03;

/// Runs with `b` opaque; the gap at the end, and the numbers.
fn run(stiffness: f64, h: f64, control: StepControl) -> (f64, RunReport) {
    let overrides = [format!("interface.spring.stiffness={stiffness:e}")];
    let model = Run::text(MODEL, &[&overrides[0]]);
    let mut subsystems = model.build_subsystems().unwrap();
    let b = Hidden::new(subsystems.remove(1)).without_inverse_mass().without_roll_back().without_impulses();
    subsystems.push(Box::new(b) as Box<dyn Subsystem>);
    let config = MasterConfig { step_control: control, ..model.build_config() };
    let mut master = Master::new(subsystems, model.build_interfaces(), config, 0.0).unwrap();
    let report = master.run(1.0, h, &mut NoObserver).unwrap();
    assert_eq!(master.coupling_modes(), [CouplingMode::Exact, CouplingMode::Explicit]);
    let z = |i: usize| master.subsystems()[i].rows().positions[0];
    (z(0) - z(1), report)
}

fn exact(stiffness: f64) -> f64 {
    STRETCH * (1.5 * stiffness).sqrt().cos()
}

#[test]
fn explicit_coupling_converges_with_order_two() {
    // Whole numbers of steps, so that all steps are alike.
    let steps: Vec<f64> = step_sizes(2e-3, 2e-4, 10).iter().map(|h| 1.0 / (1.0 / h).round()).collect();
    let error = |h: &f64| (run(1e3, *h, StepControl::Fixed).0 - exact(1e3)).abs();
    let errors: Vec<f64> = steps.iter().map(error).collect();
    let order = fitted_order(&steps, &errors);
    assert!((1.9..2.6).contains(&order), "order {order}: {errors:?}");
    assert!(errors[9] < 1e-4, "{errors:?}");
}

#[test]
fn the_monitor_tells_the_drift_of_an_explicit_joint() {
    let (_, report) = run(1e4, 1e-3, StepControl::Fixed);
    let drift = report.energy.end - report.energy.start;
    assert!(drift.abs() > 1e-3 * report.energy.start, "{drift:e} J: nothing to tell");
    let told = report.energy.monitor_sum;
    assert!((told - drift).abs() <= 1e-2 * drift.abs(), "{told:e} J told, {drift:e} J found");
    let by_interface = report.interfaces[0].energy_monitor;
    assert!((by_interface - drift).abs() <= 1e-2 * drift.abs(), "{by_interface:e} J by the interface");
}

#[test]
fn the_control_makes_steps_that_keep_the_energy() {
    let fixed = run(1e4, 4e-3, StepControl::Fixed).1.energy;
    assert!((fixed.end / fixed.start - 1.0).abs() > 0.5, "the step is too large without a control");
    let (gap, report) = run(1e4, 4e-3, StepControl::Auto);
    let energy = report.energy;
    assert!((energy.end / energy.start - 1.0).abs() < 2e-3, "{energy:?} after {} steps", report.steps);
    assert!((gap - exact(1e4)).abs() < 0.05 * STRETCH, "{gap} instead of {}", exact(1e4));
    assert!((250..8000).contains(&report.steps), "{} steps", report.steps);
    assert!((report.end_time - 1.0).abs() < 1e-12);
}

/// Nothing is known of the first step, and an explicit one cannot be taken back: it is the smallest.
#[test]
fn the_first_step_makes_no_more_than_the_others() {
    let model = r#"
schema = 1
time = { end = 0.05, step = 1e-2 }
[[subsystem]]
name = "a"
kind = "linear"
coupling = "explicit"
mass = [1.0]
velocity = 30
port = [{ name = "end", coordinates = [0] }]
[[subsystem]]
name = "b"
kind = "linear"
coupling = "explicit"
mass = [2.0]
port = [{ name = "end", coordinates = [0] }]
[[interface]]
name = "spring"
between = ["a.end", "b.end"]
law = "compliant"
stiffness = 1e6
"#;
    let run = Run::completed(&Run::text(model, &[]));
    // Of 450 J; begun with a sixteenth of the largest step the first one alone made 39 J.
    let most = run.report.interfaces[0].energy_most;
    assert!(most < 0.01 && run.report.energy.interfaces.abs() < 0.5, "{most:e} J: {:?}", run.report.energy);
}
