//! How far a run is, shown while it goes on.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use cosimo::master::{Observer, QuantityLabel, RunReport, StepRecord};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Positions of the bar; the time span of the run is divided in as many.
const POSITIONS: f64 = 10_000.0;
/// How often the bar moves.
const INTERVAL: Duration = Duration::from_millis(100);

/// A bar on standard error with time, speed and remaining time; hidden where nobody sees it.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    span: (f64, f64),
    started: Instant,
    shown: Instant,
}

impl Progress {
    /// A bar, unless it is not wanted or standard error is no terminal.
    pub(crate) fn new(is_wanted: bool) -> Self {
        let target = if is_wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(POSITIONS as u64), target);
        // A template that cannot be read leaves the default one.
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}  ETA {eta}") {
            bar.set_style(style);
        }
        let now = Instant::now();
        Self { bar, span: (0.0, 0.0), started: now, shown: now }
    }

    fn show(&mut self, time: f64, steps: u64) {
        self.shown = Instant::now();
        let (start, end) = self.span;
        let share = ((time - start) / (end - start)).clamp(0.0, 1.0);
        let speed = steps as f64 / self.started.elapsed().as_secs_f64();
        self.bar.set_position((share * POSITIONS) as u64);
        self.bar.set_message(format!("t = {time:.4} of {end} s  {speed:.0} steps/s"));
    }
}

impl Observer for Progress {
    fn start(&mut self, _labels: &[QuantityLabel], span: (f64, f64)) {
        self.span = span;
        self.started = Instant::now();
        self.bar.reset();
    }

    fn wants(&self, _step: u64) -> bool {
        !self.bar.is_hidden() && self.shown.elapsed() >= INTERVAL
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        if self.wants(record.step) {
            self.show(record.time, record.step);
        }
        ControlFlow::Continue(())
    }

    fn finish(&mut self, _report: &RunReport) {
        self.bar.finish_and_clear();
    }
}
