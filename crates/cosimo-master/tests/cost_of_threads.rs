//! What sharing the calls among threads costs. In a file of its own: nothing else runs in the process.
//!
//! The figure is that of `cargo bench -p cosimo-master --bench threads` on an idle machine: within five per cent. Here other programs share
//! the caches, and two processors may be one core, which makes the same work dearer on two threads than on one.
#![cfg(unix)]

#[path = "suite/models/chains.rs"]
mod chains;

use chains::{Chains, Cost, Joints};

/// Steps of a run, and runs on one thread and on two, which alternate. The cheapest of each counts: what disturbs a run makes it dearer.
const STEPS: u32 = 20;
const RUNS: std::ops::Range<usize> = 3..30;

/// Processor time on two threads over that on one, and the share of a step that the master spends alone.
const MOST: f64 = 1.2;
const MOST_ALONE: f64 = 0.06;

#[test]
fn two_threads_take_little_more_processor_time_than_one() {
    for (count, links) in [(64, 20), (256, 4)] {
        let model = Chains { count, links, joints: Joints::Springs };
        let mut least = [Cost::MOST; 2];
        let is_cheap = (0..RUNS.end).any(|run| {
            for (threads, least) in (1..).zip(&mut least) {
                *least = least.least(Cost::of_run(threads, model, STEPS));
            }
            let [one, two] = least;
            run >= RUNS.start
                && two.processors <= MOST * one.processors
                && two.alone <= MOST_ALONE * one.processors
        });
        let [one, two] = least.map(|cost| 1e3 * cost.processors);
        let alone = 1e3 * least[1].alone;
        assert!(is_cheap, "{}: {one:.3} ms on one thread, {two:.3} on two, {alone:.3} alone", model.name());
    }
}
