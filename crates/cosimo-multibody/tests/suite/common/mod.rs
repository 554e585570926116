//! Central finite differences, and systems that several tests use.

#![allow(unreachable_pub, reason = "a module of tests")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use cosimo_dynamics::{Kinematics, NoRows, Stepper, Theta};
use cosimo_multibody::planar::{Body, Pin, PlanarModel, PlanarSystem, Point, SpringDamper};
use nalgebra::DMatrix;

/// Jacobian of `f: ℝⁿ → ℝʳ` at `x` by central differences of this half width.
pub fn jacobian(x: &[f64], rows: usize, width: f64, f: impl Fn(&[f64], &mut [f64])) -> DMatrix<f64> {
    let mut out = DMatrix::zeros(rows, x.len());
    let (mut ahead, mut behind) = (vec![0.0; rows], vec![0.0; rows]);
    let mut moved = x.to_vec();
    for j in 0..x.len() {
        moved[j] = x[j] + width;
        f(&moved, &mut ahead);
        moved[j] = x[j] - width;
        f(&moved, &mut behind);
        moved[j] = x[j];
        for i in 0..rows {
            out[(i, j)] = (ahead[i] - behind[i]) / (2.0 * width);
        }
    }
    out
}

/// Largest difference relative to `1 + max |exact|`.
pub fn mismatch(exact: &DMatrix<f64>, approximate: &DMatrix<f64>) -> f64 {
    (exact - approximate).amax() / (1.0 + exact.amax())
}

/// Stepper of the implicit midpoint rule without ports or contacts, from the system's initial state.
pub fn midpoint(system: PlanarSystem) -> Stepper {
    midpoint_with_contacts(system, Box::new(NoRows))
}

/// As [`midpoint`], with contacts.
pub fn midpoint_with_contacts(system: PlanarSystem, contacts: Box<dyn Kinematics>) -> Stepper {
    let start = (0.0, system.initial_position().to_vec(), system.initial_velocity().to_vec());
    Stepper::new(Box::new(system), Box::new(Theta::default()), (Box::new(NoRows), contacts), start).unwrap()
}

/// Takes one step without loads; returns the work done.
pub fn step(stepper: &mut Stepper, h: f64) -> cosimo_dynamics::StepWork {
    let loads = vec![0.0; stepper.start_positions().len()];
    stepper.begin(h, &loads).unwrap();
    stepper.evaluate(&loads).unwrap();
    stepper.commit(&loads, None).unwrap()
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
        .with_body(Body::new("rod", mass, mass * length * length / 12.0).at([0.5 * length, 0.0], 0.0))
        .with_pin(Pin::new("hinge", Point::on("rod", [-0.5 * length, 0.0]), Point::ground([0.0, 0.0])))
}
