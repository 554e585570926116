//! Kept states.

use std::ffi::c_void;

use crate::c::{functions, keep, kept, release, slice, slice_mut, store};
use crate::instance::Instance;

/// A kept state; the host holds pointers to them.
type State = *mut c_void;

functions! {
    fn fmi3GetFMUState(place: *mut State) |instance| { keep(instance, place, Instance::keep) }

    fn fmi3SetFMUState(state: State) |instance| { instance.restore(kept(state)?) }

    fn fmi3FreeFMUState(place: *mut State) |instance| {
        release(instance, place);
        Ok(())
    }

    fn fmi3SerializedFMUStateSize(state: State, size: *mut usize) |instance| {
        store(size, instance.serialise(kept(state)?)?.len());
        Ok(())
    }

    fn fmi3SerializeFMUState(state: State, bytes: *mut u8, size: usize) |instance| {
        let own = instance.serialise(kept(state)?)?;
        let place = slice_mut(bytes, size)?;
        let place = place.get_mut(..own.len()).ok_or_else(|| format!("the state has {} bytes", own.len()))?;
        place.copy_from_slice(own);
        Ok(())
    }

    fn fmi3DeserializeFMUState(bytes: *const u8, size: usize, place: *mut State) |instance| {
        let bytes = slice(bytes, size)?;
        keep(instance, place, |instance| instance.deserialise(bytes))
    }
}
