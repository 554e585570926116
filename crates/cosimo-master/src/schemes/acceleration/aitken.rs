//! Aitken's relaxation: the factor from the last two residuals.
//!
//! ```text
//!   ω ← −ω (r₋ · Δr) / |Δr|²      Δr = r − r₋
//! ```
//!
//! For a scalar affine map this is the secant method, exact after two sweeps.
//!
//! Reference: B. Irons, R. Tuck, *Int. J. Numer. Meth. Eng.* 1, 1969; U. Küttler, W. Wall, *Comput. Mech.* 43, 2008.

use super::relaxation::relax;
use super::secant::dot;

/// Aitken's relaxation.
#[derive(Debug)]
pub(crate) struct Aitken {
    first: f64,
    factor: f64,
    residual: Vec<f64>,
    previous: Vec<f64>,
    has_previous: bool,
}

impl Aitken {
    pub(crate) fn new(first: f64, size: usize) -> Self {
        let zero = vec![0.0; size];
        Self { first, factor: first, residual: zero.clone(), previous: zero, has_previous: false }
    }

    pub(crate) fn reset(&mut self) {
        self.factor = self.first;
        self.has_previous = false;
    }

    pub(crate) fn advance(&mut self, x: &mut [f64], answer: &[f64]) {
        std::mem::swap(&mut self.residual, &mut self.previous);
        for (k, r) in self.residual.iter_mut().enumerate() {
            *r = answer[k] - x[k];
        }
        if self.has_previous {
            let (mut along, mut size) = (0.0, 0.0);
            for (r, before) in self.residual.iter().zip(&self.previous) {
                along += before * (r - before);
                size += (r - before) * (r - before);
            }
            let factor = -self.factor * along / size;
            // Two equal residuals give no information, and a factor of zero would stand still for ever.
            if factor.is_finite() && factor != 0.0 {
                self.factor = factor;
            }
        }
        self.has_previous = dot(&self.residual, &self.residual).is_finite();
        relax(x, answer, self.factor);
    }
}
