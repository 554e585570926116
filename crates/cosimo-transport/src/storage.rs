//! Storage that messages are made of, used again and again.

use cosimo_subsystem::scene::Sight;
use cosimo_subsystem::{Call, LoadResponse, PortMotion, RowMatrix, Signal, StepLoads, StepResponse};

use crate::message::{Answer, Present, Request};

/// Storage that is not in use; it goes along with every message, so that no step after the first allocates.
#[derive(Debug, Default)]
pub struct Storage {
    numbers: Vec<f64>,
    /// Start and end of expected loads, and start loads of momenta.
    expected: [Vec<f64>; 3],
    loads: StepLoads,
    motion: PortMotion,
    signals: Vec<Signal>,
    load_response: Option<LoadResponse>,
    response: Option<StepResponse>,
    present: Present,
    matrix: Option<RowMatrix>,
    sight: Sight,
}

impl Storage {
    /// The request for a call that can be prefetched.
    pub(crate) fn request(&mut self, call: Call<'_>) -> Request {
        match call {
            Call::Begin(step, loads) => Request::Begin { step, start_loads: self.numbers(loads) },
            Call::BeginPredicted(step, loads, expected) => {
                let mut copies = std::mem::take(&mut self.expected);
                for (copy, given) in copies.iter_mut().zip([expected.start, expected.end, expected.momenta]) {
                    copy.clear();
                    copy.extend_from_slice(given);
                }
                let [start, end, momenta] = copies;
                let start_loads = self.numbers(loads);
                let needs_matrices = expected.needs_matrices;
                Request::BeginPredicted { step, start_loads, start, end, momenta, needs_matrices }
            }
            Call::Evaluate(impulses) => Request::Evaluate { impulses: self.numbers(impulses) },
            Call::EvaluateRows(impulses) => Request::EvaluateRows { impulses: self.numbers(impulses) },
            Call::Respond(motion) => {
                let mut copy = std::mem::take(&mut self.motion);
                copy.copy_from(motion);
                Request::Respond { motion: copy }
            }
            Call::Commit(loads) => {
                let mut copy = std::mem::take(&mut self.loads);
                copy.impulses.clone_from(&loads.impulses);
                copy.momenta.clone_from(&loads.momenta);
                copy.has_moves = loads.has_moves;
                if loads.has_moves {
                    copy.moves.clone_from(&loads.moves);
                }
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
        copy.inverse_mass.copy_from(&from.inverse_mass);
        copy.damped_inverse_mass.copy_from(&from.damped_inverse_mass);
        copy.move_mass.copy_from(&from.move_mass);
        copy.weights = from.weights;
        copy.touches.clone_from(&from.touches);
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
        copy.position_tangent.copy_from(&from.position_tangent);
        copy.velocity_tangent.copy_from(&from.velocity_tangent);
        copy
    }

    /// A copy of this matrix.
    pub(crate) fn matrix(&mut self, from: &RowMatrix) -> RowMatrix {
        let mut copy = self.matrix.take().unwrap_or_else(|| RowMatrix::zeros(0));
        copy.copy_from(from);
        copy
    }

    /// Storage for what shows of a state.
    pub(crate) fn present(&mut self) -> Present {
        std::mem::take(&mut self.present)
    }

    /// Storage for what is seen of a state.
    pub(crate) fn sight(&mut self) -> Sight {
        std::mem::take(&mut self.sight)
    }

    /// Takes back the storage of a request that was answered.
    pub(crate) fn take_back(&mut self, request: Request) {
        match request {
            Request::Begin { start_loads: numbers, .. }
            | Request::Evaluate { impulses: numbers }
            | Request::EvaluateRows { impulses: numbers }
            | Request::Jump { impulses: numbers }
            | Request::Shift { weights: numbers }
            | Request::Look { loads: numbers }
            | Request::Outputs { inputs: numbers } => self.numbers = numbers,
            Request::BeginPredicted { start_loads, start, end, momenta, .. } => {
                (self.numbers, self.expected) = (start_loads, [start, end, momenta]);
            }
            Request::Respond { motion } => self.motion = motion,
            Request::SetInputs { inputs } => self.signals = inputs,
            Request::Commit { loads } => self.loads = loads,
            Request::LimitResponse { .. }
            | Request::ReportMoves { .. }
            | Request::Discard
            | Request::PrepareJump { .. }
            | Request::Save
            | Request::Restore { .. } => {}
        }
    }

    /// Takes back the storage of an answer that is used up.
    pub(crate) fn take_back_answer(&mut self, answer: Answer) {
        match answer {
            Answer::Response(response) | Answer::ResponseUnderLoads(response) => {
                self.response = Some(response)
            }
            Answer::Committed(_, present) | Answer::Moved(present) => self.present = present,
            Answer::Prepared(matrix) => self.matrix = Some(matrix),
            Answer::Loads(response) => self.load_response = Some(response),
            Answer::Outputs(numbers) => self.numbers = numbers,
            Answer::Seen(sight) => self.sight = sight,
            Answer::Saved(_) | Answer::Limited | Answer::Discarded | Answer::InputsSet => {}
        }
    }
}
