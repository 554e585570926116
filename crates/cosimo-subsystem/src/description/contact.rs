//! Contacts, their impact laws and friction.

use serde::{Deserialize, Serialize};

use crate::PortSpec;

/// A contact that acts at a port: its rows are combinations of the port's coordinates.
///
/// With it the master can compute the effective mass of a contact at a joint without cancellation, at any ratio of
/// masses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PortAttachment {
    /// Index of the port.
    pub port: usize,
    /// `gap rate = direction · port velocity + …`, one weight a port coordinate.
    pub direction: Vec<f64>,
}

/// A unilateral contact: its gap (m), not negative, is one row; with friction the slips along its tangents are one or two
/// rows more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContactSpec {
    /// Name, unique among the subsystem's contacts.
    pub name: String,
    /// Coefficient of restitution, in \[0, 1\] (–).
    pub restitution: f64,
    /// How impacts are resolved.
    pub impact_law: ImpactLaw,
    /// Friction, if there is any.
    pub friction: Option<Friction>,
    /// The port at which the contact acts, if it acts at one and always in the same direction.
    pub attachment: Option<PortAttachment>,
    /// How it is captured in steps that know no instants of impacts, whatever the settings of the master are; `None` where they say.
    pub captured: Option<Captured>,
}

/// How a contact takes part in the problem of a step that captures impacts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Captured {
    /// `γ` (–), not negative: with gap `y₀` and rate `U₀` at the start it takes part where `y₀ + γ h U₀ ≤ 0`.
    pub gamma: f64,
    /// Whether restitution sees contacts that open as well, not only those that approach.
    pub sees_opening: bool,
}

/// How velocities before and after an impact belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImpactLaw {
    /// Newton's restitution of the gap rate; with friction it can create energy in special states.
    #[default]
    Newton,
    /// Moreau's: the restitution acts on gap and slip alike. It never creates energy.
    Moreau,
}

/// Coulomb friction of a contact. Its slips are rows after the gaps of all contacts, in the order of the contacts; the
/// velocity of such a row is that of the body over the obstacle along a tangent (m/s).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Friction {
    /// Coefficient of friction, finite and not negative (–): of a contact that slides, where it is another while it sticks.
    pub coefficient: f64,
    /// Friction of a contact that sticks; `None` for that of sliding.
    pub static_friction: Option<StaticFriction>,
    /// Tangential coefficient of restitution of Newton's law, in \[0, 1\] (–).
    pub restitution: f64,
    /// Facets of an outer polygon that stands for the disk of friction, at least 3; `None` for the disk itself.
    pub facets: Option<usize>,
    /// Of each tangent, 1 in the plane or 2 in space and orthonormal, the port at which it acts, if it acts at one and
    /// always in the same direction.
    pub tangents: Vec<Option<PortAttachment>>,
}

/// Friction of a contact that sticks, and how it falls as it slides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StaticFriction {
    /// Coefficient of a contact that sticks, at least that of one that slides (–).
    pub coefficient: f64,
    /// Stribeck's curve; `None` where the coefficient falls at once.
    pub stribeck: Option<Stribeck>,
}

/// Stribeck's curve `μ + (μ_s − μ) exp(−(s/v)^p)` of the slip speed `s`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stribeck {
    /// Speed `v`, positive (m/s).
    pub speed: f64,
    /// Exponent `p`, positive (–).
    pub exponent: f64,
}

impl Friction {
    /// The first rule that its static friction breaks.
    fn broken_static_rule(&self) -> Option<String> {
        let StaticFriction { coefficient, stribeck } = self.static_friction?;
        if !(coefficient >= self.coefficient && coefficient.is_finite() && self.coefficient > 0.0) {
            let sliding = self.coefficient;
            return Some(format!(
                "has static friction {coefficient}; must be finite and at least that of sliding, {sliding}, which must be positive"
            ));
        }
        let is_positive = |x: f64| x > 0.0 && x.is_finite();
        let is_curve = |curve: Stribeck| is_positive(curve.speed) && is_positive(curve.exponent);
        (!stribeck.is_none_or(is_curve))
            .then(|| "has a Stribeck curve that is not positive and finite".to_owned())
    }
}

impl ContactSpec {
    /// Number of slip rows.
    #[must_use]
    pub fn slips(&self) -> usize {
        self.friction.as_ref().map_or(0, |friction| friction.tangents.len())
    }

    /// Names of a quantity of its slip rows: `name` of a single one, `name_0` and `name_1` of two.
    #[must_use]
    pub fn slip_names(&self, name: &str) -> Vec<String> {
        match self.slips() {
            1 => vec![name.to_owned()],
            count => (0..count).map(|k| format!("{name}_{k}")).collect(),
        }
    }

    /// The first rule that it breaks, given the ports of its subsystem.
    pub(super) fn broken_rule(&self, ports: &[PortSpec]) -> Option<String> {
        let is_share = |e: f64| (0.0..=1.0).contains(&e);
        if !is_share(self.restitution) {
            return Some(format!("has restitution {}; must be in [0, 1]", self.restitution));
        }
        if let Some(Captured { gamma, .. }) =
            self.captured.filter(|own| !(own.gamma >= 0.0 && own.gamma.is_finite()))
        {
            return Some(format!("has gamma {gamma}; must be finite and not negative"));
        }
        let fits = |a: &PortAttachment| ports.get(a.port).is_some_and(|port| port.size == a.direction.len());
        let tangents = self.friction.iter().flat_map(|friction| friction.tangents.iter().flatten());
        if !self.attachment.iter().chain(tangents).all(fits) {
            return Some("is attached to a port that does not fit".to_owned());
        }
        let friction = self.friction.as_ref()?;
        if !(friction.coefficient >= 0.0 && friction.coefficient.is_finite()) {
            let mu = friction.coefficient;
            return Some(format!("has friction {mu}; must be finite and not negative"));
        }
        if !is_share(friction.restitution) {
            return Some(format!("has tangential restitution {}; must be in [0, 1]", friction.restitution));
        }
        if let Some(rule) = friction.broken_static_rule() {
            return Some(rule);
        }
        if let Some(facets) = friction.facets.filter(|count| *count < 3) {
            return Some(format!("has a cone of {facets} facets; must be at least 3"));
        }
        let count = friction.tangents.len();
        (!(1..=2).contains(&count)).then(|| format!("has {count} tangents; must have 1 or 2"))
    }
}
