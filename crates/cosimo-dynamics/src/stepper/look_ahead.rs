//! The trial step that is most likely begun next is computed where a step is taken.

use super::Stepper;

impl Stepper {
    /// Whether the trial step of this size (s) without loads is there before it is begun.
    pub(super) fn is_ahead(&self, h: f64) -> bool {
        self.ahead.size.is_some_and(|size| size.to_bits() == h.to_bits())
    }

    /// Begins the step that is there already.
    pub(super) fn catch_up(&mut self) {
        self.ahead.size = None;
        self.trial.time = self.state.time + self.plan.h;
    }

    /// Computes the next trial step where the last two were of one size. What fails is left to the step that needs it.
    pub(super) fn look_ahead(&mut self) {
        let h = self.plan.h;
        let is_steady = self.ahead.last_size.to_bits() == h.to_bits();
        self.ahead.last_size = h;
        if is_steady && self.ahead.is_possible {
            self.plan.make_flat(self.rule.as_mut(), h, self.state.point(), &self.coordinates);
            self.ahead.size = self.solve_free_step().is_ok().then_some(h);
        }
    }
}
