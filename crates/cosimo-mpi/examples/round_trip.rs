//! What a call costs on another rank, beside a bare exchange of messages of the same lengths in the same run:
//!
//! ```sh
//! cargo build --release -p cosimo-mpi --features mpi --example round_trip
//! mpirun -n 2 target/release/examples/round_trip
//! ```
//!
//! A call may take 3 µs more than the bare exchange and its own work, bytes included.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may panic and prints what it finds"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cosimo_mpi::{RankChannel, World, serve_ranks};
use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};
use cosimo_transport::{Channel, ChannelSubsystem, DEADLINE, Greeting, Served, TransportError};
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{Destination, Source};

const STEP: MacroStep = MacroStep { time: 0.0, size: 1e-3 };
const ROUNDS: u32 = 100;
const BLOCKS: usize = 2_000;
/// No tag of a subsystem.
const BARE: i32 = 1_000_000;

type Call = fn(&mut dyn Subsystem);

/// The calls that are measured.
const CALLS: [(&str, Call); 2] = [("discard", |subsystem| subsystem.discard()), ("begin and commit", step)];

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
    messages: Arc<AtomicUsize>,
}

impl Here {
    fn note(&self, which: usize, length: usize) {
        let own = 2 * (self.messages.load(Ordering::Relaxed) % 2) + which;
        self.lengths[own].store(length, Ordering::Relaxed);
    }
}

impl Channel for Here {
    fn send(&mut self, message: &[u8], _: Duration) -> Result<(), TransportError> {
        self.message.clear();
        self.message.extend_from_slice(message);
        self.note(0, message.len());
        match &mut self.served {
            Some(served) => served.answer(&mut self.message)?,
            None => {
                self.served = Some(Served::greet(|_| Ok(Box::new(TwoMasses::default())), &mut self.message)?)
            }
        }
        Ok(())
    }

    fn receive(&mut self, message: &mut Vec<u8>, _: Duration) -> Result<(), TransportError> {
        self.note(1, self.message.len());
        self.messages.fetch_add(1, Ordering::Relaxed);
        std::mem::swap(message, &mut self.message);
        Ok(())
    }
}

/// Mean time of a round of a block (µs).
fn microseconds(mut round: impl FnMut()) -> f64 {
    let since = Instant::now();
    (0..ROUNDS).for_each(|_| round());
    1e6 * since.elapsed().as_secs_f64() / f64::from(ROUNDS)
}

/// Lengths of a request and its reply.
type Lengths = [usize; 2];

/// A call that is measured, with the lengths of its messages and the subsystem in this thread.
struct Measured {
    name: &'static str,
    call: Call,
    lengths: Vec<Lengths>,
    here: ChannelSubsystem<Here>,
    /// Least times of a block (µs): over MPI, here, bare, the subsystem itself.
    times: [f64; 4],
}

fn measured((name, call): (&'static str, Call)) -> Measured {
    let here = Here::default();
    let (lengths, messages) = (Arc::clone(&here.lengths), Arc::clone(&here.messages));
    let mut here = ChannelSubsystem::over_channel("masses", here, DEADLINE).unwrap();
    // The matrices cross once.
    (0..3).for_each(|_| step(&mut here));
    messages.store(0, Ordering::Relaxed);
    call(&mut here);
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| lengths[i].load(Ordering::Relaxed));
    let both = vec![[a, b], [c, d]];
    let lengths = if name == "discard" { vec![both[0]] } else { both };
    Measured { name, call, lengths, here, times: [f64::INFINITY; 4] }
}

/// Sends so many bytes to rank 1 and receives so many.
fn exchange(sent: &[u8], received: &mut [u8]) {
    let world = SimpleCommunicator::world();
    world.process_at_rank(1).send_with_tag(sent, BARE);
    world.process_at_rank(1).receive_into_with_tag(received, BARE);
}

/// A block of bare exchanges, seen from rank 1.
fn answer([request, reply]: Lengths) {
    let (world, mut request, reply) = (SimpleCommunicator::world(), vec![0_u8; request], vec![0_u8; reply]);
    for _ in 0..ROUNDS {
        world.process_at_rank(0).receive_into_with_tag(&mut request[..], BARE);
        world.process_at_rank(0).send_with_tag(&reply[..], BARE);
    }
}

/// Rank 1: bare exchanges where the assignment asks for them, then a subsystem.
fn serve(world: &World) {
    let number = |bytes: &[u8]| usize::from_le_bytes(bytes.try_into().unwrap());
    let make = |assignment: &[u8]| -> Result<Box<dyn Subsystem>, _> {
        if let Some((request, reply)) = assignment.split_at_checked(8) {
            answer([number(request), number(reply)]);
        }
        Ok(Box::new(TwoMasses::default()))
    };
    serve_ranks(world, make).unwrap();
}

/// A block of bare exchanges (µs); `number` is that of a subsystem which comes and goes.
fn bare(world: &World, number: usize, [request, reply]: Lengths) -> f64 {
    let assignment = [request.to_le_bytes(), reply.to_le_bytes()].concat();
    let channel = RankChannel::new(world, 1, number).unwrap();
    let mut greeting = Greeting::new("bare", channel, assignment, DEADLINE);
    greeting.send().unwrap();
    let (sent, mut received) = (vec![0; request], vec![0; reply]);
    let time = microseconds(|| exchange(&sent, &mut received));
    greeting.finish().unwrap();
    time
}

fn main() {
    let world = World::enter().unwrap();
    assert_eq!(world.size(), 2, "mpirun -n 2 …");
    if world.rank() > 0 {
        return serve(&world);
    }
    let channel = RankChannel::new(&world, 1, 0).unwrap();
    let mut there = ChannelSubsystem::over_channel("masses", channel, DEADLINE).unwrap();
    (0..3).for_each(|_| step(&mut there));
    let (mut all, mut itself) = (CALLS.map(measured), TwoMasses::default());
    for _ in 0..BLOCKS {
        for Measured { call, lengths, here, times, .. } in &mut all {
            let bare = lengths.iter().map(|&lengths| bare(&world, 1, lengths)).sum();
            let [there, here] =
                [&mut there as &mut dyn Subsystem, here].map(|own| microseconds(|| call(own)));
            let found = [there, here, bare, microseconds(|| call(&mut itself))];
            *times = std::array::from_fn(|i| times[i].min(found[i]));
        }
    }
    for Measured { name, lengths, times: [there, here, bare, itself], .. } in &all {
        let each = |time: f64| time / lengths.len() as f64;
        println!("{name}, messages of {lengths:?} bytes; for each message:");
        println!("  {:5.2} µs on another rank", each(*there));
        println!("  {:5.2} µs above the bare exchange and the call itself", each(there - bare - itself));
        println!("  {:5.2} µs the bare exchange", each(*bare));
        println!("  {:5.2} µs the call itself", each(*itself));
        println!("  {:5.2} µs as bytes in the same thread", each(*here));
    }
}
