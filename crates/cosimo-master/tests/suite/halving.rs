//! Steps that fail midway: what has happened stays, and only what remains is halved.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::ops::ControlFlow;

use crate::models::{bouncing_mass, rod};
use cosimo_master::{
    ContactEvent, Interface, InterfaceLaw, Master, MasterConfig, NoObserver, Observer, RunReport,
    StepControl, StepError, StepRecord,
};
use cosimo_subsystem::{Description, MacroStep, StepResponse, Subsystem, SubsystemError, pass_on};

/// A subsystem whose solver fails in steps longer than `longest` that start in the middle of a macro step of 10 ms.
struct Stubborn {
    inner: Box<dyn Subsystem>,
    description: Description,
    longest: f64,
    failure: Failure,
}

/// What it says then, from its name, the time and the size.
type Failure = fn(String, (f64, f64)) -> SubsystemError;

fn too_long(subsystem: String, (time, size): (f64, f64)) -> SubsystemError {
    SubsystemError::StepFailed { subsystem, time, size, reason: "too long".into() }
}

fn event_inside(subsystem: String, (time, size): (f64, f64)) -> SubsystemError {
    SubsystemError::StepHoldsEvent { subsystem, time, size, reason: "something closes".into() }
}

impl Subsystem for Stubborn {
    pass_on!(inner: rows, energy, evaluate, commit, discard, prepare_jump, jump, project_positions);
    pass_on!(inner: observe, save, restore, statistics);

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let phase = (step.time / 0.01).fract();
        if step.size > self.longest && (1e-6..1.0 - 1e-6).contains(&phase) {
            return Err((self.failure)(self.description.name.clone(), (step.time, step.size)));
        }
        self.inner.begin(step, start_loads)
    }

    fn description(&self) -> &Description {
        &self.description
    }
}

/// A rod that falls on a stop, by way of a node of 1 kg joined to it: the steps are split at impacts.
fn stop(longest: f64, max_halvings: u32) -> Master {
    stop_with(longest, MasterConfig { max_halvings, ..MasterConfig::default() })
}

fn stop_with(longest: f64, config: MasterConfig) -> Master {
    let inner = bouncing_mass("node", 1.0, 0.0);
    let description = inner.description().clone();
    stop_of(Stubborn { inner, description, longest, failure: too_long }, config)
}

fn stop_of(mut node: Stubborn, config: MasterConfig) -> Master {
    let joint = Interface::new("joint", "node.end", "rod.end", InterfaceLaw::Rigid);
    // The rod starts level and is lifted off the stop by the offset of the joint.
    let joint = joint.with_offset(vec![0.002]);
    node.inner.prepare_jump(1e-9).unwrap();
    node.inner.project_positions(&[0.002, 0.0]).unwrap();
    Master::new(vec![Box::new(node), rod("rod")], vec![joint], config, 0.0).unwrap()
}

/// Keeps times of impacts and of the last point shown.
#[derive(Default)]
struct Tape {
    impacts: Vec<f64>,
    last: f64,
}

impl Observer for Tape {
    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        self.last = record.time;
        ControlFlow::Continue(())
    }
    fn event(&mut self, event: &ContactEvent<'_>) {
        self.impacts.push(event.time);
    }
    fn finish(&mut self, _report: &RunReport) {}
}

#[test]
fn the_rest_of_a_split_step_is_halved() {
    let (mut whole, mut halved) = (stop(1.0, 0), stop(0.004, 3));
    let mut tape = Tape::default();
    let expected = whole.run(0.1, 0.01, &mut NoObserver).unwrap();
    let report = halved.run(0.1, 0.01, &mut tape).unwrap();
    assert_eq!((expected.impacts, expected.failed_steps), (1, 0));
    assert_eq!((report.impacts, tape.impacts.len()), (1, 1));
    assert!(report.failed_steps > 0);
    // Subsystems, which count time for themselves, and master agree on where they are.
    assert_eq!(halved.time().to_bits(), whole.time().to_bits());
    for (a, b) in halved.subsystems().iter().zip(whole.subsystems()) {
        let difference = (a.rows().positions[0] - b.rows().positions[0]).abs();
        assert!(difference < 2e-7, "{difference:e} m");
    }
}

#[test]
fn a_control_by_error_makes_failing_steps_smaller() {
    let config =
        MasterConfig { step_control: StepControl::Error, error_tolerance: 1e-8, ..MasterConfig::default() };
    let (mut whole, mut stubborn) = (stop(1.0, 0), stop_with(6e-4, config));
    whole.run(0.1, 1e-4, &mut NoObserver).unwrap();
    let mut tape = Tape::default();
    let report = stubborn.run(0.1, 0.01, &mut tape).unwrap();
    assert!(report.failed_steps > 5, "{} failed steps", report.failed_steps);
    assert_eq!((report.impacts, tape.impacts.len()), (1, 1));
    for (a, b) in stubborn.subsystems().iter().zip(whole.subsystems()) {
        let difference = (a.rows().positions[0] - b.rows().positions[0]).abs();
        assert!(difference < 1e-6, "{difference:e} m");
    }
    // Without a smaller size the failure ends the run.
    let config =
        MasterConfig { step_control: StepControl::Error, max_refinements: 3, ..MasterConfig::default() };
    let error = stop_with(1e-9, config).run(0.1, 0.01, &mut NoObserver).unwrap_err();
    assert!(matches!(*error.source, StepError::Subsystem { .. }), "{error}");
}

#[test]
fn a_step_that_fails_midway_keeps_its_impacts() {
    let mut tape = Tape::default();
    let error = stop(1e-9, 0).run(0.1, 0.01, &mut tape).unwrap_err();
    assert!(matches!(*error.source, StepError::Subsystem { .. }), "{error}");
    assert!(error.to_string().contains("`node` failed in the step from"), "{error}");
    assert_eq!((error.report.impacts, tape.impacts.len()), (1, 1));
    // The last point shown is that of the impact, inside the step.
    assert!((tape.last - tape.impacts[0]).abs() < 1e-9, "{} {:?}", tape.last, tape.impacts);
}

/// Steps in which a subsystem reports an event are halved without being asked for, unless a step cannot be halved: then what the
/// subsystem said ends the run.
#[test]
fn steps_about_an_event_are_halved_unasked() {
    let about_event = |has_variable_step: bool| {
        let inner = bouncing_mass("node", 1.0, 0.0);
        let mut description = inner.description().clone();
        description.capabilities.has_variable_step = has_variable_step;
        let node = Stubborn { inner, description, longest: 1e-3, failure: event_inside };
        stop_of(node, MasterConfig::default()).run(0.1, 0.01, &mut NoObserver)
    };
    let report = about_event(true).unwrap();
    assert!(report.steps == 10 && report.failed_steps > 0, "{} failed steps", report.failed_steps);
    let error = about_event(false).unwrap_err();
    assert!(error.to_string().contains("in which something happens"), "{error}");
    assert_eq!(error.report.failed_steps, 1);
}
