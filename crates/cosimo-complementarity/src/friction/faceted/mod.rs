//! The Coulomb cone replaced by a pyramid outside it, and the linear complementarity problem that this makes.

mod cone;
mod problem;

pub use cone::FacetedCone;
pub use problem::FacetedSolver;
