//! A subsystem at the other end of a network cannot be distinguished from the same one nearby, and one that fails is a named error.
#![cfg(feature = "zenoh")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod certificates;
mod cost;
mod deadlines;
mod offers;
#[cfg(unix)]
mod processes;
mod resume;
mod same_bits;
mod strangers;
mod versions;

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem, SubsystemError};
use cosimo_zenoh::{Network, Settings, ZenohSubsystem};

/// The offer of most tests.
const KEY: &str = "plant/masses";

/// A server that is there answers within this time, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(30);

/// A port of the loopback address that nobody has. They are below those that the system gives to connections: none of these takes one while
/// its server is away.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let start = 12_000 + (std::process::id() % 400) as u16 * 40;
    loop {
        let port = start + NEXT.fetch_add(1, Ordering::Relaxed) % 4000;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// An endpoint that is free.
fn endpoint() -> String {
    format!("tcp/127.0.0.1:{}", free_port())
}

/// On a machine that is busy with other tests, silence is no sign of death.
fn settings() -> Settings {
    Settings::new().silence(Duration::from_secs(10))
}

/// A server in threads of this process, until it is dropped.
struct Served(Network);

impl Served {
    fn at(endpoint: &str) -> Self {
        Self(Network::open(&settings().listen(endpoint)).unwrap())
    }

    fn offer<S: Subsystem + 'static>(&self, key: &'static str, make: impl Fn() -> S + Send + Sync + 'static) {
        let network = self.0.clone();
        std::thread::spawn(move || network.offer(key, |_| Ok(Box::new(make()))));
    }

    /// Two masses at an endpoint.
    fn masses(endpoint: &str) -> Self {
        let served = Self::at(endpoint);
        served.offer(KEY, TwoMasses::default);
        served
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.0.close().unwrap();
    }
}

/// A master's place in the network of a server.
fn network(endpoint: &str) -> Network {
    Network::open(&settings().connect(endpoint)).unwrap()
}

/// What is offered under a key.
fn remote(network: &Network, key: &str) -> Result<ZenohSubsystem, SubsystemError> {
    network.remote("masses", key).deadline(PATIENCE).connect()
}

const SIZE: f64 = 1e-3;

fn step(index: u32) -> MacroStep {
    MacroStep { time: f64::from(index) * SIZE, size: SIZE }
}

/// Loads of a step, different in each.
fn loads(index: u32) -> StepLoads {
    let (mut loads, phase) = (StepLoads::zeros(3), f64::from(index));
    loads.impulses = vec![0.01 * phase.sin(), -0.02 * phase.cos(), 0.001 * phase.sin()];
    loads
}

/// Everything that shows, as bits.
fn bits(subsystem: &dyn Subsystem) -> Vec<u64> {
    let (rows, energy) = (subsystem.rows(), subsystem.energy());
    let mut observed = [0.0; 2];
    subsystem.observe(&mut observed);
    let energy = [energy.kinetic, energy.potential];
    [&rows.positions[..], &rows.velocities, &energy, &observed].concat().iter().map(|x| x.to_bits()).collect()
}

/// Takes one step of both, and sees that they are the same.
fn take_step(near: &mut dyn Subsystem, far: &mut dyn Subsystem, index: u32) {
    let (step, loads) = (step(index), loads(index));
    let expected = near.begin(step, &[0.0; 3]).unwrap().clone();
    assert_eq!(*far.begin(step, &[0.0; 3]).unwrap(), expected);
    let expected = near.evaluate(&loads.impulses).unwrap().clone();
    assert_eq!(*far.evaluate(&loads.impulses).unwrap(), expected);
    assert_eq!(far.commit(&loads).unwrap(), near.commit(&loads).unwrap());
    assert_eq!(bits(far), bits(near));
    let count =
        |subsystem: &dyn Subsystem| (subsystem.statistics().steps, subsystem.statistics().evaluations);
    assert_eq!(count(far), count(near));
}
