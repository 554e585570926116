//! Transfer functions.

use nalgebra::DMatrix;
use serde::Serialize;

use crate::error::finite;
use crate::law::Law;
use crate::{ControlError, StateSpace};

/// A ratio of polynomials in `s`, from `input` to `output`, realised as a state space in controllable form. It starts at rest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TransferFunction {
    /// Coefficients of the numerator, that of the highest power first.
    pub numerator: Vec<f64>,
    /// Coefficients of the denominator, that of the highest power first; of no lower degree than the numerator.
    pub denominator: Vec<f64>,
}

impl TransferFunction {
    /// The state space with the same transfer function.
    ///
    /// ```
    /// use cosimo_control::TransferFunction;
    /// // A lead: (1 + 0.5 s) / (1 + 0.1 s) = 5 − 4 / (1 + 0.1 s).
    /// let lead = TransferFunction { numerator: vec![0.5, 1.0], denominator: vec![0.1, 1.0] }.state_space()?;
    /// assert_eq!((lead.a[0], lead.d[0]), (-10.0, 5.0));
    /// assert!((lead.c[0] * lead.b[0] + 40.0).abs() < 1e-12);
    /// # Ok::<(), cosimo_control::ControlError>(())
    /// ```
    ///
    /// # Errors
    /// [`ControlError::NotProper`], no coefficients, a denominator of zero, or numbers that are not finite.
    pub fn state_space(&self) -> Result<StateSpace, ControlError> {
        if self.numerator.is_empty() {
            let (found, expected) = ("no".to_owned(), "at least 1".to_owned());
            return Err(ControlError::Size { parameter: "numerator", found, expected });
        }
        let (numerator, denominator) = (without_zeros(&self.numerator), without_zeros(&self.denominator));
        numerator.iter().try_for_each(|x| finite("numerator", *x))?;
        denominator.iter().try_for_each(|x| finite("denominator", *x))?;
        let Some((leading, rest)) = denominator.split_first() else {
            let rule = "a polynomial that is not zero";
            return Err(ControlError::OutOfRange { parameter: "denominator", found: 0.0, rule });
        };
        let n = rest.len();
        if numerator.len() > n + 1 {
            return Err(ControlError::NotProper { numerator: numerator.len() - 1, denominator: n });
        }
        let mut padded = vec![0.0; n + 1 - numerator.len()];
        padded.extend(numerator.iter().map(|x| x / leading));
        let monic: Vec<f64> = rest.iter().map(|x| x / leading).collect();
        let direct = padded[0];
        let mut a = DMatrix::zeros(n, n);
        for k in 0..n {
            a[(0, k)] = -monic[k];
            if k > 0 {
                a[(k, k - 1)] = 1.0;
            }
        }
        let b = DMatrix::from_fn(n, 1, |row, _| if row == 0 { 1.0 } else { 0.0 });
        let c = DMatrix::from_fn(1, n, |_, k| padded[k + 1] - monic[k] * direct);
        Ok(StateSpace { a, b, c, d: DMatrix::from_element(1, 1, direct), start: Vec::new() })
    }

    pub(crate) fn compile(&self) -> Result<Box<dyn Law>, ControlError> {
        self.state_space()?.compile()
    }
}

/// Coefficients without leading zeros.
fn without_zeros(coefficients: &[f64]) -> &[f64] {
    let first = coefficients.iter().position(|x| *x != 0.0).unwrap_or(coefficients.len());
    &coefficients[first..]
}
