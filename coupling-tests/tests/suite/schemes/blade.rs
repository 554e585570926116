//! The droop stop with an elastic blade: hinged and free, five Euler-Bernoulli elements, node at the first joint of them.

use coupling_tests::Run;
use nalgebra::{DMatrix, DVector};

use super::{B1, CONDENSED, ITERATIVE, Scheme, assert_count, assert_same, constant, rho, settings};

/// Length (m), mass per length (kg/m), bending stiffness (N m²), place of the stop (m), gravity (m/s²).
const BLADE: [f64; 5] = [7.5, 9.0, 2e4, 0.3, 10.0];
/// The coordinate of the deflection at the stop.
pub(crate) const STOP: usize = 1;

/// Mass, stiffness and load of the blade, and its shape as a rigid body turned by 0.01. Coordinates are slope at the
/// hinge, then deflection and slope at the nodes outwards.
pub(crate) fn blade() -> (DMatrix<f64>, DMatrix<f64>, DVector<f64>, DVector<f64>) {
    let [length, per_length, bending, arm, gravity] = BLADE;
    let mut at = vec![0.0];
    at.extend((0..5).map(|k| arm + (length - arm) * f64::from(k) / 4.0));
    let n = 2 * at.len();
    let (mut mass, mut stiffness, mut load) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n), DVector::zeros(n));
    for e in 0..at.len() - 1 {
        let l = at[e + 1] - at[e];
        let (a, b, c, d) = (6.0 * l, 2.0 * l * l, 22.0 * l, 13.0 * l);
        let k = [[12.0, a, -12.0, a], [a, 2.0 * b, -a, b], [-12.0, -a, 12.0, -a], [a, b, -a, 2.0 * b]];
        let (p, q) = (4.0 * l * l, 3.0 * l * l);
        let m = [[156.0, c, 54.0, -d], [c, p, d, -q], [54.0, d, 156.0, -c], [-d, -q, -c, p]];
        let f = [l / 2.0, l * l / 12.0, l / 2.0, -l * l / 12.0];
        for i in 0..4 {
            load[2 * e + i] -= per_length * gravity * f[i];
            for j in 0..4 {
                stiffness[(2 * e + i, 2 * e + j)] += bending / l.powi(3) * k[i][j];
                mass[(2 * e + i, 2 * e + j)] += per_length * l / 420.0 * m[i][j];
            }
        }
    }
    let shape = DVector::from_fn(n, |i, _| 0.01 * if i % 2 == 0 { at[i / 2] } else { 1.0 });
    // The hinge does not deflect.
    let free = |matrix: DMatrix<f64>| matrix.remove_row(0).remove_column(0);
    (free(mass), free(stiffness), load.remove_row(0), shape.remove_row(0))
}

/// Inverse mass at the stop over a step of 1e-4 s by a multistep rule with this `b₁` (1/kg).
fn inverse_mass(b1: f64) -> f64 {
    let (mass, stiffness, ..) = blade();
    (mass + b1 * b1 * stiffness).try_inverse().unwrap()[(STOP, STOP)]
}

/// The model: the blade and a node of mass `m` (kg), joined rigidly.
pub(crate) fn model(m: f64, solver: &str) -> String {
    let (mass, stiffness, load, shape) = blade();
    let list = |v: &[f64]| v.iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(", ");
    let rows = |a: &DMatrix<f64>| {
        let row = |i: usize| format!("[{}]", list(&a.row(i).iter().copied().collect::<Vec<_>>()));
        (0..a.nrows()).map(row).collect::<Vec<_>>().join(",\n")
    };
    format!(
        "schema = 1\n[time]\nend = 0.12\nstep = 1e-4\n\
         [[subsystem]]\nname = \"node\"\nkind = \"node\"\nmass = {m:e}\ngravity = [0, 0, -10]\n\
         position = [0, 0, {stop:e}]\nport = [{{ name = \"top\", direction = [0, 0, 1] }}]\n\
         plane = [{{ name = \"stop\", normal = [0, 0, 1], restitution = 0.8 }}]\n\
         [[subsystem]]\nname = \"blade\"\nkind = \"linear\"\nsolver = \"{solver}\"\nmass = [{mass}]\n\
         stiffness = [{stiffness}]\nforce = [{load}]\nposition = [{shape}]\n\
         port = [{{ name = \"stop\", coordinates = [{STOP}] }}]\n\
         [[interface]]\nname = \"joint\"\nbetween = [\"node.top\", \"blade.stop\"]\nlaw = \"rigid\"\n",
        stop = shape[STOP],
        mass = rows(&mass),
        stiffness = rows(&stiffness),
        load = list(load.as_slice()),
        shape = list(shape.as_slice()),
    )
}

