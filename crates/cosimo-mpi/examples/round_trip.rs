//! What a call costs on another rank, beside a bare exchange of messages of the same lengths in the same run:
//!
//! ```sh
//! cargo build --release -p cosimo-mpi --features mpi --example round_trip
//! mpirun -n 2 target/release/examples/round_trip
//! ```
//!
//! The call may take 3 µs more than the bare exchange, its own work and the bytes of its messages included.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark may panic and prints what it finds")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cosimo_mpi::{RankChannel, World, serve_ranks};
use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};
use cosimo_transport::{Channel, ChannelSubsystem, DEADLINE, Served, TransportError};
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{Destination, Source};

const STEP: MacroStep = MacroStep { time: 0.0, size: 1e-3 };
const ROUNDS: u32 = 20_000;
const BLOCKS: usize = 9;
/// No tag of a subsystem.
const BARE: i32 = 1_000_000;

/// The calls that are measured.
const CALLS: [(&str, fn(&mut dyn Subsystem)); 2] =
    [("discard", |subsystem| subsystem.discard()), ("begin and commit", step)];

fn step(subsystem: &mut dyn Subsystem) {
    subsystem.begin(STEP, &[0.0; 3]).unwrap();
    subsystem.commit(&StepLoads::zeros(3)).unwrap();
}

/// A channel to a subsystem in the same thread, which notes how long its messages are.
#[derive(Debug, Default)]
struct Here {
    served: Option<Served>,
    message: Vec<u8>,
    lengths: Arc<[AtomicUsize; 4]>,
    messages: usize,
}

impl Channel for Here {
    fn send(&mut self, message: &[u8], _: Duration) -> Result<(), TransportError> {
        self.message.clear();
        self.message.extend_from_slice(message);
        self.lengths[2 * (self.messages % 2)].store(message.len(), Ordering::Relaxed);
        match &mut self.served {
            Some(served) => served.answer(&mut self.message)?,
            None => self.served = Some(Served::greet(|_| Ok(Box::new(TwoMasses::default())), &mut self.message)?),
        }
        Ok(())
    }

    fn receive(&mut self, message: &mut Vec<u8>, _: Duration) -> Result<(), TransportError> {
        self.lengths[2 * (self.messages % 2) + 1].store(self.message.len(), Ordering::Relaxed);
        self.messages += 1;
        std::mem::swap(message, &mut self.message);
        Ok(())
    }
}

/// Least mean time of a round of some blocks (µs).
fn microseconds(mut round: impl FnMut()) -> f64 {
    let block = |_| {
        let since = Instant::now();
        (0..ROUNDS).for_each(|_| round());
        1e6 * since.elapsed().as_secs_f64() / f64::from(ROUNDS)
    };
    (0..BLOCKS).map(block).fold(f64::INFINITY, f64::min)
}

/// Sends so many bytes to the other rank and receives so many.
fn exchange(other: i32, sent: &[u8], received: &mut [u8]) {
    let world = SimpleCommunicator::world();
    world.process_at_rank(other).send_with_tag(sent, BARE);
    world.process_at_rank(other).receive_into_with_tag(received, BARE);
}

/// The same from the other end, as often.
fn answer(lengths: [usize; 2]) {
    let (world, mut request, reply) = (SimpleCommunicator::world(), vec![0_u8; lengths[0]], vec![0_u8; lengths[1]]);
    for _ in 0..ROUNDS * BLOCKS as u32 {
        world.process_at_rank(0).receive_into_with_tag(&mut request[..], BARE);
        world.process_at_rank(0).send_with_tag(&reply[..], BARE);
    }
}

/// Lengths of the messages of the calls, and what they cost without another rank (µs).
fn nearby() -> Vec<(Vec<[usize; 2]>, f64)> {
    let measure = |(name, call): &(&str, fn(&mut dyn Subsystem))| {
        let here = Here::default();
        let lengths = Arc::clone(&here.lengths);
        let mut subsystem = ChannelSubsystem::over_channel("masses", here, DEADLINE).unwrap();
        // The matrices cross once.
        step(&mut subsystem);
        let time = microseconds(|| call(&mut subsystem));
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| lengths[i].load(Ordering::Relaxed));
        let both = vec![[a, b], [c, d]];
        (if *name == "discard" { both[..1].to_vec() } else { both }, time)
    };
    CALLS.iter().map(measure).collect()
}

fn main() {
    let world = World::enter().unwrap();
    assert_eq!(world.size(), 2, "mpirun -n 2 …");
    let nearby = nearby();
    if world.rank() > 0 {
        nearby.iter().flat_map(|(lengths, _)| lengths).for_each(|lengths| answer(*lengths));
        serve_ranks(&world, |_| Ok(Box::new(TwoMasses::default()))).unwrap();
        return;
    }
    let bare = nearby.iter().map(|(lengths, _)| {
        let one = |[sent, received]: &[usize; 2]| {
            let (sent, mut received) = (vec![0_u8; *sent], vec![0_u8; *received]);
            microseconds(|| exchange(1, &sent, &mut received))
        };
        lengths.iter().map(one).sum::<f64>()
    });
    let bare: Vec<f64> = bare.collect();
    let channel = RankChannel::new(&world, 1, 0).unwrap();
    let mut subsystem = ChannelSubsystem::over_channel("masses", channel, DEADLINE).unwrap();
    step(&mut subsystem);
    for ((name, call), (bare, (lengths, near))) in CALLS.iter().zip(bare.iter().zip(&nearby)) {
        let found = microseconds(|| call(&mut subsystem));
        let each = (found - bare) / lengths.len() as f64;
        println!(
            "{name}: {found:.2} µs on another rank, {near:.2} µs as bytes in one thread, bare exchange of {lengths:?} bytes {bare:.2} µs: \
             {each:.2} µs more for each message"
        );
    }
}
