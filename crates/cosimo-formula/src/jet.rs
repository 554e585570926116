//! Values with their first and second derivative in time.

use crate::number::Number;

/// Value, first and second derivative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Jet(pub(crate) [f64; 3]);

impl Jet {
    /// The time itself.
    pub(crate) fn time(t: f64) -> Self {
        Self([t, 1.0, 0.0])
    }
}

impl Number for Jet {
    fn constant(value: f64) -> Self {
        Self([value, 0.0, 0.0])
    }

    fn value(self) -> f64 {
        self.0[0]
    }

    fn add(self, Self(other): Self) -> Self {
        Self([0, 1, 2].map(|k| self.0[k] + other[k]))
    }

    fn multiply(self, Self([b, db, ddb]): Self) -> Self {
        let [a, da, dda] = self.0;
        Self([a * b, da * b + a * db, dda * b + 2.0 * da * db + a * ddb])
    }

    /// The chain rule. What does not depend on time stays so, also where the function has no derivative.
    fn apply(self, function: impl FnOnce(f64) -> [f64; 3]) -> Self {
        let [x, dx, ddx] = self.0;
        let [f, df, ddf] = function(x);
        if self.is_constant() {
            return Self::constant(f);
        }
        Self([f, df * dx, ddf * dx * dx + df * ddx])
    }

    fn negative(self) -> Self {
        Self(self.0.map(|x| -x))
    }

    fn divide(self, other: Self) -> Self {
        let [a, da, dda] = self.0;
        let [b, db, ddb] = other.0;
        let f = a / b;
        let df = (da - f * db) / b;
        Self([f, df, (dda - 2.0 * df * db - f * ddb) / b])
    }

    fn is_constant(self) -> bool {
        self.0[1] == 0.0 && self.0[2] == 0.0
    }
}
