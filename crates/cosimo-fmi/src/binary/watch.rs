//! Calls that come often are watched for what they change in the process: all of them for the control words of floating point, some for
//! the rest, which costs system calls.

use super::environment::{Change, Guard};
use super::instance::Instance;
use super::registers::FloatControl;

/// Calls from one full look to the next, in the long run. A look costs one to two microseconds.
const LONGEST: u32 = 256;

/// When to look next: at the first call, then after one, two, four, … up to [`LONGEST`] more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Schedule {
    left: u32,
    period: u32,
}

impl Schedule {
    pub(super) const START: Self = Self { left: 1, period: 1 };

    /// Counts a call; whether it is to be watched in full.
    #[inline]
    fn is_due(&mut self) -> bool {
        self.left -= 1;
        self.left == 0
    }

    fn done(&mut self) {
        self.left = self.period;
        self.period = (2 * self.period).min(LONGEST);
    }

    /// The next call is watched instead of this one.
    fn postpone(&mut self) {
        self.left = 1;
    }
}

impl Instance {
    /// Does something that is called often.
    #[inline]
    pub(super) fn watched<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        if self.schedule.is_due() { self.looked_at(act) } else { self.with_registers(act) }
    }

    #[cold]
    fn looked_at<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        // Units that step at the same time do not wait for each other.
        let Some(guard) = Guard::try_begin() else {
            self.schedule.postpone();
            return self.with_registers(act);
        };
        self.schedule.done();
        self.under(guard, act)
    }

    /// Does something while changes of the process are watched.
    pub(super) fn guarded<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        self.under(Guard::begin(), act)
    }

    fn under<R>(&mut self, guard: Guard, act: impl FnOnce(&mut Self) -> R) -> R {
        let result = act(self);
        let changes = guard.finish();
        self.library.keep_if_needed(&changes);
        for change in changes {
            self.note(change);
        }
        result
    }

    /// Does something with the control words of floating point watched.
    #[inline]
    pub(super) fn with_registers<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        let before = FloatControl::read();
        let result = act(self);
        if FloatControl::read() != before {
            before.write();
            self.note(Change::FloatingPoint);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Schedule};

    #[test]
    fn looks_are_at_the_first_calls_and_then_far_between() {
        let mut schedule = Schedule::START;
        let mut looked = Vec::new();
        for call in 0..2000_u32 {
            if schedule.is_due() {
                schedule.done();
                looked.push(call);
            }
        }
        assert_eq!(looked[..6], [0, 1, 3, 7, 15, 31]);
        assert!(looked.windows(2).all(|pair| pair[1] - pair[0] <= LONGEST) && looked.len() < 20);
    }
}
