//! What the ports of a multibody system cost: steps of the walker on its feet and of the same mechanism without ports.
#![expect(
    clippy::print_stdout,
    clippy::panic,
    reason = "a benchmark prints what it finds and fails by panicking"
)]
#![allow(missing_docs, reason = "a benchmark")]

use std::time::{Duration, Instant};

use cosimo::master::Master;
use coupling_tests::Run;
use divan::Bencher;

const WITH_PORTS: &str = "walker/model.toml";
const WITHOUT: &str = "walker/no-ports.toml";
const H: f64 = 1e-3;
/// Steps before the first and in the comparison.
const WARM_UP: usize = 10;
const COMPARED: usize = 200;

fn main() {
    compare();
    divan::main();
}

/// The walker, a few steps on its way.
fn walker(model: &str) -> Master {
    let mut master = Run::model(model, &[]).build().unwrap_or_else(|e| panic!("{e}"));
    (0..WARM_UP).for_each(|_| step(&mut master));
    master
}

fn step(master: &mut Master) {
    master.step(H).unwrap_or_else(|e| panic!("{e}"));
}

/// Steps of both in turn, so that what else the machine does falls on both alike; impacts are among them.
fn compare() {
    let mut walkers = [walker(WITH_PORTS), walker(WITHOUT)];
    let mut times = [Duration::ZERO; 2];
    for _ in 0..COMPARED {
        for (walker, time) in walkers.iter_mut().zip(&mut times) {
            let start = Instant::now();
            step(walker);
            *time += start.elapsed();
        }
    }
    let [with, without] = times.map(|time| 1e3 * time.as_secs_f64() / COMPARED as f64);
    println!("a step with ports {with:.2} ms, without {without:.2} ms: {:.1} times", with / without);
}

#[divan::bench(args = [WITH_PORTS, WITHOUT])]
fn a_step(bencher: Bencher, model: &str) {
    let mut master = walker(model);
    bencher.bench_local(|| step(&mut master));
}
