//! A step of a multibody system: of the solver alone, and as a subsystem without and with loads.
#![expect(clippy::unwrap_used, reason = "a benchmark")]
#![allow(missing_docs, reason = "a benchmark")]

use cosimo_multibody::spatial::{Body, JointKind, RigidBody, SpatialModel, SpatialSystem};
use cosimo_native::{MultibodyBuilder, MultibodyPort};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};
use divan::Bencher;
use nalgebra::{Matrix3, Vector3};

const H: f64 = 1e-3;
const COUNTS: [usize; 4] = [1, 4, 16, 64];

fn main() {
    divan::main();
}

/// A chain of `count` links of 0.1 m on spherical joints, at rest along `x`.
fn chain(count: usize) -> SpatialSystem {
    let inertia = Matrix3::from_diagonal(&Vector3::new(2e-5, 1e-4, 1e-4));
    let link = RigidBody::new(0.1, inertia).unwrap();
    let mut model = SpatialModel::new().with_gravity([0.0, 0.0, -9.81]);
    for k in 0..count {
        let centre = [0.1 * k as f64 + 0.05, 0.0, 0.0];
        model = model.with_body(Body::new(format!("{k}"), link.clone()).with_position(centre));
    }
    for k in 0..count {
        let (before, own) = (k.checked_sub(1).map(|b| b.to_string()), k.to_string());
        let bodies = [before.as_deref(), Some(own.as_str())];
        let at = ([0.1 * k as f64, 0.0, 0.0], [0.0, 1.0, 0.0]);
        model = model.with_joint_at(&own, JointKind::Spherical, bodies, at);
    }
    model.build().unwrap()
}

fn subsystem(count: usize) -> impl Subsystem {
    let port = MultibodyPort::point(format!("{}", count - 1), [0.05, 0.0, 0.0]);
    MultibodyBuilder::new("chain", chain(count)).with_port("end", port).build().unwrap()
}

#[divan::bench(args = COUNTS)]
fn solver_alone(bencher: Bencher, count: usize) {
    let system = chain(count);
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let formulation = Formulation::PositionVelocity;
    let settings = DaeSettings { formulation, tolerance: 1e-12, ..DaeSettings::default() };
    let mut solver = DaeSolver::new(system, Method::Midpoint, settings, (0.0, q, v)).unwrap();
    bencher.bench_local(|| solver.step(H).unwrap());
}

#[divan::bench(args = COUNTS)]
fn as_subsystem(bencher: Bencher, count: usize) {
    let (mut system, loads, mut time) = (subsystem(count), StepLoads::zeros(3), 0.0);
    bencher.bench_local(|| {
        system.begin(MacroStep { time, size: H }, &[0.0; 3]).unwrap();
        system.commit(&loads).unwrap();
        time += H;
    });
}

/// With one evaluation, as under a master.
#[divan::bench(args = COUNTS)]
fn as_subsystem_with_loads(bencher: Bencher, count: usize) {
    let (mut system, mut time) = (subsystem(count), 0.0);
    let loads = StepLoads { impulses: vec![0.0, 1e-5, 1e-4], ..StepLoads::zeros(3) };
    bencher.bench_local(|| {
        system.begin(MacroStep { time, size: H }, &[0.0, 0.01, 0.1]).unwrap();
        system.evaluate(&loads.impulses).unwrap();
        system.commit(&loads).unwrap();
        time += H;
    });
}
