//! Saved states of a unit.
#![allow(unsafe_code, reason = "functions of a foreign library are called")]

use super::error::BinaryError;
use super::instance::{Instance, call};
use super::pool::State;

impl Instance {
    /// Saves the state of the unit.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn save_state(&mut self) -> Result<State, BinaryError> {
        let mut state = self.pool.take(self.phase);
        self.overwrite_state(&mut state)?;
        Ok(state)
    }

    /// Saves the state of the unit in place of an earlier one.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn overwrite_state(&mut self, state: &mut State) -> Result<(), BinaryError> {
        self.pool.check(state)?;
        state.phase = self.phase;
        let get = self.library.shared.get_state;
        let handle = &raw mut self.pool.handles[state.place];
        call!(self, get, handle)
    }

    /// Puts the unit back to a saved state, after errors too.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn restore_state(&mut self, state: &State) -> Result<(), BinaryError> {
        self.pool.check(state)?;
        let set = self.library.shared.set_state;
        call!(self, set, self.pool.handles[state.place])?;
        self.phase = state.phase;
        Ok(())
    }

    /// A saved state as bytes, for an instance of the same library elsewhere or later.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn serialize(&mut self, state: &State) -> Result<Vec<u8>, BinaryError> {
        self.pool.check(state)?;
        let handle = self.pool.handles[state.place];
        let mut size = 0;
        call!(self, self.library.shared.serialized_size, handle, &raw mut size)?;
        let mut bytes = vec![0; size];
        call!(self, self.library.shared.serialize, handle, bytes.as_mut_ptr(), size)?;
        Ok(bytes)
    }

    /// A state from bytes. Restored, it puts the unit into the mode in which it was saved; this instance must have been
    /// initialised.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn deserialize(&mut self, bytes: &[u8]) -> Result<State, BinaryError> {
        let state = self.pool.take(self.phase);
        self.free_place(state.place)?;
        let read = self.library.shared.deserialize;
        let handle = &raw mut self.pool.handles[state.place];
        call!(self, read, bytes.as_ptr(), bytes.len(), handle)?;
        Ok(state)
    }

    fn free_place(&mut self, place: usize) -> Result<(), BinaryError> {
        if self.pool.handles[place].is_null() {
            return Ok(());
        }
        let free = self.library.shared.free_state;
        let mut handle = std::mem::replace(&mut self.pool.handles[place], std::ptr::null_mut());
        call!(self, free, &raw mut handle)
    }

    /// Frees all states, at the end of the unit.
    pub(super) fn free_states(&mut self) {
        for place in 0..self.pool.handles.len() {
            if let Err(error) = self.free_place(place) {
                tracing::warn!("{}: {error}", self.name());
            }
        }
    }
}
