//! Constrained systems in coordinates that may turn: formulations, step rules and Newton's method on a sparse saddle point.
//!
//! A [`DaeSolver`] advances a [`ConstrainedSystem`](cosimo_dynamics::ConstrainedSystem). Its [`Formulation`] says at which
//! levels the constraints are imposed, its [`Method`] how the motion is integrated, and [`TangentPolicy`] how often matrices are factorised. The start
//! may be a rough guess: positions, velocities, accelerations and multipliers are made consistent, and constraints that
//! others imply are left out and named.

mod adaptive;
mod advance;
mod answer;
mod approach;
mod branch;
mod consistent;
mod convergence;
mod effort;
mod error;
mod formulation;
mod frozen;
mod frozen_matrix;
mod increments;
mod independent_rows;
mod iteration;
mod kkt;
mod method;
mod metric;
mod names;
mod norm;
mod prescribed;
mod problem;
mod projection;
mod reach;
mod redundancy;
mod redundant_rows;
mod rejection;
mod round_off;
mod row_exchange;
mod saddle_point;
mod scales;
mod settings;
mod snapshot;
mod solved;
mod solver;
mod start;
mod state;
mod tangent_product;
mod trial;
mod trial_step;
mod turned;

pub use adaptive::ErrorControl;
pub use answer::StepAnswer;
pub use effort::StepEffort;
pub use error::DaeError;
pub use formulation::Formulation;
pub use method::Method;
pub use redundant_rows::RedundantRow;
pub use saddle_point::{SaddlePoint, TangentPoint};
pub use settings::{DaeSettings, TangentPolicy};
pub use solver::DaeSolver;
pub use state::DaeState;
