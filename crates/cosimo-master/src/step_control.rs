//! Sizes of the macro steps of a run.
//!
//! Explicit coupling cannot take a step back, and what it does wrong shows in the energy that its joints create. The
//! control holds that, from step to step, near a share of the energy there is:
//!
//! ```text
//!   e = Σ_j |ε_j| / (tolerance · E)      h ← h · s e^(−k_I − k_P) e₋₁^(k_P)
//! ```
//!
//! Sources: S. Sadjina, L. T. Kyllingstad, S. Skjong, E. Pedersen, *Eng. with Computers* 33, 2017 (residual energy as
//! the measure); K. Gustafsson, *ACM TOMS* 17, 1991 (the PI control). Steps taken are the largest step divided by powers
//! of two, so that factorisations are used again.

use cosimo_subsystem::Subsystem;
use serde::{Deserialize, Serialize};

use crate::run::RunPosition;
use crate::{Master, Rung};

/// How the sizes of macro steps are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepControl {
    /// By energy where a subsystem is coupled explicitly and step sizes may vary, fixed elsewhere.
    #[default]
    Auto,
    /// Always the step given.
    Fixed,
    /// At most the step given, by the energy that the interfaces create.
    Energy,
}

/// Power of the step size that the energy created in a step goes with: an extrapolation is wrong by `h³`, the force by
/// as much, and acts over a way that goes with `h`.
const ORDER: f64 = 4.0;
const INTEGRAL: f64 = 0.3 / ORDER;
const PROPORTIONAL: f64 = 0.4 / ORDER;
const SAFETY: f64 = 0.9;
/// Largest change of the size from step to step.
const CHANGE: (f64, f64) = (0.2, 1.5);
/// A first step, which nothing is known for, is the largest divided by this.
const START: f64 = 16.0;
/// Errors below this count as this: zero has no logarithm.
const LEAST_ERROR: f64 = 1e-6;
/// Share of a step below which the last one is not taken.
const ROUND_OFF: f64 = 1e-9;

/// Control of the step size by the energy that interfaces create.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct EnergyControl {
    /// Largest and smallest size (s).
    largest: f64,
    smallest: f64,
    /// Relative energy a step may create (–).
    tolerance: f64,
    /// Size that the control would take (s).
    wish: f64,
    last_error: f64,
    /// Largest energy seen (J).
    scale: f64,
    /// Energy created so far at each interface (J).
    seen: Vec<f64>,
    is_warned: bool,
}

impl EnergyControl {
    /// A control of steps between `largest` (s) and the same halved `refinements` times.
    fn new(largest: f64, refinements: u32, tolerance: f64) -> Self {
        let mut control = Self {
            largest,
            smallest: 0.0,
            tolerance,
            wish: largest / START,
            last_error: 1.0,
            scale: 0.0,
            seen: Vec::new(),
            is_warned: false,
        };
        control.bound(largest, refinements);
        control
    }

    /// Sets the largest size (s) and how often it may be halved.
    fn bound(&mut self, largest: f64, refinements: u32) {
        self.largest = largest;
        self.smallest = largest * 0.5_f64.powi(refinements.min(60) as i32);
        self.wish = self.wish.clamp(self.smallest, self.largest);
    }

    /// The largest step halved until it is not above the wish.
    fn size(&self) -> f64 {
        let mut size = self.largest;
        while size > self.wish * (1.0 + ROUND_OFF) && size > self.smallest {
            size *= 0.5;
        }
        size
    }

    /// Size of the next step from `now` towards `end` (s); nothing where it is reached.
    fn next_size(&self, now: f64, end: f64) -> Option<f64> {
        let (size, rest) = (self.size(), end - now);
        match rest {
            _ if rest <= ROUND_OFF * size => None,
            _ if rest <= size * (1.0 + ROUND_OFF) => Some(rest),
            _ => Some(size),
        }
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
        // The error that the wish, not the size taken, would have had.
        let error = (found * (self.wish / size).powf(ORDER)).max(LEAST_ERROR);
        let factor = SAFETY * error.powf(-INTEGRAL - PROPORTIONAL) * self.last_error.powf(PROPORTIONAL);
        self.last_error = error;
        let factor = if factor.is_finite() { factor.clamp(CHANGE.0, CHANGE.1) } else { CHANGE.0 };
        self.wish = (self.wish * factor).clamp(self.smallest, self.largest);
        let is_too_large = !(found <= 10.0) && size <= self.smallest * (1.0 + ROUND_OFF);
        is_too_large && !std::mem::replace(&mut self.is_warned, true)
    }

