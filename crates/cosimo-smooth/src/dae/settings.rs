//! Settings of the solver.

use serde::{Deserialize, Serialize};

use super::formulation::Formulation;

/// How often the matrix of a step is factorised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TangentPolicy {
    /// Every iteration: the exact tangent, quadratic convergence.
    Full,
    /// At the first iteration of every step, and again where that converges slowly.
    #[default]
    Modified,
    /// Only when the factors of an earlier step converge slowly. Results depend on the past within the tolerance.
    Frozen,
}

/// Settings of a [`DaeSolver`](super::DaeSolver).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DaeSettings {
    /// At which levels the constraints are imposed.
    pub formulation: Formulation,
    /// How often the matrix is factorised.
    pub tangent: TangentPolicy,
    /// Error of the velocities that Newton's method may leave, relative to `1 + max |v|` (–), by the contraction observed.
    /// Default: 1e-10. Less than the round-off of positions divided by the step cannot be had: the method ends where
    /// corrections by exact tangents do not lessen and move no position by more than `2e-13 (1 + max |q|)`; with
    /// [`Formulation::Position`], by more than `1.5e-8` where the constraints are met to their round-off.
    pub tolerance: f64,
    /// Iterations allowed. Default: 30.
    pub max_iterations: usize,
    /// Residual of the constraints allowed at the start, and of those left out later, relative to `1 + max |q|`. Default:
    /// 1e-9.
    pub closing_tolerance: f64,
}

impl Default for DaeSettings {
    fn default() -> Self {
        Self {
            formulation: Formulation::default(),
            tangent: TangentPolicy::default(),
            tolerance: 1e-10,
            max_iterations: 30,
            closing_tolerance: 1e-9,
        }
    }
}
