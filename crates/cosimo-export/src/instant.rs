//! What happens at an instant: impacts that a unit stands before, and impulses from outside.

use cosimo_fmi_export::EventOutcome;
use cosimo_master::{PendingImpacts, RowLoad};

use crate::ExportModelError;
use crate::unit::ModelUnit;

/// What a unit is told, and stands before, at an instant.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Instant {
    /// Impacts that come next.
    pub(crate) pending: PendingImpacts,
    /// Whether the clock of impulses ticks.
    pub(crate) ticks: bool,
    /// Impulses at the places of loads (N s, N m s).
    pub(crate) impulses: Vec<f64>,
}

impl Instant {
    pub(crate) fn set_impulse(&mut self, place: usize, impulse: f64) {
        if self.impulses.len() <= place {
            self.impulses.resize(place + 1, 0.0);
        }
        self.impulses[place] = impulse;
    }

    pub(crate) fn impulse(&self, place: usize) -> f64 {
        self.impulses.get(place).copied().unwrap_or(0.0)
    }
}

impl ModelUnit {
    /// Impacts and impulses of the present instant take place.
    pub(crate) fn pass_instant(&mut self) -> Result<EventOutcome, ExportModelError> {
        self.pass_pending()?;
        if std::mem::take(&mut self.instant.ticks) {
            let acting: Vec<RowLoad> = self
                .instant
                .impulses
                .iter()
                .enumerate()
                .filter(|(_, impulse)| **impulse != 0.0)
                .filter_map(|(place, impulse)| self.row_load(place, *impulse))
                .collect();
            if !acting.is_empty() {
                self.master.act(&acting, self.model.time.step)?;
            }
        }
        self.instant.impulses.fill(0.0);
        Ok(EventOutcome { again: false, terminate: false, next_event: None })
    }

    /// Impacts that are pending take place.
    pub(crate) fn pass_pending(&mut self) -> Result<(), ExportModelError> {
        let pending = std::mem::take(&mut self.instant.pending);
        Ok(self.master.pass_impacts(&pending, self.model.time.step)?)
    }

    /// A load on the row of a place.
    pub(crate) fn row_load(&self, place: usize, load: f64) -> Option<RowLoad> {
        let (subsystem, row) = (*self.exposed.rows.get(place)?)?;
        Some(RowLoad { subsystem, row, load })
    }
}