fn run(scheme: Scheme<'_>, m: f64, c: f64) -> Run {
    let all = [settings(scheme, 200), constant("joint", c)].concat();
    Run::of(&Run::text(&model(m, "multistep"), &all.iter().map(String::as_str).collect::<Vec<_>>()))
}

#[test]
fn it_has_the_inertia_of_the_blade() {
    let (mass, _, load, _) = blade();
    let at_once = 1.0 / mass.clone().try_inverse().unwrap()[(STOP, STOP)];
    assert!((at_once - 2.1).abs() < 0.05, "{at_once} kg at the stop");
    // Turned as a rigid body: μ L³/3 and −μ g L²/2.
    let turn = blade().3 / 0.01;
    assert!((turn.dot(&(&mass * &turn)) / (9.0 * 7.5_f64.powi(3) / 3.0) - 1.0).abs() < 1e-12);
    assert!((turn.dot(&load) / (-90.0 * 7.5_f64.powi(2) / 2.0) - 1.0).abs() < 1e-12);
}

/// Relaxed joints with ratios of 0.41, 1.4 and 41, and rigid ones of 0.023, 2.3 and 233.
#[test]
fn it_takes_the_iterations_of_the_table() {
    let gs = ITERATIVE[0];
    let (aitken, iqn) = (ITERATIVE[2], ITERATIVE[3]);
    let cases = [
        (1.0, 2e-8, gs, Some(12.5)),
        (1.0, 2e-8, aitken, Some(4.53)),
        (1.0, 2e-8, iqn, Some(3.03)),
        (0.3, 2e-8, gs, None),
        (0.3, 2e-8, iqn, Some(3.02)),
        (0.01, 2e-8, gs, None),
        (0.01, 2e-8, aitken, Some(4.49)),
        (0.01, 2e-8, iqn, Some(3.01)),
        (100.0, 0.0, gs, Some(5.15)),
        (1.0, 0.0, gs, None),
        (1.0, 0.0, iqn, Some(2.98)),
        (0.01, 0.0, gs, None),
        (0.01, 0.0, iqn, Some(3.0)),
    ];
    for (m, c, scheme, expected) in cases {
        assert_count(&run(scheme, m, c), expected, 1.05, &format!("{m} kg, c = {c:e}, {scheme:?}"));
    }
    for (m, c) in [(1.0, 2e-8), (0.3, 2e-8), (0.01, 2e-8), (100.0, 0.0), (1.0, 0.0), (0.01, 0.0)] {
        let condensed = run(CONDENSED, m, c);
        assert_count(&condensed, Some(1.0), 1.0, &format!("{m} kg, c = {c:e}"));
        assert_eq!(condensed.report.most_iterations, 1);
    }
}

/// Where the iteration diverges it does so in the first step, which the rule takes with `b₁ = h/2`.
#[test]
fn contraction_is_that_of_the_formula() {
    for (m, c) in [(1.0, 2e-8), (0.3, 2e-8), (0.01, 2e-8), (1.0, 0.0), (0.01, 0.0)] {
        let run = run(ITERATIVE[0], m, c);
        let b1 = if run.report.steps == 0 { 0.5e-4 } else { B1 };
        let (found, formula) = (run.report.contraction.unwrap_or(f64::NAN), rho(m, inverse_mass(b1), c));
        assert!((found / formula - 1.0).abs() < 1e-2, "{m} kg, c = {c:e}: {found}, formula {formula}");
    }
}

#[test]
fn what_converges_has_the_results_of_the_condensed_scheme() {
    for (m, c, schemes) in [(1.0, 2e-8, [0, 2, 3].as_slice()), (0.3, 2e-8, &[2, 3]), (100.0, 0.0, &[0, 2, 3])]
    {
        let expected = run(CONDENSED, m, c);
        for scheme in schemes.iter().map(|k| ITERATIVE[*k]) {
            assert_same(&run(scheme, m, c), &expected, 1e-5, &format!("{m} kg, c = {c:e}, {scheme:?}"));
        }
    }
}
