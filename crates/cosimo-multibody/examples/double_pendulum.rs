//! Two rods swing freely: `cargo run --release -p cosimo-multibody --example double_pendulum`.
#![expect(clippy::print_stdout, reason = "an example tells what it found")]

mod figure;

use cosimo_multibody::spatial::{Body, JointKind, RigidBody, SpatialModel};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Method};
use nalgebra::{Matrix3, Vector3};

pub(crate) fn run() -> figure::Outcome {
    // Uniform rods of 1 m and 1 kg along x, hinged about y.
    let across = 1.0 / 12.0;
    let rod = RigidBody::new(1.0, Matrix3::from_diagonal(&Vector3::new(1e-3, across, across)))?;
    let hinge = |x: f64| ([x, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let system = SpatialModel::new()
        .with_gravity([0.0, 0.0, -9.81])
        .with_body(Body::new("upper", rod.clone()).with_position([0.5, 0.0, 0.0]))
        .with_body(Body::new("lower", rod).with_position([1.5, 0.0, 0.0]))
        .with_joint_at("support", JointKind::Revolute, [None, Some("upper")], hinge(0.0))
        .with_joint_at("elbow", JointKind::Revolute, [Some("upper"), Some("lower")], hinge(1.0))
        .build()?;
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let rule = Method::Bdf { order: 4 };
    let mut solver = DaeSolver::new(system, rule, DaeSettings::default(), (0.0, q, v))?;
    let start = solver.energy().total();
    let mut tip = Vec::new();
    for _ in 0..5000 {
        solver.step(1e-3)?;
        let state = solver.state();
        if let Some(lower) = solver.system().body_state(1, &state.q, &state.v) {
            let end = lower.point(&Vector3::new(0.5, 0.0, 0.0));
            tip.push((end.x, end.z));
        }
    }
    let change = solver.energy().total() - start;
    Ok((format!("energy changed by {change:.1e} J of {:.1} J moved", 2.0 * 9.81), vec![("tip", tip)]))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (found, curves) = run()?;
    println!("{found}");
    let title = "Double pendulum: path of the tip in 5 s";
    println!("{}", figure::write("double_pendulum", title, ["x (m)", "z (m)"], &curves)?.display());
    Ok(())
}
