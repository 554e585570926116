//! The states of an instance as the library knows them.

use super::error::BinaryError;
use super::phase::Phase;
use super::shared::Handle;
use std::sync::{Arc, Mutex, PoisonError};
/// The places of states that nobody holds any more.
pub(super) type Returned = Arc<Mutex<Vec<usize>>>;

/// A saved state of one instance. Dropped, its memory is used for the next one; the instance frees all of them at its end,
/// also those still held.
#[derive(Debug)]
pub struct State {
    pub(super) owner: usize,
    pub(super) place: usize,
    pub(super) phase: Phase,
    pub(super) returned: Returned,
}

impl Drop for State {
    fn drop(&mut self) {
        self.returned.lock().unwrap_or_else(PoisonError::into_inner).push(self.place);
    }
}

/// The states of an instance as the library knows them.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) owner: usize,
    pub(super) handles: Vec<Handle>,
    pub(super) returned: Returned,
}

impl Pool {
    pub(super) fn new(owner: usize) -> Self {
        Self { owner, handles: Vec::new(), returned: Returned::default() }
    }

    /// A place, of a state that was dropped or a new one.
    pub(super) fn take(&mut self, phase: Phase) -> State {
        let free = self.returned.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let place = free.unwrap_or_else(|| {
            self.handles.push(std::ptr::null_mut());
            self.handles.len() - 1
        });
        State { owner: self.owner, place, phase, returned: Arc::clone(&self.returned) }
    }

    pub(super) fn check(&self, state: &State) -> Result<(), BinaryError> {
        if state.owner == self.owner { Ok(()) } else { Err(BinaryError::ForeignState) }
    }
}
