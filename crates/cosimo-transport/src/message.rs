//! What goes back and forth: plain data.

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::scene::Sight;
use cosimo_subsystem::{
    Call, LoadResponse, MacroStep, PortMotion, PortState, RowMatrix, RowState, Signal, Snapshot, StepLoads,
    StepResponse,
};
use serde::{Deserialize, Serialize};

/// A call on its way to the subsystem, with its arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the arguments are those of the methods")]
#[non_exhaustive]
pub enum Request {
    /// [`set_active_rows`](cosimo_subsystem::Subsystem::set_active_rows).
    LimitResponse { needed: Vec<bool> },
    /// [`report_moves`](cosimo_subsystem::Subsystem::report_moves).
    ReportMoves { wanted: bool },
    /// [`begin`](cosimo_subsystem::Subsystem::begin).
    Begin { step: MacroStep, start_loads: Vec<f64> },
    /// [`begin_predicted`](cosimo_subsystem::Subsystem::begin_predicted).
    BeginPredicted {
        step: MacroStep,
        start_loads: Vec<f64>,
        start: Vec<f64>,
        end: Vec<f64>,
        momenta: Vec<f64>,
        needs_matrices: bool,
    },
    /// [`evaluate`](cosimo_subsystem::Subsystem::evaluate).
    Evaluate { impulses: Vec<f64> },
    /// [`respond`](cosimo_subsystem::Subsystem::respond).
    Respond { motion: PortMotion },
    /// [`evaluate_rows`](cosimo_subsystem::Subsystem::evaluate_rows).
    EvaluateRows { impulses: Vec<f64> },
    /// [`commit`](cosimo_subsystem::Subsystem::commit).
    Commit { loads: StepLoads },
    /// [`discard`](cosimo_subsystem::Subsystem::discard).
    Discard,
    /// [`prepare_jump`](cosimo_subsystem::Subsystem::prepare_jump).
    PrepareJump { size: f64 },
    /// [`jump`](cosimo_subsystem::Subsystem::jump).
    Jump { impulses: Vec<f64> },
    /// [`project_positions`](cosimo_subsystem::Subsystem::project_positions).
    Shift { weights: Vec<f64> },
    /// [`set_inputs`](cosimo_subsystem::Subsystem::set_inputs).
    SetInputs { inputs: Vec<Signal> },
    /// [`outputs`](cosimo_subsystem::Subsystem::outputs).
    Outputs { inputs: Vec<f64> },
    /// [`look`](cosimo_subsystem::Subsystem::look).
    Look { loads: Vec<f64> },
    /// [`save`](cosimo_subsystem::Subsystem::save).
    Save,
    /// [`restore`](cosimo_subsystem::Subsystem::restore).
    Restore { snapshot: Snapshot },
}

/// What a call that succeeded returns, and what it changes of what shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Answer {
    /// Of `begin`, `evaluate` and `evaluate_rows`.
    Response(StepResponse),
    /// Of `begin_predicted`, where the rows are those under the loads.
    ResponseUnderLoads(StepResponse),
    /// Of `respond`.
    Loads(LoadResponse),
    /// Of `set_inputs`.
    InputsSet,
    /// Of `outputs`.
    Outputs(Vec<f64>),
    /// Of `commit`.
    Committed(StepEnergy, Present),
    /// Of `prepare_jump`.
    Prepared(RowMatrix),
    /// Of `jump`, `project_positions` and `restore`.
    Moved(Present),
    /// Of `look`.
    Seen(Sight),
    /// Of `save`.
    Saved(Snapshot),
    /// Of `set_active_rows` and `report_moves`.
    Limited,
    /// Of `discard`.
    Discarded,
}

/// What shows of the present state.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Present {
    /// The rows.
    pub rows: RowState,
    /// The energy (J).
    pub energy: Energy,
    /// Work that prescribed motions did in the last jump (J).
    pub jump_work: f64,
    /// The quantities of the description.
    pub observed: Vec<f64>,
    /// The outputs, where none of them depends on inputs and all are known; else none.
    pub outputs: Vec<f64>,
}

