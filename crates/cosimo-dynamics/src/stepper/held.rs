//! System and rule as a stepper holds them: in place where they are linear and the θ rule. Very many small systems are
//! stepped one after the other, and a step takes the longer the more places of the memory it has to go to.

use std::ops::{Deref, DerefMut};

use crate::{Energy, EquationsOfMotion, LinearSystem, StepRule, Theta};

/// Equations of motion.
pub(super) enum System {
    Linear(LinearSystem),
    Other(Box<dyn EquationsOfMotion>),
}

impl System {
    pub(super) fn new(system: Box<dyn EquationsOfMotion>) -> Self {
        match system.as_linear() {
            Some(linear) => Self::Linear(linear.clone()),
            None => Self::Other(system),
        }
    }

    #[inline]
    pub(super) fn as_linear(&self) -> Option<&LinearSystem> {
        if let Self::Linear(system) = self { Some(system) } else { None }
    }

    #[inline]
    pub(super) fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Energy {
        match self {
            Self::Linear(system) => system.energy(t, q, v),
            Self::Other(system) => system.energy(t, q, v),
        }
    }
}

impl Deref for System {
    type Target = dyn EquationsOfMotion;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Linear(system) => system,
            Self::Other(system) => system.as_ref(),
        }
    }
}

/// A step rule.
pub(super) enum Rule {
    Theta(Theta),
    Other(Box<dyn StepRule>),
}

impl Rule {
    pub(super) fn new(rule: Box<dyn StepRule>) -> Self {
        rule.as_theta().map_or(Self::Other(rule), Self::Theta)
    }
}

impl Deref for Rule {
    type Target = dyn StepRule;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Theta(rule) => rule,
            Self::Other(rule) => rule.as_ref(),
        }
    }
}

impl DerefMut for Rule {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Theta(rule) => rule,
            Self::Other(rule) => rule.as_mut(),
        }
    }
}
