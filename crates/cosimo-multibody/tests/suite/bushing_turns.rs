//! Bushings at large turns: closed forms, energy, and exact derivatives.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::differences::{balance, tangent_mismatch};
use crate::mechanisms::{diagonal, start};
use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, JointKind, RigidBody, SpatialModel, SpatialSystem,
};
use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, Method};
use nalgebra::{Matrix3, Matrix6, UnitQuaternion, Vector3};

fn turned(x: f64, y: f64, z: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(Vector3::new(x, y, z))
}

fn bushing(stiffness: Matrix6<f64>, damping: Matrix6<f64>, frames: [Frame; 2]) -> Force {
    let [first, second] = frames;
    let kind = ForceKind::Bushing { stiffness: Box::new(stiffness), damping: Box::new(damping) };
    Force::new("bushing", kind, first, second)
}

/// A symmetric matrix that couples everything, positive definite.
fn full(seed: f64, size: f64) -> Matrix6<f64> {
    let root = Matrix6::from_fn(|i, j| (seed + 3.1 * i as f64 + 1.7 * (i * j) as f64 + j as f64).sin());
    (root * root.transpose() + Matrix6::identity()) * size
}

/// A body turned by so much about `z` on a bushing that is as stiff about all axes (N m/rad), whose frames stand askew.
fn disc(angle: f64, spin: f64, stiffness: f64) -> SpatialModel {
    let mut matrix = Matrix6::identity() * 1e3;
    matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(&Matrix3::from_diagonal_element(stiffness));
    let askew = |frame: Frame| frame.with_orientation(turned(0.4, -0.7, 1.1));
    let frames = [askew(Frame::ground([0.0; 3])), askew(Frame::on("disc", [0.0; 3]))];
    let disc = Body::new("disc", RigidBody::new(1.0, diagonal(0.1, 0.15, 0.2)).unwrap());
    let disc = disc.with_orientation(turned(0.0, 0.0, angle)).with_velocity([0.0; 3], [0.0, 0.0, spin]);
    SpatialModel::new().with_body(disc).with_force(bushing(matrix, Matrix6::zeros(), frames))
}

/// The moment is the stiffness times the angle, back to rest, up to half a turn.
#[test]
fn the_moment_of_a_turn_is_proportional_to_it() {
    for angle in [1e-9, 0.5, 1.0, 2.5, 3.1, -2.5] {
        let system = disc(angle, 0.0, 10.0).build().unwrap();
        let load = balance(&system, (0.0, &system.initial_position(), &[0.0; 6]), &[0.0; 6], &[]);
        assert!((load[5] - 10.0 * angle).abs() < 1e-14 * 40.0, "{angle}: {load:?}");
        assert!(load[..5].iter().all(|load| load.abs() < 1e-13), "{angle}: {load:?}");
    }
}

/// It swings by 2 rad to either side as a linear oscillator does.
#[test]
fn a_large_swing_about_one_axis_is_harmonic() {
    let (stiffness, amplitude) = (10.0_f64, 2.0_f64);
    let omega = (stiffness / 0.2).sqrt();
    for [cosine, sine] in [[amplitude, 0.0], [0.0, amplitude]] {
        let model = disc(cosine, sine * omega, stiffness);
        let rule = Method::GeneralizedAlpha { spectral_radius: 1.0 };
        let mut solver = start(model, rule, DaeSettings { tolerance: 1e-12, ..DaeSettings::default() });
        for period in [0.3, 1.0, 3.25] {
            let t = period * 2.0 * std::f64::consts::PI / omega;
            solver.advance_to(t, 1e-4).unwrap();
            let exact = omega * (sine * (omega * t).cos() - cosine * (omega * t).sin());
            let found = solver.state().v[5];
            assert!((found - exact).abs() < 2e-5, "{period}: {found} instead of {exact}");
        }
    }
}

