//! The law of a contact.

use serde::{Deserialize, Serialize};

use super::rules::{ContactLawError, FRICTION, GAMMA, RESTITUTION, TANGENTIAL_RESTITUTION};
use super::{Activation, Restitution, StaticFriction, Stribeck};

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

/// A contact law by its keys; what has no effect, or is the default of a rarely used key, is not told.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Keys {
    restitution: f64,
    #[serde(default)]
    friction: f64,
    static_friction: Option<f64>,
    stribeck_speed: Option<f64>,
    stribeck_exponent: Option<f64>,
    tangential_restitution: Option<f64>,
    facets: Option<usize>,
    #[serde(default)]
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
