//! Contacts and their rows, as they stand in the master's vectors.

use std::ops::Range;

use super::subsystem::JoinedPort;

/// A contact of some subsystem.
#[derive(Debug, Clone)]
pub(crate) struct Contact {
    pub(crate) subsystem: usize,
    /// Its gap's row in the master's vectors.
    pub(crate) global_row: usize,
    pub(crate) name: String,
    /// The pool that it belongs to; else its name.
    pub(crate) table: String,
    /// Its gap and its slips among the contact rows.
    pub(crate) gap: usize,
    pub(crate) slips: Range<usize>,
}

impl Contact {
    /// Whether it is between pairs of many bodies by turns.
    pub(crate) fn is_pooled(&self) -> bool {
        self.table != self.name
    }

    /// Its gap and its slips among the contact rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        std::iter::once(self.gap).chain(self.slips.clone())
    }
}

/// A row of a contact: its gap, or the slip along one of its tangents. In each cluster the gaps come first, one per contact.
#[derive(Debug, Clone)]
pub(crate) struct ContactRow {
    pub(crate) subsystem: usize,
    /// Row within the subsystem.
    pub(crate) row: usize,
    pub(crate) global_row: usize,
    /// The contact whose gap it is; `None` of slips.
    pub(crate) gap_of: Option<usize>,
    /// Where the row acts at a joined port of its subsystem.
    pub(crate) attachment: Option<Attachment>,
}

/// A row of a contact that acts at a joined port of its own subsystem.
#[derive(Debug, Clone)]
pub(crate) struct Attachment {
    pub(crate) port: JoinedPort,
    /// Direction of the row in the coordinates of the port.
    pub(crate) direction: Vec<f64>,
}
