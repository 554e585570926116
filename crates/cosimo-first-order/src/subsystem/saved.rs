//! What is saved of a subsystem.

use cosimo_subsystem::Saved;

use super::FirstOrderSubsystem;
use crate::{FirstOrderSystem, Point, SystemError};

impl<S: FirstOrderSystem> FirstOrderSubsystem<S> {
    pub(super) fn encode(&self) -> Result<Saved, SystemError> {
        let mut numbers = Vec::new();
        self.motion.save(&mut numbers);
        self.momenta.save(&mut numbers);
        numbers.extend_from_slice(&self.present_loads);
        let at =
            Point { time: self.motion.state.time, states: &self.motion.state.v, inputs: &self.start_inputs };
        let bytes = self.system.borrow_mut().save(at)?;
        Ok(Saved { numbers, bytes })
    }

    pub(super) fn read_back(&mut self, saved: &Saved) -> Result<(), String> {
        let misfit = || "its numbers are of another system".to_owned();
        let taken = self.motion.restore(&saved.numbers).ok_or_else(misfit)?;
        let rest = saved.numbers.get(taken..).unwrap_or_default();
        let all = self.momenta.restore(rest).ok_or_else(misfit)?;
        let loads =
            rest.get(all..).filter(|loads| loads.len() == self.present_loads.len()).ok_or_else(misfit)?;
        self.present_loads.copy_from_slice(loads);
        self.system.get_mut().restore(&saved.bytes).map_err(|error| error.to_string())
    }
}
