//! Many subsystems: cost per step against their number.
//!
//! Prints a table; the last measured one is in `docs/benchmarks/cost.md`. A text given as argument chooses the models whose names
//! have it in them: `cargo bench -p cosimo-master --bench many -- rods`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "benches")]

#[path = "../tests/suite/models/network.rs"]
mod network;

use std::time::Instant;

use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
use cosimo_master::{InitialState, Interface, InterfaceLaw, Master, MasterConfig};
use cosimo_multibody::spatial::{BodyState, RigidBody};
use cosimo_native::{BodyPort, FreeBodyBuilder, MechanismBuilder};
use cosimo_subsystem::Subsystem;
use nalgebra::{DMatrix, Matrix3, Vector3, dmatrix};
use network::Network;

const H: f64 = 1e-3;

/// That of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    println!(
        "| model | subsystems | unknowns | set-up (s) | first step (ms) | step (µs) | per subsystem (µs) |"
    );
    println!("|---|---|---|---|---|---|---|");
    let springs = |network: Network| network.springs(MasterConfig::default());
    let chains =
        [100, 1000, 10_000].map(|n| show("chain, springs", (n, 3 * (n - 1)), || springs(Network::chain(n))));
    let rods_on_springs = [100, 1000, 10_000].map(|n| {
        show("rods in space, springs", (n, 3 * (n - 1)), || rods(n, &InterfaceLaw::spring(1e3, 1.0, 3)))
    });
    let rigid_rods = [100, 1000, 10_000]
        .map(|n| show("rods in space, rigid", (n, 3 * (n - 1)), || rods(n, &InterfaceLaw::Rigid)));
    let rigid = [100, 1000, 10_000].map(|n| show("chain, rigid", (n, 3 * (n - 1)), || rigid_chain(n)));
    let grids =
        [10, 32, 100].map(|n| show("grid, springs", (n * n, 6 * n * (n - 1)), || springs(Network::grid(n))));
    let balls = [100, 1000, 10_000].map(|n| show("balls by themselves", (n, 0), || balls(n)));
    let stars = [250, 500, 1000, 2000].map(|n| show("star, rigid", (n + 1, n), || star(n)));
    println!();
    println!("| growth of the cost per step | exponent |");
    println!("|---|---|");
    for (name, costs) in [
        ("chain, springs", &chains[..]),
        ("chain, rigid", &rigid),
        ("rods in space, springs", &rods_on_springs),
        ("rods in space, rigid", &rigid_rods),
        ("grid, springs", &grids),
        ("balls by themselves", &balls),
        ("star, rigid, steps", &stars),
    ] {
        if is_chosen(name) {
            println!("| {name} | {:.2} |", exponent(costs, |cost| cost.step));
        }
    }
    if is_chosen("star, rigid") {
        println!("| star, rigid, first step | {:.2} |", exponent(&stars, |cost| cost.first));
    }
}

/// What a model costs.
struct Cost {
    subsystems: f64,
    /// First step, with all factorisations (s).
    first: f64,
    /// Any later step (s).
    step: f64,
}

/// Whether a model is to be run: all without an argument, otherwise those with one of the texts in their names.
fn is_chosen(name: &str) -> bool {
    let mut texts = std::env::args().skip(1).filter(|text| !text.starts_with("--")).peekable();
    texts.peek().is_none() || texts.any(|text| name.contains(&text))
}

fn show(name: &str, (subsystems, unknowns): (usize, usize), build: impl Fn() -> Master) -> Cost {
    if !is_chosen(name) {
        return Cost { subsystems: 1.0, first: 1.0, step: 1.0 };
    }
    let start = Instant::now();
    let mut master = build();
    let setup = start.elapsed().as_secs_f64();
    let first = seconds(|| {
        master.step(H).unwrap();
    });
    let step = seconds_per_step(&mut master, 0.2);
    println!(
        "| {name} | {subsystems} | {unknowns} | {setup:.2} | {:.2} | {:.1} | {:.3} |",
        1e3 * first,
        1e6 * step,
        1e6 * step / subsystems as f64
    );
    Cost { subsystems: subsystems as f64, first, step }
}

/// Time this thread has computed (s), where the system reports it; what others do on the machine does not count.
fn computed() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(1e-9 * text.split_whitespace().next()?.parse::<f64>().ok()?)
}

/// Time of `work` (s): computed where that is known, passed otherwise.
fn seconds(work: impl FnOnce()) -> f64 {
    let (start, before) = (Instant::now(), computed());
    work();
    let passed = start.elapsed().as_secs_f64();
    // The system counts in ticks of some milliseconds.
    before.zip(computed()).map(|(a, b)| b - a).filter(|used| *used > 0.02).unwrap_or(passed)
}

