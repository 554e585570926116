//! A communication step of the master with two tiny FMUs, beside a loop by hand over their C functions.
//!
//! `cargo bench -p cosimo-fmi --bench communication_step` prints a table; the last measured one is in `docs/benchmarks/cost.md`. Both ways are timed in turn, and come
//! to the same motion.
#![allow(unsafe_code, reason = "the C functions are called directly, for comparison")]
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "benches")]

#[path = "common/bare.rs"]
mod bare;

use std::hint::black_box;
use std::time::Instant;

use bare::Bare;
use cosimo_fmi::Fmu;
use cosimo_fmi::binary::Version;
use cosimo_fmi::test_units::{Built, build};
use cosimo_fmi::unit::{FaceKind, PortOptions, Start, UnitOptions, Value};
use cosimo_master::{Assembly, Connection, Impacts, Interface, InterfaceLaw, Master, MasterConfig, Scheme};
use cosimo_subsystem::Subsystem;

/// Step (s), steps that are timed together, and how often they are.
const H: f64 = 1e-3;
const STEPS: u32 = 2000;
const ROUNDS: u32 = 200;

/// Variables of `oscillator_half`: mass, stiffness, place and speed at the start; force, place, speed.
const MASS: [u32; 4] = [1, 2, 4, 5];
const FORCE: u32 = 6;
const MOTION: [u32; 2] = [7, 8];

/// Variables of `spring_half`: the place of an end, and the force there.
const END: u32 = 4;
const PULL: u32 = 8;

/// Chosen for five iterations per step: `(h/2)² k / m` is about the contraction.
const STIFFNESS: f64 = 4e4;
const TOLERANCE: f64 = 1e-9;
const ITERATIONS: u32 = 5;

/// Masses (kg) and speeds at the start (m/s) of the two ends of the joint.
const ENDS: [[f64; 2]; 2] = [[1.0, 0.1], [2.0, -0.1]];

fn main() {
    let built = ["oscillator_half", "spring_half"].map(|unit| build(unit, Version::Three, &[]));
    let [Some(mass), Some(spring)] = built else { return };
    println!("| two FMUs, one step | by hand (µs) | master (µs) | above (µs) | limit (µs) | ratio |");
    println!("|---|---|---|---|---|---|");
    let (mut hand, mut master) = (SignalByHand::new(&mass, &spring), signal(&mass, &spring));
    row("explicit, a signal between them", 0.35, |time| hand.step(time), &mut master);
    assert_near(hand.force, master.signal("spring.f").unwrap());

    let (mut hand, mut master) = (JointByHand::new(&mass), joint(&mass));
    let iterations: u32 = (0..STEPS).map(|_| master.step(H).unwrap().iterations).sum();
    let mean = f64::from(iterations) / f64::from(STEPS);
    assert!((mean - f64::from(ITERATIONS)).abs() < 0.1, "{mean} iterations per step, not five");
    (0..STEPS).for_each(|step| hand.step(f64::from(step) * H));
    row("five iterations with rollback", 0.8, |time| hand.step(time), &mut master);
    assert_near(hand.places[0], master.subsystems()[0].rows().positions[0]);
}

/// Times both ways, a round of steps each in turn, and prints the least means of a step.
fn row(name: &str, limit: f64, mut by_hand: impl FnMut(f64), master: &mut Master) {
    let mut least = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        let start = master.time();
        let by_hand = microseconds(|step| by_hand(start + f64::from(step) * H));
        let ours = microseconds(|_| {
            black_box(master.step(H).unwrap());
        });
        least = [least[0].min(by_hand), least[1].min(ours)];
    }
    let [by_hand, ours] = least;
    let (above, ratio) = (ours - by_hand, ours / by_hand);
    println!("| {name} | {by_hand:.3} | {ours:.3} | {above:.3} | {limit} | {ratio:.1} |");
}

/// Mean time of a step (µs).
fn microseconds(step: impl FnMut(u32)) -> f64 {
    let started = Instant::now();
    (0..STEPS).for_each(step);
    started.elapsed().as_secs_f64() / f64::from(STEPS) * 1e6
}

