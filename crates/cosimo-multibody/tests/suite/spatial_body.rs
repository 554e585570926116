//! The step of a free rigid body against closed forms and a fine reference.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_multibody::spatial::{BodyState, PointImpulse, RigidBody, SpatialError};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

fn tumbling() -> (RigidBody, BodyState) {
    let inertia = Matrix3::new(2.0, 0.2, -0.1, 0.2, 3.0, 0.3, -0.1, 0.3, 4.0);
    let body = RigidBody::new(1.5, inertia).unwrap();
    let start = BodyState {
        position: Vector3::new(0.1, -0.2, 0.3),
        orientation: UnitQuaternion::from_scaled_axis(Vector3::new(0.4, 1.1, -0.3)),
        velocity: Vector3::new(1.0, 2.0, 0.5),
        angular_velocity: Vector3::new(0.7, 5.0, -0.4),
    };
    (body, start)
}

fn run(body: &RigidBody, start: BodyState, end: f64, steps: usize) -> BodyState {
    let h = end / steps as f64;
    (0..steps).fold(start, |state, _| *body.step(&state, h, &[]).unwrap().end())
}

#[test]
fn free_body_keeps_momenta_and_energy() {
    let (body, start) = tumbling();
    let end = run(&body, start, 100.0, 10_000);
    let spin = body.angular_momentum(&start);
    assert!((body.angular_momentum(&end) - spin).norm() < 1e-11 * spin.norm());
    let energy = body.kinetic_energy(&start);
    assert!((body.kinetic_energy(&end) - energy).abs() < 1e-11 * energy);
    assert!((end.position - start.position - start.velocity * 100.0).norm() < 1e-10);
    assert!((end.orientation.as_ref().norm() - 1.0).abs() < 1e-15);
}

/// Free symmetric top: `Λ(t) = exp(t L/I₁) Λ₀ exp(t (1 − I₃/I₁) w₃ e₃)`.
#[test]
fn symmetric_top_has_order_two() {
    let (across, along) = (2.0, 0.7);
    let body = RigidBody::new(1.0, Matrix3::from_diagonal(&Vector3::new(across, across, along))).unwrap();
    let spin = Vector3::new(1.5, -0.4, 6.0);
    let start = BodyState { angular_velocity: spin, ..tumbling().1 };
    let exact = |t: f64| {
        let precession = UnitQuaternion::from_scaled_axis(body.angular_momentum(&start) * (t / across));
        let own = Vector3::z() * (t * (1.0 - along / across) * spin.z);
        precession * start.orientation * UnitQuaternion::from_scaled_axis(own)
    };
    let error = |steps| run(&body, start, 3.0, steps).orientation.angle_to(&exact(3.0));
    let errors = [error(600), error(1200), error(2400)];
    assert!(errors[2] < 1e-4, "{errors:?}");
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.05, "{errors:?}");
    }
}

#[test]
fn steady_rotation_about_a_principal_axis_is_exact() {
    let body = RigidBody::new(1.0, Matrix3::from_diagonal(&Vector3::new(2.0, 3.0, 4.0))).unwrap();
    let start = BodyState { angular_velocity: Vector3::z() * 100.0, ..BodyState::default() };
    let end = run(&body, start, 1.0, 500);
    let exact = UnitQuaternion::from_scaled_axis(Vector3::z() * 100.0);
    assert!(end.orientation.angle_to(&exact) < 1e-12);
}

fn impulse(scale: f64) -> [PointImpulse; 2] {
    let first = PointImpulse {
        arm: Vector3::new(0.3, -0.1, 0.5),
        force: Vector3::new(1.0, 2.0, -1.0) * scale,
        moment: Vector3::new(-0.3, 0.2, 0.9) * scale,
    };
    let arm = Vector3::new(-0.4, 0.6, 0.1);
    [first, PointImpulse { arm, force: Vector3::new(0.2, -0.7, 0.4) * scale, moment: Vector3::zeros() }]
}

#[test]
fn work_of_impulses_is_that_on_their_way() {
    let (body, start) = tumbling();
    let (body, h) = (body.with_gravity(Vector3::new(0.0, 1.0, -9.0)), 0.05);
    let loads = impulse(0.3);
    let step = body.step(&start, h, &loads).unwrap();
    let displacement = |x: &PointImpulse| step.end().point(&x.arm) - start.point(&x.arm);
    let work: f64 =
        loads.iter().map(|x| (x.force.dot(&displacement(x)) + x.moment.dot(&step.rotation())) / h).sum();
    let energy = |s: &BodyState| body.kinetic_energy(s) + body.potential_energy(s);
    let gained = energy(step.end()) - energy(&start);
    assert!((gained - work).abs() < 1e-12 * energy(&start) && work.abs() > 0.1, "{gained} {work}");
}

#[test]
fn answer_is_the_derivative_of_the_end() {
    let (body, start) = tumbling();
    let (h, arm) = (0.02, Vector3::new(0.2, 0.9, -0.3));
    let about = impulse(0.2);
    let step = body.step(&start, h, &about).unwrap();
    for k in 0..6 {
        let unit = |axis: usize| if axis < 3 { Vector3::ith(axis, 1.0) } else { Vector3::zeros() };
        let probe = PointImpulse { arm, force: unit(k), moment: unit((k + 3) % 6) };
        let end = |size: f64| {
            let scaled = PointImpulse { force: probe.force * size, moment: probe.moment * size, ..probe };
            *body.step(&start, h, &[about[0], about[1], scaled]).unwrap().end()
        };
        let (above, below) = (end(1e-4), end(-1e-4));
        let stated = step.answer(&probe);
        let at = step.end();
        let omega = at.angular_velocity_in_world();
        let spin = (above.angular_velocity_in_world() - below.angular_velocity_in_world()) / 2e-4;
        let point = (above.point_velocity(&arm) - below.point_velocity(&arm)) / 2e-4;
        assert!((spin - stated.angular_velocity).norm() < 1e-8, "{k}: {spin} {stated:?}");
        assert!((point - stated.of_point(&(at.orientation * arm), &omega)).norm() < 1e-8, "{k}");
    }
}

#[test]
fn impossible_bodies_and_steps_are_refused() {
    let moments = |a, b, c| Matrix3::from_diagonal(&Vector3::new(a, b, c));
    let reason = |mass, inertia| RigidBody::new(mass, inertia).unwrap_err().to_string();
    assert!(reason(0.0, moments(1.0, 1.0, 1.0)).contains("mass"));
    assert!(reason(1.0, moments(1.0, 0.0, 1.0)).contains("smallest principal moment"));
    assert!(reason(1.0, moments(1.0, 1.0, 2.1)).contains("exceeds the sum"));
    assert!(reason(1.0, Matrix3::new(1.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)).contains("symmetric"));
    let body = RigidBody::new(1.0, moments(1.0, 1.0, 1.0)).unwrap();
    let fast = BodyState { angular_velocity: Vector3::x() * 40.0, ..BodyState::default() };
    assert!(matches!(body.step(&fast, 0.1, &[]), Err(SpatialError::TurnsTooFar { .. })));
}
