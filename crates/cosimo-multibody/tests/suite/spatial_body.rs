//! The step of a free rigid body against closed forms and a fine reference.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_multibody::spatial::{Body, BodyState, RigidBody, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, Formulation, Method};
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

/// The body alone, stepped by the energy-momentum rule.
fn solver(body: &RigidBody, start: BodyState) -> DaeSolver<SpatialSystem> {
    let placed = Body::new("body", body.clone())
        .at(start.position.into())
        .turned(start.orientation)
        .moving(start.velocity.into(), start.angular_velocity.into());
    let system = SpatialModel::new().with_body(placed).build().unwrap();
    let settings =
        DaeSettings { formulation: Formulation::Velocity, tolerance: 1e-12, ..DaeSettings::default() };
    let (q, v) = (system.initial_position(), system.initial_velocity());
    DaeSolver::new(system, Method::EnergyMomentum, settings, (0.0, q, v)).unwrap()
}

fn state(solver: &DaeSolver<SpatialSystem>) -> BodyState {
    solver.system().body_state(0, &solver.state().q, &solver.state().v).unwrap()
}

fn run(body: &RigidBody, start: BodyState, end: f64, steps: usize) -> BodyState {
    let mut solver = solver(body, start);
    solver.advance_to(end, end / steps as f64).unwrap();
    state(&solver)
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

#[test]
fn gravity_keeps_momenta_and_energy() {
    let (body, start) = tumbling();
    let body = body.with_gravity(Vector3::new(0.0, 1.0, -9.0));
    let end = run(&body, start, 2.0, 40);
    let energy = |s: &BodyState| body.kinetic_energy(s) + body.potential_energy(s);
    assert!((energy(&end) - energy(&start)).abs() < 1e-9 * energy(&start));
    let gained = body.momentum(&end) - body.momentum(&start);
    assert!((gained - body.gravity() * (2.0 * body.mass())).norm() < 1e-9);
    let spin = body.angular_momentum(&start);
    assert!((body.angular_momentum(&end) - spin).norm() < 1e-9 * spin.norm());
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
    let refused = solver(&body, fast).advance_to(0.1, 0.1).unwrap_err();
    assert!(matches!(refused, DaeError::TurnsTooFar { .. }), "{refused}");
}