fn assert_near(by_hand: f64, ours: f64) {
    assert!((by_hand - ours).abs() < 1e-6 * (1.0 + ours.abs()), "{by_hand} by hand, {ours} by the master");
}

/// A unit in co-simulation.
fn unit(built: &Built, name: &str, options: UnitOptions) -> Box<dyn Subsystem> {
    let options = UnitOptions { face: Some(FaceKind::CoSimulation), ..options };
    Box::new(Fmu::open(&built.fmu).unwrap().co_simulation(name, &options, Start::default()).unwrap())
}

/// A mass on a spring to the ground, whose place is an end of the other unit.
fn signal(mass: &Built, spring: &Built) -> Master {
    let subsystems =
        [("mass", mass), ("spring", spring)].map(|(name, built)| unit(built, name, UnitOptions::default()));
    let connections = vec![Connection::new("mass.x", "spring.x1")];
    let assembly = Assembly { subsystems: subsystems.into(), connections, ..Assembly::default() };
    Master::assemble(assembly, MasterConfig::default(), 0.0).unwrap()
}

/// The same: the mass steps, its place is set, the other steps, its force is read.
struct SignalByHand {
    mass: Bare,
    spring: Bare,
    force: f64,
}

impl SignalByHand {
    fn new(mass: &Built, spring: &Built) -> Self {
        Self { mass: Bare::new(mass, &[]), spring: Bare::new(spring, &[]), force: 0.0 }
    }

    fn step(&mut self, time: f64) {
        self.mass.step(time, H, true);
        let [place] = self.mass.get([MOTION[0]]);
        self.spring.set(END, place);
        self.spring.step(time, H, true);
        [self.force] = self.spring.get([PULL]);
    }
}

/// Two masses on a joint that gives way, by Gauss-Seidel: both units take every step from its start once without loads and five times with
/// the force of the joint.
fn joint(mass: &Built) -> Master {
    let one = |name: &str| vec![name.to_owned()];
    let port = PortOptions {
        name: "tip".to_owned(),
        position: one("x"),
        velocity: one("v"),
        force: one("F"),
        ..PortOptions::default()
    };
    let end = |name: &str, [m, v]: [f64; 2]| {
        let values = [("m", m), ("k", 0.0), ("x0", 0.0), ("v0", v)];
        let parameters = values.map(|(name, value)| (name.to_owned(), Value::Float(value))).into();
        unit(mass, name, UnitOptions { ports: vec![port.clone()], parameters, ..UnitOptions::default() })
    };
    let config = MasterConfig {
        scheme: Scheme::GaussSeidel,
        impacts: Impacts::PLAIN,
        tolerance: TOLERANCE,
        ..MasterConfig::default()
    };
    let spring = Interface::new("joint", "a.tip", "b.tip", InterfaceLaw::spring(STIFFNESS, 0.0, 1));
    Master::new(vec![end("a", ENDS[0]), end("b", ENDS[1])], vec![spring], config, 0.0).unwrap()
}

/// The same by hand: the mean force of a step follows the gap at its end, five times.
struct JointByHand {
    ends: [Bare; 2],
    places: [f64; 2],
    force: f64,
}

impl JointByHand {
    fn new(mass: &Built) -> Self {
        let end = |[m, v]: [f64; 2]| {
            let values: Vec<(u32, f64)> = MASS.into_iter().zip([m, 0.0, 0.0, v]).collect();
            Bare::new(mass, &values)
        };
        Self { ends: ENDS.map(end), places: [0.0; 2], force: 0.0 }
    }

    fn step(&mut self, time: f64) {
        self.ends.iter_mut().for_each(Bare::save);
        let start = self.places[0] - self.places[1];
        for iteration in 0..ITERATIONS {
            for (unit, sign) in self.ends.iter().zip([-1.0, 1.0]) {
                if iteration > 0 {
                    unit.restore();
                }
                unit.set(FORCE, sign * self.force);
                unit.step(time, H, false);
            }
            for (place, unit) in self.places.iter_mut().zip(&self.ends) {
                [*place, _] = unit.get(MOTION);
            }
            let end = self.places[0] - self.places[1];
            self.force = 0.5 * STIFFNESS * (start + end);
        }
    }
}
