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
/// What is run.
const MODELS: [Chains; 5] = [
    Chains { count: 64, links: 20, joints: Joints::Springs },
    Chains { count: 256, links: 4, joints: Joints::Springs },
    Chains { count: 64, links: 20, joints: Joints::Pins },
    Chains { count: 256, links: 4, joints: Joints::Pins },
    Chains { count: 64, links: 2, joints: Joints::Springs },
];
/// Processor time on two threads, over that on one.
const ALLOWED: f64 = 1.05;

/// That of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    println!("| chains | threads | step (ms) | times as fast | processor time | serial share (%) |");
    println!("|---|---|---|---|---|---|");
    let models = MODELS.into_iter().filter(|model| is_chosen(&model.name()));
    let worst = models.map(show).fold(0.0, f64::max);
    assert!(worst <= ALLOWED, "two threads take {worst:.3} times the processor time of one");
}

/// What joins the tips of two chains.
#[derive(Clone, Copy)]
enum Joints {
    Springs,
    Pins,
}

/// Chains of links, joined in pairs.
#[derive(Clone, Copy)]
struct Chains {
    count: usize,
    links: usize,
    joints: Joints,
}

/// Whether a model is to be run: all where none is named.
fn is_chosen(name: &str) -> bool {
    let mut names = std::env::args().skip(1).filter(|text| text.contains('x')).peekable();
    names.peek().is_none() || names.any(|text| name.contains(&text))
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

    fn of_run(threads: u32, model: Chains) -> Self {
        let mut master = model.build(threads);
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
fn show(model: Chains) -> f64 {
    let counts: Vec<u32> = (0..).map(|k| 1 << k).take_while(|threads| *threads <= most()).collect();
    let mut costs = vec![Cost::MOST; counts.len()];
    for _ in 0..RUNS {
        for (cost, threads) in costs.iter_mut().zip(&counts) {
            *cost = cost.least(Cost::of_run(*threads, model));
        }
    }
    let (one, name) = (costs[0], model.name());
    for (threads, cost) in counts.iter().zip(&costs) {
        println!(
            "| {name} | {threads} | {:.3} | {:.2} | {:.3} | {:.2} |",
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

impl Chains {
    fn name(self) -> String {
        let joints = match self.joints {
            Joints::Springs => "springs",
            Joints::Pins => "pins",
        };
        format!("{}x{} {joints}", self.count, self.links)
    }

    fn build(self, threads: u32) -> Master {
        let chains = (0..self.count).map(|i| self.chain(i)).collect();
        let joint = |i: usize| {
            let law = match self.joints {
                Joints::Springs => InterfaceLaw::spring(100.0, 1.0, 1),
                Joints::Pins => InterfaceLaw::Rigid,
            };
            Interface::new(format!("j{i}"), format!("c{}.tip", 2 * i), format!("c{}.tip", 2 * i + 1), law)
        };
        let config = MasterConfig { threads, tolerance: 1e-6, ..MasterConfig::default() };
        Master::new(chains, (0..self.count / 2).map(joint).collect(), config, 0.0).unwrap()
    }

    /// A chain of planar links that falls from the horizontal, with a port at its tip; the chains have masses of their own.
    fn chain(self, i: usize) -> Box<dyn Subsystem> {
        let mut model = PlanarModel::new([0.0, -10.0]);
        for k in 0..self.links {
            let mass = 1.0 + 0.01 * (i % 7) as f64 * k as f64;
            let link = Body::new(format!("link{k}"), mass, 0.1).with_pose([k as f64 + 0.5, 0.0], 0.0);
            let before = match k {
                0 => Point::ground([0.0, 0.0]),
                _ => Point::on(format!("link{}", k - 1), [0.5, 0.0]),
            };
            let pin = Pin::new(format!("pin{k}"), Point::on(format!("link{k}"), [-0.5, 0.0]), before);
            model = model.with_body(link).with_pin(pin);
        }
        let tip = Point::on(format!("link{}", self.links - 1), [0.5, 0.0]);
        let tip = match self.joints {
            Joints::Springs => PlanarPort::along(tip, [0.0, 1.0]),
            Joints::Pins => PlanarPort::point(tip),
        };
        let chain = PlanarBuilder::new(format!("c{i}"), model.build().unwrap());
        Box::new(chain.with_port("tip", tip).build().unwrap())
    }
}
