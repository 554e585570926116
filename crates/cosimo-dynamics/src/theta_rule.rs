//! The θ rule as a step rule.

use crate::{Collocation, ConstraintLevel, MotionState, Prediction, Stage, StepRule, Theta};

impl From<Theta> for Box<dyn StepRule> {
    fn from(rule: Theta) -> Self {
        Box::new(rule)
    }
}

impl StepRule for Theta {
    fn name(&self) -> &'static str {
        "theta"
    }

    fn label(&self) -> String {
        format!("theta {}", self.theta())
    }

    fn as_theta(&self) -> Option<Theta> {
        Some(*self)
    }

    fn collocation(&self) -> Collocation {
        Collocation::Mean
    }

    fn constraint_level(&self) -> ConstraintLevel {
        ConstraintLevel::Velocity
    }

    fn stage(&self, h: f64) -> Stage {
        let theta = self.theta();
        Stage {
            time_share: theta,
            velocity: theta * h,
            position: theta * theta * h * h,
            end_velocity: h,
            end_position: theta * h * h,
            end_load: theta * h,
            start_load: h - theta * h,
        }
    }

    fn predict(&self, h: f64, state: &MotionState, out: &mut Prediction) {
        let stage_step = self.theta() * h;
        let n = state.q.len();
        let (q, v) = (&state.q[..n], &state.v[..n]);
        let (stage_q, stage_v) = (&mut out.stage_q[..n], &mut out.stage_v[..n]);
        let (end_q, end_v) = (&mut out.end_q[..n], &mut out.end_v[..n]);
        for i in 0..n {
            (stage_q[i], stage_v[i]) = (q[i] + stage_step * v[i], v[i]);
            (end_q[i], end_v[i]) = (q[i] + h * v[i], v[i]);
        }
    }

    fn accept(&mut self, _h: f64, _before: &MotionState, _after: &mut MotionState) {}

    fn restart(&mut self, _state: &MotionState) {}

    fn needs_acceleration(&self) -> bool {
        false
    }

    fn save(&self, _out: &mut Vec<f64>) {}

    fn restore(&mut self, _saved: &[f64]) -> Option<usize> {
        Some(0)
    }
}
