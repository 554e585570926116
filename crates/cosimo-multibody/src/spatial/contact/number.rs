//! Gaps that are one number of two poses.

use std::fmt;
use std::sync::Arc;

use crate::spatial::coordinate::Coordinate;
use crate::spatial::pose::{Gradient, Hessian, Pair};

/// A gap that a user defines (m), a smooth function of the poses of two bodies: not negative where they do not go through each
/// other. Its contact has no friction.
pub trait GapFunction: fmt::Debug + Send + Sync {
    /// The gap.
    fn value(&self, pair: &Pair) -> f64;

    /// Its derivative by the increments of both bodies.
    fn gradient(&self, pair: &Pair) -> Gradient;

    /// The derivative of the gradient by the same increments.
    fn hessian(&self, pair: &Pair) -> Hessian;
}

/// A gap that is one number.
#[derive(Debug, Clone)]
pub(super) enum NumberGap {
    /// `sign (θ − limit)` of what a sensor measures.
    Stop {
        /// `θ`.
        coordinate: Coordinate,
        /// The limit (m or rad).
        limit: f64,
        /// −1 of an upper limit.
        sign: f64,
    },
    /// A function of the user.
    Function(Arc<dyn GapFunction>),
}

impl NumberGap {
    pub(super) fn gradient(&self, pair: &Pair) -> Gradient {
        match self {
            Self::Function(function) => function.gradient(pair),
            Self::Stop { coordinate, sign, .. } => {
                let mut out = Gradient::default();
                out.add(*sign, &coordinate.geometry().gradient(pair));
                out
            }
        }
    }

    pub(super) fn hessian(&self, pair: &Pair) -> Hessian {
        match self {
            Self::Function(function) => function.hessian(pair),
            Self::Stop { coordinate, sign, .. } => {
                let mut out = Hessian::default();
                coordinate.geometry().add_hessian(*sign, pair, &mut out);
                out
            }
        }
    }
}
