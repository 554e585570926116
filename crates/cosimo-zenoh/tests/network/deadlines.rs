//! Waits end: with the answer, or with a named error.

use std::time::{Duration, Instant};

use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{StepResponse, Subsystem, SubsystemError, pass_on};

use super::{KEY, Served, endpoint, network, remote, step};

/// Answers evaluations after a long time.
pub(super) struct Slow(TwoMasses, Duration);

impl Slow {
    pub(super) fn taking(time: Duration) -> Self {
        Self(TwoMasses::default(), time)
    }
}

impl Subsystem for Slow {
    pass_on!(0: description, rows, energy, begin, commit, prepare_jump, jump, project_positions, observe, save);
    pass_on!(0: restore, statistics, discard);

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        std::thread::sleep(self.1);
        self.0.evaluate(impulses)
    }
}

#[test]
fn an_answer_that_misses_its_deadline_is_an_error_that_names_the_call() {
    let endpoint = endpoint();
    let (served, network) = (Served::at(&endpoint), network(&endpoint));
    served.offer(KEY, || Slow::taking(Duration::from_secs(5)));
    let mut far = remote(&network, KEY).unwrap();
    far.begin(step(0), &[0.0; 3]).unwrap();
    let mut far = far.with_deadline(Duration::from_millis(200));
    let started = Instant::now();
    for _ in 0..2 {
        let error = far.evaluate(&[0.0; 3]).unwrap_err();
        let text = "subsystem `two-masses` did not answer `evaluate` within 0.2 s";
        assert!(error.to_string().starts_with(text), "{error}");
    }
    drop(far);
    assert!(started.elapsed() < Duration::from_secs(5), "it waited for what hangs");
}

#[test]
fn a_server_that_is_not_there_is_named_with_its_key() {
    let network = network(&endpoint());
    let started = Instant::now();
    let remote = network.remote("masses", KEY).deadline(Duration::from_millis(300));
    let error = remote.connect().unwrap_err();
    let text = "subsystem `masses` does not answer: `plant/masses`: nobody offers it within 0.3 s";
    assert_eq!(error.to_string(), text);
    assert!(started.elapsed() >= Duration::from_millis(300));
}

#[test]
fn a_server_that_comes_later_is_waited_for() {
    let endpoint = endpoint();
    let network = network(&endpoint);
    let starting = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(400));
        Served::masses(&endpoint)
    });
    remote(&network, KEY).unwrap().begin(step(0), &[0.0; 3]).unwrap();
    drop(starting.join().unwrap());
}

/// Panics where it should answer.
struct Panicking(TwoMasses);

impl Subsystem for Panicking {
    pass_on!(0: description, rows, energy, begin, commit, observe, save, restore, statistics, discard);

    fn evaluate(&mut self, _impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        panic!("the spring broke")
    }
}

#[test]
fn a_panic_at_the_other_end_is_named_and_the_end_of_it() {
    let endpoint = endpoint();
    let (served, network) = (Served::at(&endpoint), network(&endpoint));
    served.offer(KEY, || Panicking(TwoMasses::default()));
    let mut far = remote(&network, KEY).unwrap();
    far.begin(step(0), &[0.0; 3]).unwrap();
    let error = far.evaluate(&[0.0; 3]).unwrap_err();
    assert_eq!(error.to_string(), "subsystem `two-masses` panicked: the spring broke");
    let error = far.evaluate(&[0.0; 3]).unwrap_err();
    assert!(matches!(error, SubsystemError::Disconnected { .. }), "{error}");
    // The server serves on.
    remote(&network, KEY).unwrap().begin(step(0), &[0.0; 3]).unwrap();
}
