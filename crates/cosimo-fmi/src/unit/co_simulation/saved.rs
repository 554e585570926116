//! The state of a unit, saved and restored.

use cosimo_first_order::SystemError;
use cosimo_subsystem::SubsystemError;
use serde::{Deserialize, Serialize};

use super::CoSimulationUnit;
use crate::unit::running::{Running, refused};

/// What a snapshot holds.
#[derive(Serialize, Deserialize)]
pub(super) struct Saved {
    pub(super) subsystem: String,
    pub(super) time: f64,
    pub(super) outputs: Vec<f64>,
    pub(super) ended: Option<f64>,
    pub(super) unit: Vec<u8>,
}

impl CoSimulationUnit {
    pub(super) fn bad_snapshot(&self, reason: String) -> SubsystemError {
        SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason }
    }

    /// The unit at the communication point as bytes: under its start inputs, whatever it was asked for in between.
    pub(super) fn encode(&self, running: &mut Running) -> Result<Vec<u8>, SystemError> {
        if let (Some(_), Some(state)) = (self.ahead.take(), self.saved.as_ref().filter(|_| self.is_saved)) {
            running.instance.restore_state(state).map_err(refused)?;
        }
        let present = running.instance.save_state().map_err(refused)?;
        let start_values = running.layout.start_values.clone();
        running.write(&start_values).map_err(refused)?;
        // What the unit computes of its inputs when it is asked may be part of its bytes.
        running.read(&mut self.scratch.borrow_mut()).map_err(refused)?;
        let unit = self.states.borrow_mut().save(running);
        running.instance.restore_state(&present).map_err(refused)?;
        unit
    }

    pub(super) fn read_back(&mut self, saved: &Saved) -> Result<(), SystemError> {
        if saved.outputs.len() != self.outputs.len() {
            return Err(SystemError::Failed { reason: "the state is of another unit".to_owned() });
        }
        *self.ahead.get_mut() = None;
        (self.is_saved, self.ended) = (false, saved.ended);
        self.states.get_mut().restore(self.running.get_mut(), &saved.unit)?;
        self.time = saved.time;
        self.outputs.copy_from_slice(&saved.outputs);
        self.map.write_state(&self.outputs, &mut self.rows);
        Ok(())
    }
}
