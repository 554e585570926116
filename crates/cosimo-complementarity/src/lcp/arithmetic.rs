//! Products and sums in twice the working precision.
//!
//! References: T. J. Dekker, Numerische Mathematik 18 (1971) 224–242; T. Ogita, S. M. Rump, S. Oishi, *Accurate sum and
//! dot product*, SIAM J. Sci. Comput. 26 (2005) 1955–1988 (`Dot2`).

/// A sum of products in twice the working precision, kept as a head and its rounding error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CompensatedSum {
    head: f64,
    error: f64,
}

impl CompensatedSum {
    pub(crate) fn new(start: f64) -> Self {
        Self { head: start, error: 0.0 }
    }

    pub(crate) fn add_product(&mut self, a: f64, b: f64) {
        let (product, product_error) = exact_product(a, b);
        let sum = self.head + product;
        // Knuth's exact sum: what rounding has taken from `head` and from `product`.
        let part = sum - self.head;
        let sum_error = (self.head - (sum - part)) + (product - part);
        self.head = sum;
        self.error += product_error + sum_error;
    }

    pub(crate) fn value(self) -> f64 {
        self.head + self.error
    }
}

/// `a b` as rounded product and rounding error, by Dekker's splitting. No fused multiply-add: where the processor has
/// none, that is a slow library call.
#[inline]
pub(crate) fn exact_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

/// `value` as a sum of two numbers of 26 bits each.
#[inline]
fn split(value: f64) -> (f64, f64) {
    const FACTOR: f64 = 134_217_729.0; // 2²⁷ + 1
    let shifted = FACTOR * value;
    let high = shifted - (shifted - value);
    (high, value - high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_exact() {
        let (a, b) = (1.0 + f64::EPSILON, 1.0 - f64::EPSILON);
        assert_eq!(exact_product(a, b), (1.0, -f64::EPSILON * f64::EPSILON));
        let (a, b) = (0.1, 0.3);
        let (product, error) = exact_product(a, b);
        assert_eq!(error, a.mul_add(b, -product));
    }

    #[test]
    fn cancellation_leaves_the_error_behind() {
        let mut sum = CompensatedSum::new(1.0e16);
        sum.add_product(1.0, 1.0);
        sum.add_product(-1.0e8, 1.0e8);
        assert_eq!(sum.value(), 1.0);
    }
}
