//! Vectors of `D` numbers per contact.

use nalgebra::SVector;

/// The numbers of contact `i`.
#[inline]
pub(crate) fn of_contact<const D: usize>(x: &[f64], i: usize) -> SVector<f64, D> {
    SVector::from_column_slice(&x[i * D..(i + 1) * D])
}

/// Overwrites the numbers of contact `i`.
#[inline]
pub(crate) fn set_contact<const D: usize>(x: &mut [f64], i: usize, value: &SVector<f64, D>) {
    x[i * D..(i + 1) * D].copy_from_slice(value.as_slice());
}
