//! Which functions of time are equal, and how they are shown.

use std::sync::Arc;

use super::TimeFunction;

/// Functions of a program, and inputs from outside, are equal where they are the same one.
impl PartialEq for TimeFunction {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Constant(a), Self::Constant(b)) => a == b,
            (Self::Ramp(a), Self::Ramp(b)) => a == b,
            (Self::Step(a), Self::Step(b)) => a == b,
            (Self::Chirp(a), Self::Chirp(b)) => a == b,
            (Self::Linear { start: a, rate: b }, Self::Linear { start: c, rate: d }) => (a, b) == (c, d),
            (
                Self::Harmonic { mean, amplitude, frequency, phase },
                Self::Harmonic { mean: m, amplitude: a, frequency: f, phase: p },
            ) => (mean, amplitude, frequency, phase) == (m, a, f, p),
            (Self::Curve(a), Self::Curve(b)) => a == b,
            (Self::Formula(a), Self::Formula(b)) => a == b,
            (Self::Integral(a), Self::Integral(b)) => a == b,
            (Self::Input(a), Self::Input(b)) => a == b,
            (Self::Function(a), Self::Function(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl std::fmt::Debug for TimeFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [value, rate, second] = self.at(0.0);
        write!(f, "TimeFunction({value} at 0 s, rates {rate} and {second})")
    }
}
