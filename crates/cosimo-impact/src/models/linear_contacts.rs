//! Contacts whose gaps are linear.

use cosimo_dynamics::Motion;
use cosimo_mechanics::ContactLaw;

use crate::contacts::{ContactBlock, ContactLayout, ContactSink, Contacts};

/// A gap `g = Σ wᵢ qᵢ + offset` of blocks of one coordinate each.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearContact {
    /// Coordinates and weights, ascending.
    pub terms: Vec<(usize, f64)>,
    /// Gap at `q = 0` (m).
    pub offset: f64,
    /// `e` (–).
    pub restitution: f64,
}

impl LinearContact {
    /// `g = weight qᵢ`, without restitution.
    #[must_use]
    pub fn on_coordinate(coordinate: usize, weight: f64) -> Self {
        Self { terms: vec![(coordinate, weight)], offset: 0.0, restitution: 0.0 }
    }

    /// The same with this coefficient of restitution.
    #[must_use]
    pub fn with_restitution(self, restitution: f64) -> Self {
        Self { restitution, ..self }
    }

    /// The same with this gap (m) at `q = 0`.
    #[must_use]
    pub fn with_offset(self, offset: f64) -> Self {
        Self { offset, ..self }
    }
}

/// Contacts with linear gaps, without friction, of a system whose blocks have one coordinate each.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearContacts {
    contacts: Vec<LinearContact>,
    layout: ContactLayout,
}

impl LinearContacts {
    /// These contacts.
    #[must_use]
    pub fn new(contacts: Vec<LinearContact>) -> Self {
        let blocks = contacts.iter().map(|contact| ContactBlock {
            touches: contact.terms.iter().map(|term| term.0).collect(),
            law: ContactLaw::frictionless(contact.restitution),
        });
        Self { layout: ContactLayout::new(1, blocks.collect()), contacts }
    }
}

impl Contacts for LinearContacts {
    fn layout(&self) -> &ContactLayout {
        &self.layout
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn gaps(&self, _t: f64, q: &[f64], out: &mut [f64]) {
        for (out, contact) in out.iter_mut().zip(&self.contacts) {
            *out = contact.offset + contact.terms.iter().map(|(i, w)| w * q[*i]).sum::<f64>();
        }
    }

    fn rates(&self, motion: Motion<'_>, out: &mut [f64]) {
        for (out, contact) in out.iter_mut().zip(&self.contacts) {
            *out = contact.terms.iter().map(|(i, w)| w * motion.v[*i]).sum();
        }
    }

    fn jacobian(&self, _t: f64, _q: &[f64], sink: &mut dyn ContactSink) {
        for (k, contact) in self.contacts.iter().enumerate() {
            contact.terms.iter().for_each(|(i, w)| sink.jacobian(k, *i, &[*w]));
        }
    }
}
