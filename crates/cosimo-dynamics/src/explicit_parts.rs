//! The explicit parts of a step as positions and velocities.

use crate::rules::{Prediction, StepPlan};
use crate::{CoordinateVector, MotionState};

/// Where the stage and the end of a step are without its acceleration, lengths `n`. The velocity is the same at both.
#[derive(Debug, Default)]
pub(crate) struct ExplicitParts {
    pub(crate) stage_q: CoordinateVector,
    pub(crate) end_q: CoordinateVector,
    pub(crate) velocity: CoordinateVector,
}

impl ExplicitParts {
    pub(crate) fn zeros(n: usize) -> Self {
        let zero = CoordinateVector::zeros(n);
        Self { stage_q: zero.clone(), end_q: zero.clone(), velocity: zero }
    }

    /// Takes those of a plan from this start.
    pub(crate) fn place(&mut self, plan: &StepPlan, start: &MotionState) {
        let (share, Prediction { velocity, increment }) = (plan.formula.stage.position, &plan.prediction);
        let n = start.q.len();
        let (q, increment) = (&start.q[..n], &increment[..n]);
        let (end_q, stage_q) = (&mut self.end_q[..n], &mut self.stage_q[..n]);
        for i in 0..n {
            end_q[i] = q[i] + increment[i];
            stage_q[i] = q[i] + share * increment[i];
        }
        self.velocity.copy_from_slice(velocity);
    }
}
