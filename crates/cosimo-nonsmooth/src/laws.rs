//! The laws of some contacts, and what one impact makes of them.

use std::ops::Range;

use cosimo_mechanics::ContactLaw;

/// Restitutions of one impact at a contact; zero where a contact is not hit, or settles.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Bounce {
    /// Of the gap rate.
    pub(crate) normal: f64,
    /// Of the slip rates.
    pub(crate) tangential: f64,
}

impl Bounce {
    /// Restitutions of an impact by a law, which settles or rebounds.
    pub(crate) fn of(law: &ContactLaw, settles: bool) -> Self {
        if settles && law.restitution > 0.0 {
            return Self::default();
        }
        Self { normal: law.restitution, tangential: law.slip_restitution() }
    }

    /// `e(U⁻)` of a gap rate.
    pub(crate) fn of_gap(self, rate: f64) -> f64 {
        self.normal * rate.min(0.0)
    }

    /// `e(U⁻)` of a slip rate.
    pub(crate) fn of_slip(self, rate: f64) -> f64 {
        self.tangential * rate
    }
}

/// The laws of some contacts and where their rows stand: the gaps first, one per contact, then the slips, contact by contact.
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
