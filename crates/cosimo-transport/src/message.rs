//! What goes back and forth: plain data, and the storage that it is in.

use cosimo_subsystem::{
    Call, Energy, Ledger, LoadResponse, MacroStep, PortMotion, PortState, RowState, Signal, Snapshot,
    Statistics, StepLoads, StepResponse, SubsystemError,
};
use nalgebra::DMatrix;

/// A call on its way to the subsystem.
#[derive(Debug)]
pub(crate) enum Request {
    Begin { step: MacroStep, start_loads: Vec<f64> },
    Evaluate { impulses: Vec<f64> },
    Respond { motion: PortMotion },
    EvaluateRows { impulses: Vec<f64> },
    Commit { loads: StepLoads },
    Discard,
    PrepareJump { size: f64 },
    Jump { impulses: Vec<f64> },
    Shift { weights: Vec<f64> },
    SetInputs { inputs: Vec<Signal> },
    Outputs { inputs: Vec<f64> },
    Save,
    Restore { snapshot: Snapshot },
}

/// What a call that succeeded returns, and what it changes of what shows.
#[derive(Debug)]
pub(crate) enum Answer {
    /// Of `begin`, `evaluate` and `evaluate_rows`.
    Response(StepResponse),
    /// Of `respond`.
    Loads(LoadResponse),
    /// Of `set_inputs`.
    InputsSet,
    /// Of `outputs`.
    Outputs(Vec<f64>),
    /// Of `commit`.
    Committed(Ledger, Present),
    /// Of `prepare_jump`.
    Prepared(DMatrix<f64>),
    /// Of `jump`, `shift` and `restore`.
    Moved(Present),
    /// Of `save`.
    Saved(Snapshot),
    /// Of `discard`.
    Discarded,
}

/// What shows of the present state.
#[derive(Debug, Default)]
pub(crate) struct Present {
    pub(crate) rows: RowState,
    pub(crate) energy: Energy,
    pub(crate) jump_work: f64,
    pub(crate) observed: Vec<f64>,
}

/// The answer to a request, with the request itself: its storage is used again.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) request: Request,
    pub(crate) answer: Result<Answer, SubsystemError>,
    pub(crate) statistics: Statistics,
    pub(crate) storage: Storage,
}

/// Storage that is not in use; it goes along with every message.
#[derive(Debug, Default)]
pub(crate) struct Storage {
    numbers: Vec<f64>,
    loads: StepLoads,
    motion: PortMotion,
    signals: Vec<Signal>,
    load_response: Option<LoadResponse>,
    response: Option<StepResponse>,
    present: Present,
    matrix: Option<DMatrix<f64>>,
}

impl Storage {
    /// The request for a call that can be announced.
    pub(crate) fn request(&mut self, call: Call<'_>) -> Request {
        match call {
            Call::Begin(step, loads) => Request::Begin { step, start_loads: self.numbers(loads) },
            Call::Evaluate(impulses) => Request::Evaluate { impulses: self.numbers(impulses) },
            Call::Respond(motion) => {
                let mut copy = std::mem::take(&mut self.motion);
                copy.copy_from(motion);
                Request::Respond { motion: copy }
            }
            Call::EvaluateRows(impulses) => Request::EvaluateRows { impulses: self.numbers(impulses) },
            Call::Commit(loads) => {
                let mut copy = std::mem::take(&mut self.loads);
                copy.impulses.clone_from(&loads.impulses);
                copy.has_moments = loads.has_moments;
                copy.motion.copy_from(&loads.motion);
                if loads.has_moments {
                    let (to, from) = (&mut copy.moments, &loads.moments);
                    to.velocity.clone_from(&from.velocity);
                    to.velocity_damped.clone_from(&from.velocity_damped);
                    to.position.clone_from(&from.position);
                    to.position_damped.clone_from(&from.position_damped);
                }
                Request::Commit { loads: copy }
            }
        }
    }

