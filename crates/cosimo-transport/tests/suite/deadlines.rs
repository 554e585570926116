//! Waits end: with the answer, or with a named error.

use std::time::{Duration, Instant};

use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{Call, StepResponse, Subsystem, SubsystemError, pass_on};
use cosimo_transport::{StreamSubsystem, ThreadedSubsystem};

use super::streamed;
use super::threaded::step;

/// Answers evaluations after a long time.
struct Slow(TwoMasses);

impl Subsystem for Slow {
    pass_on!(0: description, rows, energy, begin, commit, prepare_jump, jump, project_positions, observe, save);
    pass_on!(0: restore, statistics, discard);

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        std::thread::sleep(Duration::from_secs(3));
        self.0.evaluate(impulses)
    }
}

#[test]
fn an_answer_that_misses_its_deadline_is_an_error_that_names_the_call() {
    let slow = || Box::new(Slow(TwoMasses::default()));
    let deadline = Duration::from_millis(200);
    let thread = ThreadedSubsystem::spawn(slow()).unwrap();
    let stream = streamed(slow());
    check(thread, |far: ThreadedSubsystem| Box::new(far.with_deadline(deadline)));
    check(stream, |far: StreamSubsystem| Box::new(far.with_deadline(deadline)));
}

fn check<S: Subsystem>(mut far: S, hurry: impl FnOnce(S) -> Box<dyn Subsystem>) {
    far.begin(step(0), &[0.0; 3]).unwrap();
    let mut far = hurry(far);
    let started = Instant::now();
    far.prefetch(Call::Evaluate(&[0.0; 3]));
    for _ in 0..2 {
        let error = far.evaluate(&[0.0; 3]).unwrap_err();
        let text = "subsystem `two-masses` did not answer `evaluate` within 0.2 s";
        assert!(error.to_string().starts_with(text), "{error}");
    }
    assert!(matches!(far.save(), Err(SubsystemError::TimedOut { .. })));
    drop(far);
    assert!(started.elapsed() < Duration::from_secs(3), "it waited for what hangs");
}

#[test]
fn a_deadline_that_is_met_changes_nothing() {
    let mut far = streamed(Box::new(Slow(TwoMasses::default())));
    let mut near = TwoMasses::default();
    near.begin(step(0), &[0.0; 3]).unwrap();
    far.begin(step(0), &[0.0; 3]).unwrap();
    assert_eq!(far.evaluate(&[1.0; 3]).unwrap(), near.evaluate(&[1.0; 3]).unwrap());
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
    let mut far = streamed(Box::new(Panicking(TwoMasses::default())));
    far.begin(step(0), &[0.0; 3]).unwrap();
    let error = far.evaluate(&[0.0; 3]).unwrap_err();
    assert_eq!(error.to_string(), "subsystem `two-masses` panicked: the spring broke");
    for _ in 0..2 {
        let error = far.evaluate(&[0.0; 3]).unwrap_err();
        assert!(matches!(error, SubsystemError::Disconnected { .. }), "{error}");
    }
}
