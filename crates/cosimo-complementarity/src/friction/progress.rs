//! Whether the acceleration of sweeps helps.

/// Growth of the correction from one sweep to the next at which the accelerated point is taken back.
const SETBACK: f64 = 2.0;
/// Sweeps without a smaller correction after which the acceleration rests, and for how many.
const PATIENCE: usize = 20;
const REST: usize = 40;

/// What to do after a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// Go on from the accelerated point.
    Accelerate,
    /// The accelerated point was a bad one: go back to the sweep that it came from.
    GoBack,
    /// Go on from the sweep as it is.
    Plain,
}

/// Whether the acceleration helps: a contact that changes between sticking, sliding and open from sweep to sweep makes
/// what it has learnt worthless. Plain sweeps then settle the contacts, more of them each time.
#[derive(Debug, Clone)]
pub(crate) struct Progress {
    last: Option<f64>,
    smallest: Option<f64>,
    /// Sweeps since the smallest correction.
    waited: usize,
    /// Plain sweeps still to be done, and those of the next rest.
    plain: usize,
    rest: usize,
}

impl Default for Progress {
    fn default() -> Self {
        Self { last: None, smallest: None, waited: 0, plain: 0, rest: REST }
    }
}

impl Progress {
    /// What to do after a sweep that has changed the impulses by this much.
    pub(crate) fn judge(&mut self, correction: f64) -> Judgement {
        if self.plain > 0 {
            self.plain -= 1;
            (self.last, self.smallest, self.waited) = (None, Some(correction), 0);
            return Judgement::Plain;
        }
        if self.smallest.is_none_or(|smallest| correction < smallest) {
            (self.smallest, self.waited) = (Some(correction), 0);
        } else {
            self.waited += 1;
        }
        if self.waited >= PATIENCE {
            (self.waited, self.plain, self.last) = (0, self.rest, None);
            self.rest *= 2;
            return Judgement::Plain;
        }
        if self.last.replace(correction).is_some_and(|last| correction > SETBACK * last) {
            self.last = None;
            return Judgement::GoBack;
        }
        Judgement::Accelerate
    }
}
