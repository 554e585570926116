//! Subsystems that report numbers that are not finite, or panic: the run ends with their names.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use cosimo_master::{
    Impacts, Interface, InterfaceLaw, Master, MasterConfig, Observer, Outcome, RunReport, Scheme, SetupError,
    StepError, StepRecord,
};
use cosimo_multibody::spatial::RigidBody;
use cosimo_native::{BodyPort, FreeBodyBuilder};
use cosimo_subsystem::{RowState, Subsystem, SubsystemError};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

use crate::models::tampered::{Calls, Tampered};
use crate::models::{bouncing_mass, floating_mass, rod};

/// Time (s) from which on something is wrong; steps of 1 ms lead there.
const WHEN: f64 = 0.0195;

/// A node on a rod, and masses on a spring; the subsystem `spoilt` is not what it should be.
fn model(
    spoilt: &str,
    spoil: impl Fn(Tampered) -> Tampered,
    config: MasterConfig,
) -> (Master, Vec<Arc<Calls>>) {
    let plain = [bouncing_mass("node", 1.0, 0.5), rod("rod"), floating_mass("a", 1.0, 0.02), {
        floating_mass("b", 2.0, 0.0)
    }];
    let (mut subsystems, mut all) = (Vec::<Box<dyn Subsystem>>::new(), Vec::new());
    for subsystem in plain {
        let calls = Arc::new(Calls::default());
        let is_it = subsystem.description().name == spoilt;
        let seen = Tampered::new(subsystem, &calls);
        subsystems.push(Box::new(if is_it { spoil(seen) } else { seen }));
        all.push(calls);
    }
    let is_condensed = config.scheme == Scheme::Condensed;
    let law = if is_condensed { InterfaceLaw::Rigid } else { InterfaceLaw::spring(1e3, 0.0, 1) };
    let mut joint = Interface::new("joint", "node.end", "rod.end", law);
    joint.offset = vec![0.5];
    let spring = Interface::new("spring", "a.end", "b.end", InterfaceLaw::spring(1e3, 0.0, 1));
    (Master::new(subsystems, vec![joint, spring], config, 0.0).unwrap(), all)
}

#[derive(Default)]
struct Times(Vec<f64>);

impl Observer for Times {
    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        self.0.push(record.time);
        ControlFlow::Continue(())
    }
}

/// Runs into the fault; the report, the error, and the times shown.
fn run(master: &mut Master) -> (RunReport, StepError, Vec<f64>) {
    let mut times = Times::default();
    let error = master.run(0.1, 1e-3, &mut times).unwrap_err();
    (*error.report, *error.source, times.0)
}

fn config(threads: u32) -> MasterConfig {
    // Halvings are for steps that do not converge; this is something else.
    MasterConfig { threads, max_halvings: 5, ..MasterConfig::default() }
}

#[track_caller]
fn assert_named(error: &StepError, parts: &[&str]) {
    let SubsystemError::NotFinite { .. } = (match error {
        StepError::Subsystem { source, .. } | StepError::NotCommitted { source, .. } => source,
        other => panic!("{other}"),
    }) else {
        panic!("{error}")
    };
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
}

#[test]
fn an_answer_that_is_not_finite_is_told_by_name_port_and_time() {
    for threads in [1, 2] {
        for (spoilt, row, place) in
            [("rod", 0, "port `end`"), ("a", 0, "port `end`"), ("node", 1, "contact `floor`")]
        {
            for (value, quantity) in [(f64::NAN, "velocity"), (f64::INFINITY, "position")] {
                let spoil = |seen: Tampered| {
                    seen.change(move |response, time| {
                        if time > WHEN {
                            let rows = if quantity == "velocity" {
                                &mut response.velocities
                            } else {
                                &mut response.positions
                            };
                            rows[row] = value;
                        }
                    })
                };
                let (mut master, _) = model(spoilt, spoil, config(threads));
                let (report, error, times) = run(&mut master);
                let name = format!("subsystem `{spoilt}`");
                let what = format!("the {quantity} of {place} is not finite");
                assert_named(&error, &["step from 0.02 s", &name, &what]);
                assert_eq!(
                    (report.steps, times.len()),
                    (20, 22),
                    "the last point is shown again, as the last"
                );
                assert!(matches!(&report.outcome, Outcome::Failed(text) if text.contains(&what)));
                assert_eq!(report.failed_steps, 1, "nothing is halved");
            }
        }
    }
}

#[test]
fn a_inverse_mass_that_is_not_finite_is_told() {
    let spoil = |seen: Tampered| {
        seen.change(|response, time| {
            if time > WHEN {
                response.inverse_mass.dense_mut()[(0, 0)] = f64::NAN;
                response.revision += 1_000_000;
            }
        })
    };
    let (mut master, _) = model("a", spoil, config(1));
    let (_, error, _) = run(&mut master);
    assert_named(&error, &["step from 0.02 s", "`a`", "the inverse mass of port `end`"]);
}

