//! Subsystems on other ranks: started by itself, this test starts itself once more under `mpirun`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a failure here is a failed test")]

use std::cell::Cell;
use std::process::{Command, ExitCode};
use std::time::Duration;

use cosimo_mechanics::StepEnergy;
use cosimo_mpi::{RankChannel, World, serve_ranks};
use cosimo_subsystem::conformance::{Conformance, TwoMasses};
use cosimo_subsystem::{
    Description, MacroStep, RowState, Snapshot, StepLoads, StepResponse, Subsystem, SubsystemError,
};
use cosimo_transport::{Channel, ChannelSubsystem, DEADLINE, Greeting, TransportError};

const STEP: MacroStep = MacroStep { time: 0.0, size: 1e-3 };

/// Much more than crosses in one piece.
const LONG: usize = 300_000;

/// Two masses that panic when a step is begun.
struct Bomb(TwoMasses);

impl Subsystem for Bomb {
    fn description(&self) -> &Description {
        self.0.description()
    }
    fn rows(&self) -> &RowState {
        self.0.rows()
    }
    fn begin(&mut self, _: MacroStep, _: &[f64]) -> Result<&StepResponse, SubsystemError> {
        panic!("no step")
    }
    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.0.commit(loads)
    }
}

/// What the other ranks make of an assignment: a long one is sent back as the reason why there is no subsystem.
fn make(assignment: &[u8]) -> Result<Box<dyn Subsystem>, SubsystemError> {
    match assignment {
        b"masses" => Ok(Box::new(TwoMasses::default())),
        b"bomb" => Ok(Box::new(Bomb(TwoMasses::default()))),
        text => {
            let reason = String::from_utf8_lossy(text).into_owned();
            Err(SubsystemError::BadDescription { subsystem: "long".to_owned(), reason })
        }
    }
}

/// Subsystems of rank 1, each with a new number.
struct Numbers<'w>(&'w World, Cell<usize>);

impl Numbers<'_> {
    fn greeting(&self, rank: usize, assignment: &[u8]) -> Greeting<RankChannel> {
        let number = self.1.replace(self.1.get() + 1);
        let channel = RankChannel::new(self.0, rank, number).unwrap();
        let mut greeting = Greeting::new("there", channel, assignment.to_vec(), Duration::from_secs(20));
        greeting.send().unwrap();
        greeting
    }

    fn masses(&self) -> ChannelSubsystem<RankChannel> {
        self.greeting(1, b"masses").finish().unwrap()
    }
}

fn passes_the_conformance_suite(numbers: &Numbers<'_>) {
    let make = || -> Box<dyn Subsystem> { Box::new(numbers.masses()) };
    Conformance::new(make).steps(8).check().assert_passed();
}

/// Two at once to the same rank: neither the requests nor the answers stand in each other's way.
fn long_messages_cross(numbers: &Numbers<'_>) {
    let texts = ["a", "b"].map(|letter| letter.repeat(LONG));
    let greetings = [0, 1].map(|i| numbers.greeting(1, texts[i].as_bytes()));
    for (greeting, text) in greetings.into_iter().zip(texts).rev() {
        match greeting.finish() {
            Err(SubsystemError::BadDescription { reason, .. }) => assert!(reason == text),
            other => panic!("{:?}", other.map(|_| "a subsystem")),
        }
    }
}

/// A channel that expects no more than it did at first.
#[derive(Debug)]
struct Strict(RankChannel);

impl Channel for Strict {
    fn send(&mut self, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
        self.0.send(message, deadline)
    }
    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        self.0.receive(message, deadline)
    }
}

/// Who has said how much is expected receives no more.
fn long_messages_are_refused(numbers: &Numbers<'_>) {
    let number = numbers.1.replace(numbers.1.get() + 1);
    let mut channel = RankChannel::new(numbers.0, 2, number).unwrap();
    channel.expect_at_most(5000);
    let error = Greeting::new("there", Strict(channel), vec![b'x'; LONG], DEADLINE).finish().unwrap_err();
    assert!(error.to_string().contains("where 5000 are the most"), "{error}");
    // A subsystem expects no more than its description allows, snapshots included.
    let mut masses = numbers.greeting(2, b"masses").finish().unwrap();
    let snapshot = Snapshot::from_bytes(vec![0; 100_000_000]);
    let error = masses.restore(&snapshot).unwrap_err();
    assert!(matches!(error, SubsystemError::Disconnected { .. }), "{error}");
    assert!(error.to_string().contains("are the most"), "{error}");
}

fn a_panic_is_contained(numbers: &Numbers<'_>) {
    let (mut bomb, mut masses) = (numbers.greeting(1, b"bomb").finish().unwrap(), numbers.masses());
    let error = bomb.begin(STEP, &[0.0; 3]).map(drop).unwrap_err();
    assert!(matches!(&error, SubsystemError::Panicked { message, .. } if message == "no step"), "{error}");
    let later = bomb.evaluate(&[0.0; 3]).map(drop).unwrap_err();
    assert!(later.to_string().contains("the subsystem panicked: no step"), "{later}");
    masses.begin(STEP, &[0.0; 3]).unwrap();
    masses.commit(&StepLoads::zeros(3)).unwrap();
    assert_eq!(masses.statistics().steps, 1);
}

fn test(world: &World) {
    assert!(RankChannel::new(world, 0, 0).is_err() && RankChannel::new(world, 3, 0).is_err());
    world.share(&vec![7; LONG]).unwrap();
    let numbers = Numbers(world, Cell::new(0));
    passes_the_conformance_suite(&numbers);
    long_messages_cross(&numbers);
    long_messages_are_refused(&numbers);
    a_panic_is_contained(&numbers);
}

fn main() -> ExitCode {
    if std::env::var_os("OMPI_COMM_WORLD_SIZE").is_none() {
        let mut command = Command::new("mpirun");
        command
            .args(["-n", "3", "--oversubscribe", "--allow-run-as-root"])
            .arg(std::env::current_exe().unwrap());
        let passed = command.status().unwrap().success();
        return if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let world = World::enter().unwrap();
    assert_eq!(world.size(), 3);
    if world.rank() == 0 {
        test(&world);
    } else {
        assert!(world.shared().unwrap() == Some(vec![7; LONG]));
        serve_ranks(&world, make).unwrap();
    }
    ExitCode::SUCCESS
}
