//! When the next checkpoint is due.

use std::time::{Duration, Instant};

/// Most steps between two looks at the clock, which cost as much as a small step.
const MOST_STEPS: u32 = 256;
/// Looks at the clock that are closer than this are too many.
const OFTEN: Duration = Duration::from_millis(1);

/// When the next checkpoint is due, by steps or by wall time.
#[derive(Debug)]
pub(crate) struct Pace {
    every_steps: u64,
    interval: Option<Duration>,
    last: Instant,
    looked: Instant,
    /// Steps from one look at the clock to the next.
    stride: u32,
    steps_to_look: u32,
}

impl Pace {
    /// Every so many steps, or after so much wall time (s); 0 for never.
    pub(crate) fn new(every_steps: u64, every_seconds: f64) -> Self {
        let now = Instant::now();
        let interval = Duration::try_from_secs_f64(every_seconds).ok().filter(|interval| !interval.is_zero());
        Self { every_steps, interval, last: now, looked: now, stride: 1, steps_to_look: 1 }
    }

    /// Whether a checkpoint is due after macro step `step`.
    pub(crate) fn is_due(&mut self, step: u64) -> bool {
        (self.every_steps > 0 && step.is_multiple_of(self.every_steps)) || self.is_due_by_time()
    }

    /// A checkpoint has been written.
    pub(crate) fn start_again(&mut self) {
        self.last = Instant::now();
    }

    fn is_due_by_time(&mut self) -> bool {
        let Some(interval) = self.interval else { return false };
        self.steps_to_look -= 1;
        if self.steps_to_look > 0 {
            return false;
        }
        let now = Instant::now();
        self.stride = if now - self.looked < OFTEN { (2 * self.stride).min(MOST_STEPS) } else { 1 };
        (self.looked, self.steps_to_look) = (now, self.stride);
        now - self.last >= interval
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_alone_decide_where_no_time_is_given() {
        let mut pace = Pace::new(3, 0.0);
        assert_eq!((1..=7).filter(|step| pace.is_due(*step)).collect::<Vec<_>>(), [3, 6]);
        let mut never = Pace::new(0, 0.0);
        assert!((1..1000).all(|step| !never.is_due(step)));
    }

    #[test]
    fn time_alone_decides_where_no_steps_are_given() {
        let mut pace = Pace::new(0, 0.02);
        assert!((1..50).all(|step| !pace.is_due(step)));
        std::thread::sleep(Duration::from_millis(25));
        assert!((50..50 + 2 * u64::from(MOST_STEPS)).any(|step| pace.is_due(step)));
        pace.start_again();
        assert!((1..50).all(|step| !pace.is_due(step)));
    }

    #[test]
    fn a_slow_run_looks_at_the_clock_in_every_step() {
        let mut pace = Pace::new(0, 1e-6);
        for step in 1..5 {
            std::thread::sleep(Duration::from_millis(2));
            assert!(pace.is_due(step));
        }
    }
}