    /// A copy of these numbers.
    pub(crate) fn numbers(&mut self, values: &[f64]) -> Vec<f64> {
        let mut copy = std::mem::take(&mut self.numbers);
        copy.clear();
        copy.extend_from_slice(values);
        copy
    }

    /// A copy of this response.
    pub(crate) fn response(&mut self, from: &StepResponse) -> StepResponse {
        let mut copy = self.response.take().unwrap_or_else(|| StepResponse::zeros(0));
        copy.positions.clone_from(&from.positions);
        copy.velocities.clone_from(&from.velocities);
        copy_matrix(&from.compliance, &mut copy.compliance);
        copy_matrix(&from.damped_compliance, &mut copy.damped_compliance);
        copy.weights = from.weights;
        copy.revision = from.revision;
        copy
    }

    /// A copy of these courses of inputs.
    pub(crate) fn signals(&mut self, inputs: &[Signal]) -> Vec<Signal> {
        let mut copy = std::mem::take(&mut self.signals);
        copy.clear();
        copy.extend_from_slice(inputs);
        copy
    }

    /// A copy of these loads.
    pub(crate) fn load_response(&mut self, from: &LoadResponse) -> LoadResponse {
        let mut copy = self.load_response.take().unwrap_or_else(|| LoadResponse::zeros(0));
        copy.start.clone_from(&from.start);
        copy.end.clone_from(&from.end);
        copy_matrix(&from.position_tangent, &mut copy.position_tangent);
        copy_matrix(&from.velocity_tangent, &mut copy.velocity_tangent);
        copy
    }

    /// A copy of this matrix.
    pub(crate) fn matrix(&mut self, from: &DMatrix<f64>) -> DMatrix<f64> {
        let mut copy = self.matrix.take().unwrap_or_else(|| DMatrix::zeros(0, 0));
        copy_matrix(from, &mut copy);
        copy
    }

    /// Storage for what shows of a state.
    pub(crate) fn present(&mut self) -> Present {
        std::mem::take(&mut self.present)
    }

    /// Takes back the storage of a request that was answered.
    pub(crate) fn take_back(&mut self, request: Request) {
        match request {
            Request::Begin { start_loads: numbers, .. }
            | Request::Evaluate { impulses: numbers }
            | Request::EvaluateRows { impulses: numbers }
            | Request::Jump { impulses: numbers }
            | Request::Shift { weights: numbers }
            | Request::Outputs { inputs: numbers } => self.numbers = numbers,
            Request::Respond { motion } => self.motion = motion,
            Request::SetInputs { inputs } => self.signals = inputs,
            Request::Commit { loads } => self.loads = loads,
            Request::Discard | Request::PrepareJump { .. } | Request::Save | Request::Restore { .. } => {}
        }
    }

    /// Takes back the storage of an answer that is used up.
    pub(crate) fn take_back_answer(&mut self, answer: Answer) {
        match answer {
            Answer::Response(response) => self.response = Some(response),
            Answer::Committed(_, present) | Answer::Moved(present) => self.present = present,
            Answer::Prepared(matrix) => self.matrix = Some(matrix),
            Answer::Loads(response) => self.load_response = Some(response),
            Answer::Outputs(numbers) => self.numbers = numbers,
            Answer::Saved(_) | Answer::Discarded | Answer::InputsSet => {}
        }
    }
}

impl Request {
    /// Whether this is the request for `call`, bit for bit.
    pub(crate) fn is(&self, call: Call<'_>) -> bool {
        match (self, call) {
            (Self::Begin { step, start_loads }, Call::Begin(other, loads)) => {
                same_bits(&[step.time, step.size], &[other.time, other.size]) && same_bits(start_loads, loads)
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
        && same_motion(&a.motion, &b.motion)
        && a.has_moments == b.has_moments
        && (!a.has_moments || same_moments())
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

fn copy_matrix(from: &DMatrix<f64>, to: &mut DMatrix<f64>) {
    if from.shape() == to.shape() {
        to.copy_from(from);
    } else {
        to.clone_from(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
