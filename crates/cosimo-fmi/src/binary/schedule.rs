//! When calls that come often are watched in full.

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
    pub(super) fn is_due(&mut self) -> bool {
        self.left -= 1;
        self.left == 0
    }

    pub(super) fn done(&mut self) {
        self.left = self.period;
        self.period = (2 * self.period).min(LONGEST);
    }

    /// The next call is watched instead of this one.
    pub(super) fn postpone(&mut self) {
        self.left = 1;
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
