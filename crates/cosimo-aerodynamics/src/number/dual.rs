//! Dual numbers: forward differentiation.

use std::ops::{Add, Div, Mul, Neg, Sub};

use nalgebra::SVector;

use super::Number;

/// A value and its derivatives with respect to `N` variables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dual<const N: usize> {
    /// The value.
    pub(crate) value: f64,
    /// Its derivatives.
    pub(crate) by: SVector<f64, N>,
}

impl<const N: usize> Dual<N> {
    /// The variable of this index.
    pub(crate) fn variable(value: f64, index: usize) -> Self {
        let mut by = SVector::zeros();
        by[index] = 1.0;
        Self { value, by }
    }
}

impl<const N: usize> Number for Dual<N> {
    fn constant(value: f64) -> Self {
        Self { value, by: SVector::zeros() }
    }

    fn value(self) -> f64 {
        self.value
    }

    fn chain(self, value: f64, slope: f64) -> Self {
        Self { value, by: self.by * slope }
    }

    fn chain_two((a, by_a): (Self, f64), (b, by_b): (Self, f64), value: f64) -> Self {
        Self { value, by: a.by * by_a + b.by * by_b }
    }
}

impl<const N: usize> Add for Dual<N> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, by: self.by + other.by }
    }
}

impl<const N: usize> Sub for Dual<N> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, by: self.by - other.by }
    }
}

impl<const N: usize> Mul for Dual<N> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::chain_two((self, other.value), (other, self.value), self.value * other.value)
    }
}

impl<const N: usize> Div for Dual<N> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self::chain_two((self, 1.0 / other.value), (other, -value / other.value), value)
    }
}

impl<const N: usize> Neg for Dual<N> {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, by: -self.by }
    }
}

impl<const N: usize> Mul<f64> for Dual<N> {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { value: self.value * factor, by: self.by * factor }
    }
}

impl<const N: usize> Add<f64> for Dual<N> {
    type Output = Self;
    fn add(self, term: f64) -> Self {
        Self { value: self.value + term, by: self.by }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A formula with every operation.
    fn formula<T: Number>(x: T, y: T) -> T {
        (x * y + 1.5).sqrt() / (y.atan2(x) + 3.0) - (-x).abs() * 0.7 * y
    }

    #[test]
    fn derivatives_are_those_of_central_differences() {
        let (x, y, d) = (0.8, -1.3, 1e-6);
        let dual = formula(Dual::<2>::variable(x, 0), Dual::variable(y, 1));
        assert_eq!(dual.value, formula(x, y));
        let by_x = (formula(x + d, y) - formula(x - d, y)) / (2.0 * d);
        let by_y = (formula(x, y + d) - formula(x, y - d)) / (2.0 * d);
        assert!((dual.by[0] - by_x).abs() < 1e-8 && (dual.by[1] - by_y).abs() < 1e-8);
    }
}
