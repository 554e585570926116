//! A two-mass oscillator whose halves are units.

use cosimo::master::{CouplingMode, Outcome};
use coupling_tests::{Run, fitted_order};

use super::{HALVES, Half, VERSIONS, file, model};

const SPRING: &str = "law = \"compliant\"\nstiffness = 1000.0\ndamping = 1.0";
const RIGID: &str = "law = \"rigid\"\noffset = 0.15";

fn run(step: f64, halves: [&String; 2], joint: &str) -> Run {
    Run::completed(&Run::text(&model(step, halves.map(String::as_str), joint), &[]))
}

/// Largest difference of a quantity between two runs on the same steps, against its largest value.
fn difference(run: &Run, reference: &Run, quantity: &str) -> f64 {
    let (found, expected) = (run.column(quantity), reference.column(quantity));
    assert_eq!(found.len(), expected.len(), "{quantity}");
    let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    found.iter().zip(expected).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / scale
}

#[test]
fn halves_in_model_exchange_run_as_native_ones_under_every_rule_and_joint() {
    for solver in ["theta", "multistep"] {
        for joint in [SPRING, RIGID] {
            let native = HALVES.map(|half| half.native(solver));
            let reference = run(1e-3, [&native[0], &native[1]], joint);
            for version in VERSIONS {
                let Some(file) = file("oscillator_half", version, &[]) else { return };
                let unit = |half: Half| half.unit(&file, &format!("solver = \"{solver}\""));
                let units = HALVES.map(unit);
                for halves in [[&native[0], &units[1]], [&units[0], &units[1]]] {
                    let run = run(1e-3, halves, joint);
                    let apart = difference(&run, &reference, "j.force");
                    assert!(apart < 1e-10, "{solver}, {joint}, {version:?}: {apart:e}");
                    assert!(run.report.warnings.is_empty(), "{solver}, {joint}: {:?}", run.report.warnings);
                    let text = model(1e-3, halves.map(String::as_str), joint);
                    let usual = Run::completed(&Run::text(&text, &["master.tolerance=1e-9"])).report;
                    let solves = usual.master_iterations as f64 / usual.steps as f64;
                    assert!(solves < 1.01, "{solver}, {joint}: {solves} solves per step");
                }
            }
        }
    }
}

/// Largest error of the gap, the positions apart, over the run of a second, against a fine run of the native halves.
fn errors(halves: [&String; 2], joint: &str, quantity: &str, steps: [f64; 3]) -> [f64; 3] {
    let native = HALVES.map(|half| half.native("theta"));
    let fine = run(1.25e-5, [&native[0], &native[1]], joint);
    steps.map(|step| {
        let run = run(step, halves, joint);
        let stride = (step / 1.25e-5).round() as usize;
        let expected: Vec<f64> = fine.column(quantity).into_iter().step_by(stride).collect();
        let found = run.column(quantity);
        assert_eq!(found.len(), expected.len());
        found.iter().zip(&expected).skip(1).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
    })
}

#[test]
fn halves_in_co_simulation_converge_with_order_two_by_differences_and_quasi_newton() {
    let steps = [4e-3, 2e-3, 1e-3];
    for version in VERSIONS {
        let Some(file) = file("oscillator_half", version, &[]) else { return };
        for coupling in ["auto", "differenced", "quasi-newton"] {
            let unit = |half: Half| {
                half.unit(&file, &format!("face = \"co-simulation\"\ncoupling = \"{coupling}\""))
            };
            let units = HALVES.map(unit);
            // It tells the derivative at once, as the standard says, which is none of a step: it is not believed.
            let told = run(1e-2, [&units[0], &units[1]], SPRING).report;
            let wanted = if coupling == "quasi-newton" {
                CouplingMode::QuasiNewton
            } else {
                CouplingMode::Differenced
            };
            assert!(told.subsystems.iter().all(|own| own.coupling == wanted), "{coupling}");
            let errors = errors([&units[0], &units[1]], SPRING, "j.gap", steps);
            let order = fitted_order(&steps, &errors);
            assert!((order - 2.0).abs() < 0.1, "{version:?}, {coupling}: order {order}, errors {errors:?}");
            assert!(errors[2] < 3e-4, "{errors:?}");
        }
    }
}

#[test]
fn a_half_that_cannot_go_back_is_coupled_explicitly_and_the_run_says_so() {
    for version in VERSIONS {
        let Some(file) = file("oscillator_half", version, &[("NO_STATE", "1")]) else { return };
        let half = HALVES[1].unit(&file, "face = \"co-simulation\"");
        let native = HALVES[0].native("theta");
        let run = run(1e-3, [&native, &half], SPRING);
        assert_eq!(run.report.outcome, Outcome::Completed);
        let unit = &run.report.subsystems[1];
        assert_eq!(unit.coupling, CouplingMode::Explicit, "{version:?}");
        let warned: Vec<&str> = run.report.warnings.iter().map(|warning| warning.text.as_str()).collect();
        assert_eq!(warned.len(), 1, "{warned:?}");
        for part in
            ["subsystem `b` is coupled explicitly", "its motion is extrapolated, at interface `j` too"]
        {
            assert!(warned[0].contains(part), "{warned:?}");
        }
        let text = model(1e-3, [&native, &half], SPRING);
        let wanted = Run::completed(&Run::text(&text, &["subsystem.b.coupling=explicit"]));
        assert!(wanted.report.warnings.is_empty(), "{:?}", wanted.report.warnings);
        let text = model(1e-3, [&native, &half], RIGID);
        let refused = Run::text(&text, &[]).build().err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.contains("can only be coupled explicitly"), "{refused}");
    }
}
