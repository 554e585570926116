//! What happens at an instant: impacts that a unit stands before, and impulses from outside.

use cosimo_fmi_export::EventOutcome;
use cosimo_master::RowLoad;

use crate::ExportModelError;
use crate::unit::ModelUnit;

impl ModelUnit {
    /// Impacts and impulses of the present instant take place.
    pub(crate) fn pass_instant(&mut self) -> Result<EventOutcome, ExportModelError> {
        // Derivatives are those of a step just taken.
        self.last_step = None;
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
                self.master.act(&acting, self.inner_size)?;
            }
        }
        self.instant.impulses.fill(0.0);
        Ok(EventOutcome { again: false, terminate: false, next_event: None })
    }

    /// Impacts that are pending take place.
    pub(crate) fn pass_pending(&mut self) -> Result<(), ExportModelError> {
        let pending = std::mem::take(&mut self.instant.pending);
        Ok(self.master.pass_impacts(&pending, self.inner_size)?)
    }

    /// A load on the row of a place.
    pub(crate) fn row_load(&self, place: usize, load: f64) -> Option<RowLoad> {
        let (subsystem, row) = (*self.exposed.rows.get(place)?)?;
        Some(RowLoad { subsystem, row, load })
    }
}
