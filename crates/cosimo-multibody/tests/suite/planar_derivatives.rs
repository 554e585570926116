//! Every derivative of planar systems and rows against central finite differences at random states.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::mechanism;
use crate::differences::{Dense, balance, by_numbers, by_position, mismatch};
use cosimo_dynamics::{ConstrainedSystem, Level, Motion, State, StateChange};
use cosimo_multibody::planar::{PlanarSystem, PlaneContact, Point, PointRow};
use nalgebra::{DMatrix, DVector};
use proptest::array::{uniform4, uniform9, uniform12};
use proptest::prelude::*;

const TOLERANCE: f64 = 1e-7;

/// Moves the bodies apart so that no spring is shorter than 1 m: finite differences are poor where its direction turns
/// fast.
fn place(q: [f64; 9]) -> [f64; 9] {
    let mut q = q;
    for (i, offset) in [-5.0, 2.0, 0.0, 6.0, -3.0, 0.0, 4.0, 6.0, 0.0].into_iter().enumerate() {
        q[i] += offset;
    }
    q
}

/// Ports and contacts of the [`mechanism`].
fn rows(system: &PlanarSystem, d: [f64; 4]) -> Vec<PointRow> {
    let point = Point::on("b", [d[0], d[1]]);
    let contact = |name: &str, body, normal| PlaneContact {
        name: name.to_owned(),
        point: Point::on(body, [d[1], d[3]]),
        plane: [d[2], d[0]],
        normal,
    };
    let contacts = [contact("stop", "c", [d[0], 1.0]), contact("floor", "a", [3.0, d[3]])];
    let mut rows = PointRow::gaps(system, &contacts).unwrap();
    rows.push(rows[0].slip());
    rows.push(PointRow::along(system, &point, [d[2], 2.0]).unwrap());
    rows.extend(PointRow::spatial(system, &point).unwrap());
    rows.push(PointRow::along(system, &Point::ground([1.0, d[0]]), [0.0, -2.0]).unwrap());
    rows
}