impl Request {
    /// Name of the call.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Begin { .. } => "begin",
            Self::BeginPredicted { .. } => "begin_predicted",
            Self::Evaluate { .. } => "evaluate",
            Self::EvaluateRows { .. } => "evaluate_rows",
            Self::Respond { .. } => "respond",
            Self::Commit { .. } => "commit",
            Self::LimitResponse { .. } => "set_active_rows",
            Self::ReportMoves { .. } => "report_moves",
            Self::Discard => "discard",
            Self::PrepareJump { .. } => "prepare_jump",
            Self::Jump { .. } => "jump",
            Self::Shift { .. } => "project_positions",
            Self::SetInputs { .. } => "set_inputs",
            Self::Outputs { .. } => "outputs",
            Self::Look { .. } => "look",
            Self::Save => "save",
            Self::Restore { .. } => "restore",
        }
    }

    /// Whether it changes neither the state nor the step begun.
    pub(crate) fn is_question(&self) -> bool {
        matches!(self, Self::Save | Self::Look { .. } | Self::Outputs { .. })
    }

    /// Whether it begins a step or takes it.
    pub(crate) fn is_of_step(&self) -> bool {
        matches!(self, Self::Begin { .. } | Self::BeginPredicted { .. } | Self::Commit { .. })
    }

    /// Whether this is the request for `call`, bit for bit.
    pub(crate) fn is(&self, call: Call<'_>) -> bool {
        match (self, call) {
            (Self::Begin { step, start_loads }, Call::Begin(other, loads)) => {
                same_bits(&[step.time, step.size], &[other.time, other.size]) && same_bits(start_loads, loads)
            }
            (
                Self::BeginPredicted { step, start_loads, start, end, momenta, needs_matrices },
                Call::BeginPredicted(other, loads, expected),
            ) => {
                same_bits(&[step.time, step.size], &[other.time, other.size])
                    && same_bits(start_loads, loads)
                    && same_bits(start, expected.start)
                    && same_bits(end, expected.end)
                    && same_bits(momenta, expected.momenta)
                    && *needs_matrices == expected.needs_matrices
            }
            (Self::Evaluate { impulses }, Call::Evaluate(others))
            | (Self::EvaluateRows { impulses }, Call::EvaluateRows(others)) => same_bits(impulses, others),
            (Self::Respond { motion }, Call::Respond(other)) => same_motion(motion, other),
            (Self::Commit { loads }, Call::Commit(others)) => same_loads(loads, others),
            _ => false,
        }
    }
}

fn same_motion(a: &PortMotion, b: &PortMotion) -> bool {
    let same_state = |a: &PortState, b: &PortState| {
        let (p, q) = (a.orientations.as_slice(), b.orientations.as_slice());
        same_bits(&a.positions, &b.positions)
            && same_bits(&a.velocities, &b.velocities)
            && p.len() == q.len()
            && p.iter().zip(q).all(|(p, q)| same_bits(p.coords.as_slice(), q.coords.as_slice()))
    };
    same_state(&a.start, &b.start) && same_state(&a.end, &b.end)
}

fn same_loads(a: &StepLoads, b: &StepLoads) -> bool {
    let (m, n) = (&a.moments, &b.moments);
    let same_moments = || {
        same_bits(&m.velocity, &n.velocity)
            && same_bits(&m.velocity_damped, &n.velocity_damped)
            && same_bits(&m.position, &n.position)
            && same_bits(&m.position_damped, &n.position_damped)
    };
    same_bits(&a.impulses, &b.impulses)
        && same_bits(&a.momenta, &b.momenta)
        && a.has_moves == b.has_moves
        && (!a.has_moves || same_bits(&a.moves, &b.moves))
        && same_motion(&a.motion, &b.motion)
        && a.has_moments == b.has_moments
        && (!a.has_moments || same_moments())
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Storage;

    #[test]
    fn requests_are_compared_bit_for_bit() {
        let mut storage = Storage::default();
        let step = MacroStep { time: 0.5, size: 1e-3 };
        let begin = storage.request(Call::Begin(step, &[0.0, f64::NAN]));
        assert!(begin.is(Call::Begin(step, &[0.0, f64::NAN])));
        assert!(!begin.is(Call::Begin(step, &[-0.0, f64::NAN])));
        assert!(!begin.is(Call::Begin(MacroStep { time: 0.6, ..step }, &[0.0, f64::NAN])));
        assert!(!begin.is(Call::Evaluate(&[0.0, f64::NAN])));
    }

    #[test]
    fn moments_count_only_where_there_are_any() {
        let mut storage = Storage::default();
        let mut loads = StepLoads::zeros(1);
        let commit = storage.request(Call::Commit(&loads));
        loads.moments.position[0] = 1.0;
        assert!(commit.is(Call::Commit(&loads)));
        loads.has_moments = true;
        assert!(!commit.is(Call::Commit(&loads)));
        let commit = storage.request(Call::Commit(&loads));
        assert!(commit.is(Call::Commit(&loads)));
        loads.moments.velocity[0] = 2.0;
        assert!(!commit.is(Call::Commit(&loads)));
    }
}
