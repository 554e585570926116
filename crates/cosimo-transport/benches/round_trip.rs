//! What a step costs elsewhere: of one small subsystem over channels, as bytes and over pipes, and of several that work at
//! the same time.

#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{Call, MacroStep, StepLoads, Subsystem};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use cosimo_transport::{
    DEADLINE, EncodedSubsystem, Key, ProcessSubsystem, Remote, Server, StreamSubsystem, TcpSubsystem,
    ThreadedSubsystem, serve,
};
use divan::Bencher;

/// Bytes of a message: those of a commit of this subsystem, and of its answer, are about as many.
const MESSAGE: usize = 256;

/// What this program is to do as a process of a benchmark.
const ROLE: &str = "COSIMO_BENCH_ROLE";

fn main() {
    let (input, output) = (std::io::stdin(), std::io::stdout());
    match std::env::var(ROLE).as_deref() {
        Ok("serve") => serve(Box::new(TwoMasses::default()), input, output).unwrap(),
        Ok("echo") => echo(input.lock(), output.lock()),
        _ => divan::main(),
    }
}

/// Sends every message back, until the stream ends.
fn echo(mut input: impl Read, mut output: impl Write) {
    let mut message = [0; MESSAGE];
    while input.read_exact(&mut message).is_ok() {
        output.write_all(&message).unwrap();
        output.flush().unwrap();
    }
}

/// This program in a role.
fn program(role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(ROLE, role);
    command
}

/// A process that sends back what it gets.
struct Echo(Child, ChildStdin, ChildStdout);

impl Echo {
    fn start() -> Self {
        let mut child = program("echo").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self(child, input, output)
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A message to a process and back.
#[divan::bench]
fn bare_round_trip_over_pipes(bencher: Bencher<'_, '_>) {
    let mut echo = Echo::start();
    let mut message = [1; MESSAGE];
    bencher.bench_local(|| {
        echo.1.write_all(&message).unwrap();
        echo.2.read_exact(&mut message).unwrap();
    });
}

/// Two calls to a subsystem in a process: two round trips.
#[divan::bench]
fn step_in_a_process(bencher: Bencher<'_, '_>) {
    let (mut subsystem, loads) =
        (ProcessSubsystem::spawn(program("serve"), DEADLINE).unwrap(), StepLoads::zeros(3));
    bencher.bench_local(|| step(&mut subsystem, &loads));
}

/// A message over TCP and back.
#[divan::bench]
fn bare_round_trip_over_tcp(bencher: Bencher<'_, '_>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let far = listener.accept().unwrap().0;
    near.set_nodelay(true).unwrap();
    far.set_nodelay(true).unwrap();
    std::thread::spawn(move || echo(far.try_clone().unwrap(), far));
    let mut message = [1; MESSAGE];
    bencher.bench_local(|| {
        near.write_all(&message).unwrap();
        near.read_exact(&mut message).unwrap();
    });
}

fn over_tcp() -> TcpSubsystem {
    let server = Server::bind("127.0.0.1:0", Key::NONE).unwrap();
    let address = server.address().to_string();
    std::thread::spawn(move || server.serve(|_| Ok(Box::new(TwoMasses::default()))));
    Remote::new("masses", &address).connect().unwrap()
}

/// Two calls over TCP.
#[divan::bench]
fn step_over_tcp(bencher: Bencher<'_, '_>) {
    let (mut subsystem, loads) = (over_tcp(), StepLoads::zeros(3));
    bencher.bench_local(|| step(&mut subsystem, &loads));
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

/// Two calls over pipes to a thread.
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
