//! What units, and the processes that they run in, have to say while nobody logs: warnings are shown as they come, each once; errors
//! that no call could return, as at the end of a process, are kept.

use std::collections::BTreeSet;
use std::fmt::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer};

use crate::terminal;

/// The crates whose warnings and errors reach the user in no other way.
const SOURCES: [&str; 2] = ["cosimo_fmi", PROCESSES];
/// The one that tells how processes end.
const PROCESSES: &str = "cosimo_transport";

/// So many warnings are remembered, however many strangers give cause for them.
const MOST: usize = 1000;

/// Warnings shown so far.
static SHOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
/// Errors that no call has returned.
static ERRORS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Shows warnings and keeps errors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Notices {
    /// Whether warnings are shown, which a log does too.
    pub(crate) shows: bool,
}

impl Notices {
    /// What it listens to: nothing that a step tells about itself, which costs time.
    pub(crate) fn filter() -> Targets {
        Targets::new().with_targets(SOURCES.map(|source| (source, Level::WARN)))
    }
}

impl<S: Subscriber> Layer<S> for Notices {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        let mut text = Text::default();
        event.record(&mut text);
        let metadata = event.metadata();
        if *metadata.level() == Level::ERROR && metadata.target().starts_with(PROCESSES) {
            lock(&ERRORS).push(text.0);
        } else if self.shows && is_new(&text.0) {
            terminal::line(&format!("warning: {}", text.0));
        }
    }
}

/// Whether nobody remembers this warning.
fn is_new(warning: &str) -> bool {
    let mut shown = lock(&SHOWN);
    let is_new = !shown.contains(warning);
    if is_new && shown.len() < MOST {
        shown.insert(warning.to_owned());
    }
    is_new
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The warnings so far, in the order of their texts.
pub(crate) fn warnings() -> Vec<String> {
    lock(&SHOWN).iter().cloned().collect()
}

/// The errors so far that no call has returned, which are forgotten.
pub(crate) fn take_errors() -> Vec<String> {
    std::mem::take(&mut *lock(&ERRORS))
}

/// The message of an event.
#[derive(Default)]
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            // Writing to a text cannot fail.
            let _ = write!(self.0, "{value:?}");
        }
    }
}
