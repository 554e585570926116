//! The droop stop, a node under a rod of 14062.5 kg on a spring of 1e9 N/m, which stands for what is elastic: `h` = 1e-4 s, 0.25 s, 22 to 41 impacts.

use cosimo::master::Outcome;
use coupling_tests::Run;

use super::{B1, CONDENSED, ITERATIVE, Scheme, assert_count, constant, deviation, rho, run, settings};

/// `μ L³/3 / r²` (kg) and the spring (N/m).
const ROD: (f64, f64) = (14062.5, 1e9);
/// The constant of the joint (m/N).
const C: f64 = 2e-8;
/// Gauss-Seidel, Jacobi, relaxation by 0.5, Aitken, IQN-ILS, Jacobi with IQN-ILS, condensed.
const COLUMNS: [Scheme<'static>; 7] =
    [ITERATIVE[0], ITERATIVE[4], ITERATIVE[1], ITERATIVE[2], ITERATIVE[3], ITERATIVE[7], CONDENSED];
/// Node (kg) and mean iterations per step by column; `None` where the iteration diverges.
const COMPLIANT: [(f64, [Option<f64>; 7]); 5] = [
    (100.0, [Some(2.92), Some(3.85), Some(12.3), Some(3.05), Some(2.04), Some(2.11), Some(1.0)]),
    (10.0, [Some(3.98), Some(5.97), Some(11.6), Some(3.03), Some(2.02), Some(2.06), Some(1.0)]),
    (1.0, [Some(12.1), Some(22.3), Some(7.06), Some(3.03), Some(2.02), Some(2.02), Some(1.0)]),
    (0.3, [None, None, Some(8.76), Some(3.03), Some(2.02), Some(2.02), Some(1.0)]),
    (0.1, [None, None, Some(3.18), Some(3.03), Some(2.02), Some(2.02), Some(1.0)]),
];

/// Inverse mass of the rod at the stop (1/kg).
fn inverse_mass() -> f64 {
    1.0 / (ROD.0 + B1 * B1 * ROD.1)
}

/// The rod with a node of mass `m` (kg) and a constant `c` (m/N).
fn droop(scheme: Scheme<'_>, m: f64, c: f64, more: &[&str]) -> Run {
    let mut all = settings(scheme, 200);
    all.extend(
        ["time.end=0.25", "subsystem.rod.solver=multistep", "subsystem.rod.stiffness=[1e9]"]
            .map(str::to_owned),
    );
    all.push(format!("subsystem.node.mass={m:e}"));
    all.extend(constant("joint", c));
    all.extend(more.iter().map(|&text| text.to_owned()));
    run("droop-stop/model.toml", &all)
}

#[test]
fn it_takes_the_iterations_of_the_table() {
    for (mass, row) in COMPLIANT {
        for (column, expected) in COLUMNS.into_iter().zip(row) {
            assert_count(&droop(column, mass, C, &[]), expected, 1.05, &format!("{mass} kg, {column:?}"));
        }
    }
}

/// What a free rigid body in a closed contact cannot do is extrapolated by no one: at impacts, too, iterations are few.
#[test]
fn impacts_take_few_iterations() {
    for (mass, column, most) in
        [(1.0, 0, 22), (1.0, 3, 6), (0.3, 4, 5), (0.1, 3, 6), (0.1, 4, 5), (0.1, 5, 8)]
    {
        let found = droop(COLUMNS[column], mass, C, &[]).report.most_iterations;
        assert!(found <= most + 2, "{mass} kg, {:?}: {found}, not {most}", COLUMNS[column]);
    }
}

/// What an iteration leaves of the tolerance in every step adds up where nothing damps it: over 2500 steps, up to ten times the tolerance,
/// in proportion to it. Jacobi with IQN-ILS leaves at impacts the ratio of masses times as much.
#[test]
fn every_column_that_converges_approaches_the_results_of_the_condensed_one() {
    // The heaviest node swings on the constant and hits the stop as often as the tolerance lets it.
    for (mass, row) in COMPLIANT.into_iter().skip(1) {
        let expected = droop(CONDENSED, mass, C, &[]);
        assert!(expected.impacts().len() >= 22);
        for (column, _) in COLUMNS[..5].iter().zip(row).filter(|(_, count)| count.is_some()) {
            for tolerance in [1e-6, 1e-8] {
                let run = droop(*column, mass, C, &[&format!("master.tolerance={tolerance:e}")]);
                assert_eq!(run.report.outcome, Outcome::Completed, "{mass} kg, {column:?}, {tolerance:e}");
                let (worst, label) = deviation(&run, &expected);
                let what = format!("{mass} kg, {column:?} at {tolerance:e}: {label} differs by {worst:e}");
                assert!(worst <= 20.0 * tolerance, "{what}");
            }
        }
    }
}

/// Of relaxation it is `1 − ω (1 + ρ)`, as long as that contracts; beyond, the force is kept in its bracket.
#[test]
fn contraction_is_that_of_the_formula() {
    for (mass, row) in COMPLIANT {
        let rho = rho(mass, inverse_mass(), C);
        let relaxed = (1.0 - 0.5 * (1.0 + rho)).abs();
        for ((column, formula), count) in COLUMNS.into_iter().zip([rho, rho.sqrt(), relaxed]).zip(row) {
            if formula > 1.0 && column == ITERATIVE[1] {
                continue;
            }
            let found = droop(column, mass, C, &["time.end=0.05"]).report.contraction.unwrap_or(f64::NAN);
            let what = format!("{mass} kg, {column:?}");
            assert!((found / formula - 1.0).abs() < 1e-2, "{what}: {found}, formula {formula}");
            assert_eq!(count.is_some(), formula < 1.0, "{what}: the table contradicts the formula");
        }
    }
}

/// At a rigid joint sweeps alone diverge in every step, which is then solved at once, with the results of the condensed scheme. Accelerated
/// Gauss-Seidel finds the force, which is one, whatever the ratio of masses.
#[test]
fn a_rigid_joint_needs_acceleration() {
    for mass in [100.0, 1.0, 0.1] {
        let expected = droop(CONDENSED, mass, 0.0, &[]);
        assert_eq!(expected.report.outcome, Outcome::Completed);
        assert_eq!(
            (expected.report.interface_solves, expected.report.failed_steps),
            (expected.report.steps, 0)
        );
        for column in &COLUMNS[..2] {
            let run = droop(*column, mass, 0.0, &[]);
            let what = format!("{mass} kg, {column:?}");
            assert_count(&run, None, 1.0, &what);
            assert_eq!(run.report.solved_at_once, run.report.steps, "{what}");
            let (worst, label) = deviation(&run, &expected);
            assert!(worst <= 1e-12, "{what}: {label} differs by {worst:e}");
        }
        for (column, mean) in COLUMNS[2..5].iter().zip([3.18, 3.03, 2.03]) {
            let run = droop(*column, mass, 0.0, &[]);
            let what = format!("{mass} kg, {column:?}");
            assert_count(&run, Some(mean), 1.05, &what);
            let (worst, label) = deviation(&run, &expected);
            assert!(worst <= 20e-6, "{what}: {label} differs by {worst:e}");
        }
    }
}
