//! The explicit parts of a step as positions and velocities.

use crate::rules::{Prediction, StepPlan};
use crate::{CoordinateVector, MotionState};

/// Where the stage and the end of a step are without its acceleration, lengths `n`.
#[derive(Debug, Default)]
pub(crate) struct ExplicitParts {
    pub(crate) stage_q: CoordinateVector,
    pub(crate) stage_v: CoordinateVector,
    pub(crate) end_q: CoordinateVector,
    pub(crate) end_v: CoordinateVector,
}

impl ExplicitParts {
    pub(crate) fn zeros(n: usize) -> Self {
        let zero = CoordinateVector::zeros(n);
        Self { stage_q: zero.clone(), stage_v: zero.clone(), end_q: zero.clone(), end_v: zero }
    }

    /// Takes those of a plan from this start.
    pub(crate) fn place(&mut self, plan: &StepPlan, start: &MotionState) {
        let (shares, Prediction { velocity, increment }) = (plan.formula.stage, &plan.prediction);
        let n = start.q.len();
        let (q, v, velocity, increment) = (&start.q[..n], &start.v[..n], &velocity[..n], &increment[..n]);
        let (end_q, end_v) = (&mut self.end_q[..n], &mut self.end_v[..n]);
        let stage_q = &mut self.stage_q[..n];
        for i in 0..n {
            (end_q[i], end_v[i]) = (q[i] + increment[i], velocity[i]);
            stage_q[i] = q[i] + shares.position * increment[i];
        }
        plan.stage_velocity(v, &mut self.stage_v[..n]);
    }
}
