//! Values and derivatives.

use std::ffi::c_char;

use super::Reference;
use crate::c::{functions, slice, slice_mut, texts};
use crate::protocol::{Kind, Value};

functions! {
    fn fmi3GetFloat64(references: *const Reference, count: usize, values: *mut f64, value_count: usize) |instance| {
        let (references, values) = (slice(references, count)?, slice_mut(values, value_count)?);
        instance.get(references, Kind::Real, values, Value::real)
    }

    fn fmi3GetInt32(references: *const Reference, count: usize, values: *mut i32, value_count: usize) |instance| {
        let (references, values) = (slice(references, count)?, slice_mut(values, value_count)?);
        instance.get(references, Kind::Integer, values, Value::integer)
    }

    fn fmi3GetBoolean(references: *const Reference, count: usize, values: *mut bool, value_count: usize) |instance| {
        let (references, values) = (slice(references, count)?, slice_mut(values, value_count)?);
        instance.get(references, Kind::Boolean, values, Value::boolean)
    }

    /// The texts may be used until texts are read again.
    fn fmi3GetString(
        references: *const Reference,
        count: usize,
        values: *mut *const c_char,
        value_count: usize,
    ) |instance| {
        let (references, values) = (slice(references, count)?, slice_mut(values, value_count)?);
        instance.get_texts(references, values)
    }

    fn fmi3SetFloat64(references: *const Reference, count: usize, values: *const f64, value_count: usize) |instance| {
        let values = slice(values, value_count)?.iter().map(|number| Value::Real(*number)).collect();
        instance.set(slice(references, count)?, Kind::Real, values)
    }

    fn fmi3SetInt32(references: *const Reference, count: usize, values: *const i32, value_count: usize) |instance| {
        let values = slice(values, value_count)?.iter().map(|number| Value::Integer(*number)).collect();
        instance.set(slice(references, count)?, Kind::Integer, values)
    }

    fn fmi3SetBoolean(references: *const Reference, count: usize, values: *const u8, value_count: usize) |instance| {
        let values = slice(values, value_count)?.iter().map(|flag| Value::Boolean(*flag != 0)).collect();
        instance.set(slice(references, count)?, Kind::Boolean, values)
    }

    fn fmi3GetClock(references: *const Reference, count: usize, values: *mut bool) |instance| {
        let (references, values) = (slice(references, count)?, slice_mut(values, count)?);
        instance.get_clocks(references, values)
    }

    fn fmi3SetClock(references: *const Reference, count: usize, values: *const u8) |instance| {
        let values = slice(values, count)?.iter().map(|flag| Value::Boolean(*flag != 0)).collect();
        instance.set_clocks(slice(references, count)?, values)
    }

    fn fmi3SetString(
        references: *const Reference,
        count: usize,
        values: *const *const c_char,
        value_count: usize,
    ) |instance| {
        let values = texts(values, value_count)?.into_iter().map(Value::Text).collect();
        instance.set(slice(references, count)?, Kind::Text, values)
    }

    fn fmi3GetDirectionalDerivative(
        unknowns: *const Reference,
        unknown_count: usize,
        knowns: *const Reference,
        known_count: usize,
        seed: *const f64,
        seed_count: usize,
        derivative: *mut f64,
        derivative_count: usize,
    ) |instance| {
        let (knowns, seed) = (slice(knowns, known_count)?, slice(seed, seed_count)?);
        let unknowns = (slice(unknowns, unknown_count)?, derivative_count);
        let numbers = instance.derivative(unknowns, knowns, seed)?;
        slice_mut(derivative, derivative_count)?.copy_from_slice(&numbers);
        Ok(())
    }
}
