//! Functions and constants, by their names.

use std::f64::consts::{LN_10, PI};

/// Constants: π, a degree (rad), a revolution per minute (rad/s).
const CONSTANTS: [(&str, f64); 3] = [("pi", PI), ("deg", PI / 180.0), ("rpm", PI / 30.0)];

/// A function of formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    /// Of one number, entry by entry.
    One(One),
    /// Of two numbers, entry by entry.
    Two(Two),
    /// The number within two bounds.
    Clamp,
    /// The second argument where the first is not zero, else the third.
    If,
    /// Length of a vector.
    Norm,
    /// The vector of length one.
    Unit,
    /// Scalar product.
    Dot,
    /// Vector product.
    Cross,
    /// Sum of the entries.
    Sum,
}

/// Functions of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum One {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Log10,
    Sqrt,
    Abs,
    Sign,
    Floor,
    Round,
}

/// Functions of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Two {
    Atan2,
    Hypot,
    Min,
    Max,
    Mod,
}

/// Names of functions.
const FUNCTIONS: [(&str, Function); 29] = [
    ("sin", Function::One(One::Sin)),
    ("cos", Function::One(One::Cos)),
    ("tan", Function::One(One::Tan)),
    ("asin", Function::One(One::Asin)),
    ("acos", Function::One(One::Acos)),
    ("atan", Function::One(One::Atan)),
    ("sinh", Function::One(One::Sinh)),
    ("cosh", Function::One(One::Cosh)),
    ("tanh", Function::One(One::Tanh)),
    ("exp", Function::One(One::Exp)),
    ("log", Function::One(One::Log)),
    ("log10", Function::One(One::Log10)),
    ("sqrt", Function::One(One::Sqrt)),
    ("abs", Function::One(One::Abs)),
    ("sign", Function::One(One::Sign)),
    ("floor", Function::One(One::Floor)),
    ("round", Function::One(One::Round)),
    ("atan2", Function::Two(Two::Atan2)),
    ("hypot", Function::Two(Two::Hypot)),
    ("min", Function::Two(Two::Min)),
    ("max", Function::Two(Two::Max)),
    ("mod", Function::Two(Two::Mod)),
    ("clamp", Function::Clamp),
    ("if", Function::If),
    ("norm", Function::Norm),
    ("unit", Function::Unit),
    ("dot", Function::Dot),
    ("cross", Function::Cross),
    ("sum", Function::Sum),
];

/// Names of all functions.
pub fn functions() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}

/// Names of all constants: `pi`, `deg` (rad per degree), `rpm` (rad/s per revolution per minute).
pub fn constants() -> impl Iterator<Item = &'static str> {
    CONSTANTS.iter().map(|(name, _)| *name)
}

/// The constant of a name.
pub(crate) fn constant(name: &str) -> Option<f64> {
    CONSTANTS.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
}

impl Function {
    /// The function of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        FUNCTIONS.iter().find(|(own, _)| *own == name).map(|(_, function)| *function)
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        FUNCTIONS.iter().find(|(_, own)| *own == self).map_or("", |(name, _)| name)
    }

    /// How many arguments it takes, and the number in words.
    pub(crate) fn arguments(self) -> (usize, &'static str) {
        match self {
            Self::One(_) | Self::Norm | Self::Unit | Self::Sum => (1, "one argument"),
            Self::Two(_) | Self::Dot | Self::Cross => (2, "two arguments"),
            Self::Clamp => (3, "three arguments: what, the least, the greatest"),
            Self::If => (3, "three arguments: a condition, and what counts where it holds and where not"),
        }
    }
}

impl One {
    /// Value, first and second derivative.
    pub(crate) fn at(self, x: f64) -> [f64; 3] {
        match self {
            Self::Sin => [x.sin(), x.cos(), -x.sin()],
            Self::Cos => [x.cos(), -x.sin(), -x.cos()],
            Self::Tan => {
                let f = x.tan();
                [f, 1.0 + f * f, 2.0 * f * (1.0 + f * f)]
            }
            Self::Asin => {
                let s = (1.0 - x * x).sqrt();
                [x.asin(), 1.0 / s, x / (s * s * s)]
            }
            Self::Acos => {
                let s = (1.0 - x * x).sqrt();
                [x.acos(), -1.0 / s, -x / (s * s * s)]
            }
            Self::Atan => {
                let s = 1.0 + x * x;
                [x.atan(), 1.0 / s, -2.0 * x / (s * s)]
            }
            Self::Sinh => [x.sinh(), x.cosh(), x.sinh()],
            Self::Cosh => [x.cosh(), x.sinh(), x.cosh()],
            Self::Tanh => {
                let f = x.tanh();
                [f, 1.0 - f * f, -2.0 * f * (1.0 - f * f)]
            }
            Self::Exp => [x.exp(); 3],
            Self::Log => [x.ln(), 1.0 / x, -1.0 / (x * x)],
            Self::Log10 => [x.log10(), 1.0 / (x * LN_10), -1.0 / (x * x * LN_10)],
            Self::Sqrt => {
                let f = x.sqrt();
                [f, 0.5 / f, -0.25 / (x * f)]
            }
            Self::Abs => [x.abs(), sign(x), 0.0],
            Self::Sign => [sign(x), 0.0, 0.0],
            Self::Floor => [x.floor(), 0.0, 0.0],
            Self::Round => [x.round(), 0.0, 0.0],
        }
    }
}

/// −1, 0 or 1.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_found_by_its_name() {
        for (name, function) in FUNCTIONS {
            assert_eq!((Function::named(name), function.name()), (Some(function), name));
        }
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        for (name, function) in FUNCTIONS {
            let Function::One(one) = function else { continue };
            for x in [-0.83, -0.3, 0.21, 0.77] {
                let x = if ["log", "log10", "sqrt"].contains(&name) { x + 1.0 } else { x };
                let h = 1e-5;
                let [_, rate, second] = one.at(x);
                let [[low, low_rate, _], [high, high_rate, _]] = [one.at(x - h), one.at(x + h)];
                let scale = 1.0 + rate.abs().max(second.abs()).powi(2);
                assert!(((high - low) / (2.0 * h) - rate).abs() < 1e-8 * scale, "{name} at {x}");
                assert!(((high_rate - low_rate) / (2.0 * h) - second).abs() < 1e-8 * scale, "{name} at {x}");
            }
        }
    }
}
