//! A part of a macro step, and which equations of its joints are wanted.

/// Step size (s) that a projection prepares jumps for: so small that the masses alone decide.
pub(crate) const INSTANT: f64 = 1e-9;

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

/// Which equations are wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mode {
    /// Those of a step, or of a part of one, of this size (s).
    Step(f64),
    /// Those of a step so small that its impulses are the forces at its start.
    Start {
        /// Its size (s).
        size: f64,
        /// The size of the steps that follow (s): Tikhonov joints give way to forces as in these.
        step: f64,
    },
    /// Those of a step of this size (s) as impacts see it: Tikhonov joints are rigid.
    Locked(f64),
    /// Those of a velocity jump, or of a move of positions.
    Instant,
}

/// A macro step that was taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TakenStep {
    /// Its start (s).
    pub(crate) start: f64,
    /// Its size (s).
    pub(crate) size: f64,
    /// The communication point reached (s).
    pub(crate) end: f64,
}
