//! Constant relaxation, `x ← x + ω r`.
//!
//! An error that a sweep multiplies by `−ρ` is multiplied by `1 − ω (1 + ρ)`: smallest for `ω = 1/(1 + ρ)`, convergent
//! for `ω < 2/(1 + ρ)`.

/// Overwrites `x` with `x + factor (answer − x)`.
pub(crate) fn relax(x: &mut [f64], answer: &[f64], factor: f64) {
    x.iter_mut().zip(answer).for_each(|(x, answer)| *x += factor * (answer - *x));
}
