//! Control by the energy that interfaces create.
//!
//! Explicit coupling cannot take a step back, and what it does wrong shows in the energy that its joints create. The
//! control holds that, from step to step, near a share of the energy there is: `e = Σ_j |ε_j| / (tolerance · E)`.
//!
//! Source: S. Sadjina, L. T. Kyllingstad, S. Skjong, E. Pedersen, *Eng. with Computers* 33, 2017 (residual energy as
//! the measure).

use cosimo_subsystem::Subsystem;
use serde::{Deserialize, Serialize};

use super::Control;
use super::pi::PiControl;
use crate::Master;

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
    pub(super) sizes: PiControl,
    /// Relative energy a step may create (–).
    tolerance: f64,
    /// Largest energy seen (J).
    scale: f64,
    /// Energy created so far at each interface (J).
    seen: Vec<f64>,
    is_warned: bool,
}

impl EnergyControl {
    /// A control of steps between the largest (s) and the same halved so many times, after joints have created `seen`
    /// (J). It begins with the smallest: nothing is known of the first step, and what it creates cannot be taken back.
    fn new(sizes: (f64, u32), tolerance: f64, seen: Vec<f64>) -> Self {
        let mut sizes = PiControl::new(sizes, ORDER, GROWTH);
        sizes.restart(0.0);
        Self { sizes, tolerance, scale: 0.0, seen, is_warned: false }
    }

    /// Takes up what a step of this size has created (J) out of this energy; says whether the smallest step is too
    /// large, once.
    fn learn(&mut self, size: f64, created: f64, energy: f64) -> bool {
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
    pub(super) fn fits(&self, joints: usize) -> bool {
        self.seen.len() == joints
    }
}

impl Master {
    /// A control by energy of steps of at most `step` (s); none where a subsystem has a fixed step.
    pub(super) fn energy_control(&mut self, step: f64) -> Control {
        let fixed = self.subsystems.iter().find(|s| !s.description().capabilities.has_variable_step);
        if let Some(name) = fixed.map(|s| s.description().name.clone()) {
            self.warn(format!(
                "the energy at the interfaces cannot control the step: subsystem `{name}` has a fixed one; watch the energy \
                 monitor, and make the step smaller if it grows"
            ));
            return Control::Fixed;
        }
        let seen = (0..self.layout.joints.len()).map(|j| self.monitor.joint(j).0).collect();
        let sizes = (step, self.config.max_refinements);
        Control::Energy(EnergyControl::new(sizes, self.config.energy_tolerance, seen))
    }

    /// Tells a control by energy what a step of this size has done.
    pub(super) fn learn_energy(&mut self, size: f64) {
        let Some(Control::Energy(control)) = &mut self.step_control else { return };
        let mut created = 0.0;
        for (j, seen) in control.seen.iter_mut().enumerate() {
            let sum = self.monitor.joint(j).0;
            created += (sum - *seen).abs();
            *seen = sum;
        }
        let energy = |s: &dyn Subsystem| s.energy().kinetic + s.energy().potential.abs();
        let energy = self.subsystems.iter().map(|s| energy(s.as_ref())).sum::<f64>() + self.monitor.stored();
        if control.learn(size, created, energy) {
            let text = format!(
                "step from {} s: the interfaces create more energy than energy_tolerance allows, and the step is the \
                 smallest allowed, {size:e} s; allow more max_refinements, or make the joints softer",
                self.time()
            );
            self.warn(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EnergyControl;

    /// Runs a control on energies that go with the fourth power of the step; the size in the end.
    fn settle(strength: f64) -> (EnergyControl, f64) {
        let mut control = EnergyControl::new((1e-2, 10), 1e-6, Vec::new());
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
