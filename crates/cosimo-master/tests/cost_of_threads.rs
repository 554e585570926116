//! What sharing the calls among threads costs. In a file of its own: nothing else runs in the process.
#![cfg(unix)]

#[path = "suite/models/chains.rs"]
mod chains;

use chains::{Chains, Cost, Joints};

/// Steps of a run, and pairs of runs on one thread and on two. Others on the machine take the caches away, and times scatter; the more pairs
/// the less does their median.
const STEPS: u32 = 20;
const PAIRS: std::ops::Range<usize> = 5..30;

/// Processor time on two threads over that on one, and the share of a step that the master spends alone.
const MOST: f64 = 1.05;
const MOST_ALONE: f64 = 0.04;

#[test]
fn two_threads_take_the_processor_time_of_one() {
    for (count, links) in [(64, 20), (256, 4)] {
        let model = Chains { count, links, joints: Joints::Springs };
        let (mut processors, mut alone) = (Vec::new(), Vec::new());
        let is_cheap = (0..PAIRS.end).any(|pair| {
            let [one, two] = [1, 2].map(|threads| Cost::of_run(threads, model, STEPS));
            processors.push(two.processors / one.processors);
            alone.push(two.alone / one.processors);
            pair >= PAIRS.start && median(&mut processors) <= MOST && median(&mut alone) <= MOST_ALONE
        });
        assert!(is_cheap, "{}: times the processor time {processors:.3?}, alone {alone:.3?}", model.name());
    }
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
