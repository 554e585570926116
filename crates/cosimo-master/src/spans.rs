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
use tracing::{Span, debug_span, info_span, trace_span};

use crate::RunPosition;
use crate::parallel::Phase;

/// The span of a run.
pub(crate) fn scenario(position: &RunPosition) -> EnteredSpan {
    let RunPosition { origin, end, step, .. } = position;
    info_span!("scenario", from = origin, to = end, step).entered()
}

/// The span of a macro step, where it is watched.
pub(crate) fn step(number: u64, time: f64, size: f64) -> Option<EnteredSpan> {
    let is_watched = LevelFilter::current() >= LevelFilter::DEBUG;
    is_watched.then(|| debug_span!("step", number, time, size).entered())
}

/// The span at hand as the parent of the calls to subsystems, where those are watched.
pub(crate) fn of_calls() -> Option<Span> {
    let is_watched = LevelFilter::current() >= LevelFilter::TRACE;
    is_watched.then(Span::current)
}

/// The span of a call to a subsystem, in whatever thread.
pub(crate) fn subsystem(parent: &Span, name: &str, phase: Phase) -> EnteredSpan {
    trace_span!(parent: parent, "subsystem", name, call = phase.name()).entered()
}
