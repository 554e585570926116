//! Linear equations of states.

use cosimo_subsystem::Signal;
use nalgebra::DMatrix;
use serde::{Serialize, Serializer};

use crate::ControlError;
use crate::discretisation::Discretisation;
use crate::error::finite;
use crate::law::{Law, numbered};

/// `ẋ = A x + B u`, `y = C x + D u`. Without states it is a gain, a sum or a mixer: `y = D u`.
///
/// Its inputs are `input`, or `input_0`, `input_1` … where there are several; its outputs and states likewise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StateSpace {
    /// `A`, `n × n` (1/s).
    #[serde(serialize_with = "write_rows", skip_serializing_if = "DMatrix::is_empty")]
    pub a: DMatrix<f64>,
    /// `B`, `n × m`.
    #[serde(serialize_with = "write_rows", skip_serializing_if = "DMatrix::is_empty")]
    pub b: DMatrix<f64>,
    /// `C`, `p × n`.
    #[serde(serialize_with = "write_rows", skip_serializing_if = "DMatrix::is_empty")]
    pub c: DMatrix<f64>,
    /// `D`, `p × m`.
    #[serde(serialize_with = "write_rows")]
    pub d: DMatrix<f64>,
    /// States at the start; empty for zero.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<f64>,
}

/// Writes a matrix as a list of rows.
fn write_rows<S: Serializer>(matrix: &DMatrix<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(matrix.row_iter().map(|row| row.iter().copied().collect::<Vec<_>>()))
}

impl StateSpace {
    /// Without states: `y = D u`, with `D` of `p × m`.
    #[must_use]
    pub fn gain(d: DMatrix<f64>) -> Self {
        let (p, m) = d.shape();
        Self {
            a: DMatrix::zeros(0, 0),
            b: DMatrix::zeros(0, m),
            c: DMatrix::zeros(p, 0),
            d,
            start: Vec::new(),
        }
    }

    fn check(&self) -> Result<(), ControlError> {
        let ((p, m), n) = (self.d.shape(), self.a.nrows());
        let sizes =
            [("a", &self.a, (n, n)), ("b", &self.b, (n, m)), ("c", &self.c, (p, n)), ("d", &self.d, (p, m))];
        for (parameter, matrix, expected) in sizes {
            if matrix.shape() != expected {
                let text = |(rows, columns): (usize, usize)| format!("{rows} × {columns}");
                let (found, expected) = (text(matrix.shape()), text(expected));
                return Err(ControlError::Size { parameter, found, expected });
            }
            matrix.iter().try_for_each(|x| finite(parameter, *x))?;
        }
        if !self.start.is_empty() && self.start.len() != n {
            let (found, expected) = (self.start.len().to_string(), n.to_string());
            return Err(ControlError::Size { parameter: "start", found, expected });
        }
        self.start.iter().try_for_each(|x| finite("start", *x))
    }

    pub(crate) fn compile(&self) -> Result<Box<dyn Law>, ControlError> {
        self.check()?;
        Ok(Box::new(Linear { discretisation: Discretisation::new(&self.a, &self.b), system: self.clone() }))
    }
}

/// A state space at work.
#[derive(Debug)]
struct Linear {
    system: StateSpace,
    discretisation: Discretisation,
}

impl Law for Linear {
    fn inputs(&self) -> Vec<String> {
        numbered("input", self.system.d.ncols())
    }

    fn outputs(&self) -> Vec<(String, Vec<usize>)> {
        let fed =
            |row: usize| (0..self.system.d.ncols()).filter(|k| self.system.d[(row, *k)] != 0.0).collect();
        numbered("output", self.system.d.nrows())
            .into_iter()
            .enumerate()
            .map(|(k, name)| (name, fed(k)))
            .collect()
    }

    fn states(&self) -> Vec<String> {
        numbered("state", self.system.a.nrows())
    }

    fn start(&self) -> Vec<f64> {
        match self.system.start.is_empty() {
            true => vec![0.0; self.system.a.nrows()],
            false => self.system.start.clone(),
        }
    }

    fn write(&self, states: &[f64], inputs: &[f64], out: &mut [f64]) {
        let StateSpace { c, d, .. } = &self.system;
        for (row, out) in out.iter_mut().enumerate() {
            let of_states: f64 = states.iter().enumerate().map(|(k, x)| c[(row, k)] * x).sum();
            // An input that does not feed through takes no part, whatever its value.
            let fed = inputs.iter().enumerate().filter(|(k, _)| d[(row, *k)] != 0.0);
            *out = of_states + fed.map(|(k, u)| d[(row, k)] * u).sum::<f64>();
        }
    }

    fn advance(&mut self, states: &mut [f64], size: f64, inputs: &[Signal]) {
        self.discretisation.advance(states, size, inputs);
    }
}
