//! The inertia of a body in space, the same for every kind.

use cosimo_multibody::spatial::{RigidBody, SpatialError};
use nalgebra::Matrix3;

use crate::spec::{Coordinates, MatrixSpec};
use crate::toml::{Reader, Value};

/// Reads `inertia`: three principal moments or a matrix (kg m²), such as a body can have.
pub(crate) fn read_inertia(body: &Reader<'_>) -> MatrixSpec {
    let expected = "three principal moments, or a list of three rows";
    let read = |value: &Value<'_>| {
        let matrix = Coordinates::indexed(Some(3)).matrix(value)?;
        match RigidBody::new(1.0, inertia(&matrix)) {
            Ok(_) => Some(matrix),
            Err(SpatialError::Inertia { reason }) => {
                value.error(format_args!("is that of no body: {reason}"));
                None
            }
            Err(error) => {
                value.error(format_args!("is that of no body: {error}"));
                None
            }
        }
    };
    let inertia = body.entry("inertia", expected, read);
    let inertia =
        inertia.placed(|placement, inertia| inertia.mirrored(|i, j| placement.mirror().of_entry(i, j)));
    let inertia = inertia.required_option();
    inertia.unwrap_or_else(|| MatrixSpec::Diagonal(vec![1.0; 3]))
}

/// The matrix of an inertia that was read.
pub(crate) fn inertia(matrix: &MatrixSpec) -> Matrix3<f64> {
    matrix.to_dense().fixed_view::<3, 3>(0, 0).into_owned()
}
