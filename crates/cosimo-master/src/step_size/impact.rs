//! The error of an impact inside a step.
//!
//! An impact at its own instant acts on the iteration matrix of the step, `M + h²/4 K`, in place of the mass. The
//! effective inverse mass `w` that it meets is therefore that of no size by a share `(ω h/2)²`, with `ω` the frequency at
//! which the modes that it meets take the jump back, and so is the velocity after it. Over a time `1/ω` that makes the
//! position error
//!
//! ```text
//!   e = ω h² |ΔU| / 4        ω² = 4 |w(h′)/w(h) − 1| / |h² − h′²|
//! ```
//!
//! `ω` comes from the inverse masses of two sizes, the one that was refused and the next: nothing else need be evaluated.
//! A mass that flies freely has `ω = 0`, and its impacts are exact in steps of any size. A plain impact, one over the
//! whole step, puts the jump in the wrong place by up to half a step: `e = h |ΔU| / 2` in addition.

use serde::{Deserialize, Serialize};

/// The first impact in a step that was tried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hit {
    /// The contact.
    pub(crate) contact: usize,
    /// Time from the start of the step (s).
    pub(crate) after: f64,
    /// Change of the gap rate (m/s).
    pub(crate) jump: f64,
    /// Effective inverse mass that the impact meets (1/kg).
    pub(crate) inverse_mass: f64,
}

/// What is known of impacts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ImpactErrors {
    /// `ω` of each contact (rad/s), once known.
    frequencies: Vec<Option<f64>>,
    /// Contact, step size (s) and inverse mass (1/kg) of the impact tried last.
    seen: Option<(usize, f64, f64)>,
    /// Whether impacts act over whole steps.
    is_plain: bool,
}

impl ImpactErrors {
    pub(crate) fn new(contacts: usize, is_plain: bool) -> Self {
        Self { frequencies: vec![None; contacts], seen: None, is_plain }
    }

    pub(crate) fn contacts(&self) -> usize {
        self.frequencies.len()
    }

    /// Error (m) of this impact in a step of size `h` (s), as far as it is known.
    pub(crate) fn error(&mut self, h: f64, hit: &Hit) -> Option<f64> {
        if let Some((contact, other, inverse_mass)) = self.seen
            && contact == hit.contact
            && other.to_bits() != h.to_bits()
        {
            let share = (hit.inverse_mass / inverse_mass - 1.0).abs() / (h * h - other * other).abs();
            self.frequencies[contact] = Some(2.0 * share.sqrt());
        }
        self.seen = Some((hit.contact, h, hit.inverse_mass));
        let frequency = self.frequencies[hit.contact]?;
        let place = if self.is_plain { 0.5 * h } else { 0.0 };
        Some((0.25 * frequency * h * h + place) * hit.jump)
    }

    /// The impact is over: the next one meets another configuration.
    pub(crate) fn end(&mut self) {
        self.seen = None;
    }
}

#[cfg(test)]
mod tests {
    use super::{Hit, ImpactErrors};

    #[test]
    fn two_sizes_tell_the_frequency_of_a_mass_on_a_spring() {
        // 2 kg on 800 N/m: 20 rad/s, w = 1/(m + h²/4 k).
        let hit =
            |h: f64| Hit { contact: 0, after: 0.0, jump: 3.0, inverse_mass: 1.0 / (2.0 + 200.0 * h * h) };
        let mut errors = ImpactErrors::new(1, false);
        assert_eq!(errors.error(4e-3, &hit(4e-3)), None);
        let found = errors.error(1e-3, &hit(1e-3)).unwrap_or(0.0);
        assert!((found / (20.0 * 1e-6 / 4.0 * 3.0) - 1.0).abs() < 1e-3, "{found:e}");
        // It is known from then on, and of this contact only.
        errors.end();
        assert!(errors.error(2e-3, &hit(2e-3)).is_some());
    }

    #[test]
    fn impacts_of_a_free_mass_are_exact_inside_a_step_and_not_over_it() {
        let hit = Hit { contact: 0, after: 0.0, jump: 3.0, inverse_mass: 0.5 };
        for (is_plain, error) in [(false, 0.0), (true, 1.5e-3)] {
            let mut errors = ImpactErrors::new(1, is_plain);
            errors.error(4e-3, &hit);
            assert_eq!(errors.error(1e-3, &hit), Some(error));
        }
    }
}
