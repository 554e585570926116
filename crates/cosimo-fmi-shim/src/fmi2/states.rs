//! Kept states.

use std::ffi::{c_char, c_void};

use crate::c::{functions, keep, kept, release, slice, slice_mut, store};
use crate::instance::Instance;

/// A kept state; the host holds pointers to them.
type State = *mut c_void;

functions! {
    fn fmi2GetFMUstate(place: *mut State) |instance| { keep(instance, place, Instance::keep) }

    fn fmi2SetFMUstate(state: State) |instance| { instance.restore(kept(state)?) }

    fn fmi2FreeFMUstate(place: *mut State) |instance| {
        release(instance, place);
        Ok(())
    }

    fn fmi2SerializedFMUstateSize(state: State, size: *mut usize) |instance| {
        store(size, instance.serialise(kept(state)?)?.len());
        Ok(())
    }

    fn fmi2SerializeFMUstate(state: State, bytes: *mut c_char, size: usize) |instance| {
        let own = instance.serialise(kept(state)?)?;
        let place = slice_mut(bytes.cast::<u8>(), size)?;
        let place = place.get_mut(..own.len()).ok_or_else(|| format!("the state has {} bytes", own.len()))?;
        place.copy_from_slice(own);
        Ok(())
    }

    fn fmi2DeSerializeFMUstate(bytes: *const c_char, size: usize, place: *mut State) |instance| {
        let bytes = slice(bytes.cast::<u8>(), size)?;
        keep(instance, place, |instance| instance.deserialise(bytes))
    }
}
