//! Planar systems that several tests use.

#![allow(unreachable_pub, reason = "a module of tests")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use cosimo_multibody::planar::{Body, Pin, PlanarModel, PlanarSystem, Point, SpringDamper};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};

/// Solver of the implicit midpoint rule, from the system's initial state.
pub fn midpoint(system: PlanarSystem) -> DaeSolver<PlanarSystem> {
    let start = (0.0, system.initial_position().to_vec(), system.initial_velocity().to_vec());
    let formulation = Formulation::PositionVelocity;
    let settings = DaeSettings { formulation, tolerance: 1e-12, ..DaeSettings::default() };
    DaeSolver::new(system, Method::Midpoint, settings, start).unwrap()
}

/// Three bodies: a pinned to the ground and to b, springs from b to c, c to the ground and a to the ground.
pub fn mechanism(p: &[f64; 12], stiffness: f64, damping: f64) -> PlanarModel {
    let spring =
        |first, second, length| SpringDamper { between: [first, second], stiffness, damping, length };
    PlanarModel::new([0.7, -9.81])
        .with_body(Body::new("a", 2.0, 0.3))
        .with_body(Body::new("b", 1.5, 0.8))
        .with_body(Body::new("c", 0.5, 0.1))
        .with_pin(Pin::new("foot", Point::ground([0.3, -0.2]), Point::on("a", [p[0], p[1]])))
        .with_pin(Pin::new("knee", Point::on("a", [p[2], p[3]]), Point::on("b", [p[4], p[5]])))
        .with_spring(spring(Point::on("b", [p[6], p[7]]), Point::on("c", [p[8], p[9]]), 0.4))
        .with_spring(spring(Point::on("c", [p[10], p[11]]), Point::ground([1.0, 2.0]), 0.0))
        .with_spring(spring(Point::ground([-1.0, 0.5]), Point::on("a", [p[1], p[0]]), 1.3))
}

/// A rod of this length and mass per length, horizontal to the right of the hinge at the world's origin.
pub fn hinged_rod(length: f64, line_mass: f64, gravity: f64) -> PlanarModel {
    let mass = line_mass * length;
    PlanarModel::new([0.0, -gravity])
        .with_body(Body::new("rod", mass, mass * length * length / 12.0).with_pose([0.5 * length, 0.0], 0.0))
        .with_pin(Pin::new("hinge", Point::on("rod", [-0.5 * length, 0.0]), Point::ground([0.0, 0.0])))
}
