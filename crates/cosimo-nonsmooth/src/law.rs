//! Contact laws: what a contact asks of rates and impulses.
//!
//! Every contact has a gap rate `U_N` and, with friction, one (in the plane) or two (in space) **slip** rates `U_T` along
//! its tangents. At an impact, rates `U⁻` before and `U⁺` after,
//!
//! ```text
//!   Signorini and Coulomb on  u = U⁺ + e(U⁻):   0 ≤ P_N ⟂ u_N ≥ 0,   ‖P_T‖ ≤ μ P_N,   P_T = −μ P_N u_T/‖u_T‖ if u_T ≠ 0
//!
//!   Newton   e(U⁻) = (e min(U⁻_N, 0), e_T U⁻_T)
//!   Moreau   e(U⁻) = e U⁻, in all directions
//! ```
//!
//! Newton's law with friction can create energy where the effective mass couples normal and tangent. Moreau's cannot: with
//! one `e` for all contacts of the impact, `P·u ≤ 0` gives
//!
//! ```text
//!   ΔT = P·u/(1 + e) − ½ (1 − e)/(1 + e) Pᵀ W P ≤ 0
//! ```
//!
//! A contact that carries a load over time obeys the same with `e = 0`.
//!
//! Reference: J. J. Moreau, *Unilateral contact and dry friction in finite freedom dynamics*, Springer 1988.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{Activation, Restitution, StaticFriction};

/// How velocities before and after an impact belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImpactLaw {
    /// Newton's restitution of the gap rate, with Coulomb friction; the slip has a restitution of its own.
    #[default]
    Newton,
    /// Moreau's law: the restitution acts on gap and slip rates alike. It never creates energy.
    Moreau,
}

/// Numbers of facets that a cone may have. With 360 the friction is that of the disk to 4e-5; each is an unknown.
pub const FACETS: std::ops::RangeInclusive<usize> = 3..=360;

/// Restitution and friction of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
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

/// Restitutions of one impact at a contact; zero where a contact is not hit, or settles.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Bounce {
    /// Of the gap rate.
    pub(crate) normal: f64,
    /// Of the slip rates.
    pub(crate) tangential: f64,
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

    /// The first rule that the numbers break, in words.
    #[must_use]
    pub fn broken_rule(&self) -> Option<&'static str> {
        if !(0.0..=1.0).contains(&self.restitution) {
            return Some("its restitution is not in [0, 1]");
        }
        if !(0.0..=1.0).contains(&self.tangential_restitution) {
            return Some("its tangential restitution is not in [0, 1]");
        }
        if self.facets.is_some_and(|count| !FACETS.contains(&count)) {
            return Some("the facets of its cone are not 3 to 360");
        }
        if self.activation.gamma.is_some_and(|gamma| !(gamma >= 0.0 && gamma.is_finite())) {
            return Some("gamma of its activation is negative or not finite");
        }
        if !(self.friction >= 0.0 && self.friction.is_finite()) {
            return Some("its coefficient of friction is negative or not finite");
        }
        self.static_friction.and_then(|law| law.broken_rule(self.friction))
    }

    /// Coefficient of friction at a slip speed (m/s); zero where the contact sticks.
    #[must_use]
    pub fn friction_at(&self, speed: f64) -> f64 {
        self.static_friction.map_or(self.friction, |law| law.at(self.friction, speed))
    }

    /// Restitution of the slips of a contact that is hit (–).
    #[must_use]
    pub fn slip_restitution(&self) -> f64 {
        self.bounce(false).tangential
    }

    /// Restitutions of an impact, which settles or rebounds.
    pub(crate) fn bounce(&self, settles: bool) -> Bounce {
        if settles && self.restitution > 0.0 {
            return Bounce::default();
        }
        match self.impact {
            ImpactLaw::Newton => Bounce { normal: self.restitution, tangential: self.tangential_restitution },
            ImpactLaw::Moreau => Bounce { normal: self.restitution, tangential: self.restitution },
        }
    }
}

