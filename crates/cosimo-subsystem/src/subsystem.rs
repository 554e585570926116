//! The trait.

use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

use crate::{Description, Energy, Ledger, RowState, Snapshot, StepLoads, StepResponse, SubsystemError};

/// One macro step, from `time` to `time + size` (s).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct MacroStep {
    /// Start (s). Communication points are computed from the index of the step, never accumulated.
    pub time: f64,
    /// Size (s), positive.
    pub size: f64,
}

/// Work done by a subsystem so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// Steps committed.
    pub steps: u64,
    /// Responses computed: begins and evaluations.
    pub evaluations: u64,
    /// Newton iterations of the subsystem's own solver.
    pub newton_iterations: u64,
    /// Times that a step begun was given up, or a state restored.
    pub rollbacks: u64,
    /// Numeric factorisations.
    pub factorizations: u64,
    /// Refreshes of a compliance that is found by finite differences or estimated.
    pub refreshes: u64,
}

impl Statistics {
    /// The work of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.with(other, u64::saturating_add)
    }

    /// The work since `earlier`.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        self.with(earlier, u64::saturating_sub)
    }

    fn with(self, other: Self, rule: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            steps: rule(self.steps, other.steps),
            evaluations: rule(self.evaluations, other.evaluations),
            newton_iterations: rule(self.newton_iterations, other.newton_iterations),
            rollbacks: rule(self.rollbacks, other.rollbacks),
            factorizations: rule(self.factorizations, other.factorizations),
            refreshes: rule(self.refreshes, other.refreshes),
        }
    }
}

/// A call that is about to come, see [`Subsystem::post`].
#[derive(Debug, Clone, Copy)]
pub enum Call<'a> {
    /// [`Subsystem::begin`] with these arguments.
    Begin(MacroStep, &'a [f64]),
    /// [`Subsystem::evaluate`] with these impulses.
    Evaluate(&'a [f64]),
    /// [`Subsystem::commit`] with these loads.
    Commit(&'a StepLoads),
}

/// A subsystem as the master sees it. See the crate's documentation for the order of calls.
///
/// Guarantees that every implementation gives, and that the conformance suite checks:
/// - a call is a pure function of the state and its arguments: the same bits every time;
/// - `begin`, `evaluate`, `discard` and every call that returns an error leave the state as it was;
/// - loads are checked: wrong lengths and numbers that are not finite are errors, never panics;
/// - no call allocates after the first step, errors excepted.
pub trait Subsystem: Send {
    /// Name, ports, contacts, quantities and capabilities.
    fn description(&self) -> &Description;

    /// The rows at the present communication point.
    fn rows(&self) -> &RowState;

    /// Energy of the present state (J).
    fn energy(&self) -> Energy;

    /// Begins a step: the free response of the rows (no loads) and the compliance.
    ///
    /// `start_loads` are the finite loads (N) on the rows at the start of the step, zero where unknown; solvers that
    /// begin anew need them for consistent accelerations.
    ///
    /// # Errors
    /// The step is impossible or the solver failed.
    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError>;

    /// The response to these impulses `X` (N s), one a row; repeatable.
    ///
    /// # Errors
    /// No step begun, bad loads, or the solver failed.
    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError>;

    /// Takes the step with these loads.
    ///
    /// # Errors
    /// No step begun, bad loads, or the solver failed.
    fn commit(&mut self, loads: &StepLoads) -> Result<Ledger, SubsystemError>;

    /// Forgets the step begun.
    fn discard(&mut self);

    /// Prepares a velocity jump at the present communication point: the compliance `W`, `r × r` (1/kg), of the row
    /// velocities to impulses now, for an integration that goes on with steps of size `size` (s).
    ///
    /// # Errors
    /// The subsystem takes no impulses between steps, or its tangent is singular.
    fn prepare_jump(&mut self, size: f64) -> Result<&DMatrix<f64>, SubsystemError>;

    /// Changes the velocity at the present communication point by these impulses (N s), one a row, as prepared.
    ///
    /// # Errors
    /// As [`prepare_jump`](Self::prepare_jump), or bad loads.
    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError>;

    /// Moves the present position by what [`jump`](Self::jump) would change the velocity by: `weights` in kg m, one
    /// a row. For initial states that violate an interface.
    ///
    /// # Errors
    /// As [`jump`](Self::jump).
    fn shift(&mut self, weights: &[f64]) -> Result<(), SubsystemError>;

    /// Writes the quantities of the description at the present communication point.
    fn observe(&self, out: &mut [f64]);

    /// Everything that influences the future.
    ///
    /// # Errors
    /// The subsystem cannot be saved.
    fn save(&self) -> Result<Snapshot, SubsystemError>;

    /// Goes back to a saved state, bit for bit.
    ///
    /// # Errors
    /// The snapshot does not fit; the state is then unchanged.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError>;

    /// Work done so far.
    fn statistics(&self) -> Statistics;

    /// Announces the next call, so that a subsystem that runs elsewhere can start on it at once. The call itself
    /// follows with the same arguments; a begin or an evaluation may also stay away, a commit may not
    /// ([`SubsystemError::CommitAnnounced`]). Default: nothing.
    fn post(&mut self, _call: Call<'_>) {}

    /// Whether it makes anything of calls that are [posted](Self::post): to others nothing need be posted. Default: no.
    fn takes_posts(&self) -> bool {
        false
    }
}

/// A boxed subsystem is one too.
impl<S: Subsystem + ?Sized> Subsystem for Box<S> {
    fn description(&self) -> &Description {
        (**self).description()
    }

    fn rows(&self) -> &RowState {
        (**self).rows()
    }

    fn energy(&self) -> Energy {
        (**self).energy()
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        (**self).begin(step, start_loads)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        (**self).evaluate(impulses)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<Ledger, SubsystemError> {
        (**self).commit(loads)
    }

    fn discard(&mut self) {
        (**self).discard();
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&DMatrix<f64>, SubsystemError> {
        (**self).prepare_jump(size)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        (**self).jump(impulses)
    }

    fn shift(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        (**self).shift(weights)
    }

    fn observe(&self, out: &mut [f64]) {
        (**self).observe(out);
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        (**self).save()
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        (**self).restore(snapshot)
    }

    fn statistics(&self) -> Statistics {
        (**self).statistics()
    }

    fn post(&mut self, call: Call<'_>) {
        (**self).post(call);
    }

    fn takes_posts(&self) -> bool {
        (**self).takes_posts()
    }
}
