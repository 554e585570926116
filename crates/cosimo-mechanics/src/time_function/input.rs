//! A number over time that is given piece by piece.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A cubic polynomial of the time that can be replaced between steps: an input from outside, of a [`TimeFunction`](super::TimeFunction) or of a
/// force. Its clones are one and the same; who keeps one gives the next piece to all.
///
/// ```
/// use cosimo_mechanics::{TimeFunction, TimeInput};
/// let input = TimeInput::held(1.0);
/// let function = TimeFunction::Input(input.clone());
/// input.set(2.0, [0.5, 3.0, 0.0, 0.0]);
/// assert_eq!(function.at(4.0), [6.5, 3.0, 0.0]);
/// ```
#[derive(Debug, Clone)]
pub struct TimeInput(Arc<[AtomicU64; 5]>);

impl TimeInput {
    /// An input that keeps its value.
    #[must_use]
    pub fn held(value: f64) -> Self {
        Self(Arc::new([0.0, value, 0.0, 0.0, 0.0].map(|x: f64| AtomicU64::new(x.to_bits()))))
    }

    /// Sets the polynomial `Σ cₖ (t − time)ᵏ`.
    pub fn set(&self, time: f64, [c0, c1, c2, c3]: [f64; 4]) {
        // Whoever reads it in another thread does so after a hand-over that orders memory.
        for (own, number) in self.0.iter().zip([time, c0, c1, c2, c3]) {
            own.store(number.to_bits(), Ordering::Relaxed);
        }
    }

    /// Value, first and second derivative at the time `t` (s).
    #[must_use]
    pub fn at(&self, t: f64) -> [f64; 3] {
        let [time, a, b, c, d] = [0, 1, 2, 3, 4].map(|k| f64::from_bits(self.0[k].load(Ordering::Relaxed)));
        let s = t - time;
        [a + s * (b + s * (c + s * d)), b + s * (2.0 * c + 3.0 * s * d), 2.0 * c + 6.0 * d * s]
    }
}

/// Clones of one input are equal, and nothing else is.
impl PartialEq for TimeInput {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
