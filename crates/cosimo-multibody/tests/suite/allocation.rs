//! Steps allocate nothing after the first: dense and sparse matrices, chains, loops and meshes.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::mechanisms::{chain, diagonal, hinges, n_four_bar, start};
use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, Joint, JointKind, PenaltyLaw, RigidBody, SpatialModel,
};
use cosimo_smooth::dae::{DaeSettings, Formulation, Method, TangentPolicy};
use nalgebra::{Matrix6, Vector3};

const TANGENTS: [TangentPolicy; 3] = [TangentPolicy::Full, TangentPolicy::Modified, TangentPolicy::Frozen];

fn free_body() -> SpatialModel {
    let body = RigidBody::new(1.5, diagonal(2.0, 3.0, 4.0)).unwrap();
    SpatialModel::new().with_body(Body::new("free", body).with_velocity([1.0, 2.0, 0.5], [0.3, 2.0, -0.1]))
}

/// Forces of every kind in a chain.
fn busy_chain(n: usize) -> SpatialModel {
    let mut model = hinges(chain(n), n);
    let matrix = || Box::new(Matrix6::identity());
    let law = PenaltyLaw::HuntCrossley { stiffness: 1e4, exponent: 1.5, restitution: 0.5 };
    let kinds = [
        ForceKind::Spring { stiffness: 10.0, damping: 1.0, free_length: 0.1, preload: 0.0 },
        ForceKind::TorsionSpring { stiffness: 0.1, damping: 1e-3, free_angle: 0.0 },
        ForceKind::Bushing { stiffness: matrix(), damping: matrix() },
        ForceKind::Stop { limit: 1.0, is_upper: true, law },
    ];
    for (k, kind) in kinds.into_iter().enumerate() {
        let ends = [Frame::on(format!("{k}"), [0.0; 3]), Frame::on(format!("{}", k + 2), [0.0; 3])];
        let [first, second] = ends;
        model = model.with_force(Force::new(format!("{k}"), kind, first, second));
    }
    let ball = ForceKind::SpherePlane { radius: 0.01, law };
    model.with_force(Force::new("floor", ball, Frame::ground([0.0, 0.0, -5.0]), Frame::on("1", [0.0; 3])))
}

/// A crumpled square net of bodies on ball joints half-way to their neighbours, hung up by two corners; bushings lie across some
/// of its meshes.
fn net(side: usize) -> SpatialModel {
    let mut model = SpatialModel::new().with_gravity([0.0, 0.0, -9.81]);
    let knot = RigidBody::new(0.1, diagonal(2e-5, 2e-5, 2e-5)).unwrap();
    let name = |i: usize, j: usize| format!("{i} {j}");
    let place = |i: usize, j: usize| {
        Vector3::new(0.1 * i as f64, 0.1 * j as f64, 0.03 * (1.3 * i as f64 + 0.7 * (j * j) as f64).sin())
    };
    let knots: Vec<_> = (0..side).flat_map(|i| (0..side).map(move |j| (i, j))).collect();
    for &(i, j) in &knots {
        model = model.with_body(Body::new(name(i, j), knot.clone()).with_position(place(i, j)));
    }
    for &(i, j) in &knots {
        for (k, l) in [(i + 1, j), (i, j + 1)].into_iter().filter(|(k, l)| *k.max(l) < side) {
            let (own, other) = (name(i, j), name(k, l));
            let middle = (place(i, j) + place(k, l)) * 0.5;
            let at = (middle, crate::mechanisms::Z);
            let bodies = [Some(own.as_str()), Some(other.as_str())];
            model = model.with_joint_at(format!("{own} to {other}"), JointKind::Spherical, bodies, at);
        }
    }
    for corner in [0, side - 1] {
        let hook = Frame::ground(place(corner, 0));
        let body = Frame::on(name(corner, 0), [0.0; 3]);
        model = model.with_joint(Joint::new(format!("hook {corner}"), JointKind::Spherical, hook, body));
    }
    for i in (0..side - 1).step_by(3) {
        let matrix = || Box::new(Matrix6::identity() * 0.1);
        let kind = ForceKind::Bushing { stiffness: matrix(), damping: matrix() };
        let [first, second] = [i, i + 1].map(|k| Frame::on(name(k, k), [0.0; 3]));
        model = model.with_force(Force::new(format!("patch {i}"), kind, first, second));
    }
    model
}

/// Allocations of ten steps after the first.
fn allocations(model: SpatialModel, method: Method, settings: DaeSettings) -> u64 {
    let mut solver = start(model, method, settings);
    solver.step(2e-4).unwrap();
    let counted = allocation_counter::measure(|| {
        for _ in 0..10 {
            solver.step(2e-4).unwrap();
        }
    });
    counted.count_total
}

#[test]
fn steps_allocate_nothing_after_the_first() {
    let rules = [
        (Method::GeneralizedAlpha { spectral_radius: 0.8 }, Formulation::PositionVelocityAcceleration),
        (Method::Multistep { spectral_radius: 0.6 }, Formulation::Position),
        (Method::Bdf { order: 3 }, Formulation::PositionVelocity),
    ];
    // The first is dense; chains and rows of loops leave no core, the net one that is factorised with row exchanges.
    let models =
        [("body", free_body()), ("chain", busy_chain(12)), ("loops", n_four_bar(40)), ("net", net(12))];
    for (name, model) in models {
        for (method, formulation) in rules {
            for tangent in TANGENTS {
                let settings = DaeSettings { formulation, tangent, ..DaeSettings::default() };
                let counted = allocations(model.clone(), method, settings);
                assert_eq!(counted, 0, "{name}, {method:?}, {tangent:?}");
            }
        }
    }
}

/// Cores of large meshes are factorised by supernodes, for which `faer` allocates each time; nothing of that stays.
#[test]
fn large_meshes_keep_nothing_that_a_step_allocates() {
    let method = Method::GeneralizedAlpha { spectral_radius: 0.8 };
    let settings = DaeSettings { formulation: Formulation::Position, ..DaeSettings::default() };
    let mut solver = start(net(20), method, settings);
    solver.step(2e-4).unwrap();
    for step in 0..5 {
        let mut factorizations = 0;
        let counted =
            allocation_counter::measure(|| factorizations = solver.step(2e-4).unwrap().factorizations as u64);
        assert!(counted.count_total < 100 * factorizations, "step {step}: {counted:?}");
        assert_eq!(counted.bytes_current, 0, "step {step}: {counted:?}");
    }
}
