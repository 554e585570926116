//! Many steps of one size, in parts where something happens inside a step.

use cosimo_dynamics::ConstrainedSystem;

use super::error::DaeError;
use super::solver::DaeSolver;

/// A step this share longer than asked for is taken whole: what would be left over is round-off.
const ROUND_OFF: f64 = 1e-9;

/// How often a step is halved at most about a force that jumps: enough for a millionth.
const MOST_HALVINGS: u32 = 20;

impl<S: ConstrainedSystem> DaeSolver<S> {
    /// Takes steps of size `h` (s) until `end` (s) and returns how many; the last one is shortened where `end` is not a
    /// whole number of steps away. The time is then `end` exactly. A step that has no solution because a force jumps in it
    /// is taken in halves, and they in halves, until the jump is passed.
    ///
    /// # Errors
    /// As [`step`](Self::step); the steps before the one that failed are taken.
    pub fn advance_to(&mut self, end: f64, h: f64) -> Result<usize, DaeError> {
        let start = self.state.time;
        let (mut whole, mut steps) = (0_u64, 0);
        while self.state.time < end {
            let left = end - self.state.time;
            let is_last = left <= h * (1.0 + ROUND_OFF);
            let size = if is_last && left < h * (1.0 - ROUND_OFF) { left } else { h };
            steps += self.step_past_jumps(size, 0)?;
            whole += 1;
            self.state.time = if is_last { end } else { start + whole as f64 * h };
        }
        Ok(steps)
    }

    /// Takes a step of size `h` (s), itself halved as often as asked; the number of its parts.
    fn step_past_jumps(&mut self, h: f64, halved: u32) -> Result<usize, DaeError> {
        match self.step(h) {
            Err(DaeError::ForceJumps { .. }) if halved < MOST_HALVINGS => {
                let half = 0.5 * h;
                Ok(self.step_past_jumps(half, halved + 1)? + self.step_past_jumps(half, halved + 1)?)
            }
            stepped => stepped.map(|_| 1),
        }
    }
}
