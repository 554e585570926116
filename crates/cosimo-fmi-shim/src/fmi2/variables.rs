//! Values and derivatives.

use std::ffi::{c_char, c_int};

use super::{Boolean, Reference};
use crate::c::{functions, slice, slice_mut, texts};
use crate::protocol::{Kind, Value};

functions! {
    fn fmi2GetReal(references: *const Reference, count: usize, values: *mut f64) |instance| {
        let (references, values) = (slice(references, count)?, slice_mut(values, count)?);
        instance.get(references, Kind::Real, values, Value::real)
    }

    fn fmi2GetInteger(references: *const Reference, count: usize, values: *mut c_int) |instance| {
        let (references, values) = (slice(references, count)?, slice_mut(values, count)?);
        instance.get(references, Kind::Integer, values, Value::integer)
    }

    fn fmi2GetBoolean(references: *const Reference, count: usize, values: *mut Boolean) |instance| {
        let (references, values) = (slice(references, count)?, slice_mut(values, count)?);
        let take = |value: &Value| value.boolean().map(Boolean::from);
        instance.get(references, Kind::Boolean, values, take)
    }

    /// The texts may be used until texts are read again.
    fn fmi2GetString(references: *const Reference, count: usize, values: *mut *const c_char) |instance| {
        let (references, values) = (slice(references, count)?, slice_mut(values, count)?);
        instance.get_texts(references, values)
    }

    fn fmi2SetReal(references: *const Reference, count: usize, values: *const f64) |instance| {
        let values = slice(values, count)?.iter().map(|number| Value::Real(*number)).collect();
        instance.set(slice(references, count)?, Kind::Real, values)
    }

    fn fmi2SetInteger(references: *const Reference, count: usize, values: *const c_int) |instance| {
        let values = slice(values, count)?.iter().map(|number| Value::Integer(*number)).collect();
        instance.set(slice(references, count)?, Kind::Integer, values)
    }

    fn fmi2SetBoolean(references: *const Reference, count: usize, values: *const Boolean) |instance| {
        let values = slice(values, count)?.iter().map(|flag| Value::Boolean(*flag != 0)).collect();
        instance.set(slice(references, count)?, Kind::Boolean, values)
    }

    fn fmi2SetString(references: *const Reference, count: usize, values: *const *const c_char) |instance| {
        let values = texts(values, count)?.into_iter().map(Value::Text).collect();
        instance.set(slice(references, count)?, Kind::Text, values)
    }

    fn fmi2GetDirectionalDerivative(
        unknowns: *const Reference,
        unknown_count: usize,
        knowns: *const Reference,
        known_count: usize,
        seed: *const f64,
        derivative: *mut f64,
    ) |instance| {
        let (knowns, seed) = (slice(knowns, known_count)?, slice(seed, known_count)?);
        let unknowns = (slice(unknowns, unknown_count)?, unknown_count);
        let numbers = instance.derivative(unknowns, knowns, seed)?;
        slice_mut(derivative, unknown_count)?.copy_from_slice(&numbers);
        Ok(())
    }
}
