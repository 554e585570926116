//! A disc that spins fast, held at its tip: `cargo run --release -p cosimo-multibody --example gyroscope`.
#![expect(clippy::print_stdout, reason = "an example tells what it found")]

mod figure;

use cosimo_multibody::spatial::{Body, JointKind, RigidBody, SpatialModel};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Method};
use nalgebra::{Matrix3, Vector3};

/// Radius of the disc (m), arm from the tip (m), spin (rad/s).
const RADIUS: f64 = 0.1;
const ARM: f64 = 0.15;
const SPIN: f64 = 200.0;

pub(crate) fn run() -> figure::Outcome {
    let (along, across) = (0.5 * RADIUS * RADIUS, 0.25 * RADIUS * RADIUS);
    let disc = RigidBody::new(1.0, Matrix3::from_diagonal(&Vector3::new(along, across, across)))?;
    // The axis lies along x, its tip at the origin; it is let go at rest.
    let body = Body::new("disc", disc)
        .with_centre_of_mass([ARM, 0.0, 0.0])
        .with_velocity([0.0; 3], [SPIN, 0.0, 0.0]);
    let system = SpatialModel::new()
        .with_gravity([0.0, 0.0, -9.81])
        .with_body(body)
        .with_joint_at("tip", JointKind::Spherical, [None, Some("disc")], ([0.0; 3], [0.0, 0.0, 1.0]))
        .build()?;
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let rule = Method::GeneralizedAlpha { spectral_radius: 0.95 };
    let mut solver = DaeSolver::new(system, rule, DaeSettings::default(), (0.0, q, v))?;
    let mut path = Vec::new();
    for _ in 0..6000 {
        solver.step(2e-4)?;
        let q = &solver.state().q;
        path.push((q[1].atan2(q[0]), q[2].atan2(q[0].hypot(q[1]))));
    }
    let end = path.last().map_or(0.0, |point| point.0);
    let slow = 9.81 * ARM / (along * SPIN);
    let found = end / solver.state().time;
    Ok((format!("precession {found:.4} rad/s; m g l/(J ω) = {slow:.4} rad/s"), vec![("axis", path)]))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (found, curves) = run()?;
    println!("{found}");
    let title = "Gyroscope: the axis nods while it goes round";
    println!(
        "{}",
        figure::write("gyroscope", title, ["azimuth (rad)", "elevation (rad)"], &curves)?.display()
    );
    Ok(())
}
