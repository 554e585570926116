//! Energy and momenta of free bodies and chains over long runs.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::mechanisms::{chain, diagonal, hinges, start};
use cosimo_dynamics::ConstrainedSystem;
use cosimo_multibody::spatial::{Body, Frame, Joint, JointKind, RigidBody, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};
use nalgebra::Vector3;

/// Momentum, and angular momentum about the origin.
fn momenta(solver: &DaeSolver<SpatialSystem>) -> [Vector3<f64>; 2] {
    let (system, state) = (solver.system(), solver.state());
    let mut sums = [Vector3::zeros(); 2];
    for (i, body) in system.bodies().iter().enumerate() {
        let body_state = system.body_state(i, &state.q, &state.v).unwrap();
        let momentum = body.properties.momentum(&body_state);
        sums[0] += momentum;
        sums[1] += body_state.position.cross(&momentum) + body.properties.angular_momentum(&body_state);
    }
    sums
}

/// Relative changes of momentum, angular momentum and energy over so many steps.
fn changes(mut solver: DaeSolver<SpatialSystem>, h: f64, steps: usize) -> [f64; 3] {
    let ([p, l], energy) = (momenta(&solver), solver.energy().total());
    for _ in 0..steps {
        solver.step(h).unwrap();
    }
    let [p1, l1] = momenta(&solver);
    [
        (p1 - p).norm() / p.norm(),
        (l1 - l).norm() / l.norm(),
        ((solver.energy().total() - energy) / energy).abs(),
    ]
}

fn free_body() -> SpatialModel {
    let body = RigidBody::new(1.5, diagonal(2.0, 3.0, 4.0)).unwrap();
    SpatialModel::new().with_body(Body::new("free", body).with_velocity([1.0, 2.0, 0.5], [0.3, 2.0, -0.1]))
}

/// Three links on ball joints, thrown and tumbling.
fn thrown_chain() -> SpatialModel {
    let mut model = SpatialModel::new();
    for k in 0..3 {
        let body = RigidBody::new(1.0 + k as f64, diagonal(0.02, 0.1, 0.1)).unwrap();
        // The whole turns about z with 1 rad/s, and every link about itself.
        let x = k as f64;
        let body = Body::new(format!("{k}"), body).with_position([x, 0.0, 0.0]);
        model = model.with_body(body.with_velocity([0.7, x - 1.0, 0.2], [0.3 * (x - 1.0), 0.0, 1.0]));
    }
    for k in 1..3 {
        let (first, second) = (format!("{}", k - 1), format!("{k}"));
        let ends = [Frame::on(first, [0.5, 0.0, 0.0]), Frame::on(second, [-0.5, 0.0, 0.0])];
        let [first, second] = ends;
        model = model.with_joint(Joint::new(format!("ball {k}"), JointKind::Spherical, first, second));
    }
    model
}

fn settings(formulation: Formulation) -> DaeSettings {
    DaeSettings { formulation, tolerance: 1e-13, ..DaeSettings::default() }
}

/// The rules do not conserve: what they lose over a given time falls with at least the square of the step.
#[test]
fn free_motion_over_a_hundred_thousand_steps() {
    let rules = [
        (Method::GeneralizedAlpha { spectral_radius: 0.9 }, [1e-5, 1e-5]),
        (Method::Multistep { spectral_radius: 0.6 }, [1e-5, 1e-5]),
    ];
    for (method, limits) in rules {
        let run = |h, steps| changes(start(free_body(), method, settings(Formulation::Position)), h, steps);
        let [momentum, spin, energy] = run(1e-3, 100_000);
        assert!(momentum < 1e-11, "{method:?}: {momentum:e}");
        assert!(spin < limits[0] && energy < limits[1], "{method:?}: {spin:e} {energy:e}");
        let [_, coarse_spin, coarse_energy] = run(4e-3, 25_000);
        let order = |coarse: f64, fine: f64| (coarse / fine).log2() / 2.0;
        let found = [order(coarse_spin, spin), order(coarse_energy, energy)];
        assert!(found.iter().all(|order| *order > 1.8), "{method:?}: {found:?}");
    }
}

/// As free motion: linear momentum to round-off, the rest with at least the square of the step.
#[test]
fn a_thrown_chain_over_a_hundred_thousand_steps() {
    for formulation in [Formulation::Position, Formulation::PositionVelocityAcceleration] {
        let method = Method::GeneralizedAlpha { spectral_radius: 0.9 };
        let run = |h, steps| changes(start(thrown_chain(), method, settings(formulation)), h, steps);
        let [momentum, spin, energy] = run(1e-3, 100_000);
        assert!(momentum < 1e-10, "{formulation:?}: {momentum:e}");
        assert!(spin < 1e-4 && energy < 1e-3, "{formulation:?}: {spin:e} {energy:e}");
        let [_, coarse_spin, coarse_energy] = run(2e-3, 50_000);
        let found = [(coarse_spin / spin).log2(), (coarse_energy / energy).log2()];
        assert!(found.iter().all(|order| *order > 1.7), "{formulation:?}: {found:?}");
    }
}

/// The sparse matrix and the dense one solve the same equations: a small chain beside the same chain of which a heavy part
/// is held still.
#[test]
fn sparse_and_dense_matrices_agree() {
    let method = Method::GeneralizedAlpha { spectral_radius: 0.8 };
    let settings = settings(Formulation::PositionVelocityAcceleration);
    let mut small = start(hinges(chain(4), 4), method, settings);
    let idle = RigidBody::new(1.0, diagonal(1.0, 1.0, 1.0)).unwrap();
    let mut large = hinges(chain(4), 4);
    for k in 0..4 {
        large = large.with_body(Body::new(format!("idle {k}"), idle.clone()));
    }
    let mut large = start(large, method, settings);
    assert!(small.system().structure().velocities() + small.system().structure().rows() <= 48);
    assert!(large.system().structure().velocities() + large.system().structure().rows() > 48);
    for _ in 0..200 {
        small.step(1e-3).unwrap();
        large.step(1e-3).unwrap();
    }
    let off = small.state().q.iter().zip(&large.state().q).map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f64::max) < 1e-12);
}