/// Smallest mean time of a step over five runs of about `duration` (s) each.
fn seconds_per_step(master: &mut Master, duration: f64) -> f64 {
    let time = |master: &mut Master, steps: usize| {
        let all = || {
            (0..steps).for_each(|_| {
                master.step(H).unwrap();
            })
        };
        seconds(all) / steps as f64
    };
    let steps = (duration / time(master, 2)).ceil() as usize;
    (0..5).map(|_| time(master, steps)).fold(f64::INFINITY, f64::min)
}

/// Slope of the costs over the numbers of subsystems, by least squares of their logarithms.
fn exponent(costs: &[Cost], value: impl Fn(&Cost) -> f64) -> f64 {
    let points: Vec<(f64, f64)> = costs.iter().map(|cost| (cost.subsystems.ln(), value(cost).ln())).collect();
    let mean = |pick: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(pick).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    mean(&|p| (p.0 - x) * (p.1 - y)) / mean(&|p| (p.0 - x) * (p.0 - x))
}

fn rigid_chain(n: usize) -> Master {
    let network = Network::chain(n);
    let interfaces = network.interfaces(|_| InterfaceLaw::Rigid);
    Master::new(network.subsystems(|_, _| (0.0, 1.0)), interfaces, MasterConfig::default(), 0.0).unwrap()
}

/// Rigid rods in space, each joined to the next at a point by this law.
fn rods(n: usize, law: &InterfaceLaw) -> Master {
    let inertia = Matrix3::from_diagonal(&Vector3::new(0.01, 0.1, 0.1));
    let port = |x: f64| BodyPort::Point { arm: Vector3::new(x, 0.0, 0.0) };
    let rod = |i: usize| {
        let start = BodyState {
            position: Vector3::new(i as f64, 0.0, 0.0),
            velocity: Vector3::new(0.0, 0.0, 0.02 * (0.3 * i as f64).sin()),
            ..BodyState::default()
        };
        let body = FreeBodyBuilder::new(format!("r{i}"), RigidBody::new(1.0, inertia).unwrap());
        let body = body.with_port("left", port(-0.5)).with_port("right", port(0.5));
        body.with_initial_state(start).build().unwrap()
    };
    // All are built before any is boxed: so they stand side by side in the memory.
    let rods: Vec<_> = (0..n).map(rod).collect();
    let rods = rods.into_iter().map(|rod| -> Box<dyn Subsystem> { Box::new(rod) }).collect();
    let joint = |i: usize| {
        let ports = (format!("r{i}.right"), format!("r{}.left", i + 1));
        Interface::new(format!("j{i}"), &ports.0, &ports.1, law.clone())
    };
    let config =
        MasterConfig { tolerance: 1e-6, initial_state: InitialState::Project, ..MasterConfig::default() };
    Master::new(rods, (0..n - 1).map(joint).collect(), config, 0.0).unwrap()
}

fn coordinate(name: String, mass: f64) -> MechanismBuilder {
    let system = LinearSystem::new(dmatrix![mass]).unwrap().with_force(vec![-10.0 * mass]).unwrap();
    MechanismBuilder::new(name, system)
}

fn balls(n: usize) -> Master {
    let ball = |i: usize| -> Box<dyn Subsystem> {
        let floor = LinearRows(vec![LinearRow::coordinate(0)]);
        let ball = coordinate(format!("b{i}"), 1.0).with_contacts(&[("floor", 1.0)], floor);
        Box::new(ball.with_initial_state(vec![0.5 + 1e-4 * i as f64], vec![0.0]).build().unwrap())
    };
    Master::new((0..n).map(ball).collect(), vec![], MasterConfig::default(), 0.0).unwrap()
}

/// A body of three degrees of freedom with `arms` ports, and a mass rigidly at each.
fn star(arms: usize) -> Master {
    let system = LinearSystem::new(DMatrix::identity(3, 3) * 5.0).unwrap();
    let names: Vec<String> = (0..arms).map(|i| format!("p{i}")).collect();
    let specs: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 1)).collect();
    let row = |i: usize| LinearRow::dense(&[(i as f64).cos(), (i as f64).sin(), 0.3], 0.0);
    let hub = MechanismBuilder::new("hub", system)
        .with_ports(&specs, LinearRows((0..arms).map(row).collect()))
        .build()
        .unwrap();
    let mut subsystems: Vec<Box<dyn Subsystem>> = vec![Box::new(hub)];
    subsystems.extend((0..arms).map(|i| -> Box<dyn Subsystem> {
        let port = LinearRows(vec![LinearRow::coordinate(0)]);
        let arm = coordinate(format!("a{i}"), 0.1).with_ports(&[("end", 1)], port);
        Box::new(arm.build().unwrap())
    }));
    let joint = |i: usize| {
        Interface::new(format!("j{i}"), format!("hub.p{i}"), format!("a{i}.end"), InterfaceLaw::Rigid)
    };
    Master::new(subsystems, (0..arms).map(joint).collect(), MasterConfig::default(), 0.0).unwrap()
}
