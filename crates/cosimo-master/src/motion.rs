//! Positions and velocities of rows.

/// Positions and velocities of some rows at one time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Motion<'a> {
    pub(crate) positions: &'a [f64],
    pub(crate) velocities: &'a [f64],
}