impl Bounce {
    /// `e(U⁻)` of a gap rate.
    pub(crate) fn of_gap(self, rate: f64) -> f64 {
        self.normal * rate.min(0.0)
    }

    /// `e(U⁻)` of a slip rate.
    pub(crate) fn of_slip(self, rate: f64) -> f64 {
        self.tangential * rate
    }
}

/// The laws of some contacts and where their rows stand: the gaps first, one a contact, then the slips, contact by contact.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactLaws {
    laws: Vec<ContactLaw>,
    /// First slip row of each contact, and the number of all rows at the end.
    slips: Vec<usize>,
}

/// Some contacts by their numbers, with the laws of all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ActiveContacts<'a> {
    pub(crate) set: &'a [usize],
    pub(crate) laws: &'a ContactLaws,
}

impl ContactLaws {
    /// Laws with the number of tangents of each contact: 0, 1 or 2.
    #[must_use]
    pub fn new(contacts: impl IntoIterator<Item = (ContactLaw, usize)>) -> Self {
        let (laws, tangents): (Vec<_>, Vec<_>) = contacts.into_iter().unzip();
        let mut row = laws.len();
        let mut slips = vec![row];
        for count in tangents {
            row += count;
            slips.push(row);
        }
        Self { laws, slips }
    }

    /// Takes other laws in the same memory, of contacts with so many tangents each.
    pub(crate) fn refill(&mut self, laws: impl ExactSizeIterator<Item = ContactLaw>, tangents: usize) {
        let count = laws.len();
        self.laws.clear();
        self.laws.extend(laws);
        self.slips.clear();
        self.slips.extend((0..=count).map(|contact| count + contact * tangents));
    }

    /// Number of contacts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.laws.len()
    }

    /// Whether there are no contacts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.laws.is_empty()
    }

    /// Number of rows: gaps and slips.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.slips.last().copied().unwrap_or(0)
    }

    /// The law of a contact.
    #[must_use]
    pub fn of(&self, contact: usize) -> &ContactLaw {
        &self.laws[contact]
    }

    /// The slip rows of a contact.
    #[must_use]
    pub fn slips(&self, contact: usize) -> Range<usize> {
        self.slips[contact]..self.slips[contact + 1]
    }

    /// The contact whose slip a row is; none where it is a gap.
    pub(crate) fn of_slip(&self, row: usize) -> Option<usize> {
        let contact = self.slips.partition_point(|first| *first <= row).checked_sub(1)?;
        (contact < self.laws.len()).then_some(contact)
    }

    /// The values of a contact's slip rows; zero along tangents that it does not have.
    pub(crate) fn tangential(&self, contact: usize, values: &[f64]) -> [f64; 2] {
        let mut out = [0.0; 2];
        out.iter_mut().zip(&values[self.slips(contact)]).for_each(|(x, value)| *x = *value);
        out
    }

    /// Whether the friction of a contact is faceted; with a single tangent there is nothing to be faceted.
    pub(crate) fn is_faceted(&self, contact: usize) -> bool {
        self.is_frictional(contact) && self.laws[contact].facets.is_some() && self.slips(contact).len() > 1
    }

    /// Whether the friction of a contact depends on its slip.
    pub(crate) fn depends_on_slip(&self, contact: usize) -> bool {
        self.is_frictional(contact) && self.laws[contact].static_friction.is_some()
    }

    /// Whether a contact can take an impulse along its tangents.
    #[must_use]
    pub fn is_frictional(&self, contact: usize) -> bool {
        self.laws[contact].friction > 0.0 && !self.slips(contact).is_empty()
    }
}

/// Contacts without friction, with these restitutions.
impl From<Vec<f64>> for ContactLaws {
    fn from(restitutions: Vec<f64>) -> Self {
        Self::new(restitutions.into_iter().map(|e| (ContactLaw::frictionless(e), 0)))
    }
}
