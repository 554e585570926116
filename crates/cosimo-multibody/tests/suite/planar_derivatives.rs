//! Every derivative of planar systems and rows against central finite differences at random states.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::{jacobian, mechanism, mismatch};
use cosimo_dynamics::{EquationsOfMotion, Kinematics};
use cosimo_multibody::StackedRows;
use cosimo_multibody::planar::{PlanarSystem, PlaneContact, PlaneContactRows, Point, PointRows};
use nalgebra::DMatrix;
use proptest::array::{uniform4, uniform9, uniform12};
use proptest::prelude::*;

const WIDTH: f64 = 1e-5;
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

/// Three ports and two contacts of the [`mechanism`], stacked.
fn rows(system: &PlanarSystem, d: [f64; 4]) -> StackedRows {
    let point = Point::on("b", [d[0], d[1]]);
    let contact = |name: &str, body, normal| PlaneContact {
        name: name.to_owned(),
        point: Point::on(body, [d[1], d[3]]),
        plane: [d[2], d[0]],
        normal,
    };
    let contacts = [contact("stop", "c", [d[0], 1.0]), contact("floor", "a", [3.0, d[3]])];
    StackedRows::new(vec![
        Box::new(PointRows::along(system, &point, [d[2], 2.0]).unwrap()),
        Box::new(PointRows::spatial(system, &point).unwrap()),
        Box::new(PlaneContactRows::new(system, &contacts).unwrap()),
        Box::new(PointRows::along(system, &Point::ground([1.0, d[0]]), [0.0, -2.0]).unwrap()),
    ])
}

proptest! {
    #[test]
    fn tangents_are_the_derivatives_of_the_residual_force(
        p in uniform12(-0.6..0.6f64), q in uniform9(-1.0..1.0f64), v in uniform9(-3.0..3.0f64),
        a in uniform9(-3.0..3.0f64), k in 0.0..2e3f64, c in 0.0..50.0f64,
    ) {
        let system = mechanism(&p, k, c).build().unwrap();
        let q = place(q);
        let residual = |q: &[f64], v: &[f64], out: &mut [f64]| {
            let mut mass = DMatrix::from_element(9, 9, f64::NAN);
            system.mass(q, &mut mass);
            let mut force = [f64::NAN; 9];
            system.force(0.0, q, v, &mut force);
            let inertia = &mass * nalgebra::DVector::from_column_slice(&a);
            (0..9).for_each(|i| out[i] = inertia[i] - force[i]);
        };
        let (mut stiffness, mut damping) = (DMatrix::from_element(9, 9, f64::NAN), DMatrix::from_element(9, 9, 7.0));
        system.tangents(0.0, &q, &v, &a, &mut stiffness, &mut damping);
        prop_assert!(mismatch(&stiffness, &jacobian(&q, 9, WIDTH, |q, out| residual(q, &v, out))) < TOLERANCE);
        // Affine in the velocity: a wide difference is exact and loses nothing to rounding.
        prop_assert!(mismatch(&damping, &jacobian(&v, 9, 1.0, |v, out| residual(&q, v, out))) < TOLERANCE);
    }

    #[test]
    fn constraint_derivatives_are_exact(
        p in uniform12(-0.6..0.6f64), q in uniform9(-3.0..3.0f64), v in uniform9(-3.0..3.0f64),
        mu in uniform4(-20.0..20.0f64),
    ) {
        let system = mechanism(&p, 1.0, 0.0).build().unwrap();
        let phi = |q: &[f64]| {
            let mut out = DMatrix::from_element(4, 9, f64::NAN);
            system.constraint_jacobian(0.0, q, &mut out);
            out
        };
        let differences = jacobian(&q, 4, WIDTH, |q, out| system.constraint(0.0, q, out));
        prop_assert!(mismatch(&phi(&q), &differences) < TOLERANCE);

        // φ̈ − Φ a = d/dt (Φ(q + v t)) v.
        let mut curvature = DMatrix::zeros(4, 1);
        system.constraint_curvature(0.0, &q, &v, curvature.as_mut_slice());
        let along = jacobian(&[0.0], 4, WIDTH, |t, out| {
            let moved: Vec<f64> = q.iter().zip(&v).map(|(q, v)| q + v * t[0]).collect();
            out.copy_from_slice((phi(&moved) * nalgebra::DVector::from_column_slice(&v)).as_slice());
        });
        prop_assert!(mismatch(&curvature, &along) < TOLERANCE);

        // The method adds: what was there stays.
        let mut stiffness = DMatrix::identity(9, 9);
        system.constraint_stiffness(0.0, &q, &mu, &mut stiffness);
        stiffness -= DMatrix::<f64>::identity(9, 9);
        let reaction = jacobian(&q, 9, WIDTH, |q, out| {
            out.copy_from_slice(phi(q).tr_mul(&nalgebra::DVector::from_column_slice(&mu)).as_slice());
        });
        prop_assert!(mismatch(&stiffness, &reaction) < TOLERANCE);
    }

    #[test]
    fn row_derivatives_are_exact(
        q in uniform9(-3.0..3.0f64), v in uniform9(-3.0..3.0f64), d in uniform4(-1.0..1.0f64),
    ) {
        let system = mechanism(&[0.1; 12], 1.0, 0.0).build().unwrap();
        let rows = rows(&system, d);
        let r = rows.rows();
        prop_assert_eq!(r, 7);
        prop_assert!(!rows.is_constant());

        // One row above and one below must stay untouched.
        let mut framed = DMatrix::from_element(r + 2, 9, 7.0);
        rows.jacobian(0.0, &q, 1, &mut framed);
        let z = framed.rows(1, r).into_owned();
        prop_assert!(framed.row(0).iter().chain(framed.row(r + 1).iter()).all(|x| *x == 7.0));
        let differences = jacobian(&q, r, WIDTH, |q, out| rows.positions(0.0, q, out));
        prop_assert!(mismatch(&z, &differences) < TOLERANCE);

        let mut rates = DMatrix::zeros(r, 1);
        rows.velocities(0.0, &q, &v, rates.as_mut_slice());
        prop_assert!(mismatch(&rates, &(&z * DMatrix::from_column_slice(9, 1, &v))) < 1e-14);

        rows.velocity_gradient(0.0, &q, &v, 1, &mut framed);
        prop_assert!(framed.row(0).iter().chain(framed.row(r + 1).iter()).all(|x| *x == 7.0));
        let differences = jacobian(&q, r, WIDTH, |q, out| rows.velocities(0.0, q, &v, out));
        prop_assert!(mismatch(&framed.rows(1, r).into_owned(), &differences) < TOLERANCE);
    }

    #[test]
    fn forces_change_the_energy_at_the_dissipated_power(
        p in uniform12(-0.6..0.6f64), q in uniform9(-1.0..1.0f64), v in uniform9(-3.0..3.0f64),
        k in 0.0..2e3f64, c in 0.0..50.0f64,
    ) {
        let system = mechanism(&p, k, c).build().unwrap();
        let q = place(q);
        let mut force = [f64::NAN; 9];
        system.force(0.0, &q, &v, &mut force);
        let power: f64 = force.iter().zip(&v).map(|(f, v)| f * v).sum();
        let potential_rate = jacobian(&[0.0], 1, WIDTH, |t, out| {
            let moved: Vec<f64> = q.iter().zip(&v).map(|(q, v)| q + v * t[0]).collect();
            out[0] = system.energy(0.0, &moved, &v).potential;
        })[(0, 0)];
        let dissipated = system.dissipated_power(0.0, &q, &v);
        prop_assert!(dissipated >= 0.0);
        let scale = 1.0 + potential_rate.abs() + dissipated;
        prop_assert!((power + potential_rate + dissipated).abs() < TOLERANCE * scale);
    }
}

