//! The rule as a stepper holds it: in place where it is the θ rule. Very many small systems are
//! stepped one after the other, and a step takes the longer the more places of the memory it has to go to.

use std::ops::{Deref, DerefMut};

use crate::{StepRule, Theta};

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