proptest! {
    #[test]
    fn tangents_are_the_derivatives_of_the_balance(
        p in uniform12(-0.6..0.6f64), q in uniform9(-1.0..1.0f64), v in uniform9(-3.0..3.0f64),
        a in uniform9(-3.0..3.0f64), mu in uniform4(-20.0..20.0f64), k in 0.0..2e3f64, c in 0.0..50.0f64,
    ) {
        let system = mechanism(&p, k, c).build().unwrap();
        let q = place(q);
        let mut dense = Dense::new(&system);
        system.tangents(Motion { t: 0.0, q: &q, v: &v }, &a, &mu, &mut dense);
        let stiffness = by_position(&system, &q, |q| balance(&system, (0.0, q, &v), &a, &mu));
        let damping = by_numbers(&v, |v| balance(&system, (0.0, &q, v), &a, &mu));
        let mass = by_numbers(&a, |a| balance(&system, (0.0, &q, &v), a, &mu));
        prop_assert!(mismatch(&dense.stiffness, &stiffness) < TOLERANCE);
        prop_assert!(mismatch(&dense.damping, &damping) < TOLERANCE);
        prop_assert!(mismatch(&dense.mass, &mass) < TOLERANCE);
        let mut product = [f64::NAN; 9];
        system.mass_product(&q, &a, &mut product);
        let exact = &dense.mass * DVector::from_column_slice(&a);
        prop_assert!((DVector::from_column_slice(&product) - exact).amax() < 1e-14);
    }

    #[test]
    fn constraint_derivatives_are_exact(
        p in uniform12(-0.6..0.6f64), q in uniform9(-3.0..3.0f64), v in uniform9(-3.0..3.0f64),
        a in uniform9(-3.0..3.0f64), mu in uniform4(-20.0..20.0f64),
    ) {
        let system = mechanism(&p, 1.0, 0.0).build().unwrap();
        let at = |level, q: &[f64], v: &[f64]| {
            let mut out = vec![f64::NAN; 4];
            system.constraints(level, Motion { t: 0.0, q, v }, &a, &mut out);
            out
        };
        let mut dense = Dense::new(&system);
        system.jacobian(0.0, &q, &mut dense);
        system.rate_gradient(Motion { t: 0.0, q: &q, v: &v }, &mut dense);
        let positions = by_position(&system, &q, |q| at(Level::Position, q, &v));
        prop_assert!(mismatch(&dense.jacobian, &positions) < TOLERANCE);
        let rates = by_position(&system, &q, |q| at(Level::Velocity, q, &v));
        prop_assert!(mismatch(&dense.rate_gradient, &rates) < TOLERANCE);
        let vector = |x: Vec<f64>| DVector::from_vec(x);
        let velocity = vector(at(Level::Velocity, &q, &v));
        prop_assert!((velocity - &dense.jacobian * vector(v.to_vec())).amax() < 1e-13);
        // φ̈ = Φ a + ∂φ̇/∂q v.
        let curved = &dense.jacobian * vector(a.to_vec()) + &dense.rate_gradient * vector(v.to_vec());
        prop_assert!((vector(at(Level::Acceleration, &q, &v)) - curved).amax() < 1e-12);
        let mut reactions = vec![1.0; 9];
        system.add_reactions(0.0, &q, &mu, &mut reactions);
        let exact = dense.jacobian.tr_mul(&vector(mu.to_vec()));
        prop_assert!((vector(reactions).add_scalar(-1.0) - exact).amax() < 1e-12);
    }

    #[test]
    fn row_derivatives_are_exact(
        q in uniform9(-3.0..3.0f64), v in uniform9(-3.0..3.0f64), w in uniform9(-3.0..3.0f64), d in uniform4(-1.0..1.0f64),
    ) {
        let system = mechanism(&[0.1; 12], 1.0, 0.0).build().unwrap();
        for row in rows(&system, d) {
            let force = |q: &[f64]| {
                let mut out = vec![0.0; 9];
                row.add_force(q, 1.7, &mut out);
                out
            };
            let z = by_numbers(&q, |q| vec![row.position(q)]);
            prop_assert!(mismatch(&(&z * 1.7), &DMatrix::from_row_slice(1, 9, &force(&q))) < TOLERANCE);
            prop_assert!((row.velocity(&q, &v) - (&z * DVector::from_column_slice(&v))[0]).abs() < TOLERANCE);

            let mut stiffness = DMatrix::zeros(9, 9);
            row.give_stiffness(&q, 1.7, |body, block| {
                stiffness.view_mut((3 * body, 3 * body), (3, 3)).copy_from_slice(block);
            });
            prop_assert!(mismatch(&stiffness, &by_numbers(&q, force)) < TOLERANCE);

            let by_place = by_numbers(&q, |q| vec![row.velocity(q, &v)]) * DVector::from_column_slice(&w);
            let change = row.velocity_change(State { q: &q, v: &v }, StateChange { dq: &w, dv: &v }) - row.velocity(&q, &v);
            prop_assert!((change - by_place[0]).abs() < TOLERANCE * (1.0 + by_place.amax()));
        }
    }

    #[test]
    fn forces_change_the_energy_at_the_dissipated_power(
        p in uniform12(-0.6..0.6f64), q in uniform9(-1.0..1.0f64), v in uniform9(-3.0..3.0f64),
        k in 0.0..2e3f64, c in 0.0..50.0f64,
    ) {
        let system = mechanism(&p, k, c).build().unwrap();
        let q = place(q);
        let resistance = balance(&system, (0.0, &q, &v), &[0.0; 9], &[0.0; 4]);
        let power: f64 = resistance.iter().zip(&v).map(|(r, v)| -r * v).sum();
        let potential = |q: &[f64]| vec![system.energy(Motion { t: 0.0, q, v: &v }).potential];
        let slopes = by_numbers(&q, potential);
        let potential_rate = (&slopes * DVector::from_column_slice(&v))[0];
        // Slopes of springs may cancel; their errors do not.
        let largest: f64 = slopes.iter().zip(&v).map(|(slope, v)| (slope * v).abs()).sum();
        let dissipated = system.dissipated_power(Motion { t: 0.0, q: &q, v: &v });
        prop_assert!(dissipated >= 0.0);
        let scale = 1.0 + largest + dissipated;
        prop_assert!((power + potential_rate + dissipated).abs() < TOLERANCE * scale);
    }
}

#[test]
fn rows_of_centres_of_mass_and_of_the_ground_are_constant() {
    let system = mechanism(&[0.1; 12], 1.0, 0.0).build().unwrap();
    let is_constant =
        |point: Point| PointRow::spatial(&system, &point).unwrap().iter().all(PointRow::is_constant);
    assert!(is_constant(Point::on("b", [0.0, 0.0])));
    assert!(is_constant(Point::ground([1.0, 2.0])));
    assert!(!is_constant(Point::on("b", [0.0, 0.1])));
}

#[test]
fn third_row_of_a_spatial_port_is_identically_zero() {
    let system = mechanism(&[0.1; 12], 1.0, 0.0).build().unwrap();
    let [_, _, row] = PointRow::spatial(&system, &Point::on("b", [0.5, -0.2])).unwrap();
    let state = [0.3; 9];
    let mut force = [0.0; 9];
    row.add_force(&state, 7.0, &mut force);
    assert_eq!((row.position(&state), row.velocity(&state, &state), force), (0.0, 0.0, [0.0; 9]));
}

#[test]
fn directions_and_normals_are_normalised() {
    let system = mechanism(&[0.1; 12], 1.0, 0.0).build().unwrap();
    let q = [3.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    for scale in [1e-300, 1.0, 1e300] {
        let along =
            PointRow::along(&system, &Point::on("a", [0.0, 0.0]), [0.6 * scale, 0.8 * scale]).unwrap();
        assert!((along.position(&q) - 5.0).abs() < 1e-14);
    }
    let stop = PlaneContact {
        name: "stop".to_owned(),
        point: Point::on("a", [0.0, -1.0]),
        plane: [100.0, 1.0],
        normal: [0.0, 20.0],
    };
    assert_eq!(PointRow::gaps(&system, &[stop]).unwrap()[0].position(&q), 2.0);
}
