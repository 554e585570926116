//! The energy balance of a step of a system with contacts.

use serde::{Deserialize, Serialize};

use super::{Energy, StepEnergy};

/// What a step has done to the energy (J):
///
/// ```text
///   ΔE = external + outside + damping + contact + impact + friction + algorithmic
/// ```
///
/// Works of normal impulses and of friction are `½ (U₀ + U₁)ᵀ P`, with the impulses that have changed the velocity in the step; those of
/// applied forces and dampers are taken where the rule balances forces, or by the trapezoidal rule. Source: V. Acary, *The nonsmooth dynamics framework*, 2019, eqs. 87 to 93.
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

    /// Of the parts in the order of the fields.
    #[must_use]
    pub fn of_parts(parts: [f64; 8]) -> Self {
        let [change, external, outside, damping, contact, impact, friction, algorithmic] = parts;
        Self { change, external, outside, damping, contact, impact, friction, algorithmic }
    }

    /// Makes the algorithmic part what is left of the change.
    pub fn close(&mut self) {
        let known = self.external + self.outside + self.damping;
        self.algorithmic = self.change - known - self.contact - self.impact - self.friction;
    }

    /// The same as energies of a step that ends with `energy` and whose loads on ports did the work `port_work` (J): what these did
    /// otherwise than by the rule's own account is numerical.
    #[must_use]
    pub fn step_energy(&self, energy: Energy, port_work: f64) -> StepEnergy {
        StepEnergy {
            energy,
            port_work,
            external_work: self.external,
            dissipated: -self.damping,
            inner_contacts: self.contact + self.impact + self.friction,
            numerical: self.algorithmic + self.outside - port_work,
            ..StepEnergy::default()
        }
    }
}
