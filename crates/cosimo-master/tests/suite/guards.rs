//! Numbers that are none, and slices of a wrong length, are errors and change nothing.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use cosimo_dynamics::Theta;
use cosimo_master::{
    Interface, InterfaceLaw, Master, MasterConfig, NoObserver, ObserveError, RunPosition, SetupError,
    StepError,
};
use cosimo_subsystem::Subsystem;

use crate::models::mass;

fn subsystems() -> Vec<Box<dyn Subsystem>> {
    let theta = |name: &str| mass(name, 1.0, 1.0, Box::new(Theta::default()));
    vec![theta("a"), theta("b")]
}

fn joint() -> Interface {
    Interface::new("joint", "a.end", "b.end", InterfaceLaw::Rigid)
}

fn master(time: f64) -> Result<Master, SetupError> {
    Master::new(subsystems(), vec![joint()], MasterConfig::default(), time)
}

fn values(master: &Master) -> Vec<f64> {
    let mut values = vec![0.0; master.labels().len()];
    master.observe(&mut values).unwrap();
    values
}

#[test]
fn a_start_that_is_no_time_is_refused() {
    for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(master(time), Err(SetupError::Time { .. })));
    }
    // Where time is counted from does not matter.
    assert_eq!(master(-3.0).unwrap().time(), -3.0);
}

#[test]
fn steps_that_are_none_are_refused_and_change_nothing() {
    let mut master = master(0.0).unwrap();
    let before = values(&master);
    for size in [0.0, -0.0, -1e-3, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = master.step(size).unwrap_err();
        assert!(matches!(error, StepError::Size { time: 0.0, .. }), "{size}: {error}");
        let error = master.run(3.0, size, &mut NoObserver).unwrap_err();
        assert!(matches!(*error.source, StepError::Size { .. }), "{size}: {error}");
        assert_eq!(error.report.steps, 0);
    }
    for end in [-0.1, -2.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = master.run(end, 1e-2, &mut NoObserver).unwrap_err();
        assert!(matches!(*error.source, StepError::End { time: 0.0, .. }), "{end}: {error}");
    }
    let position = RunPosition::start(f64::NAN, 3.0, 1e-2);
    assert!(master.run_from(position, &mut NoObserver).is_err());
    assert_eq!((master.time(), values(&master)), (0.0, before));
    // A run to where it stands has nothing to do.
    assert_eq!(master.run(0.0, 1e-2, &mut NoObserver).unwrap().steps, 0);
    assert_eq!(master.run(0.5, 0.1, &mut NoObserver).unwrap().steps, 5);
}

#[test]
fn a_slice_of_another_length_is_refused() {
    let master = master(0.0).unwrap();
    let expected = master.labels().len();
    for found in [0, expected - 1, expected + 1] {
        let error = master.observe(&mut vec![0.0; found]).unwrap_err();
        assert_eq!(error, ObserveError { expected, found });
    }
}
