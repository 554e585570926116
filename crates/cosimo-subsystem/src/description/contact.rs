//! Contacts as the contract describes them.

use cosimo_mechanics::ContactLaw;
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
    /// `gap rate = direction · port velocity + …`, one weight per port coordinate.
    pub direction: Vec<f64>,
}

/// A unilateral contact: its gap (m), not negative, is one row; with friction the slips along its tangents are one or two
/// rows more. Slip rows stand after the gaps of all contacts, in the order of the contacts; the velocity of such a row is that of the body
/// over the obstacle along a tangent (m/s).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContactSpec {
    /// Name, unique among the subsystem's contacts.
    pub name: String,
    /// Restitution and friction. Where its activation has a `γ`, the contact is captured so in steps that know no instants of impacts,
    /// whatever the settings of the master are; else they say.
    pub law: ContactLaw,
    /// The port at which the contact acts, if it acts at one and always in the same direction.
    pub attachment: Option<PortAttachment>,
    /// The tangents along which friction acts, orthonormal: 1 in the plane, 2 in space, none where nothing slides. Of each, the port at
    /// which it acts, if it acts at one and always in the same direction.
    pub tangents: Vec<Option<PortAttachment>>,
}

impl ContactSpec {
    /// A contact without friction that acts at no port in particular.
    #[must_use]
    pub fn frictionless(name: impl Into<String>, restitution: f64) -> Self {
        let law = ContactLaw::frictionless(restitution);
        Self { name: name.into(), law, attachment: None, tangents: Vec::new() }
    }

    /// Number of slip rows.
    #[must_use]
    pub fn slips(&self) -> usize {
        self.tangents.len()
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
        if let Err(error) = self.law.check() {
            return Some(error.to_string());
        }
        let fits = |a: &PortAttachment| ports.get(a.port).is_some_and(|port| port.size == a.direction.len());
        if !self.attachment.iter().chain(self.tangents.iter().flatten()).all(fits) {
            return Some("it is attached to a port that does not fit".to_owned());
        }
        match self.tangents.len() {
            0 if self.law.friction > 0.0 => Some("it has friction, but no tangents".to_owned()),
            0..=2 => None,
            count => Some(format!("it has {count} tangents, must have 1 or 2")),
        }
    }
}
