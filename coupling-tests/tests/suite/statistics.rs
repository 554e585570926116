//! Figures of interfaces, step by step: they add up to those of the run, and follow from the theory of the iteration.

use coupling_tests::Run;

const DROOP_STOP: &str = "droop-stop/model.toml";
const TOLERANCE: f64 = 1e-8;
/// Gauss-Seidel, a node of 1 kg, and a rod on a spring, so that forces change.
const THESIS: [&str; 7] = [
    "time.end=0.25",
    "master.scheme=gauss-seidel",
    "master.tolerance=1e-8",
    "interface.joint.law=tikhonov",
    "interface.joint.constant=2e-8",
    "subsystem.rod.solver=multistep",
    "subsystem.rod.stiffness=[1e9]",
];

/// `W_a / (W_b + c/h²)` with `W_a = 1/m`, `m = 1`, `h = 1e-4`, `c = 2e-8`, the rod's `W_b = 1/(M + b₁² k)` and `b₁` of the multistep rule for ρ = 0.6.
fn contraction() -> f64 {
    let h = 1e-4;
    let b1 = h * (0.5 + 0.16 / (2.0 * 3.84));
    1.0 / (1.0 / (14062.5 + b1 * b1 * 1e9) + 2e-8 / (h * h))
}

/// The columns of every interface against its line of the report.
fn assert_columns_add_up(what: &str, run: &Run) {
    for joint in &run.report.interfaces {
        let column = |quantity: &str| run.column(&format!("{}.{quantity}", joint.name));
        let largest = |column: &[f64]| column.iter().fold(0.0_f64, |most, x| most.max(*x));
        let iterations = column("iterations");
        assert_eq!(iterations[0], 0.0, "{what}: nothing is done before the first step");
        assert_eq!(iterations.iter().sum::<f64>(), joint.iterations as f64, "{what}: {joint:?}");
        assert_eq!(largest(&iterations), joint.most_iterations as f64, "{what}: {joint:?}");
        assert_eq!(largest(&column("residual")), joint.largest_residual, "{what}: {joint:?}");
        let created = column("created");
        let (sum, size) =
            created.iter().fold((0.0, 0.0), |(sum, size): (f64, f64), x| (sum + x, size + x.abs()));
        assert!((sum - joint.energy_monitor).abs() <= 1e-12 * size, "{what}: {sum:e} J, {joint:?}");
        assert_eq!(largest(&created), joint.energy_most, "{what}: {joint:?}");
    }
    let created: f64 = run.report.interfaces.iter().map(|joint| joint.energy_monitor).sum();
    assert_eq!(created, run.report.energy.interfaces, "{what}");
}

#[test]
fn columns_add_up_to_the_report() {
    let loose = ["master.scheme=gauss-seidel", "master.tolerance=1e-3", "time.end=0.9"];
    let nonlinear = ["time.end=0.5", "time.step=1e-3"];
    for (path, overrides) in [
        (DROOP_STOP, THESIS.as_slice()),
        ("oscillator/model.toml", &loose),
        ("droop-stop-nonlinear/model.toml", &nonlinear),
        ("three-subsystems/model.toml", &[]),
        ("chain/model-4-masses.toml", &["time.end=0.4"]),
    ] {
        let run = Run::example(path, overrides);
        assert_columns_add_up(path, &run);
        assert!(!run.report.interfaces.is_empty());
    }
}

#[test]
fn a_model_of_affine_subsystems_needs_one_iteration_a_step() {
    let run = Run::example("three-subsystems/model.toml", &[]);
    for joint in &run.report.interfaces {
        let column = |quantity: &str| run.column(&format!("{}.{quantity}", joint.name));
        assert!(column("iterations")[1..].iter().all(|n| *n == 1.0), "{joint:?}");
        assert!(column("residual").iter().all(|residual| *residual == 0.0), "{joint:?}");
    }
}

/// Wrong by `e` at first, the n-th change is `(1 + ρ) ρⁿ⁻¹ e`; the iteration ends when that is below the tolerance of
/// the largest force of the step and of the one before. The first guess is extrapolated from the forces recorded.
#[test]
fn iterations_and_residuals_of_a_step_follow_from_the_contraction() {
    let (run, rho) = (Run::example(DROOP_STOP, &THESIS), contraction());
    assert!((rho - 0.5).abs() < 1e-3, "{rho}");
    let [force, iterations, residual] =
        ["joint.force", "joint.iterations", "joint.residual"].map(|name| run.column(name));
    let impulse = run.column("node.stop.impulse");
    let mut checked = 0;
    for k in 1..force.len() {
        let is_free = k >= 4 && impulse[k - 4..=k].iter().all(|impulse| *impulse == 0.0);
        if !is_free || iterations[k] < 5.0 {
            continue;
        }
        let wrong = (2.0 * force[k - 1] - force[k - 2] - force[k]).abs();
        let largest = force[k].abs().max(force[k - 1].abs());
        let needed = 1.0 + ((TOLERANCE * largest) / ((1.0 + rho) * wrong)).ln() / rho.ln();
        assert!(
            (iterations[k] - needed.ceil()).abs() <= 1.0,
            "{} iterations at step {k}, not {needed}",
            iterations[k]
        );
        // The change before the last one was not small enough.
        assert!(
            residual[k] <= TOLERANCE && residual[k] > 0.99 * rho * TOLERANCE,
            "{:e} at step {k}",
            residual[k]
        );
        checked += 1;
    }
    assert!(checked > 1000, "{checked} steps");
}