/// On a hinge it swings by 4 rad to either side: the moment grows beyond half a turn.
#[test]
fn a_swing_beyond_half_a_turn_is_harmonic() {
    let (stiffness, amplitude) = (0.1, 4.0);
    let omega = (stiffness / 0.2_f64).sqrt();
    let rule = Method::GeneralizedAlpha { spectral_radius: 1.0 };
    let settings = DaeSettings { tolerance: 1e-12, ..DaeSettings::default() };
    let hinged = |spin: f64| {
        let at_z = ([0.0; 3], [0.0, 0.0, 1.0]);
        disc(0.0, spin, stiffness).with_joint_at("hinge", JointKind::Revolute, [None, Some("disc")], at_z)
    };
    for sign in [1.0, -1.0] {
        let mut solver = start(hinged(sign * amplitude * omega), rule, settings);
        let energy = solver.energy().total();
        for t in [2.0_f64, 4.5, 9.0] {
            solver.advance_to(t, 1e-3).unwrap();
            let exact = sign * amplitude * omega * (omega * t).cos();
            let found = solver.state().v[5];
            assert!((found - exact).abs() < 2e-6, "{t}: {found} instead of {exact}");
            assert!((solver.energy().total() / energy - 1.0).abs() < 1e-6, "{t}");
        }
    }
    // What it remembers is part of a saved state.
    let mut solver = start(hinged(amplitude * omega), rule, settings);
    solver.advance_to(2.0, 1e-3).unwrap();
    let mut other = start(hinged(amplitude * omega), rule, settings);
    other.restore(&solver.save()).unwrap();
    assert_eq!(other.energy(), solver.energy());
    assert!(other.energy().potential > 0.5 * stiffness * 3.9_f64.powi(2));
}

/// A whole turn, where the rotation vector has no rates, is refused by name, and so is half a turn a step.
#[test]
fn a_whole_turn_is_refused_by_name() {
    let hinged = |spin: f64| {
        let at_z = ([0.0; 3], [0.0, 0.0, 1.0]);
        disc(0.0, spin, 1e-9).with_joint_at("hinge", JointKind::Revolute, [None, Some("disc")], at_z)
    };
    let rule = Method::GeneralizedAlpha { spectral_radius: 1.0 };
    let mut solver = start(hinged(10.0), rule, DaeSettings::default());
    let error = solver.advance_to(1.0, 0.01).unwrap_err();
    let DaeError::OutOfReach { name, angle, allowed, time, way_out } = &error else { panic!("{error}") };
    assert_eq!(name, "the rotation vector of force `bushing`");
    assert!((angle - 6.3).abs() < 1e-6 && (time - 0.63).abs() < 1e-9, "{error}");
    assert!(*allowed == 2.0 * std::f64::consts::PI && way_out.contains("torsion springs"), "{error}");
    assert!((solver.state().time - 0.62).abs() < 1e-12);
}

/// Two free bodies on a bushing whose matrix couples ways and turns, far from rest.
fn tumbling() -> SpatialModel {
    let frames = [
        Frame::on("a", [0.1, 0.2, -0.1]).with_orientation(turned(0.5, -0.3, 0.2)),
        Frame::on("b", [-0.2, 0.1, 0.1]).with_orientation(turned(-0.4, 0.6, 1.0)),
    ];
    let body =
        |name, size: f64| Body::new(name, RigidBody::new(size, diagonal(0.5, 0.6, 0.7) * size).unwrap());
    let second = turned(0.5, -0.3, 0.2) * turned(-1.0, 1.4, 0.9) * turned(-0.4, 0.6, 1.0).inverse();
    SpatialModel::new()
        .with_body(body("a", 1.0).with_velocity([0.0; 3], [0.3, -0.2, 0.5]))
        .with_body(
            body("b", 1.7)
                .with_position([0.2, 0.1, -0.2])
                .with_orientation(second)
                .with_velocity([0.1, 0.0, 0.2], [-0.3, 0.4, 0.1]),
        )
        .with_force(bushing(full(0.3, 1.0), Matrix6::zeros(), frames))
}

