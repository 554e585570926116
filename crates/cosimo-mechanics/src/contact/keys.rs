//! The keys of a contact law.

use serde::{Deserialize, Serialize};

use super::{Activation, ContactLaw, ImpactLaw, StaticFriction, Stribeck};

/// A contact law by its keys; what has no effect, or is the default of a rarely used key, is not told.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Keys {
    restitution: f64,
    friction: f64,
    static_friction: Option<f64>,
    stribeck_speed: Option<f64>,
    stribeck_exponent: Option<f64>,
    tangential_restitution: Option<f64>,
    facets: Option<usize>,
    impact_law: ImpactLaw,
    activation: Option<Activation>,
}

impl From<ContactLaw> for Keys {
    fn from(law: ContactLaw) -> Self {
        let stribeck = law.static_friction.and_then(|friction| friction.stribeck);
        let has_restitution = law.friction > 0.0 && law.impact == ImpactLaw::Newton;
        let tangential = Some(law.tangential_restitution).filter(|e| has_restitution || *e != 0.0);
        Self {
            restitution: law.restitution,
            friction: law.friction,
            static_friction: law.static_friction.map(|friction| friction.coefficient),
            stribeck_speed: stribeck.map(|curve| curve.speed),
            stribeck_exponent: stribeck.map(|curve| curve.exponent),
            tangential_restitution: tangential,
            facets: law.facets,
            impact_law: law.impact,
            activation: Some(law.activation).filter(|own| own.is_chosen()),
        }
    }
}

impl From<Keys> for ContactLaw {
    fn from(keys: Keys) -> Self {
        let curve = |speed| Stribeck { speed, exponent: keys.stribeck_exponent.unwrap_or(1.0) };
        let stribeck = keys.stribeck_speed.map(curve);
        Self {
            restitution: keys.restitution,
            friction: keys.friction,
            static_friction: keys.static_friction.map(|coefficient| StaticFriction { coefficient, stribeck }),
            tangential_restitution: keys.tangential_restitution.unwrap_or(0.0),
            impact: keys.impact_law,
            facets: keys.facets,
            activation: keys.activation.unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Restitution;

    #[test]
    fn laws_come_back_from_their_keys() {
        let stribeck = Some(Stribeck { speed: 0.1, exponent: 2.0 });
        let full = ContactLaw {
            static_friction: Some(StaticFriction { coefficient: 0.5, stribeck }),
            tangential_restitution: 0.2,
            facets: Some(16),
            activation: Activation { gamma: Some(0.5), restitution: Restitution::Always },
            ..ContactLaw::with_friction(0.8, 0.3)
        };
        let moreau = ContactLaw { impact: ImpactLaw::Moreau, ..full };
        for law in [ContactLaw::frictionless(0.5), ContactLaw::with_friction(0.1, 0.2), full, moreau] {
            assert_eq!(ContactLaw::from(Keys::from(law)), law);
        }
    }
}
