//! How far a sweep is, shown while it goes on.

use std::cell::Cell;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error with runs and remaining time; hidden where nobody sees it.
#[derive(Debug)]
pub(super) struct Bar {
    bar: ProgressBar,
    failed: Cell<usize>,
}

impl Bar {
    /// Of so many runs, of which some are done, unless it is not wanted.
    pub(super) fn new(is_wanted: bool, (runs, done): (usize, usize)) -> Self {
        let target = if is_wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(runs as u64), target).with_position(done as u64);
        // A template that cannot be read leaves the default one.
        let template = "{bar:20} {percent:>3} %  {pos} of {len} runs{msg}  {per_sec}  ETA {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.reset_eta();
        Self { bar, failed: Cell::new(0) }
    }

    /// One more run.
    pub(super) fn advance(&self, has_failed: bool) {
        if has_failed {
            self.failed.set(self.failed.get() + 1);
            self.bar.set_message(format!(", {} not completed", self.failed.get()));
        }
        self.bar.inc(1);
    }

    /// Takes it away.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
