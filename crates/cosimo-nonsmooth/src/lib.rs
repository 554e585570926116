//! Nonsmooth dynamics: unilateral contacts, Coulomb friction, impact laws and Moreau-Jean time stepping.
//!
//! The [`OneStepProblem`] is the heart: from the gaps and gap rates at the start of a step, their contact-free values
//! at its end, and the effective mass at the contacts, it finds the contact impulses of the step, either by the plain
//! complementarity problem at velocity level or with every impact at its own instant inside the step. It sees
//! scalar rows only, gaps and slips, so that it serves one system by itself ([`MoreauJean`]) and a coupled model alike.

mod activation;
mod active_set;
mod coefficients;
mod contact_rows;
mod contact_set;
mod delassus_matrix;
mod hit;
mod impact_law;
mod impact_sequence;
mod law_problem;
mod laws;
mod mean_slip;
mod memory;
mod moreau_jean;
mod nearest;
mod node;
mod one_step;
mod parabola;
mod places;
mod plane;
mod slip;
mod solution;
mod tangents;
mod thresholds;
mod unsolved;

pub use activation::{Candidates, ImpactResolution, closing_tolerance, gap_rounding};
pub use contact_rows::{ContactRows, Partings};
pub use delassus_matrix::{DelassusMatrix, SparseDelassus};
pub use hit::{Hit, HitKind};
pub use law_problem::LawProblem;
pub use laws::ContactLaws;
pub use memory::{ContactMemory, FrictionState};
pub use moreau_jean::{MoreauJean, MoreauJeanError};
pub use node::{MovingPlanes, NodeError};
pub use one_step::OneStepProblem;
pub use parabola::root_of_parabola;
pub use plane::{MovingPlane, PlaneMotion};
pub use solution::{ContactChange, ContactChangeKind, ContactSolution, EnergyGain, OneStepError};
pub use unsolved::Unsolved;
