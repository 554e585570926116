//! Control by the energy that interfaces create.
//!
//! Explicit coupling cannot take a step back, and what it does wrong shows in the energy that its joints create. The
//! control holds that, from step to step, near a share of the energy there is: `e = Σ_j |ε_j| / (tolerance · E)`.
//!
//! Source: S. Sadjina, L. T. Kyllingstad, S. Skjong, E. Pedersen, *Eng. with Computers* 33, 2017 (residual energy as
//! the measure).

use serde::{Deserialize, Serialize};

use crate::step_size::pi::{PiControl, SizeBounds};

/// Power of the step size that the energy created in a step goes with: an extrapolation is wrong by `h³`, the force by
/// as much, and acts over a way that goes with `h`.
const ORDER: f64 = 4.0;
/// Largest growth of the size from step to step.
const GROWTH: f64 = 1.5;
/// Times of the energy allowed above which the smallest step is too large.
const TOO_LARGE: f64 = 10.0;

/// Control of the step size by the energy that interfaces create.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct EnergyControl {
    pub(crate) sizes: PiControl,
    /// Relative energy a step may create (–).
    tolerance: f64,
    /// Largest energy seen (J).
    scale: f64,
    /// Energy created so far at each interface (J).
    pub(crate) seen: Vec<f64>,
    is_warned: bool,
}

impl EnergyControl {
    /// A control of steps within bounds, after joints have created `seen` (J). It begins with the smallest: nothing is known of the first step, and what it creates cannot be taken back.
    pub(crate) fn new(bounds: SizeBounds, tolerance: f64, seen: Vec<f64>) -> Self {
        let mut sizes = PiControl::new(bounds, ORDER, GROWTH);
        sizes.restart(0.0);
        Self { sizes, tolerance, scale: 0.0, seen, is_warned: false }
    }

    /// Takes up what a step of this size has created (J) out of this energy; says whether the smallest step is too
    /// large, once.
    pub(crate) fn learn(&mut self, size: f64, created: f64, energy: f64) -> bool {
        self.scale = self.scale.max(energy);
        let allowed = self.tolerance * self.scale;
        if !(allowed > 0.0) {
            return false;
        }
        let found = created / allowed;
        self.sizes.follow(size, found, true);
        let is_too_large = !(found <= TOO_LARGE) && !self.sizes.can_shrink(size);
        is_too_large && !std::mem::replace(&mut self.is_warned, true)
    }

    /// Whether this control belongs to a model with so many interfaces.
    pub(crate) fn fits(&self, joints: usize) -> bool {
        self.seen.len() == joints
    }
}

#[cfg(test)]
mod tests {
    use super::EnergyControl;
    use crate::step_size::pi::SizeBounds;

    /// Runs a control on energies that go with the fourth power of the step; the size in the end.
    fn settle(strength: f64) -> (EnergyControl, f64) {
        let mut control = EnergyControl::new(SizeBounds { largest: 1e-2, refinements: 10 }, 1e-6, Vec::new());
        let mut size = control.sizes.size();
        for _ in 0..200 {
            size = control.sizes.size();
            control.learn(size, strength * size.powi(4), 2.0);
        }
        (control, size)
    }

    #[test]
    fn the_step_settles_where_the_energy_is_allowed() {
        // Twice 1e-6 J are allowed: reached at 1e-3 s, between 1e-2/16 and 1e-2/8.
        assert_eq!(settle(2e-6 / 1e-12).1, 1e-2 / 16.0);
    }

    #[test]
    fn the_smallest_step_is_too_large_once() {
        let (control, size) = settle(1e20);
        assert_eq!(size, 1e-2 / 1024.0);
        assert!(control.is_warned);
        assert!(!settle(0.0).0.is_warned);
    }
}
