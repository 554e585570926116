//! A part of a macro step.

use crate::laws::equation::Mode;

/// A part of a macro step, or all of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StepPart {
    /// Its start (s).
    pub(crate) time: f64,
    /// Its size (s).
    pub(crate) size: f64,
    /// Size of the macro step (s).
    pub(crate) macro_size: f64,
    /// The equations of its joints.
    pub(crate) mode: Mode,
}
