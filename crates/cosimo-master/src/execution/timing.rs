//! Time spent in the subsystems and in the master, measured in some of the steps.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Time is measured in every so many steps only: reading the clock costs more than a small subsystem's step.
const SAMPLING: u64 = 128;
/// With so many timed steps the longest is left out: the first is a cold one, and a step in which the machine does
/// something else would count a hundred times.
const ENOUGH: u64 = 4;

/// Times of the timed steps.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Timing {
    all: Times,
    longest: Times,
    current: Times,
    /// Steps that were timed.
    timed: u64,
    #[serde(skip)]
    started: Option<Instant>,
}

/// Time in each subsystem, and in all of the step.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Times {
    subsystems: Vec<Duration>,
    step: Duration,
}

impl Timing {
    pub(crate) fn new(subsystems: usize) -> Self {
        let zeros = Times { subsystems: vec![Duration::ZERO; subsystems], step: Duration::ZERO };
        Self { all: zeros.clone(), longest: zeros.clone(), current: zeros, timed: 0, started: None }
    }

    /// Forgets all times.
    pub(crate) fn forget(&mut self) {
        *self = Self::new(self.all.subsystems.len());
    }

    /// Called at the beginning of every macro step with the number of those before; decides whether this one is timed.
    pub(crate) fn begin_step(&mut self, done: u64) {
        self.started = done.is_multiple_of(SAMPLING).then(Instant::now);
        if self.started.is_some() {
            self.current.subsystems.fill(Duration::ZERO);
        }
    }

    /// Adds the times spent in the subsystems from `first` on.
    pub(crate) fn add(&mut self, first: usize, times: impl Iterator<Item = Duration>) {
        self.current.subsystems[first..].iter_mut().zip(times).for_each(|(sum, time)| *sum += time);
    }

    pub(crate) fn end_step(&mut self) {
        let Some(started) = self.started.take() else { return };
        self.current.step = started.elapsed();
        self.timed += 1;
        self.all.step += self.current.step;
        self.all.subsystems.iter_mut().zip(&self.current.subsystems).for_each(|(sum, time)| *sum += *time);
        if self.current.step > self.longest.step {
            std::mem::swap(&mut self.longest, &mut self.current);
        }
    }

    /// Whether this step is timed.
    pub(crate) fn is_timed(&self) -> bool {
        self.started.is_some()
    }

    /// Whether these are times of so many subsystems.
    pub(crate) fn fits(&self, subsystems: usize) -> bool {
        [&self.all, &self.longest, &self.current].iter().all(|times| times.subsystems.len() == subsystems)
    }

    /// Estimated seconds in each subsystem and in the master over `steps` steps that took `wall` (s), which subsystems
    /// one after the other and the master together do not exceed.
    pub(crate) fn estimate(&self, steps: u64, wall: f64) -> (Vec<f64>, f64) {
        let is_left_out = self.timed >= ENOUGH;
        let less =
            |all: Duration, longest: Duration| if is_left_out { all.saturating_sub(longest) } else { all };
        let timed = (self.timed - u64::from(is_left_out)).max(1) as f64;
        let step = less(self.all.step, self.longest.step);
        let scale = (steps as f64 / timed).min(wall / step.as_secs_f64().max(f64::MIN_POSITIVE));
        let pairs = self.all.subsystems.iter().zip(&self.longest.subsystems);
        let times: Vec<Duration> = pairs.map(|(all, longest)| less(*all, *longest)).collect();
        let master = step.saturating_sub(times.iter().sum());
        (times.iter().map(|time| time.as_secs_f64() * scale).collect(), master.as_secs_f64() * scale)
    }
}
