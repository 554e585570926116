//! Linear complementarity problems: what they are, and what solves them.

pub(crate) mod arithmetic;
mod automatic;
mod enumeration;
mod error;
mod lemke;
mod mixed;
mod newton;
mod outcome;
mod problem;
mod projected_gauss_seidel;

pub use automatic::{LcpMethod, LcpSolver};
pub use error::LcpError;
pub use lemke::{LemkeConfig, LemkeWorkspace};
pub use mixed::{MixedLcpProblem, MixedLcpSolver};
pub use newton::{FischerBurmeister, FischerBurmeisterConfig};
pub use outcome::{LcpOutcome, LcpStatus};
pub use problem::LcpProblem;
pub use projected_gauss_seidel::{ProjectedGaussSeidel, ProjectedGaussSeidelConfig};
