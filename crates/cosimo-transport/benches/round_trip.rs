//! What a step costs elsewhere: of one small subsystem over channels, as bytes and over pipes, and of several that work at
//! the same time.

#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{Call, MacroStep, StepLoads, Subsystem};
use cosimo_transport::{DEADLINE, EncodedSubsystem, StreamSubsystem, ThreadedSubsystem, serve};
use divan::Bencher;

fn main() {
    divan::main();
}

const STEP: MacroStep = MacroStep { time: 0.0, size: 1e-3 };

fn step(subsystem: &mut dyn Subsystem, loads: &StepLoads) {
    subsystem.begin(STEP, &[0.0; 3]).unwrap();
    subsystem.commit(loads).unwrap();
}

fn threaded() -> ThreadedSubsystem {
    ThreadedSubsystem::spawn(Box::new(TwoMasses::default())).unwrap()
}

/// Two calls to a subsystem nearby.
#[divan::bench]
fn step_nearby(bencher: Bencher<'_, '_>) {
    let (mut subsystem, loads) = (TwoMasses::default(), StepLoads::zeros(3));
    bencher.bench_local(|| step(&mut subsystem, &loads));
}

/// Two calls to a subsystem in a thread: two round trips.
#[divan::bench]
fn step_in_a_thread(bencher: Bencher<'_, '_>) {
    let (mut subsystem, loads) = (threaded(), StepLoads::zeros(3));
    bencher.bench_local(|| step(&mut subsystem, &loads));
}

/// Two calls whose messages become bytes and are read back.
#[divan::bench]
fn step_encoded(bencher: Bencher<'_, '_>) {
    let mut subsystem = EncodedSubsystem::new(Box::new(TwoMasses::default())).unwrap();
    let loads = StepLoads::zeros(3);
    bencher.bench_local(|| step(&mut subsystem, &loads));
}

/// Two calls over pipes, as to a process.
#[divan::bench]
fn step_over_pipes(bencher: Bencher<'_, '_>) {
    let ((requests, to_it), (from_it, replies)) = (std::io::pipe().unwrap(), std::io::pipe().unwrap());
    std::thread::spawn(|| serve(Box::new(TwoMasses::default()), requests, replies));
    let mut subsystem = StreamSubsystem::connect("masses", from_it, to_it, DEADLINE).unwrap();
    let loads = StepLoads::zeros(3);
    bencher.bench_local(|| step(&mut subsystem, &loads));
}

/// The shortest call there is.
#[divan::bench]
fn round_trip(bencher: Bencher<'_, '_>) {
    let mut subsystem = threaded();
    bencher.bench_local(|| subsystem.discard());
}

/// A step of several subsystems, every call prefetched to all before it is made.
#[divan::bench(args = [1, 2, 4, 8])]
fn announced_step_of_several(bencher: Bencher<'_, '_>, count: usize) {
    let loads = StepLoads::zeros(3);
    let mut subsystems: Vec<ThreadedSubsystem> = (0..count).map(|_| threaded()).collect();
    bencher.bench_local(|| {
        subsystems.iter_mut().for_each(|subsystem| subsystem.prefetch(Call::Begin(STEP, &[0.0; 3])));
        for subsystem in &mut subsystems {
            subsystem.begin(STEP, &[0.0; 3]).unwrap();
        }
        subsystems.iter_mut().for_each(|subsystem| subsystem.prefetch(Call::Commit(&loads)));
        for subsystem in &mut subsystems {
            subsystem.commit(&loads).unwrap();
        }
    });
}
