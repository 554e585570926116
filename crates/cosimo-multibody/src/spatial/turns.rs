//! Angles that count turns.

const TURN: f64 = 2.0 * std::f64::consts::PI;

/// Tells angles beyond half a turn apart: of all that a position may have, the one nearest to that at the state accepted last is
/// taken. A step must turn by less than half a turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turns {
    last: f64,
}

impl Turns {
    /// Starts within half a turn of this angle (rad).
    pub(super) fn near(angle: f64) -> Self {
        Self { last: angle }
    }

    /// The angle (rad) that is `value` but for whole turns; above the last one by half a turn rather than below.
    pub(super) fn count(self, value: f64) -> f64 {
        value + TURN * ((self.last - value) / TURN + 0.5).floor()
    }

    /// Notes the angle of an accepted state.
    pub(super) fn accept(&mut self, value: f64) {
        self.last = self.count(value);
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
