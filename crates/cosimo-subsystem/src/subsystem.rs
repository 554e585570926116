//! The trait.

use std::sync::LazyLock;

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_scene::{Pose, Sight};
use serde::{Deserialize, Serialize};

use crate::cost::RemoteCost;
use crate::{
    Description, LoadResponse, MacroStep, PortMotion, RowMatrix, RowState, Signal, Snapshot, StepLoads,
    StepResponse, SubsystemError,
};

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
    /// Refreshes of an inverse mass that costs more than the answer of the rows: found by finite differences or estimated, or of
    /// one right-hand side per row.
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

/// Loads of load ports over a step that is about to begin, one per row (N).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedLoads<'a> {
    /// At the start of the step.
    pub start: &'a [f64],
    /// At its end, as predicted.
    pub end: &'a [f64],
    /// The part of the start loads, those of the step, that belongs to momenta (N): a rule that begins anew balances its
    /// accelerations with them, and integrates them with the momenta.
    pub momenta: &'a [f64],
    /// Whether the matrices of the response are needed. Otherwise they may be those of an earlier step of the same size.
    pub needs_matrices: bool,
}

/// What a subsystem answers that begins a step under expected loads.
#[derive(Debug)]
pub enum Begun<'a> {
    /// The response without loads, that of [`Subsystem::begin`].
    Free(&'a StepResponse),
    /// The response whose rows are those at the impulses `X̄ = end λ₁ + start λ₀` of the expected loads, by its own weights.
    UnderLoads(&'a StepResponse),
}

/// A call that is about to come, see [`Subsystem::prefetch`].
#[derive(Debug, Clone, Copy)]
pub enum Call<'a> {
    /// [`Subsystem::begin`] with these arguments.
    Begin(MacroStep, &'a [f64]),
    /// [`Subsystem::begin_predicted`] with these arguments.
    BeginPredicted(MacroStep, &'a [f64], ExpectedLoads<'a>),
    /// [`Subsystem::evaluate`] with these impulses.
    Evaluate(&'a [f64]),
    /// [`Subsystem::evaluate_rows`] with these impulses.
    EvaluateRows(&'a [f64]),
    /// [`Subsystem::commit`] with these loads.
    Commit(&'a StepLoads),
    /// [`Subsystem::respond`] with this motion.
    Respond(&'a PortMotion),
}

/// The rows of a subsystem that has none.
pub(crate) static NO_ROWS: RowState = RowState {
    positions: Vec::new(),
    velocities: Vec::new(),
    surface_velocities: Vec::new(),
    orientations: Vec::new(),
    absent: Vec::new(),
    holders: Vec::new(),
    scales: Vec::new(),
};

/// The response of a subsystem without rows.
pub(crate) static NO_RESPONSE: LazyLock<StepResponse> = LazyLock::new(|| StepResponse::zeros(0));

/// A subsystem as the master sees it. See the crate's documentation for the order of calls.
///
/// What a subsystem cannot do has a default: without ports there are no rows, without mechanics no energy, and calls that
/// need a capability are refused. A subsystem with ports implements [`rows`](Self::rows), [`energy`](Self::energy),
/// [`begin`](Self::begin) and [`commit`](Self::commit), one with load ports [`respond`](Self::respond) and
/// [`commit`](Self::commit), a controller [`set_inputs`](Self::set_inputs), [`outputs`](Self::outputs) and
/// [`commit`](Self::commit).
///
/// Guarantees that every implementation gives, and that the conformance suite checks:
/// - a call is a pure function of the state and its arguments: the same bits every time;
/// - `begin`, `evaluate`, `respond`, `outputs`, `discard` and every call that returns an error leave the state as it was;
/// - loads are checked: wrong lengths and numbers that are not finite are errors, never panics;
/// - no call allocates after the first step, errors excepted.
pub trait Subsystem: Send {
    /// Name, ports, contacts, signals, quantities and capabilities.
    fn description(&self) -> &Description;

    /// The rows at the present communication point. Default: none.
    fn rows(&self) -> &RowState {
        &NO_ROWS
    }

    /// Energy of the present state (J). Default: zero.
    fn energy(&self) -> Energy {
        Energy::default()
    }

    /// Says which rows need a response to impulses, one entry per row: those on which joints or contacts act. Of the others the master
    /// asks the motion under given loads only; the matrices may leave them out, as [`RowBlocks::over`](crate::RowBlocks::over) does,
    /// and no impulses of jumps act on them. Of a subsystem with load ports, one entry per load coordinate: which of them need tangents;
    /// where none does, [`respond`](Self::respond) may leave the tangents `0 × 0`. Not a part of the state; said between steps, if at
    /// all, also more than once. Default: nothing, for subsystems that give the response of all rows.
    fn set_active_rows(&mut self, _needed: &[bool]) {}

    /// Says whether the response is to give the [`move_mass`](StepResponse::move_mass) from now on, of subsystems that
    /// [take moves](crate::Capabilities::takes_moves) and have stiffness. Not a part of the state; said between steps. Default: nothing.
    fn report_moves(&mut self, _wanted: bool) {}

    /// Begins a step: the free response of the rows (no loads, no momenta) and the inverse mass. Default, for subsystems without rows that need
    /// not know the step before it is taken: an empty response.
    ///
    /// `start_loads` are the finite loads (N) on the rows at the start of the step, zero where unknown; solvers that
    /// begin anew need them for consistent accelerations.
    ///
    /// # Errors
    /// The step is impossible or the solver failed.
    fn begin(&mut self, _step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description().check_loads(start_loads)?;
        match self.description().rows() {
            0 => Ok(&NO_RESPONSE),
            _ => Err(self.unsupported("take steps")),
        }
    }

    /// Begins a step on whose rows loads are expected, and may answer under them at once. It spares a subsystem that is expensive to
    /// solve the step without loads, which nobody asks for, and matrices that are not needed; and it starts the evaluations to
    /// come near to where they end. Asked of subsystems with rows that need no response, see
    /// [`set_active_rows`](Self::set_active_rows), and where start loads of momenta are known. Default: [`begin`](Self::begin).
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    fn begin_predicted(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        _expected: ExpectedLoads<'_>,
    ) -> Result<Begun<'_>, SubsystemError> {
        self.begin(step, start_loads).map(Begun::Free)
    }

    /// The response to these impulses `X` (N s), one per row; repeatable. Default: refused.
    ///
    /// # Errors
    /// No step begun, bad loads, or the solver failed.
    fn evaluate(&mut self, _impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        Err(self.unsupported("evaluate a step before it is taken"))
    }

    /// The end rows at these impulses, the same bits as those of [`evaluate`](Self::evaluate); the matrices and their revision
    /// may stay those of the last `begin` or `evaluate` of the step. It spares a subsystem whose inverse mass is expensive the
    /// computation of one that the master does not ask for. Default: `evaluate`.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    fn evaluate_rows(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.evaluate(impulses)
    }

    /// The loads of the load ports for this motion of theirs over the step begun; repeatable. Default: refused.
    ///
    /// # Errors
    /// No step begun, a motion that does not fit, or the solver failed.
    fn respond(&mut self, _motion: &PortMotion) -> Result<&LoadResponse, SubsystemError> {
        Err(self.unsupported("answer a motion with loads"))
    }

    /// Takes the step with these loads, and with this motion of the load ports.
    ///
    /// # Errors
    /// No step begun, bad loads, or the solver failed.
    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError>;

    /// Forgets the step begun. Default: nothing, for subsystems that keep nothing of it.
    fn discard(&mut self) {}

    /// Prepares a velocity jump at the present communication point: the inverse mass `W`, `r × r` (1/kg), of the row
    /// velocities to impulses now, for an integration that goes on with steps of size `size` (s). Default: refused.
    ///
    /// # Errors
    /// The subsystem takes no impulses between steps, or its tangent is singular.
    fn prepare_jump(&mut self, _size: f64) -> Result<&RowMatrix, SubsystemError> {
        Err(self.unsupported("take impulses between steps"))
    }

    /// Changes the velocity at the present communication point by these impulses (N s), one per row, as prepared.
    /// Default: refused.
    ///
    /// # Errors
    /// As [`prepare_jump`](Self::prepare_jump), or bad loads.
    fn jump(&mut self, _impulses: &[f64]) -> Result<(), SubsystemError> {
        Err(self.unsupported("take impulses between steps"))
    }

    /// Work (J) that prescribed motions of the subsystem did in the last [`jump`](Self::jump): a motor that keeps its speed
    /// at an impact does some. It is external work, and a part of the change of energy. Default: none.
    fn jump_work(&self) -> f64 {
        0.0
    }

    /// Moves the present position by what [`jump`](Self::jump) would change the velocity by: `weights` in kg m, one
    /// a row. For initial states that violate an interface. Default: refused.
    ///
    /// # Errors
    /// As [`jump`](Self::jump).
    fn project_positions(&mut self, _weights: &[f64]) -> Result<(), SubsystemError> {
        Err(self.unsupported("be moved between steps"))
    }

    /// Sets the courses of all inputs from the present communication point on, in the order of the description. Not a part of
    /// the state: they are set before every macro step. Default: refused where there are inputs.
    ///
    /// # Errors
    /// [`SubsystemError::BadInputs`].
    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        if inputs.is_empty() { Ok(()) } else { Err(self.unsupported("take signals")) }
    }

    /// Writes the outputs at the present communication point, in the order of the description, for these values of the
    /// inputs there; of inputs that do not feed through, the values do not matter. Default: refused where there are outputs.
    ///
    /// # Errors
    /// The outputs cannot be computed in this state.
    fn outputs(&self, _inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        if out.is_empty() { Ok(()) } else { Err(self.unsupported("give signals")) }
    }

    /// Writes the quantities of the description at the present communication point. Default: none.
    fn observe(&self, _out: &mut [f64]) {}

    /// Writes where the bodies of the description are at the present communication point, and the forces of its contacts that are not
    /// zero. `loads` are the finite loads (N) on the rows there, from which the forces of those contacts follow that are rows. Default: of
    /// a subsystem without bodies, nothing; the poses of others are unknown.
    ///
    /// # Errors
    /// Bad loads, or the subsystem runs elsewhere and cannot be asked.
    fn look(&self, _loads: &[f64], out: &mut Sight) -> Result<(), SubsystemError> {
        out.clear();
        out.poses.resize(self.description().appearance.bodies.len(), Pose::unknown());
        Ok(())
    }

    /// Everything that influences the future. Default: refused.
    ///
    /// # Errors
    /// The subsystem cannot be saved.
    fn save(&self) -> Result<Snapshot, SubsystemError> {
        Err(self.unsupported("be saved"))
    }

    /// Goes back to a saved state, bit for bit. Default: refused.
    ///
    /// # Errors
    /// The snapshot does not fit; the state is then unchanged.
    fn restore(&mut self, _snapshot: &Snapshot) -> Result<(), SubsystemError> {
        Err(self.unsupported("be restored"))
    }

    /// Work done so far. Default: none counted.
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }

    /// Processor time that it has taken so far in another thread or process, where it runs in one. Default: none, its calls
    /// take the time of the thread that makes them.
    fn remote_cost(&self) -> Option<RemoteCost> {
        None
    }

    /// Announces the next call, so that a subsystem that runs elsewhere can start on it at once. The call itself
    /// follows with the same arguments; a begin, an evaluation or a response may also stay away, a commit may not
    /// ([`SubsystemError::CommitPrefetched`]). Default: nothing.
    fn prefetch(&mut self, _call: Call<'_>) {}

    /// Whether it starts on calls that are [prefetched](Self::prefetch): to others nothing need be prefetched. Default: no.
    fn is_asynchronous(&self) -> bool {
        false
    }

    /// The error of a call that it does not support; `action` is a verb phrase.
    #[doc(hidden)]
    fn unsupported(&self, action: &'static str) -> SubsystemError {
        SubsystemError::Unsupported { subsystem: self.description().name.clone(), action: action.into() }
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

    fn set_active_rows(&mut self, needed: &[bool]) {
        (**self).set_active_rows(needed);
    }

    fn report_moves(&mut self, wanted: bool) {
        (**self).report_moves(wanted);
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        (**self).begin(step, start_loads)
    }

    fn begin_predicted(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: ExpectedLoads<'_>,
    ) -> Result<Begun<'_>, SubsystemError> {
        (**self).begin_predicted(step, start_loads, expected)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        (**self).evaluate(impulses)
    }

    fn evaluate_rows(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        (**self).evaluate_rows(impulses)
    }

    fn respond(&mut self, motion: &PortMotion) -> Result<&LoadResponse, SubsystemError> {
        (**self).respond(motion)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        (**self).commit(loads)
    }

    fn discard(&mut self) {
        (**self).discard();
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        (**self).prepare_jump(size)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        (**self).jump(impulses)
    }

    fn jump_work(&self) -> f64 {
        (**self).jump_work()
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        (**self).project_positions(weights)
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        (**self).set_inputs(inputs)
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        (**self).outputs(inputs, out)
    }

    fn observe(&self, out: &mut [f64]) {
        (**self).observe(out);
    }

    fn look(&self, loads: &[f64], out: &mut Sight) -> Result<(), SubsystemError> {
        (**self).look(loads, out)
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

    fn remote_cost(&self) -> Option<RemoteCost> {
        (**self).remote_cost()
    }

    fn prefetch(&mut self, call: Call<'_>) {
        (**self).prefetch(call);
    }

    fn is_asynchronous(&self) -> bool {
        (**self).is_asynchronous()
    }
}
