//! What messages cost, and what that makes of the step of a model on many machines.
//!
//! Measures a round trip over TCP on this machine and the processor time that the master has for a message there and back, and computes from
//! them how much faster a step is on so many machines than in one thread:
//! `cargo run --release -p cosimo-transport --example machines`.
//!
//! A step has two phases, begin and commit. In each the master sends all requests and then reads all answers, so that a phase takes one round
//! trip of the network, the messages of the master one after the other, and the work of the machine that has most.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "an example may panic, and prints")]

use std::time::Instant;

use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::cost::processor_seconds;
use cosimo_subsystem::{Call, MacroStep, StepLoads, Subsystem};
use cosimo_transport::{Key, Remote, Server, TcpSubsystem};

const STEP: MacroStep = MacroStep { time: 0.0, size: 1e-3 };

/// Steps that are measured.
const STEPS: u32 = 2000;

/// Phases of a step.
const PHASES: f64 = 2.0;

fn over_tcp() -> TcpSubsystem {
    let server = Server::bind("127.0.0.1:0", Key::NONE).unwrap();
    let address = server.address().to_string();
    std::thread::spawn(move || server.serve(|_| Ok(Box::new(TwoMasses::default()))));
    Remote::new("masses", &address).connect().unwrap()
}

/// Seconds of a phase of one subsystem, and processor seconds of the master for each of several.
fn measured() -> (f64, f64) {
    let mut all: Vec<TcpSubsystem> = (0..8).map(|_| over_tcp()).collect();
    let loads = StepLoads::zeros(3);
    let step = |all: &mut [TcpSubsystem]| {
        all.iter_mut().for_each(|own| own.prefetch(Call::Begin(STEP, &[0.0; 3])));
        for own in all.iter_mut() {
            own.begin(STEP, &[0.0; 3]).unwrap();
        }
        all.iter_mut().for_each(|own| own.prefetch(Call::Commit(&loads)));
        for own in all.iter_mut() {
            own.commit(&loads).unwrap();
        }
    };
    (0..100).for_each(|_| step(&mut all));
    let since = Instant::now();
    (0..STEPS).for_each(|_| step(&mut all[..1]));
    let phases = PHASES * f64::from(STEPS);
    let round_trip = since.elapsed().as_secs_f64() / phases;
    let before = processor_seconds();
    (0..STEPS).for_each(|_| step(&mut all));
    let message = (processor_seconds() - before) / (phases * all.len() as f64);
    (round_trip, message)
}

/// Seconds of a step of so many subsystems on so many machines, each of which has `work` (s) a step.
fn step_time(subsystems: f64, machines: f64, work: f64, (round_trip, message): (f64, f64)) -> f64 {
    PHASES * (round_trip + subsystems * message) + work * (subsystems / machines).ceil()
}

fn main() {
    let (round_trip, message) = measured();
    println!("a phase over TCP on this machine: {:.1} µs", 1e6 * round_trip);
    println!("of the master, for a message there and back: {:.1} µs", 1e6 * message);
    println!();
    println!("How much faster a step is than in one thread, with a round trip of 100 µs between machines:");
    println!();
    println!("| subsystems | work of each per step | 8 machines | 64 machines | 512 machines |");
    println!("|---|---|---|---|---|");
    for subsystems in [8.0, 64.0, 512.0] {
        for work in [1e-5, 1e-4, 1e-3, 1e-2] {
            let ratio = |machines: f64| match machines > subsystems {
                true => "".to_owned(),
                false => {
                    let alone = subsystems * work;
                    format!("{:.1}", alone / step_time(subsystems, machines, work, (1e-4, message)))
                }
            };
            let [few, more, many] = [8.0, 64.0, 512.0].map(ratio);
            println!("| {subsystems} | {:.0} µs | {few} | {more} | {many} |", 1e6 * work);
        }
    }
}
