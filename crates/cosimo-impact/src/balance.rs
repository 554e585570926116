//! The energy balance of a step.

use serde::{Deserialize, Serialize};

use crate::step_problem::StepProblem;

/// What a step has done to the energy (J):
///
/// ```text
///   ΔE = external + outside + damping + contact + impact + friction + algorithmic
/// ```
///
/// Works of normal impulses and of friction are `½ (U₀ + U₁)ᵀ P`, with the impulses that have changed the velocity in the step; those of applied forces and dampers are taken where the rule
/// balances forces, or by the trapezoidal rule. Source: V. Acary, *The nonsmooth dynamics framework*, 2019, eqs. 87 to 93.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct StepBalance {
    /// `ΔE`: change of kinetic and potential energy.
    pub change: f64,
    /// Work of applied forces that have no potential, and of pushing bodies apart that overlap.
    pub external: f64,
    /// Work of impulses from outside, `½ (v₀ + v₁)ᵀ Zᵀ X`.
    pub outside: f64,
    /// Work of dampers.
    pub damping: f64,
    /// Work of normal impulses on contacts that did not approach.
    pub contact: f64,
    /// Work of normal impulses on contacts that approached.
    pub impact: f64,
    /// Work of friction.
    pub friction: f64,
    /// What the rule itself has created, or taken out.
    pub algorithmic: f64,
}

impl StepBalance {
    /// All parts, the change first, in the order of the fields.
    #[must_use]
    pub fn parts(&self) -> [f64; 8] {
        let Self { change, external, outside, damping, contact, impact, friction, algorithmic } = *self;
        [change, external, outside, damping, contact, impact, friction, algorithmic]
    }

    pub(crate) fn of_parts(parts: [f64; 8]) -> Self {
        let [change, external, outside, damping, contact, impact, friction, algorithmic] = parts;
        Self { change, external, outside, damping, contact, impact, friction, algorithmic }
    }

    /// Adds the works of these impulses (N s) on contacts whose rates have changed to `end`.
    pub(crate) fn add_contacts(
        &mut self,
        problem: &StepProblem<'_>,
        impulses: impl Iterator<Item = f64>,
        end: &[f64],
    ) {
        let d = problem.contacts.layout().dimension();
        for (row, impulse) in impulses.enumerate().filter(|(_, impulse)| *impulse != 0.0) {
            let start = problem.start_rates[row];
            let work = 0.5 * (start + end[row]) * impulse;
            match row % d {
                0 if start < 0.0 => self.impact += work,
                0 => self.contact += work,
                _ => self.friction += work,
            }
        }
    }

    /// What is left of the change is the rule's own.
    pub(crate) fn close(&mut self) {
        let known = self.external + self.outside + self.damping;
        self.algorithmic = self.change - known - self.contact - self.impact - self.friction;
    }
}
