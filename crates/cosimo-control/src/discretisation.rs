//! Linear systems advanced exactly.

use cosimo_subsystem::Signal;
use nalgebra::{DMatrix, DVector};

/// Coefficients of the course of an input.
const COEFFICIENTS: usize = 4;
/// Factorials of the orders of the coefficients.
const FACTORIALS: [f64; COEFFICIENTS] = [1.0, 1.0, 2.0, 6.0];

/// `ẋ = A x + B u` over a step, exact for inputs that are cubic polynomials of the time.
///
/// The inputs and their derivatives are appended to the states; the exponential of the enlarged matrix times the step advances
/// both. It is computed once per step size, which is the only time that memory is allocated.
///
/// Reference: C. F. Van Loan, *Computing integrals involving the matrix exponential*, IEEE Trans. Autom. Control 23 (1978)
/// 395–404.
#[derive(Debug, Clone)]
pub(crate) struct Discretisation {
    states: usize,
    /// The enlarged matrix (1/s).
    matrix: DMatrix<f64>,
    /// The step (s) of the transition; 0 where there is none yet.
    size: f64,
    /// Of states, inputs and the derivatives of the inputs to states.
    transition: DMatrix<f64>,
    start: DVector<f64>,
}

impl Discretisation {
    /// Of `A`, `n × n`, and `B`, `n × m`.
    pub(crate) fn new(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Self {
        let (n, m) = b.shape();
        let total = n + COEFFICIENTS * m;
        let mut matrix = DMatrix::zeros(total, total);
        matrix.view_mut((0, 0), (n, n)).copy_from(a);
        matrix.view_mut((0, n), (n, m)).copy_from(b);
        for k in n..total.saturating_sub(m).max(n) {
            matrix[(k, k + m)] = 1.0;
        }
        let transition = DMatrix::zeros(n, total);
        Self { states: n, matrix, size: 0.0, transition, start: DVector::zeros(total) }
    }

    /// Advances the states by `size` (s) from the time of the courses.
    pub(crate) fn advance(&mut self, states: &mut [f64], size: f64, inputs: &[Signal]) {
        if self.states == 0 {
            return;
        }
        if self.size.to_bits() != size.to_bits() {
            let exponential = (&self.matrix * size).exp();
            self.transition.copy_from(&exponential.rows(0, self.states));
            self.size = size;
        }
        self.start.rows_mut(0, self.states).copy_from_slice(states);
        for (k, input) in inputs.iter().enumerate() {
            for order in 0..COEFFICIENTS {
                let derivative = FACTORIALS[order] * input.coefficients[order];
                self.start[self.states + order * inputs.len() + k] = derivative;
            }
        }
        for (state, row) in states.iter_mut().zip(self.transition.row_iter()) {
            *state = row.iter().zip(&self.start).map(|(factor, x)| factor * x).sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::dmatrix;

    #[test]
    fn a_first_order_lag_follows_a_cubic_exactly() {
        // x' = −a x + u with u = 6 + s³: the solution is a polynomial plus a decaying part.
        let a = 1.5;
        let mut lag = Discretisation::new(&dmatrix![-a], &dmatrix![1.0]);
        let mut x = [0.25];
        let course = Signal { time: 0.0, coefficients: [6.0, 0.0, 0.0, 1.0] };
        lag.advance(&mut x, 0.7, &[course]);
        let particular = |s: f64| {
            6.0 / a + s.powi(3) / a - 3.0 * s * s / a.powi(2) + 6.0 * s / a.powi(3) - 6.0 / a.powi(4)
        };
        let exact = particular(0.7) + (0.25 - particular(0.0)) * (-a * 0.7_f64).exp();
        assert!((x[0] - exact).abs() < 1e-14 * exact.abs(), "{} {exact}", x[0]);
    }

    #[test]
    fn several_inputs_do_not_mix() {
        let mut integrators = Discretisation::new(&DMatrix::zeros(2, 2), &DMatrix::identity(2, 2));
        let mut x = [0.0; 2];
        integrators.advance(&mut x, 2.0, &[Signal::linear(0.0, 1.0, 1.0), Signal::held(0.0, -3.0)]);
        assert!((x[0] - 4.0).abs() < 1e-14 && (x[1] + 6.0).abs() < 1e-14, "{x:?}");
    }
}
