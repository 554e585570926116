//! Forces between two bodies, or a body and the ground.

mod bushing;
mod contact;
mod kind;
mod scalar;
mod user;

pub use contact::{Onset, PenaltyLaw};
pub(crate) use kind::needs_a_line;
pub use kind::{Force, ForceKind};
pub use scalar::ScalarFunction;
pub use user::BodyFunction;
