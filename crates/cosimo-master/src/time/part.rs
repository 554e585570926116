//! A macro step and its parts, how far it has come, and which equations of its joints are wanted.

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

/// How far the macro step at hand has come, and what is known of the last one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepProgress {
    /// Size of the current macro step (s), of which parts may be taken.
    pub(crate) macro_size: f64,
    /// Whether the step at hand stops at an impact instead of passing it, and whether it has.
    pub(crate) stops_at_impacts: bool,
    pub(crate) has_stopped: bool,
    /// Whether all rules begin anew in the next step: it is the first, or the first after velocities jumped at the communication point.
    pub(crate) begins_anew: bool,
    /// Whether they did in the last macro step.
    pub(crate) began_anew: bool,
    /// Size of the last macro step (s), if it was taken as a whole and its matrices are still those at hand.
    pub(crate) whole_step: Option<f64>,
    /// Size of the macro step after the one at hand (s), where it is known.
    pub(crate) next_size: Option<f64>,
}

impl StepProgress {
    /// Before the first step.
    pub(crate) fn start() -> Self {
        Self {
            macro_size: 0.0,
            stops_at_impacts: false,
            has_stopped: false,
            begins_anew: true,
            began_anew: true,
            whole_step: None,
            next_size: None,
        }
    }

    /// Begins a macro step, which will have this size (s) or be smaller.
    pub(crate) fn begin_step(&mut self, size: f64) {
        (self.macro_size, self.whole_step, self.began_anew) = (size, None, self.begins_anew);
    }

    /// Lets all rules begin anew at a communication point (s), with steps of this size (s).
    pub(crate) fn begin_anew(&mut self, time: f64, size: f64) -> StepPart {
        (self.macro_size, self.whole_step, self.begins_anew) = (size, None, true);
        self.part(time, size)
    }

    /// The part of the current macro step of this size (s) from a communication point (s) on.
    pub(crate) fn part(&self, time: f64, size: f64) -> StepPart {
        StepPart { time, size, macro_size: self.macro_size, mode: Mode::Step(size) }
    }
}
