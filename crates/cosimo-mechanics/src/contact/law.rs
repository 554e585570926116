//! The law of a contact.

use serde::{Deserialize, Serialize};

use super::keys::Keys;
use super::rules::{ContactLawError, FRICTION, GAMMA, RESTITUTION, TANGENTIAL_RESTITUTION};
use super::{Activation, Restitution, StaticFriction};

/// How velocities before and after an impact belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImpactLaw {
    /// Newton's restitution of the gap rate, with Coulomb friction; the slip has a restitution of its own. With friction it can
    /// create energy in special states.
    #[default]
    Newton,
    /// Moreau's law: the restitution acts on gap and slip rates alike. It never creates energy.
    Moreau,
}

/// Numbers of facets that a cone may have. With 360 the friction is that of the disk to 4e-5; each is an unknown.
pub const FACETS: std::ops::RangeInclusive<usize> = 3..=360;

/// Restitution and friction of a contact. Its serialised form has the keys of model files.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "Keys", into = "Keys")]
pub struct ContactLaw {
    /// Coefficient of restitution `e` in \[0, 1\] (–).
    pub restitution: f64,
    /// Coefficient of friction `μ`, finite and not negative (–): of a contact that slides, where it is another while it sticks.
    pub friction: f64,
    /// Friction of a contact that sticks; `None` for that of sliding.
    pub static_friction: Option<StaticFriction>,
    /// Coefficient of tangential restitution `e_T` in \[0, 1\] (–): of Newton's law only.
    pub tangential_restitution: f64,
    /// How impacts are resolved.
    pub impact: ImpactLaw,
    /// Facets of an outer polygon that stands for the disk of friction, see [`FACETS`]; `None` for the disk itself. In one
    /// problem with contacts that have facets, those that have none take as many as the finest of them.
    pub facets: Option<usize>,
    /// How the contact enters the plain problem.
    pub activation: Activation,
}

impl ContactLaw {
    /// Newton's law without friction.
    #[must_use]
    pub const fn frictionless(restitution: f64) -> Self {
        Self {
            restitution,
            friction: 0.0,
            static_friction: None,
            tangential_restitution: 0.0,
            impact: ImpactLaw::Newton,
            facets: None,
            activation: Activation { gamma: None, restitution: Restitution::Approaching },
        }
    }

    /// Newton's law with Coulomb friction.
    #[must_use]
    pub const fn with_friction(restitution: f64, friction: f64) -> Self {
        Self { friction, ..Self::frictionless(restitution) }
    }

    /// The same law without friction: that of a contact that has no tangents.
    #[must_use]
    pub const fn without_friction(self) -> Self {
        let Self { restitution, impact, activation, .. } = self;
        Self { impact, activation, ..Self::frictionless(restitution) }
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// The first rule that they break.
    pub fn check(&self) -> Result<(), ContactLawError> {
        RESTITUTION.check(self.restitution)?;
        TANGENTIAL_RESTITUTION.check(self.tangential_restitution)?;
        FRICTION.check(self.friction)?;
        if let Some(found) = self.facets.filter(|count| !FACETS.contains(count)) {
            return Err(ContactLawError::Facets { found });
        }
        self.activation.gamma.map_or(Ok(()), |gamma| GAMMA.check(gamma))?;
        self.static_friction.map_or(Ok(()), |law| law.check(self.friction))
    }

    /// Coefficient of friction at a slip speed (m/s); zero where the contact sticks.
    #[must_use]
    pub fn friction_at(&self, speed: f64) -> f64 {
        self.static_friction.map_or(self.friction, |law| law.at(self.friction, speed))
    }

    /// Restitution of the slips of a contact that is hit (–).
    #[must_use]
    pub fn slip_restitution(&self) -> f64 {
        match self.impact {
            ImpactLaw::Newton => self.tangential_restitution,
            ImpactLaw::Moreau => self.restitution,
        }
    }

    /// Whether steps capture the contact by a `γ` of its own, whatever the settings of the solver are.
    #[must_use]
    pub fn is_captured(&self) -> bool {
        self.activation.gamma.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stribeck;

    #[test]
    fn every_rule_is_checked() {
        let good = ContactLaw::with_friction(0.5, 0.3);
        assert_eq!(good.check(), Ok(()));
        let stick = |coefficient| Some(StaticFriction { coefficient, stribeck: None });
        let curve = |speed, exponent| {
            Some(StaticFriction { coefficient: 0.4, stribeck: Some(Stribeck { speed, exponent }) })
        };
        let gamma = |gamma| Activation { gamma: Some(gamma), ..Activation::default() };
        let wrong = [
            ContactLaw { restitution: 1.1, ..good },
            ContactLaw { restitution: f64::NAN, ..good },
            ContactLaw { tangential_restitution: -0.1, ..good },
            ContactLaw { friction: -0.1, ..good },
            ContactLaw { friction: f64::INFINITY, ..good },
            ContactLaw { facets: Some(2), ..good },
            ContactLaw { facets: Some(361), ..good },
            ContactLaw { activation: gamma(-1.0), ..good },
            ContactLaw { static_friction: stick(0.2), ..good },
            ContactLaw { static_friction: stick(f64::INFINITY), ..good },
            ContactLaw { static_friction: stick(0.2), friction: 0.0, ..good },
            ContactLaw { static_friction: curve(0.0, 1.0), ..good },
            ContactLaw { static_friction: curve(1.0, 0.0), ..good },
        ];
        for law in wrong {
            assert!(law.check().is_err(), "{law:?}");
            assert!(law.friction > 0.0 || law.without_friction().check().is_ok());
        }
    }
}
