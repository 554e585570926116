//! The time between two points of a thread.

use std::hint::black_box;
use std::sync::OnceLock;
use std::thread::{self, ThreadId};
use std::time::Instant;

/// Intervals above which the clock of the processor is read too (s). In a shorter one hardly anything comes between, and
/// that clock takes as long by itself: it is asked of the operating system.
const LONG: f64 = 4e-6;

/// Processor time that this thread has taken so far (s). Where the system does not tell, time since the first call.
#[cfg(unix)]
#[must_use]
pub fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Processor time that this thread has taken so far (s). Where the system does not tell, time since the first call.
#[cfg(not(unix))]
#[must_use]
pub fn processor_seconds() -> f64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// What reading the clocks takes (s).
#[derive(Debug, Clone, Copy)]
struct ReadingCosts {
    wall: f64,
    processor: f64,
}

/// What reading the clocks takes in this process (s), found once.
fn reading_costs() -> ReadingCosts {
    static FOUND: OnceLock<ReadingCosts> = OnceLock::new();
    const ROUNDS: u32 = 64;
    *FOUND.get_or_init(|| {
        // The shorter of some: a first reading is slow, and others may be interrupted.
        let least = |read: &dyn Fn()| {
            let rounds = (0..ROUNDS).map(|_| {
                let since = Instant::now();
                read();
                since.elapsed().as_secs_f64()
            });
            rounds.fold(f64::INFINITY, f64::min)
        };
        let wall = 0.5 * least(&|| _ = black_box(Instant::now()));
        let processor = least(&|| _ = black_box(processor_seconds())) - wall;
        ReadingCosts { wall, processor: processor.max(wall) }
    })
}

/// Takes the times of intervals that follow each other in one thread.
///
/// The clock on the wall is read, which is quick; where an interval is long, the clock of the processor says how much of
/// it the thread has worked.
#[derive(Debug, Clone)]
pub struct Stopwatch {
    thread: ThreadId,
    since: Instant,
    /// Clock of the processor when it was read last (s), and the time on the wall of the intervals since (s).
    processor: f64,
    unchecked: f64,
    costs: ReadingCosts,
    spent: f64,
}

impl Stopwatch {
    /// Starts in this thread.
    #[must_use]
    pub fn start() -> Self {
        let costs = reading_costs();
        let processor = processor_seconds();
        let spent = costs.processor + costs.wall;
        let thread = thread::current().id();
        Self { thread, processor, unchecked: 0.0, costs, spent, since: Instant::now() }
    }

    /// Goes on in this thread, which may be another one; what has been done since the last lap does not count.
    pub fn resume(&mut self) {
        if self.thread == thread::current().id() {
            self.lap();
        } else {
            *self = Self { spent: self.spent + self.costs.processor + self.costs.wall, ..Self::start() };
        }
    }

    /// Processor time (s) since the start or the last lap. What reading the clock takes, [`overhead`](Self::overhead), is
    /// part of it.
    pub fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let mut interval = now.duration_since(self.since).as_secs_f64();
        self.since = now;
        self.unchecked += interval;
        self.spent += self.costs.wall;
        if interval > LONG {
            let processor = processor_seconds();
            let excess = self.unchecked - (processor - self.processor);
            interval = (interval - excess.max(0.0)).max(0.0);
            (self.processor, self.unchecked) = (processor, 0.0);
            self.spent += self.costs.processor;
            self.since = Instant::now();
        }
        interval
    }

    /// The part of each lap that is reading the clock (s).
    #[must_use]
    pub fn overhead(&self) -> f64 {
        self.costs.wall
    }

    /// What all readings since the first start, or the last call of this, have taken (s).
    pub fn take_spent(&mut self) -> f64 {
        std::mem::take(&mut self.spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn work(seconds: f64) {
        let until = processor_seconds() + seconds;
        while processor_seconds() < until {
            black_box(());
        }
    }

    #[test]
    fn waiting_is_no_work() {
        let mut watch = Stopwatch::start();
        work(2e-3);
        std::thread::sleep(Duration::from_millis(20));
        let lap = watch.lap();
        assert!((2e-3..4e-3).contains(&lap), "{lap}");
        std::thread::sleep(Duration::from_millis(5));
        let lap = watch.lap();
        assert!(lap < 1e-3, "{lap}");
    }

    #[test]
    fn short_intervals_add_up() {
        let (mut watch, before) = (Stopwatch::start(), processor_seconds());
        let sum: f64 = (0..20_000)
            .map(|_| {
                (0..100).for_each(|k| _ = black_box(k));
                watch.lap()
            })
            .sum();
        let all = processor_seconds() - before;
        assert!((sum - all).abs() < 0.1 * all, "{sum} of {all}");
        let spent = watch.take_spent();
        assert!(spent > 0.0 && spent < all, "{spent} of {all}");
    }
}
