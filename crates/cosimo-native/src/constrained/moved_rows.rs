//! What moves do to the rows that are reported.

use cosimo_smooth::dae::StepAnswer;
use nalgebra::DMatrix;

/// What moves do.
#[derive(Debug)]
pub(super) struct Moves {
    /// `σ` of the last move, `n × 1`.
    pub(super) displacement: DMatrix<f64>,
    /// Of the rows that are reported, where somebody asks.
    pub(super) reported: Option<Box<Reported>>,
    pub(super) is_wanted: bool,
}

/// Unit moves of rows, `n × r`.
#[derive(Debug)]
pub(super) struct Reported {
    /// `D`, and `K D`.
    pub(super) displacements: DMatrix<f64>,
    pub(super) stresses: DMatrix<f64>,
    /// The end's answer to `K D`.
    pub(super) strains: StepAnswer,
}

impl Moves {
    /// For a system of `n` velocities.
    pub(super) fn new(n: usize) -> Self {
        Self { displacement: DMatrix::zeros(n, 1), reported: None, is_wanted: false }
    }
}
