//! Forces between two bodies, or a body and the ground.

mod bearing;
mod bushing;
mod contact;
mod kind;
mod load;
mod scalar;
mod user;

pub use bearing::{Bearing, FilmStation};
pub use contact::{Onset, PenaltyLaw};
pub use kind::{Force, ForceKind};
pub(crate) use kind::{is_on_one_body, needs_a_line};
pub use load::BodyLoad;
pub use scalar::ScalarFunction;
pub use user::BodyFunction;
