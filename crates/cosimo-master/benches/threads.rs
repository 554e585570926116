//! Chains of links whose steps are shared among threads: time, processor time, and what the master does alone.
//!
//! ```text
//!   cargo bench -p cosimo-master --bench threads                  # all models, as many threads as there are processors
//!   cargo bench -p cosimo-master --bench threads -- 64x20 --most 2
//! ```
//!
//! Runs with different numbers of threads alternate, and the fastest of each counts. The serial share is the processor time that the thread
//! of the master spends between the calls that are shared, over that of a whole step on one thread: by Amdahl's law `n` threads
//! are at most `1 / (s + (1 − s)/n)` times as fast, and the last column says how much 16 are.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "benches")]

#[path = "../tests/suite/models/chains.rs"]
mod chains;

use chains::{Chains, Cost, Joints};

/// Steps of a run, and runs of each number of threads.
const STEPS: u32 = 100;
const RUNS: usize = 5;

/// What is run.
const MODELS: [Chains; 5] = [
    Chains { count: 64, links: 20, joints: Joints::Springs },
    Chains { count: 256, links: 4, joints: Joints::Springs },
    Chains { count: 64, links: 20, joints: Joints::Pins },
    Chains { count: 256, links: 4, joints: Joints::Pins },
    Chains { count: 64, links: 2, joints: Joints::Springs },
];

/// That of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    println!(
        "| chains | threads | step (ms) | times as fast | processor time | serial share (%) | 16 threads, at most |"
    );
    println!("|---|---|---|---|---|---|---|");
    MODELS.into_iter().filter(|model| is_chosen(&model.name())).for_each(show);
}

/// Whether a model is to be run: all where none is named.
fn is_chosen(name: &str) -> bool {
    let mut names = std::env::args().skip(1).filter(|text| text.contains('x')).peekable();
    names.peek().is_none() || names.any(|text| name.split(' ').next() == Some(&text))
}

/// The most threads.
fn most() -> u32 {
    let wanted = std::env::args().skip_while(|text| text != "--most").nth(1);
    let processors = || u32::try_from(std::thread::available_parallelism().unwrap().get()).unwrap();
    wanted.map_or_else(processors, |text| text.parse().unwrap())
}

/// Prints what the model takes on one thread and on more.
fn show(model: Chains) {
    let counts: Vec<u32> = (0..).map(|k| 1 << k).take_while(|threads| *threads <= most()).collect();
    let mut costs = vec![Cost::MOST; counts.len()];
    for _ in 0..RUNS {
        for (cost, threads) in costs.iter_mut().zip(&counts) {
            *cost = cost.least(Cost::of_run(*threads, model, STEPS));
        }
    }
    let (one, name) = (costs[0], model.name());
    println!("| {name} | 1 | {:.3} | 1 | 1 | | |", 1e3 * one.wall);
    for (threads, cost) in counts.iter().zip(&costs).skip(1) {
        let serial = cost.alone / one.processors;
        println!(
            "| | {threads} | {:.3} | {:.2} | {:.3} | {:.2} | {:.1} |",
            1e3 * cost.wall,
            one.wall / cost.wall,
            cost.processors / one.processors,
            100.0 * serial,
            1.0 / (serial + (1.0 - serial) / 16.0),
        );
    }
}
