//! What a rule is.

use cosimo_dynamics::Coordinates;

use crate::plan::Plan;
use crate::state::ImpactState;
use crate::tape::Tape;

/// A rule that makes a step of one acceleration and one jump.
pub(crate) trait StepRule: std::fmt::Debug + Send {
    /// Writes the plan of a step of size `h` (s) from this state.
    fn plan(&mut self, h: f64, state: &ImpactState, coordinates: &Coordinates, out: &mut Plan);

    /// Takes note of a step of size `h` (s), of whether impulses acted in it, and completes the end.
    fn accept(&mut self, _h: f64, _start: &ImpactState, end: &mut ImpactState, _had_impulses: bool) {
        end.algorithmic.copy_from_slice(&end.a);
    }

    /// Whether the works of a step are taken at its stage, or by the trapezoidal rule.
    fn works_at_stage(&self) -> bool {
        false
    }

    /// Shares of the impulses of a step of size `h` (s), and of those of the step before, by which the velocity at its end has changed.
    fn shares_of_impulses(&self, _h: f64) -> [f64; 2] {
        [1.0, 0.0]
    }

    /// Appends what of the past the next step uses.
    fn save(&self, _out: &mut Vec<f64>) {}

    /// Takes that over; `None` if it does not fit.
    fn restore(&mut self, _saved: &mut Tape<'_>) -> Option<()> {
        Some(())
    }
}
