//! A complementarity problem on some of the contacts.

use crate::thresholds::{Accuracy, ROUND_OFF};
use cosimo_complementarity::{LcpOutcome, LcpProblem, LcpStatus, LemkeWorkspace};

use crate::OneStepError;
use crate::nearest::{Nearest, PROXIMAL_STEPS};

/// A complementarity problem on a set of contacts, with its buffers.
#[derive(Debug, Clone)]
pub(crate) struct ActiveSet {
    lemke: LemkeWorkspace,
    /// By columns.
    matrix: Vec<f64>,
    offset: Vec<f64>,
    values: Vec<f64>,
}

/// Closed contacts that there is room for from the start. More of them at once take room when they are first met: most models
/// with thousands of contacts close few at a time, and the room grows with the square.
const ROOM: usize = 128;

impl ActiveSet {
    /// Room for as many contacts, or for [`ROOM`] of more.
    pub(crate) fn with_capacity(contacts: usize) -> Self {
        let room = contacts.min(ROOM);
        Self {
            lemke: LemkeWorkspace::with_capacity(room),
            matrix: Vec::with_capacity(room * room),
            offset: Vec::with_capacity(room),
            values: Vec::with_capacity(room),
        }
    }

    /// Solves `0 ≤ z ⟂ M z + q ≥ 0` on `set`, matrix and vector given by contact.
    pub(crate) fn solve(
        &mut self,
        set: &[usize],
        matrix: impl Fn(usize, usize) -> f64,
        offset: impl Fn(usize) -> f64,
    ) -> Result<(), OneStepError> {
        self.fill(set, matrix, offset);
        let LcpOutcome { status, residual, .. } = LcpProblem::new(&self.matrix, &self.offset)
            .and_then(|problem| self.lemke.solve(problem, &mut self.values))
            .map_err(|_| OneStepError::NotFinite { contact: set.first().copied().unwrap_or(0) })?;
        if status == LcpStatus::Solved {
            Ok(())
        } else {
            Err(OneStepError::NotSolved { contacts: set.len(), status, residual })
        }
    }

    /// As [`solve`](Self::solve), for the solution near that before by [proximal steps](Nearest), and if these do not end, for any.
    pub(crate) fn solve_near(
        &mut self,
        set: &[usize],
        matrix: impl Fn(usize, usize) -> f64,
        offset: impl Fn(usize) -> f64,
        nearest: &mut Nearest,
    ) -> Result<(), OneStepError> {
        self.fill(set, &matrix, &offset);
        let n = set.len();
        let largest = self.offset.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        nearest.begin((&self.offset, largest), (0..n).map(|k| self.matrix[k * n + k]));
        nearest.weights.iter().enumerate().for_each(|(k, weight)| self.matrix[k * n + k] += weight);
        for _ in 0..PROXIMAL_STEPS {
            nearest.project_positions(1, &mut self.offset);
            let outcome = LcpProblem::new(&self.matrix, &self.offset)
                .and_then(|problem| self.lemke.solve(problem, &mut self.values));
            if !outcome.is_ok_and(|outcome| outcome.status == LcpStatus::Solved) {
                break;
            }
            match nearest.step(1, &self.values, Accuracy::default()) {
                Some(true) => return Ok(()),
                Some(false) => break,
                None => {}
            }
        }
        self.solve(set, matrix, offset)
    }

    /// Solves `M z + q = 0` on `set` by Cholesky's elimination and returns the last component; `None` when the matrix
    /// is not positive definite.
    pub(crate) fn last_of_equality(
        &mut self,
        set: &[usize],
        matrix: impl Fn(usize, usize) -> f64,
        offset: impl Fn(usize) -> f64,
    ) -> Option<f64> {
        self.fill(set, matrix, offset);
        let n = set.len();
        for k in 0..n {
            let pivot = self.matrix[k * n + k];
            if !(pivot > ROUND_OFF * self.matrix[0].abs()) {
                return None;
            }
            if k + 1 == n {
                return Some(-self.offset[k] / pivot);
            }
            self.eliminate(n, k, pivot);
        }
        None
    }

    /// Eliminates unknown `k` of `n` from the rows below.
    #[inline]
    fn eliminate(&mut self, n: usize, k: usize, pivot: f64) {
        for row in k + 1..n {
            let factor = self.matrix[k * n + row] / pivot;
            self.offset[row] -= factor * self.offset[k];
            for column in k + 1..n {
                self.matrix[column * n + row] -= factor * self.matrix[column * n + k];
            }
        }
    }

    /// The solution in the order of the set.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    fn fill(&mut self, set: &[usize], matrix: impl Fn(usize, usize) -> f64, offset: impl Fn(usize) -> f64) {
        self.matrix.clear();
        self.offset.clear();
        for &column in set {
            self.offset.push(offset(column));
            self.matrix.extend(set.iter().map(|&row| matrix(row, column)));
        }
        self.values.resize(set.len(), 0.0);
    }
}
