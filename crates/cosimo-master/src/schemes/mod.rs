//! Coupling schemes: how the interface equations and the contacts of a step are solved.
//!
//! All schemes solve the same equations and reach the same solution; they differ in what they ask of the subsystems and
//! in what they cost.
//!
//! | where | what |
//! |---|---|
//! | `tangent` | whether inverse masses are kept from step to step |
//! | `fallback` | which iterate is taken of an iteration that does not converge |
//! | `local_problem`, `local`, `local_matrix` | the problem that a subsystem solves by itself: storage, solution, matrices |
//! | `sweep`, `gauss_seidel` | Gauss-Seidel and Jacobi: every subsystem once |
//! | `acceleration` | from the answer of a sweep to the next iterate |
//! | `bracket` | keeps a single force between iterates on either side of it |
//! | `iteration` | sweeps until they agree, first without contact impulses, then with them |
//! | `agreement`, `not_converged` | whether sweeps agree, and what is wrong where they do not |
//! | `bushings` | bushings in Newton's iteration of a step |
//! | `notes` | statistics of the interfaces |
//! | `cluster_stage` | one cluster in it: its accelerator, and whether its sweeps agree |
//! | `stage` | one iteration of a step: its first guess, and when it forgets |
//! | `corrections` | convergence and divergence |
//! | `state` | what an iteration carries from step to step |
//! | `response` | affine models and true answers of the subsystems |

pub(crate) mod acceleration;
pub(crate) mod agreement;
mod bracket;
pub(crate) mod bushings;
pub(crate) mod cluster_stage;
mod corrections;
pub(crate) mod fallback;
mod gauss_seidel;
pub(crate) mod iteration;
mod local;
pub(crate) mod local_matrix;
pub(crate) mod local_problem;
pub(crate) mod not_converged;
pub(crate) mod notes;
pub(crate) mod response;
pub(crate) mod stage;
pub(crate) mod state;
pub(crate) mod sweep;
pub(crate) mod tangent;

use crate::contacts::unsolved::Unsettled;
use crate::topology::Topology;
use iteration::Iteration;
use tangent::TangentChoice;

/// What the scheme of a model knows from step to step.
#[derive(Debug)]
pub(crate) struct Schemes {
    /// Whether inverse masses are kept from step to step.
    pub(crate) tangent: TangentChoice,
    /// The iterative scheme, if it is one.
    pub(crate) iteration: Option<Box<Iteration>>,
    /// Relative residual (–) up to which an iteration is taken that does not converge: zero but in the last attempt at a step.
    pub(crate) accepted_residual: f64,
    /// What the iteration of the part of a step at hand was left with, where it was taken so.
    pub(crate) unsettled: Option<Unsettled>,
}

impl Schemes {
    /// That of a model before its first step.
    pub(crate) fn new(topology: &Topology) -> Self {
        let config = &topology.config;
        Self {
            tangent: TangentChoice::new(topology),
            iteration: config.scheme.is_iterative().then(|| Box::new(Iteration::new(topology, config))),
            accepted_residual: 0.0,
            unsettled: None,
        }
    }
}
