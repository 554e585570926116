//! Builds rigid bodies in space.

mod equations;

pub(super) use equations::equations;

use crate::build::{BuildError, Frame};
use crate::kinds::multibody::spec::MultibodySpec;

/// Builds the subsystem.
pub(super) fn build(
    _system: &MultibodySpec,
    _frame: &Frame<'_>,
) -> Result<cosimo_native::FreeBody, BuildError> {
    todo!()
}
