//! The contacts of all subsystems, numbered cluster by cluster.

use cosimo_mechanics::ContactLaw;
use cosimo_nonsmooth::ContactLaws;
use cosimo_subsystem::{ContactSpec, Description, PortAttachment};

use super::Topology;
use super::contact::{Attachment, Contact, ContactRow};
use super::subsystem::{JoinedPort, SubsystemLayout};

/// What is joined to the first row of each port.
pub(super) type JoinedRows = Vec<JoinedRow>;

/// What is joined to the first row of a port.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum JoinedRow {
    #[default]
    Nothing,
    /// One joint alone.
    One(JoinedPort),
    /// Several joints.
    Several,
}

impl JoinedRow {
    /// With one joint more.
    pub(super) fn and(self, port: JoinedPort) -> Self {
        if self == Self::Nothing { Self::One(port) } else { Self::Several }
    }

    /// The joint, if there is one alone.
    fn alone(self) -> Option<JoinedPort> {
        if let Self::One(port) = self { Some(port) } else { None }
    }
}

impl Topology {
    pub(super) fn add_contacts(&mut self, descriptions: &[&Description], joined: &JoinedRows) {
        for cluster in &mut self.clusters {
            let (first, first_row) = (self.contacts.len(), self.contact_rows.len());
            let specs = || cluster.members.iter().flat_map(|&i| descriptions[i].contacts.iter());
            let activation = self.config.impacts.activation();
            let law = |contact: &ContactSpec| {
                if contact.law.is_captured() { contact.law } else { ContactLaw { activation, ..contact.law } }
            };
            cluster.laws = ContactLaws::new(specs().map(|contact| (law(contact), contact.slips())));
            for &subsystem in &cluster.members {
                let layout = &mut self.subsystems[subsystem];
                let own = self.contacts.len();
                for (k, contact) in descriptions[subsystem].contacts.iter().enumerate() {
                    let table = descriptions[subsystem].pool_of(k).map_or(&contact.name, |pool| &pool.name);
                    let local = self.contacts.len() - first;
                    let slips = cluster.laws.slips(local);
                    self.contacts.push(Contact {
                        subsystem,
                        global_row: layout.rows.start
                            + gap_row(descriptions[subsystem], self.contacts.len() - own),
                        name: format!("{}.{}", descriptions[subsystem].name, contact.name),
                        table: format!("{}.{table}", descriptions[subsystem].name),
                        gap: first_row + local,
                        slips: first_row + slips.start..first_row + slips.end,
                    });
                }
                layout.contacts = own..self.contacts.len();
            }
            cluster.contacts = first..self.contacts.len();
            for level in [RowKind::Gap, RowKind::Slip] {
                for &subsystem in &cluster.members {
                    let rows = RowsOf { description: descriptions[subsystem], subsystem, kind: level };
                    rows.add(&self.subsystems[subsystem], joined, &mut self.contact_rows);
                }
            }
            cluster.contact_rows = first_row..self.contact_rows.len();
        }
    }
}

/// Which rows of contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowKind {
    Gap,
    Slip,
}

/// Row of the gap of contact `k` within its subsystem.
fn gap_row(description: &Description, k: usize) -> usize {
    description.port_rows() + k
}

/// The gap rows, or the slip rows, of the contacts of a subsystem.
struct RowsOf<'a> {
    description: &'a Description,
    subsystem: usize,
    kind: RowKind,
}

impl RowsOf<'_> {
    /// Adds them to the contact rows of the model.
    fn add(&self, layout: &SubsystemLayout, joined: &JoinedRows, rows: &mut Vec<ContactRow>) {
        let Self { description, subsystem, kind } = *self;
        let first = layout.rows.start;
        let attached = |a: &PortAttachment| {
            let port = joined[first + description.port_row(a.port)].alone()?;
            Some(Attachment { port, direction: a.direction.clone() })
        };
        let mut row = gap_row(description, if kind == RowKind::Gap { 0 } else { description.contacts.len() });
        let mut push = |gap_of: Option<usize>, attachment: Option<&PortAttachment>| {
            let attachment = attachment.and_then(attached);
            rows.push(ContactRow { subsystem, row, global_row: first + row, gap_of, attachment });
            row += 1;
        };
        for (k, contact) in description.contacts.iter().enumerate() {
            match kind {
                RowKind::Gap => push(Some(layout.contacts.start + k), contact.attachment.as_ref()),
                RowKind::Slip => {
                    contact.tangents.iter().for_each(|tangent| push(None, tangent.as_ref()));
                }
            }
        }
    }
}
