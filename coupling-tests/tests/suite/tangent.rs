//! Inverse masses of nonlinear subsystems: kept by themselves where that takes less work, with the same motion, and the same bits
//! wherever a run is broken off.

use cosimo::model::ModelSpec;
use coupling_tests::Run;

/// Eight legs in one system with ports of 24 rows, and eight feet.
const WALKER: &str = "walker/model.toml";

fn model(path: &str, tangent: &str, times: [&str; 2]) -> ModelSpec {
    let [step, end] = [format!("time.step={}", times[0]), format!("time.end={}", times[1])];
    Run::model(path, &[&format!("master.tangent={tangent}"), &step, &end])
}

/// Work of a run: right-hand sides of inverse masses, of which an evaluation counts as half a dozen.
fn work(run: &Run, of: &str, rows: f64) -> f64 {
    let statistics =
        run.report.subsystems.iter().find(|subsystem| subsystem.name == of).map(|s| s.statistics);
    statistics.map_or(f64::NAN, |s| 6.0 * s.evaluations as f64 + rows * s.refreshes as f64)
}

#[test]
fn the_walker_keeps_its_inverse_mass_and_walks_the_same_way() {
    let [auto, exact, frozen] =
        ["auto", "exact", "frozen"].map(|tangent| Run::completed(&model(WALKER, tangent, ["1e-4", "0.1"])));
    let [of_auto, of_exact, of_frozen] = [&auto, &exact, &frozen].map(|run| work(run, "w", 24.0));
    assert!(of_frozen < 0.8 * of_exact, "{of_frozen}, {of_exact}");
    assert!(of_auto < 1.05 * of_frozen, "{of_auto}, {of_frozen}, {of_exact}");
    for name in ["w.chassis.x", "w.chassis.z"] {
        let pairs = auto.column(name).into_iter().zip(exact.column(name));
        let apart = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-10, "{name}: {apart:e} m");
    }
}

#[test]
fn a_run_that_is_broken_off_goes_on_with_the_same_bits() {
    let model = model(WALKER, "auto", ["1e-3", "0.2"]);
    let whole = Run::completed(&model);
    // In the first trial, at its end, in the second, at its end, while one way is followed, in the next trial.
    for cuts in [[3, 8].as_slice(), &[7, 11, 16], &[17, 80, 146]] {
        let parts = Run::interrupted(&model, cuts);
        assert!(parts.has_bits_of(&whole), "{cuts:?}");
        assert_eq!(parts.report.master_iterations, whole.report.master_iterations);
    }
}

/// Nothing is tried where there is nothing to choose, or little to win.
#[test]
fn affine_models_and_those_of_few_rows_are_not_touched() {
    for path in ["oscillator/model.toml", "chain/model-10-masses.toml", "droop-stop-nonlinear/model.toml"] {
        let [auto, exact] =
            ["auto", "exact"].map(|tangent| Run::completed(&model(path, tangent, ["1e-3", "0.2"])));
        assert!(auto.has_bits_of(&exact), "{path}");
    }
}
