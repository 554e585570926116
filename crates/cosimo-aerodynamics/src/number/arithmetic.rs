//! What a number is.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// What the formulas of aerodynamics need of a number.
pub(crate) trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
    + Add<f64, Output = Self>
{
    /// A number that depends on nothing.
    fn constant(value: f64) -> Self;

    /// The value alone.
    fn value(self) -> f64;

    /// `f(self)` for a function with this value and this slope there.
    fn chain(self, value: f64, slope: f64) -> Self;

    /// `f(a, b)` for a function with this value there, each argument with the slope by it.
    fn chain_two(first: (Self, f64), second: (Self, f64), value: f64) -> Self;

    /// Square root; of zero with slope zero.
    fn sqrt(self) -> Self {
        let root = self.value().sqrt();
        self.chain(root, if root > 0.0 { 0.5 / root } else { 0.0 })
    }

    /// Absolute value; at zero with slope one.
    fn abs(self) -> Self {
        if self.value() < 0.0 { -self } else { self }
    }

    /// Angle of the point (`x`, `self`) from the x axis, in (−π, π].
    fn atan2(self, x: Self) -> Self {
        let (y, z) = (self.value(), x.value());
        let square = y * y + z * z;
        Self::chain_two((self, z / square), (x, -y / square), y.atan2(z))
    }
}

impl Number for f64 {
    fn constant(value: f64) -> Self {
        value
    }

    fn value(self) -> f64 {
        self
    }

    fn chain(self, value: f64, _slope: f64) -> Self {
        value
    }

    fn chain_two(_a: (Self, f64), _b: (Self, f64), value: f64) -> Self {
        value
    }
}
