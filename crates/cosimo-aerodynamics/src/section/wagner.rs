//! The lag of the circulation of attached flow.
//!
//! Wagner's function by the two exponentials of R. T. Jones (NACA Report 681, 1940) as states, for the normal velocity at the
//! three-quarter chord:
//!
//! ```text
//!   φ(s) = 1 − A₁ e^{−b₁ s} − A₂ e^{−b₂ s}        s: half chords travelled;  A = 0.165, 0.335;  b = 0.0455, 0.3
//!   ż_i = b_i (2V/c) (A_i w_n − z_i)              w_n,eff = (1 − A₁ − A₂) w_n + z₁ + z₂
//! ```

use super::lag::{Lagged, Memory};
use crate::number::Number;

/// `A`.
const SHARES: [f64; 2] = [0.165, 0.335];
/// `b`.
const EXPONENTS: [f64; 2] = [0.0455, 0.3];

/// The effective normal velocity (m/s), and the two lags, for the velocity `V` and half the chord (m).
pub(super) fn effective_normal<T: Number>(
    memory: Memory,
    normal: T,
    speed: T,
    half_chord: f64,
) -> (T, [Lagged<T>; 2]) {
    let lag = |i: usize| memory.follow(1 + i, normal * SHARES[i], speed * (EXPONENTS[i] / half_chord));
    let lags = [lag(0), lag(1)];
    let at_once = normal * (1.0 - SHARES[0] - SHARES[1]);
    (at_once + lags[0].value + lags[1].value, lags)
}