/// Angle of the relative turn of the frames of [`tumbling`].
fn relative_angle(solver: &DaeSolver<SpatialSystem>) -> f64 {
    let state = solver.state();
    let [a, b] = [0, 1].map(|k| solver.system().body_state(k, &state.q, &state.v).unwrap().orientation);
    let frames = [turned(0.5, -0.3, 0.2), turned(-0.4, 0.6, 1.0)];
    ((a * frames[0]).inverse() * (b * frames[1])).angle()
}

/// Energy is kept but for the error of the rule, which falls with the square of the step.
#[test]
fn energy_of_a_coupled_bushing_is_kept_at_large_turns() {
    let drift = |h: f64| {
        let rule = Method::GeneralizedAlpha { spectral_radius: 1.0 };
        let mut solver = start(tumbling(), rule, DaeSettings { tolerance: 1e-13, ..DaeSettings::default() });
        let energy = solver.energy().total();
        let (mut most, mut angle, mut least) = (0.0_f64, 0.0_f64, 4.0_f64);
        while solver.state().time < 3.0 {
            solver.step(h).unwrap();
            most = most.max((solver.energy().total() / energy - 1.0).abs());
            angle = angle.max(relative_angle(&solver));
            least = least.min(relative_angle(&solver));
        }
        assert!(angle > 1.9 && angle < 3.0 && least < 1.0, "{least} to {angle}");
        most
    };
    let (coarse, fine) = (drift(2e-3), drift(1e-3));
    assert!(fine < 1e-5 && (coarse / fine / 4.0 - 1.0).abs() < 0.1, "{coarse:e} {fine:e}");
}

/// Stiffness and damping of a full bushing, for turns from none to nearly a whole turn, in motion.
#[test]
fn derivatives_are_exact_up_to_a_whole_turn() {
    let direction = Vector3::new(0.3, -0.5, 0.8).normalize();
    let frames = [
        Frame::on("a", [0.3, -0.2, 0.4]).with_orientation(turned(0.7, 0.2, -0.4)),
        Frame::on("b", [-0.1, 0.5, 0.2]).with_orientation(turned(-0.3, 0.9, 0.4)),
    ];
    for angle in [0.0, 1e-3, 0.49, 0.51, 1.0, 2.0, 3.1, 3.2, 4.5, 5.8] {
        let psi = UnitQuaternion::from_scaled_axis(direction * angle);
        let first = turned(0.2, -0.6, 1.3);
        let second = |psi| first * frames[0].orientation * psi * frames[1].orientation.inverse();
        let body = |name| Body::new(name, RigidBody::new(1.5, diagonal(0.5, 0.6, 0.7)).unwrap());
        let system = |psi| {
            SpatialModel::new()
                .with_body(body("a").with_orientation(first))
                .with_body(
                    body("b")
                        .with_position([1.0, -0.4, 0.3])
                        .with_orientation(second(psi))
                        .with_centre_of_mass([0.1, 0.0, 0.2]),
                )
                .with_force(bushing(full(0.3, 5.0), full(1.3, 2.0), frames.clone()))
                .build()
                .unwrap()
        };
        let v: Vec<f64> = (0..12).map(|k| (2.3 * f64::from(k) + 0.4).sin()).collect();
        let (mut found, there) =
            (system(UnitQuaternion::from_scaled_axis(direction * angle * 0.5)), system(psi));
        let [half, whole] = [&found, &there].map(SpatialSystem::initial_position);
        for q in [&half, &whole] {
            found.accept(Motion { t: 0.0, q, v: &v });
        }
        let mismatch = tangent_mismatch(&found, (0.3, &whole, &v));
        let allowed = if angle < 4.0 { 1e-9 } else { 1e-8 };
        assert!(mismatch.iter().all(|off| *off < allowed), "{angle}: {mismatch:?}");
    }
}
