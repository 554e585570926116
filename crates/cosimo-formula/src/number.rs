//! What formulas compute with.

/// A number with the operations of formulas.
pub(crate) trait Number: Copy {
    /// A number that does not depend on time.
    fn constant(value: f64) -> Self;
    /// The value alone.
    fn value(self) -> f64;
    fn add(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    /// A function of this number, from value, first and second derivative there.
    fn apply(self, function: impl FnOnce(f64) -> [f64; 3]) -> Self;

    fn negative(self) -> Self {
        self.multiply(Self::constant(-1.0))
    }

    fn subtract(self, other: Self) -> Self {
        self.add(other.negative())
    }

    fn divide(self, other: Self) -> Self {
        self.multiply(other.apply(|x| [1.0 / x, -1.0 / (x * x), 2.0 / (x * x * x)]))
    }

    /// Whether it is the same at all times.
    fn is_constant(self) -> bool;

    fn power(self, exponent: Self) -> Self {
        if exponent.is_constant() {
            let n = exponent.value();
            return self.apply(|x| [x.powf(n), monomial(n, x, n - 1.0), monomial(n * (n - 1.0), x, n - 2.0)]);
        }
        let logarithm = self.apply(|x| [x.ln(), 1.0 / x, -1.0 / (x * x)]);
        let value = self.value().powf(exponent.value());
        exponent.multiply(logarithm).apply(|_| [value; 3])
    }
}

/// `factor · xⁿ`, zero where the factor is.
fn monomial(factor: f64, x: f64, n: f64) -> f64 {
    if factor == 0.0 { 0.0 } else { factor * x.powf(n) }
}

impl Number for f64 {
    fn constant(value: f64) -> Self {
        value
    }

    fn value(self) -> f64 {
        self
    }

    fn add(self, other: Self) -> Self {
        self + other
    }

    fn multiply(self, other: Self) -> Self {
        self * other
    }

    fn apply(self, function: impl FnOnce(f64) -> [f64; 3]) -> Self {
        function(self)[0]
    }

    fn divide(self, other: Self) -> Self {
        self / other
    }

    fn is_constant(self) -> bool {
        true
    }
}
