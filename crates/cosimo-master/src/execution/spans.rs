//! Spans of a run for those who watch with `tracing`: scenario > step > subsystem.
//!
//! | span | level | fields | from, to |
//! |---|---|---|---|
//! | `scenario` | info | time span and step (s) | `Master::run` |
//! | `step` | debug | number, time and size (s) | `Master::step` |
//! | `subsystem` | trace | name and call | one call of a step |
//!
//! Where nobody watches, a step looks at the level wanted once for itself and once for each round of calls, and does
//! nothing else.

use tracing::level_filters::LevelFilter;
use tracing::span::EnteredSpan;
use tracing::{Dispatch, Span, debug_span, dispatcher, info_span, trace_span};

use super::slot::Phase;

/// The span of a run over a time with steps (s).
pub(crate) fn scenario(from: f64, to: f64, step: f64) -> EnteredSpan {
    info_span!("scenario", from, to, step).entered()
}

/// The span of a macro step, where it is watched.
pub(crate) fn step(number: u64, time: f64, size: f64) -> Option<EnteredSpan> {
    let is_watched = LevelFilter::current() >= LevelFilter::DEBUG;
    is_watched.then(|| debug_span!("step", number, time, size).entered())
}

/// Who watches in a thread, and the current span there.
pub(crate) struct Watched {
    watcher: Dispatch,
    span: Span,
}

impl Watched {
    /// Those of this thread.
    pub(crate) fn here() -> Self {
        Self { watcher: dispatcher::get_default(Dispatch::clone), span: Span::current() }
    }

    /// Does something in whatever thread under their eyes.
    pub(crate) fn follow<T>(&self, action: impl FnOnce() -> T) -> T {
        dispatcher::with_default(&self.watcher, || self.span.in_scope(action))
    }

    /// The same for a call to a subsystem, with a span of its own.
    pub(crate) fn call<T>(&self, name: &str, phase: Phase, action: impl FnOnce() -> T) -> T {
        let call =
            || trace_span!(parent: &self.span, "subsystem", name, call = phase.name()).in_scope(action);
        dispatcher::with_default(&self.watcher, call)
    }
}

/// Who watches the calls to subsystems, where those are watched.
pub(crate) fn of_calls() -> Option<Watched> {
    let is_watched = LevelFilter::current() >= LevelFilter::TRACE;
    is_watched.then(Watched::here)
}
