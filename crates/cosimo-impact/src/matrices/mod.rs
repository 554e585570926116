//! Matrices of a step: tangents, saddle points, and the Jacobian of contacts.

mod contact_jacobian;
mod response;
mod step_matrices;
mod tangent_blocks;

pub(crate) use contact_jacobian::ContactJacobian;
pub(crate) use response::Response;
pub(crate) use step_matrices::{CLOSING, HELD, StepMatrices};
pub(crate) use tangent_blocks::{TangentBlocks, TangentKind};
