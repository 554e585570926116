//! Inflow: the velocity that a rotor induces in its disk.
//!
//! With the hub's velocity through the air `W` along the axis and `U` across it (m/s), the thrust `T`, `A = π R²`, and
//! `V_T = √(U² + (W + v)²)`, momentum theory (Glauert) has
//!
//! ```text
//!   2 ρ A V_T v = b T
//! ```
//!
//! `b` blends the inflow out where momentum theory means nothing: one above a tenth of the nominal speed of the rotor, zero at rest.
//! The field over the disk is `v (1 + …)`, affine in the place: a mean and two gradients along non-rotating axes of the disk. Models
//! differ in where these three come from:
//!
//! | file | model |
//! |---|---|
//! | `momentum` | the uniform inflow above |
//! | `linear` | Drees' and Coleman's gradients on it |
//! | `pitt_peters` | three states, with apparent masses |
//! | `annulus` | momentum theory for every annulus by itself (blade-element momentum theory) |
//! | `ground` | the ground below, for those with one field |
//! | `disk`, `flow` | axes of the disk; flow through it |
//! | `model` | the choice, and its equations in one form |

mod annulus;
mod disk;
mod flow;
mod ground;
mod linear;
mod model;
mod momentum;
mod pitt_peters;

pub use annulus::Annulus;
pub use disk::{Disk, DiskAxes, Rotation};
pub use flow::DiskFlow;
pub use ground::Ground;
pub use model::InflowModel;
pub(crate) use model::{Equations, UNKNOWNS};
pub use momentum::Momentum;
