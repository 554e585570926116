//! Rigid bodies that move in a plane.
//!
//! World frame W: `x` to the right, `y` up, angles counter-clockwise. The frame B of a body has its origin at the
//! centre of mass. Body number `i`, in the order of the [`PlanarModel`], has the coordinates
//!
//! ```text
//!   q[3i], q[3i+1] = p_wb   position of the centre of mass, world axes (m)
//!   q[3i+2]        = θ      angle from W to B (rad)
//! ```
//!
//! Notation (monogram): `p_wp` is the position of point P from the origin of W in world axes, `p_bp` that from the
//! origin of B in body axes, and `p_bp_w = R(θ) p_bp` the same vector in world axes.
//!
//! ```
//! use cosimo_multibody::planar::{Body, Pin, PlanarModel, Point};
//! use cosimo_smooth::dae::{DaeSettings, DaeSolver, Method};
//!
//! // A rod of 7.5 m and 9 kg/m, horizontal, hinged at its left end: it starts to droop with −g S₁ / I = −2 rad/s².
//! let system = PlanarModel::new([0.0, -10.0])
//!     .with_body(Body::new("rod", 67.5, 67.5 * 7.5 * 7.5 / 12.0).with_pose([3.75, 0.0], 0.0))
//!     .with_pin(Pin::new("hinge", Point::on("rod", [-3.75, 0.0]), Point::ground([0.0, 0.0])))
//!     .build()?;
//! assert!(system.initial_violations(1e-9).is_empty());
//! let start = (0.0, system.initial_position().to_vec(), system.initial_velocity().to_vec());
//! let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
//! let solver = DaeSolver::new(system, rule, DaeSettings::default(), start)?;
//! assert!((solver.state().a[2] + 2.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod appearance;
mod attachment;
mod build;
mod checks;
mod error;
mod model;
mod rows;
mod spring;
mod system;

pub use error::PlanarError;
pub use model::{Body, Owner, Pin, PlanarModel, Point, SpringDamper};
pub use rows::{PlaneContact, PointRow};
pub use system::{PinViolation, PlanarSystem};
