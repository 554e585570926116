//! Times of a thousand macro steps.

use std::time::Instant;

/// Steps that are timed together.
const STEPS: f64 = 1000.0;

/// Whether the whole bench was asked for, and not a part of it by name.
pub(crate) fn is_wanted() -> bool {
    std::env::args().skip(1).all(|argument| argument == "--bench")
}

/// Smallest mean time of a step (µs) over many runs; `advance` takes a thousand steps of a model made anew.
pub(crate) fn microseconds<M>(build: impl Fn() -> M, advance: impl Fn(&mut M)) -> f64 {
    let seconds = |_| {
        let mut model = build();
        let started = Instant::now();
        advance(&mut model);
        started.elapsed().as_secs_f64()
    };
    (0..200).map(seconds).fold(f64::INFINITY, f64::min) / STEPS * 1e6
}
