//! Every scheme gives the same results.

use coupling_tests::Run;

use super::{ITERATIVE, Scheme, deviation};

const TOLERANCE: f64 = 1e-8;

/// A model, its settings, and the iterative schemes that do not agree on all steps, which are then solved at once.
struct Case {
    model: &'static str,
    settings: &'static [&'static str],
    diverge: &'static [Scheme<'static>],
}

/// Models that run until after impacts whose waves have met the joints: one row and many, springs and rigid joints, joints
/// of three coordinates, contacts on both sides, affine and not, subsystems that report nothing of themselves.
const CASES: [Case; 10] = [
    Case { model: "oscillator/model.toml", settings: &["time.end=0.6"], diverge: &[] },
    Case {
        model: "oscillator/model.toml",
        settings: &["time.end=0.6", "subsystem.upper.coupling=differenced"],
        diverge: &[],
    },
    Case {
        model: "oscillator/model.toml",
        settings: &["time.end=0.6", "subsystem.upper.coupling=explicit", "master.step_control=fixed"],
        diverge: &[],
    },
    Case {
        model: "oscillator/model.toml",
        settings: &["time.end=0.6", "subsystem.upper.micro_steps=3"],
        diverge: &[],
    },
    Case { model: "chain/model-10-springs.toml", settings: &["time.end=0.5"], diverge: &[] },
    Case {
        model: "droop-stop/model.toml",
        settings: &["time.end=0.15", "subsystem.node.mass=3e4"],
        diverge: &[],
    },
    Case {
        model: "droop-stop/model.toml",
        settings: &[
            "time.end=0.11",
            "interface.joint.law=tikhonov",
            "interface.joint.constant=5e-9",
            // Opened by what the node weighs more than it falls.
            "subsystem.node.position=[0, 0, 0.0029999530033]",
            "master.initial_tolerance=1e-4",
        ],
        diverge: &[("gauss-seidel", "none"), ("jacobi", "none")],
    },
    Case {
        model: "droop-stop/model.toml",
        settings: &[
            "time.end=0.11",
            "interface.joint.law=tikhonov",
            "interface.joint.constant=2e-8",
            "subsystem.rod.solver=multistep",
            "subsystem.rod.stiffness=[1e9]",
        ],
        diverge: &[("jacobi", "aitken")],
    },
    Case {
        model: "droop-stop-nonlinear/model.toml",
        settings: &["time.end=0.9", "subsystem.node.mass=3e4"],
        diverge: &[("gauss-seidel", "none"), ("jacobi", "none")],
    },
    Case {
        model: "three-subsystems/model.toml",
        settings: &[
            "time.end=0.05",
            "interface.ab.law=compliant",
            "interface.ab.stiffness=1e6",
            "interface.bc.law=compliant",
            "interface.bc.stiffness=1e6",
        ],
        diverge: &[],
    },
];

#[test]
fn every_scheme_gives_the_same_results() {
    for case in &CASES {
        assert_same_results(case);
    }
}

fn assert_same_results(case: &Case) {
    let tolerance = format!("master.tolerance={TOLERANCE:e}");
    let common = [case.settings, &["master.impacts=plain", &tolerance, "master.max_iterations=400"]].concat();
    let expected = Run::example(case.model, &common);
    assert!(!expected.impacts().is_empty(), "{}", case.model);
    for (scheme, acceleration) in ITERATIVE {
        let what = format!("{} {:?} {scheme} {acceleration}", case.model, case.settings);
        let scheme_settings =
            [format!("master.scheme={scheme}"), format!("master.acceleration={acceleration}")];
        let settings: Vec<&str> = scheme_settings.iter().map(String::as_str).collect();
        let found = Run::completed(&Run::model(case.model, &[common.as_slice(), &settings].concat()));
        let (diverges, at_once) =
            (case.diverge.contains(&(scheme, acceleration)), found.report.solved_at_once);
        assert_eq!(at_once > 0, diverges, "{what}: {at_once} steps solved at once");
        let (worst, label) = deviation(&found, &expected);
        assert!(worst <= 10.0 * TOLERANCE, "{what}: {label} differs by {worst:e}");
    }
}