    /// Whether this control belongs to a model with so many interfaces.
    pub(crate) fn fits(&self, joints: usize) -> bool {
        self.seen.len() == joints
    }
}

impl Master {
    /// Decides on a control for a run with steps of at most `step` (s), unless one is at work.
    pub(crate) fn choose_step_control(&mut self, step: f64) {
        if let Some(control) = &mut self.step_control {
            control.bound(step, self.config.max_refinements);
            return;
        }
        let is_explicit = self.ladder.rungs.contains(&Rung::Explicit);
        let fixed = self.subsystems.iter().find(|s| !s.description().capabilities.has_variable_step);
        let fixed = fixed.map(|s| s.description().name.clone());
        let is_wanted = match self.config.step_control {
            StepControl::Auto => is_explicit,
            StepControl::Fixed => false,
            StepControl::Energy => true,
        };
        match fixed {
            Some(name) if is_wanted => self.warn(format!(
                "the energy at the interfaces cannot control the step: subsystem `{name}` has a fixed one; watch the energy \
                 monitor, and make the step smaller if it grows"
            )),
            None if is_wanted => {
                let config = &self.config;
                let mut control =
                    EnergyControl::new(step, config.max_refinements, config.energy_tolerance);
                control.seen = (0..self.layout.joints.len()).map(|j| self.monitor.joint(j).0).collect();
                self.step_control = Some(control);
            }
            _ => {}
        }
    }

    /// Size of the next step of a run that has `done` so many; nothing at its end.
    pub(crate) fn next_size(&self, position: &RunPosition, done: u64) -> Option<f64> {
        match &self.step_control {
            None => position.fixed_size(done),
            Some(control) => control.next_size(self.time(), position.end),
        }
    }

    /// Tells the control what a step of this size has done.
    pub(crate) fn learn_from_step(&mut self, size: f64) {
        let Some(control) = &mut self.step_control else { return };
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

    /// Runs a control on energies that go with the fourth power of the step; the sizes in the end.
    fn settle(strength: f64) -> (EnergyControl, f64) {
        let mut control = EnergyControl::new(1e-2, 10, 1e-6);
        let mut size = control.size();
        for _ in 0..200 {
            size = control.size();
            control.learn(size, strength * size.powi(4), 2.0);
        }
        (control, size)
    }

    #[test]
    fn the_step_settles_where_the_energy_is_allowed() {
        // Twice 1e-6 J are allowed: reached at 1e-3 s, between 1e-2/16 and 1e-2/8.
        let (control, size) = settle(2e-6 / 1e-12);
        assert!((control.wish / 1e-3 - 1.0).abs() < 0.35, "{:e}", control.wish);
        assert_eq!(size, 1e-2 / 16.0);
    }

    #[test]
    fn steps_stay_within_their_limits() {
        let (control, size) = settle(0.0);
        assert_eq!((control.wish, size), (1e-2, 1e-2));
        let (control, size) = settle(1e20);
        assert_eq!(size, 1e-2 / 1024.0);
        assert!(control.is_warned);
    }

    #[test]
    fn the_end_is_met_without_a_step_of_round_off() {
        let mut control = EnergyControl::new(0.25, 2, 1e-6);
        control.wish = 0.25;
        assert_eq!(control.next_size(0.0, 1.0), Some(0.25));
        assert_eq!(control.next_size(0.9, 1.0), Some(1.0 - 0.9));
        assert_eq!(control.next_size(1.0 - 1e-14, 1.0), None);
    }
}
