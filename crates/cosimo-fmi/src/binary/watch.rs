//! Calls that come often are watched for what they change in the process: all of them for the control words of floating point, some for
//! the rest, which costs system calls.

use super::environment::{Change, Guard};
use super::instance::Instance;
use super::registers::FloatControl;

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
