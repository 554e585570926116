//! What is saved of a subsystem.

use cosimo_subsystem::SubsystemError;
use serde::{Deserialize, Serialize};

use super::FirstOrderSubsystem;
use crate::{FirstOrderSystem, Point, SystemError};

#[derive(Serialize, Deserialize)]
pub(super) struct Saved {
    pub(super) subsystem: String,
    values: Vec<f64>,
    system: Vec<u8>,
}

impl<S: FirstOrderSystem> FirstOrderSubsystem<S> {
    pub(super) fn bad_snapshot(&self, reason: String) -> SubsystemError {
        SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason }
    }

    pub(super) fn encode(&self) -> Result<Saved, SystemError> {
        let mut values = Vec::new();
        self.motion.save(&mut values);
        self.momenta.save(&mut values);
        values.extend_from_slice(&self.present_loads);
        let at =
            Point { time: self.motion.state.time, states: &self.motion.state.v, inputs: &self.start_inputs };
        let system = self.system.borrow_mut().save(at)?;
        Ok(Saved { subsystem: self.description.name.clone(), values, system })
    }

    pub(super) fn read_back(&mut self, saved: &Saved) -> Result<(), String> {
        let misfit = || "its numbers are of another system".to_owned();
        let taken = self.motion.restore(&saved.values).ok_or_else(misfit)?;
        let rest = saved.values.get(taken..).unwrap_or_default();
        let all = self.momenta.restore(rest).ok_or_else(misfit)?;
        let loads =
            rest.get(all..).filter(|loads| loads.len() == self.present_loads.len()).ok_or_else(misfit)?;
        self.present_loads.copy_from_slice(loads);
        if saved.values.iter().any(|x| !x.is_finite()) {
            return Err(misfit());
        }
        self.system.get_mut().restore(&saved.system).map_err(|error| error.to_string())
    }
}
