//! Chains of links whose steps are shared among threads: time, processor time, and what the master does alone.
//!
//! ```text
//!   cargo bench -p cosimo-master --bench threads                  # all models, as many threads as there are processors
//!   cargo bench -p cosimo-master --bench threads -- 64x20 --most 2
//! ```
//!
//! Runs with different numbers of threads alternate, and the fastest of each counts. The serial share is the processor time that the thread
//! of the master spends between the calls that are shared, over that of a whole step on one thread: by Amdahl's law `n` threads
//! are at most `1 / (s + (1 − s)/n)` times as fast. Fails where two threads take more processor time than [`ALLOWED`] times that of one.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "benches")]

use std::time::Instant;

use cosimo_master::{Interface, InterfaceLaw, Master, MasterConfig, NoObserver};
use cosimo_multibody::planar::{Body, Pin, PlanarModel, Point};
use cosimo_native::{PlanarBuilder, PlanarPort};
use cosimo_subsystem::Subsystem;
use rustix::time::{ClockId, clock_gettime};

/// Size of a step (s), steps of a run, and runs of each number of threads.
const H: f64 = 1e-3;
const STEPS: u32 = 100;
const RUNS: usize = 5;
/// Chains and links of each.
const MODELS: [(usize, usize); 4] = [(256, 4), (64, 2), (64, 20), (16, 20)];
/// Processor time on two threads, over that on one.
const ALLOWED: f64 = 1.05;

/// That of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    println!("| chains | threads | step (ms) | times as fast | processor time | serial share (%) |");
    println!("|---|---|---|---|---|---|");
    let models = MODELS.into_iter().filter(|(chains, links)| is_chosen(&format!("{chains}x{links}")));
    let worst = models.map(|(chains, links)| show(chains, links)).fold(0.0, f64::max);
    assert!(worst <= ALLOWED, "two threads take {worst:.3} times the processor time of one");
}

/// Whether a model is to be run: all where none is named.
fn is_chosen(name: &str) -> bool {
    let mut names = std::env::args().skip(1).filter(|text| text.contains('x')).peekable();
    names.peek().is_none() || names.any(|text| text == name)
}

/// The most threads.
fn most() -> u32 {
    let wanted = std::env::args().skip_while(|text| text != "--most").nth(1);
    let processors = || u32::try_from(std::thread::available_parallelism().unwrap().get()).unwrap();
    wanted.map_or_else(processors, |text| text.parse().unwrap())
}

/// What a step takes (s).
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    processors: f64,
    /// What the master does between the calls that are shared.
    alone: f64,
}

impl Cost {
    const MOST: Self = Self { wall: f64::INFINITY, processors: f64::INFINITY, alone: f64::INFINITY };

    fn of_run(threads: u32, chains: usize, links: usize) -> Self {
        let mut master = model(threads, chains, links);
        let (start, before) = (Instant::now(), processor_seconds());
        let report = master.run(f64::from(STEPS) * H, H, &mut NoObserver).unwrap();
        let (wall, processors) = (start.elapsed().as_secs_f64(), processor_seconds() - before);
        let alone = report.master.total() - report.master.threads + report.recording.total();
        let per_step = |seconds: f64| seconds / f64::from(STEPS);
        Self { wall: per_step(wall), processors: per_step(processors), alone: per_step(alone) }
    }

    fn least(self, other: Self) -> Self {
        Self {
            wall: self.wall.min(other.wall),
            processors: self.processors.min(other.processors),
            alone: self.alone.min(other.alone),
        }
    }
}

/// Prints what the model takes on one thread and on more; returns the processor time on two threads over that on one.
fn show(chains: usize, links: usize) -> f64 {
    let counts: Vec<u32> = (0..).map(|k| 1 << k).take_while(|threads| *threads <= most()).collect();
    let mut costs = vec![Cost::MOST; counts.len()];
    for _ in 0..RUNS {
        for (cost, threads) in costs.iter_mut().zip(&counts) {
            *cost = cost.least(Cost::of_run(*threads, chains, links));
        }
    }
    let one = costs[0];
    for (threads, cost) in counts.iter().zip(&costs) {
        println!(
            "| {chains} of {links} links | {threads} | {:.3} | {:.2} | {:.3} | {:.2} |",
            1e3 * cost.wall,
            one.wall / cost.wall,
            cost.processors / one.processors,
            100.0 * cost.alone / one.processors,
        );
    }
    costs.get(1).map_or(1.0, |two| two.processors / one.processors)
}

/// Processor time of all threads of this process (s).
fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// A hanging chain of planar links with a port at its tip.
fn chain(name: String, links: usize) -> Box<dyn Subsystem> {
    let mut model = PlanarModel::new([0.0, -10.0]);
    for i in 0..links {
        let link = Body::new(format!("link{i}"), 1.0, 0.1).with_pose([i as f64 + 0.5, 0.0], 0.0);
        let before = match i {
            0 => Point::ground([0.0, 0.0]),
            _ => Point::on(format!("link{}", i - 1), [0.5, 0.0]),
        };
        let pin = Pin::new(format!("pin{i}"), Point::on(format!("link{i}"), [-0.5, 0.0]), before);
        model = model.with_body(link).with_pin(pin);
    }
    let tip = PlanarPort::along(Point::on(format!("link{}", links - 1), [0.5, 0.0]), [0.0, 1.0]);
    Box::new(PlanarBuilder::new(name, model.build().unwrap()).with_port("tip", tip).build().unwrap())
}

/// Chains, in pairs on springs.
fn model(threads: u32, chains: usize, links: usize) -> Master {
    let subsystems = (0..chains).map(|i| chain(format!("c{i}"), links)).collect();
    let spring = |i: usize| {
        let law = InterfaceLaw::spring(100.0, 1.0, 1);
        Interface::new(format!("s{i}"), format!("c{}.tip", 2 * i), format!("c{}.tip", 2 * i + 1), law)
    };
    let config = MasterConfig { threads, tolerance: 1e-6, ..MasterConfig::default() };
    Master::new(subsystems, (0..chains / 2).map(spring).collect(), config, 0.0).unwrap()
}
