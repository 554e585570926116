//! How far a run is, shown while it goes on.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
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
    /// Whether it is time to move the bar; set from outside, because reading the clock costs as much as a small step.
    is_due: Arc<AtomicBool>,
}

impl Progress {
    /// A bar, unless it is not wanted or standard error is no terminal.
    pub(crate) fn new(is_wanted: bool) -> Self {
        let target = if is_wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(POSITIONS as u64), target);
        // A template that cannot be read leaves the default one.
        if let Ok(style) = ProgressStyle::with_template("{bar:20} {percent:>3} %  {msg}  ETA {eta}") {
            bar.set_style(style);
        }
        let is_due = Arc::new(AtomicBool::new(false));
        if !bar.is_hidden() {
            remind(&is_due);
        }
        Self { bar, span: (0.0, 0.0), started: Instant::now(), is_due }
    }

    fn show(&self, time: f64, steps: u64) {
        let (start, end) = self.span;
        let share = ((time - start) / (end - start)).clamp(0.0, 1.0);
        let speed = steps as f64 / self.started.elapsed().as_secs_f64();
        let decimals = decimals(end - start);
        self.bar.set_message(format!("t = {time:.decimals$} of {end} s  {speed:.0} steps/s"));
        self.bar.set_position((share * POSITIONS) as u64);
    }
}

impl Observer for Progress {
    fn start(&mut self, _labels: &[QuantityLabel], span: (f64, f64)) {
        self.span = span;
        self.started = Instant::now();
        self.bar.reset();
    }

    fn wants(&self, _step: u64) -> bool {
        self.is_due.load(Ordering::Relaxed)
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        if self.is_due.swap(false, Ordering::Relaxed) {
            self.show(record.time, record.step);
        }
        ControlFlow::Continue(())
    }

    fn finish(&mut self, _report: &RunReport) {
        self.bar.finish_and_clear();
    }
}

/// Sets the flag at every interval, as long as somebody else holds it.
fn remind(flag: &Arc<AtomicBool>) {
    let flag = Arc::downgrade(flag);
    thread::spawn(move || {
        loop {
            thread::sleep(INTERVAL);
            match flag.upgrade() {
                Some(flag) => flag.store(true, Ordering::Relaxed),
                None => return,
            }
        }
    });
}

/// Decimals that show a thousandth of a time span (s), or a little less.
fn decimals(span: f64) -> usize {
    (3.0 - span.log10().floor()).clamp(0.0, 12.0) as usize
}

#[cfg(test)]
mod tests {
    use super::decimals;

    #[test]
    fn times_have_as_many_decimals_as_move() {
        assert_eq!([2.0, 0.9, 200.0, 1e9, 1e-4].map(decimals), [3, 4, 1, 0, 7]);
    }
}
