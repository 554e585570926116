//! Saved states as bytes: serialised where the unit can, else by a number that only this process understands.

use std::collections::VecDeque;

use super::running::{Running, refused};
use crate::binary::State;
use cosimo_first_order::SystemError;

/// States kept of a unit that cannot serialise: as many as a master holds at a time, many times over.
const KEPT: usize = 64;

/// States of a unit that cannot be serialised.
#[derive(Debug, Default)]
pub(crate) struct States {
    kept: VecDeque<(u64, State)>,
    next: u64,
    spare: Option<State>,
}

impl States {
    /// The present state as bytes.
    pub(crate) fn save(&mut self, running: &mut Running) -> Result<Vec<u8>, SystemError> {
        if running.can_serialize {
            let state = self.take(running)?;
            let bytes = running.instance.serialize(&state).map_err(refused)?;
            self.spare = Some(state);
            return Ok(bytes);
        }
        let state = self.take(running)?;
        let number = self.next;
        self.next += 1;
        self.kept.push_back((number, state));
        if self.kept.len() > KEPT {
            self.spare = self.kept.pop_front().map(|(_, state)| state);
        }
        Ok([u64::from(std::process::id()).to_le_bytes(), number.to_le_bytes()].concat())
    }

    /// Goes back to a state that was saved.
    pub(crate) fn restore(&mut self, running: &mut Running, bytes: &[u8]) -> Result<(), SystemError> {
        if running.can_serialize {
            let state = running.instance.deserialize(bytes).map_err(refused)?;
            return running.instance.restore_state(&state).map_err(refused);
        }
        let mut words =
            bytes.chunks_exact(8).map(|word| word.try_into().map(u64::from_le_bytes).unwrap_or_default());
        let (process, number) = (words.next(), words.next());
        let known = self.kept.iter().find(|(own, _)| Some(*own) == number);
        match known.filter(|_| process == Some(u64::from(std::process::id()))) {
            Some((_, state)) => running.instance.restore_state(state).map_err(refused),
            None => {
                let reason = "its state cannot be had again: it cannot be serialised, and the state was saved long ago or in another process";
                Err(SystemError::Failed { reason: reason.to_owned() })
            }
        }
    }

    fn take(&mut self, running: &mut Running) -> Result<State, SystemError> {
        let taken = match self.spare.take() {
            Some(mut state) => running.instance.overwrite_state(&mut state).map(|()| state),
            None => running.instance.save_state(),
        };
        taken.map_err(refused)
    }
}
