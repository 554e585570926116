//! Coupling schemes: how the interface equations and the contacts of a step are solved.
//!
//! All schemes solve the same equations and reach the same solution; they differ in what they ask of the subsystems and
//! in what they cost.
//!
//! | where | what |
//! |---|---|
//! | `condensed` | all unknowns and contact impulses in one problem |
//! | `fallback` | which iterate is taken of an iteration that does not converge |
//! | `local_problem`, `local`, `local_matrix` | the problem that a subsystem solves by itself: storage, solution, matrices |
//! | `sweep`, `gauss_seidel` | Gauss-Seidel and Jacobi: every subsystem once |
//! | `acceleration` | from the answer of a sweep to the next iterate |
//! | `bracket` | keeps a single force between iterates on either side of it |
//! | `iteration`, `iterate` | sweeps until they agree, first without contact impulses, then with them |
//! | `notes` | statistics of the interfaces |
//! | `cluster_stage` | one cluster in it: its accelerator, and whether its sweeps agree |
//! | `stage` | one iteration of a step: its first guess, and when it forgets |
//! | `corrections` | convergence and divergence |
//! | `state` | what an iteration carries from step to step |
//! | `response` | affine models and true answers of the subsystems |

pub(crate) mod acceleration;
mod bracket;
pub(crate) mod cluster_stage;
pub(crate) mod condensed;
mod corrections;
mod fallback;
mod gauss_seidel;
pub(crate) mod iterate;
pub(crate) mod iteration;
mod local;
mod local_matrix;
mod local_problem;
pub(crate) mod mismatch;
mod notes;
pub(crate) mod response;
mod stage;
pub(crate) mod state;
mod sweep;
