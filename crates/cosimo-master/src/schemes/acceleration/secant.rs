//! Secants of the residual.

use serde::{Deserialize, Serialize};

/// A secant of the residual: how it and the answer changed between two iterates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Secant {
    /// `Δr`.
    pub(crate) residual: Vec<f64>,
    /// `ΔH`.
    pub(crate) answer: Vec<f64>,
    /// Steps since it was found.
    pub(crate) age: u32,
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
