//! Angles that count turns.

use super::geometry::Geometry;
use super::pose::Pair;

/// A whole turn (rad).
pub(super) const WHOLE_TURN: f64 = 2.0 * std::f64::consts::PI;

/// What an angle must change less than in a step, for its turns to be counted (rad).
pub(super) const HALF_TURN: f64 = std::f64::consts::PI;

/// What the ends of a beam element must turn less than against each other (rad): the logarithm of a turn ends at half a turn.
pub(super) const MOST_BEND: f64 = 0.95 * std::f64::consts::PI;

/// Tells angles beyond half a turn apart: of all that a position may have, the one nearest to that at the state accepted last is
/// taken. A step must change the angle by less than half a turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turns {
    last: f64,
}

impl Turns {
    /// Starts in (−π, π], plus so many whole turns.
    pub(super) fn whole(turns: i32) -> Self {
        Self { last: WHOLE_TURN * f64::from(turns) }
    }

    /// The angle (rad) that is `value` but for whole turns; above the last one by half a turn rather than below.
    pub(super) fn count(self, value: f64) -> f64 {
        value + WHOLE_TURN * ((self.last - value) / WHOLE_TURN + 0.5).floor()
    }

    /// Notes the angle of an accepted state.
    pub(super) fn accept(&mut self, value: f64) {
        self.last = self.count(value);
    }

    /// By how much the angle changes (rad) on a step from the state accepted last, if that is too much to be counted at its end;
    /// the velocities of `step` are its increments.
    pub(super) fn angle_wrap(self, angle: &Geometry, step: &Pair) -> Option<f64> {
        let displacement = step.displacement();
        if displacement.len() == 1 {
            return None;
        }
        let mut turns = self;
        displacement.for_each(|pair| turns.accept(angle.value(&pair)));
        let change = (turns.last - self.last).abs();
        (!(change < HALF_TURN)).then_some(change)
    }

    /// What it remembers.
    pub(super) fn saved(self) -> f64 {
        self.last
    }

    /// Goes back to what it remembered.
    pub(super) fn restore(&mut self, saved: f64) {
        self.last = saved;
    }
}
