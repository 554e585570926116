//! Servers in processes of their own that die or freeze.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{Call, Subsystem, SubsystemError};
use cosimo_transport::OnLoss;
use cosimo_zenoh::{Network, Settings};

use super::deadlines::Slow;
use super::{KEY, PATIENCE, endpoint, take_step};

/// Where the process of a server listens.
const AT: &str = "COSIMO_ZENOH_TEST_AT";

/// The time that an evaluation of it takes (ms).
const TAKING: &str = "COSIMO_ZENOH_TEST_TAKING";

/// The process of a server: this program again, with this test alone.
#[test]
#[ignore = "the other tests start it"]
fn serve_in_a_process() {
    let (Ok(at), Ok(taking)) = (std::env::var(AT), std::env::var(TAKING)) else { return };
    let taking = Duration::from_millis(taking.parse().unwrap());
    let network = Network::open(&Settings::new().listen(&at)).unwrap();
    network.offer(KEY, |_| Ok(Box::new(Slow::taking(taking)))).unwrap();
}

/// A process that is killed at the end.
struct Process(Child);

impl Process {
    fn serving(at: &str, taking: u64) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "processes::serve_in_a_process", "--nocapture"]);
        command.env(AT, at).env(TAKING, taking.to_string()).stdout(Stdio::null());
        Self(command.spawn().unwrap())
    }

    fn signal(&self, signal: &str) {
        assert!(Command::new("kill").args([signal, &self.0.id().to_string()]).status().unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// How long it takes to notice, in a call that is under way, that something has happened to the process.
fn time_to_notice(signal: &str) -> (Duration, SubsystemError) {
    let at = endpoint();
    let process = Process::serving(&at, 60_000);
    let network = Network::open(&Settings::new().connect(&at)).unwrap();
    let mut far = network.remote("masses", KEY).deadline(PATIENCE).connect().unwrap();
    far.begin(super::step(0), &[0.0; 3]).unwrap();
    far.prefetch(Call::Evaluate(&[0.0; 3]));
    std::thread::sleep(Duration::from_millis(100));
    process.signal(signal);
    let since = Instant::now();
    let error = far.evaluate(&[0.0; 3]).unwrap_err();
    (since.elapsed(), error)
}

#[test]
fn a_process_that_dies_is_noticed_within_a_second() {
    let (time, error) = time_to_notice("-KILL");
    assert_eq!(error.to_string(), "subsystem `two-masses` does not answer: its server is gone");
    assert!(time < Duration::from_secs(1), "{time:?}");
}

#[test]
fn a_process_that_freezes_is_lost_after_the_silence() {
    let (time, error) = time_to_notice("-STOP");
    assert_eq!(error.to_string(), "subsystem `two-masses` does not answer: its server is gone");
    assert!(time < Duration::from_secs(5), "{time:?}");
}

#[test]
fn a_process_that_was_killed_and_started_again_gives_the_same_bits() {
    let at = endpoint();
    let mut process = Process::serving(&at, 0);
    let network = super::network(&at);
    let resuming = network.remote("masses", KEY).deadline(PATIENCE).on_loss(OnLoss::Resume(PATIENCE));
    let (mut near, mut far) = (TwoMasses::default(), resuming.connect().unwrap());
    for index in 0..60 {
        if index % 25 == 20 {
            drop(process);
            process = Process::serving(&at, 0);
        }
        take_step(&mut near, &mut far, index);
    }
}
