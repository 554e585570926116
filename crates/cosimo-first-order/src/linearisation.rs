//! Derivatives of rates and outputs.

use nalgebra::DMatrix;

/// Which inputs and outputs derivatives are wanted of: indices among all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Columns of `B` and `D`.
    pub inputs: Vec<usize>,
    /// Rows of `C` and `D`.
    pub outputs: Vec<usize>,
}

/// `A`, `n × n`, `B`, `n × k`, `C`, `p × n`, and `D`, `p × k`, for `k` selected inputs and `p` selected outputs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Linearisation {
    /// `∂f/∂x` (1/s, times units of states).
    pub rates_by_states: DMatrix<f64>,
    /// `∂f/∂u`.
    pub rates_by_inputs: DMatrix<f64>,
    /// `∂g/∂x`.
    pub outputs_by_states: DMatrix<f64>,
    /// `∂g/∂u`.
    pub outputs_by_inputs: DMatrix<f64>,
}

impl Linearisation {
    /// Zeros of these shapes.
    pub(crate) fn zeros(states: usize, selection: &Selection) -> Self {
        let (k, p) = (selection.inputs.len(), selection.outputs.len());
        Self {
            rates_by_states: DMatrix::zeros(states, states),
            rates_by_inputs: DMatrix::zeros(states, k),
            outputs_by_states: DMatrix::zeros(p, states),
            outputs_by_inputs: DMatrix::zeros(p, k),
        }
    }
}