#[test]
fn an_energy_that_is_not_finite_is_told() {
    let spoil = |seen: Tampered| {
        seen.book(|ledger, time| {
            if time > WHEN {
                ledger.numerical = f64::NAN;
            }
        })
    };
    let (mut master, _) = model("b", spoil, config(1));
    let (report, error, _) = run(&mut master);
    assert_named(&error, &["step from 0.02 s", "`b`", "an energy of the step"]);
    assert!(report.energy.monitor_sum.is_nan() || report.steps == 20);
}

#[test]
fn answers_in_an_iteration_are_looked_at_too() {
    let spoil = |seen: Tampered| {
        // Only what comes after the beginning of the step.
        let mut last = f64::NAN;
        seen.change(move |response, time| {
            if time > WHEN && last == time {
                response.velocities[0] = f64::NAN;
            }
            last = time;
        })
    };
    for scheme in [Scheme::Condensed, Scheme::Jacobi] {
        let impacts = if scheme == Scheme::Jacobi { Impacts::PLAIN } else { Impacts::SubStep };
        let (mut master, _) = model("rod", spoil, MasterConfig { scheme, impacts, ..config(1) });
        let (report, error, _) = run(&mut master);
        assert_named(&error, &["step from 0.02 s", "`rod`", "the velocity of port `end`"]);
        assert_eq!(report.steps, 20, "{scheme:?}");
    }
}

#[test]
fn a_state_that_is_not_finite_is_refused_at_the_start() {
    let calls = Arc::new(Calls::default());
    let rows = RowState { positions: vec![f64::NAN], velocities: vec![0.0], ..RowState::default() };
    let subsystems: Vec<Box<dyn Subsystem>> =
        vec![Box::new(Tampered::new(floating_mass("a", 1.0, 0.0), &calls).rows_after(0, rows))];
    let refused = Master::new(subsystems, vec![], MasterConfig::default(), 0.0);
    let Err(SetupError::Subsystem(SubsystemError::NotFinite { subsystem, what })) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!((subsystem.as_str(), what.as_str()), ("a", "the position of port `end`"));
}

#[test]
fn an_orientation_that_is_not_finite_is_told_by_its_port() {
    let shown = |after: u64| {
        let inertia = RigidBody::new(1.0, Matrix3::identity()).unwrap();
        let frame = BodyPort::Frame { arm: Vector3::zeros(), orientation: UnitQuaternion::identity() };
        let body = FreeBodyBuilder::new("body", inertia).with_port("hub", frame).build().unwrap();
        let mut rows = body.rows().clone();
        rows.orientations[0] = UnitQuaternion::new_unchecked(Quaternion::new(1.0, f64::NAN, 0.0, 0.0));
        let seen = Tampered::new(Box::new(body), &Arc::new(Calls::default())).rows_after(after, rows);
        Master::new(vec![Box::new(seen)], vec![], MasterConfig::default(), 0.0)
    };
    let what = "the orientation of port `hub` is not finite";
    let refused = shown(0).unwrap_err().to_string();
    assert!(refused.contains("`body`") && refused.contains(what), "{refused}");
    let (_, error, _) = run(&mut shown(5).unwrap());
    assert_named(&error, &["step from 0.004 s", "`body`", what]);
}

#[test]
fn a_panic_is_the_failure_of_the_subsystem_and_the_others_end_in_order() {
    for threads in [1, 2, 8] {
        for (spoilt, call) in
            [("rod", "begin"), ("rod", "evaluate"), ("a", "begin"), ("a", "commit"), ("b", "commit")]
        {
            let spoil = |seen: Tampered| {
                seen.before(move |made, time| {
                    // Long enough that the calls are shared among the threads.
                    std::thread::sleep(std::time::Duration::from_micros(50));
                    assert!(!(made == call && time > WHEN), "the spring broke");
                })
            };
            let (mut master, calls) = model(spoilt, spoil, config(threads));
            let (report, error, times) = run(&mut master);
            let (StepError::Subsystem { source, .. } | StepError::NotCommitted { source, .. }) = &error
            else {
                panic!("{error}")
            };
            let SubsystemError::Panicked { subsystem, message } = source else { panic!("{error}") };
            assert_eq!((subsystem.as_str(), message.as_str()), (spoilt, "the spring broke"));
            assert!(error.to_string().starts_with("step from 0.02 s"), "{error}");
            assert_eq!((report.steps, report.failed_steps, times.len()), (20, 1, 22), "{spoilt}, {call}");
            // All calls but that one were made.
            let commits: Vec<u64> = calls.iter().map(|c| c.commits.load(Ordering::Relaxed)).collect();
            let expected = |i: usize| {
                let is_it = ["node", "rod", "a", "b"][i] == spoilt;
                20 + u64::from(call == "commit" && !is_it)
            };
            assert_eq!(commits, (0..4).map(expected).collect::<Vec<_>>(), "{spoilt}, {call}");
            // It stays so, and nothing is asked of the one that fell.
            assert!(master.step(1e-3).unwrap_err().to_string().contains("the spring broke"));
            let mut values = vec![0.0; master.labels().len()];
            master.observe(&mut values).unwrap();
            drop(master);
            assert!(calls.iter().all(|c| c.drops.load(Ordering::Relaxed) == 1), "{spoilt}, {call}");
        }
    }
}
