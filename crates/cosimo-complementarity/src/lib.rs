//! Complementarity problems and their solvers.
//!
//! Contacts with friction are in [`friction`]. The simplest class is the linear complementarity problem
//! ([`LcpProblem`]): find `z` with
//!
//! ```text
//!   0 ≤ z  ⟂  w = M z + q ≥ 0
//! ```
//!
//! In mechanics `z` are impulses, `w` gap velocities and `M` is the Delassus operator; this crate knows nothing of that,
//! and its equations carry whatever consistent units the caller has. [`MixedLcpProblem`] has equations beside.
//!
//! # How the crate is cut
//!
//! | role               | for this class            | contract                                                    |
//! |--------------------|---------------------------|-------------------------------------------------------------|
//! | what to solve      | [`LcpProblem`]            | a checked, borrowed view; copies nothing                    |
//! | what "solved" means| [`LcpProblem::residual`]  | one number per class, without units, independent of solvers |
//! | how to solve       | [`LcpSolver`], which chooses | owns all memory; allocates only when a problem is larger than any before |
//! |                    | [`LemkeWorkspace`]        | pivots: exact, ties included                                 |
//! |                    | [`FischerBurmeister`]     | Newton's method with line search                            |
//! |                    | [`ProjectedGaussSeidel`]  | sweeps                                                      |
//! | what it may take   | [`Budget`]                | iterations, time, a flag that stops it                      |
//! | how it ended       | [`LcpOutcome`]            | status, work done, residual of the point returned           |
//! | why it was refused | [`LcpError`]              | the input broke a stated rule                               |
//!
//! A further class brings its own problem type and its own residual, as [`friction`] does; a further solver of a class
//! brings a workspace with the same `solve`.
//!
//! # Example
//!
//! Two contacts of a wedge, nearly parallel; both impulses are `1/1.995`.
//!
//! ```
//! use cosimo_complementarity::{LcpProblem, LemkeWorkspace};
//!
//! let matrix = [1.0, 0.995, 0.995, 1.0]; // column-major
//! let offset = [-1.0, -1.0];
//! let problem = LcpProblem::new(&matrix, &offset)?;
//!
//! let mut lemke = LemkeWorkspace::with_capacity(2);
//! let mut z = [0.0; 2];
//! let outcome = lemke.solve(problem, &mut z)?;
//!
//! assert!(outcome.is_solved());
//! assert!(z.iter().all(|z| (z * 1.995 - 1.0).abs() < 1e-15));
//! # Ok::<(), cosimo_complementarity::LcpError>(())
//! ```
//!
//! Reference: R. W. Cottle, J.-S. Pang, R. E. Stone, *The Linear Complementarity Problem*, Academic Press, 1992.

mod budget;
pub mod friction;
mod lcp;

pub use budget::Budget;
pub use lcp::{
    FischerBurmeister, FischerBurmeisterConfig, LcpError, LcpMethod, LcpOutcome, LcpProblem, LcpSolver,
    LcpStatus, LemkeConfig, LemkeWorkspace, MixedLcpProblem, MixedLcpSolver, ProjectedGaussSeidel,
    ProjectedGaussSeidelConfig,
};
