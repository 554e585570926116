//! Times of messages.

use cosimo_results::Results;

use super::foxglove::Timestamp;
use crate::scene::Film;

const NANOSECONDS: f64 = 1e9;

/// Times since zero, or since the start of a run that begins before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    origin: f64,
}

impl Clock {
    pub(super) fn of(results: &Results, film: Option<Film<'_>>) -> Self {
        let firsts = results.table.times().iter().take(1).copied();
        let events = results.events.iter().map(|event| event.time);
        let frames = film.into_iter().flat_map(|film| film.frames()).map(|frame| frame.time);
        Self { origin: firsts.chain(events).chain(frames).fold(0.0, f64::min) }
    }

    /// A time (s) in ns.
    pub(super) fn nanoseconds(&self, time: f64) -> u64 {
        ((time - self.origin) * NANOSECONDS).round() as u64
    }

    pub(super) fn timestamp(&self, time: f64) -> Timestamp {
        let nanoseconds = self.nanoseconds(time);
        let second = NANOSECONDS as u64;
        Timestamp { seconds: (nanoseconds / second) as i64, nanos: (nanoseconds % second) as i32 }
    }
}