#[test]
fn rows_of_centres_of_mass_and_of_the_ground_are_constant() {
    let system = mechanism(&[0.1; 12], 1.0, 0.0).build().unwrap();
    let is_constant = |point: Point| PointRows::spatial(&system, &point).unwrap().is_constant();
    assert!(is_constant(Point::on("b", [0.0, 0.0])));
    assert!(is_constant(Point::ground([1.0, 2.0])));
    assert!(!is_constant(Point::on("b", [0.0, 0.1])));
}

#[test]
fn third_row_of_a_spatial_port_is_identically_zero() {
    let system = mechanism(&[0.1; 12], 1.0, 0.0).build().unwrap();
    let rows = PointRows::spatial(&system, &Point::on("b", [0.5, -0.2])).unwrap();
    let state = [0.3; 9];
    let (mut z, mut rate) = ([7.0; 3], [7.0; 3]);
    let mut jacobian = DMatrix::from_element(3, 9, 7.0);
    rows.positions(0.0, &state, &mut z);
    rows.velocities(0.0, &state, &state, &mut rate);
    rows.jacobian(0.0, &state, 0, &mut jacobian);
    assert_eq!((z[2], rate[2]), (0.0, 0.0));
    assert!(jacobian.row(2).iter().all(|x| *x == 0.0));
}

#[test]
fn directions_and_normals_are_normalised() {
    let system = mechanism(&[0.1; 12], 1.0, 0.0).build().unwrap();
    let q = [3.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let mut z = [0.0];
    for scale in [1e-300, 1.0, 1e300] {
        let along =
            PointRows::along(&system, &Point::on("a", [0.0, 0.0]), [0.6 * scale, 0.8 * scale]).unwrap();
        along.positions(0.0, &q, &mut z);
        assert!((z[0] - 5.0).abs() < 1e-14);
    }
    let stop = PlaneContact {
        name: "stop".to_owned(),
        point: Point::on("a", [0.0, -1.0]),
        plane: [100.0, 1.0],
        normal: [0.0, 20.0],
    };
    PlaneContactRows::new(&system, &[stop]).unwrap().positions(0.0, &q, &mut z);
    assert_eq!(z[0], 2.0);
}
