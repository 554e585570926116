//! Models of parts.

use cosimo::author::*;
use cosimo::prelude::*;

use super::bits;

/// A ball that falls from 0.8 m to the floor.
fn ball(name: &str) -> Mechanism {
    let floor = MovingPlane {
        name: "floor".to_owned(),
        motion: PlaneMotion::at_rest(Vector3::zeros(), Vector3::z()),
        law: ContactLaw::frictionless(0.5),
    };
    PointMassBuilder::new(name, 2.0)
        .with_gravity([0.0, 0.0, -10.0])
        .with_initial_state([0.0, 0.0, 0.8], [0.0; 3])
        .with_port("centre", PointMassPort::Centre)
        .with_port("top", PointMassPort::Along(Vector3::z()))
        .with_plane(floor)
        .build()
        .unwrap()
}

#[test]
fn a_ball_bounces_at_the_instants_of_the_closed_form() {
    let mut model = Model::new();
    let ball = model.add(ball("ball")).unwrap();
    let trajectory = model.simulate(1.0, 1e-3).unwrap();
    // 0.4 s down; half the speed of 4 m/s up and down again.
    let impacts: Vec<_> = trajectory.events().iter().filter(|event| event.is_impact()).collect();
    let expected = [0.4, 0.8, 1.0];
    assert_eq!(impacts.len(), expected.len());
    for (impact, time) in impacts.iter().zip(expected) {
        assert!((impact.time - time).abs() < 1e-12, "{impact:?}");
        assert_eq!(impact.contact, "ball.floor");
    }
    assert!((impacts[0].velocity_before + 4.0).abs() < 1e-12 && (impacts[0].impulse - 12.0).abs() < 1e-12);
    let height = trajectory.series(ball.quantity("z")).unwrap();
    assert!((height.at(0.6).unwrap() - 0.2).abs() < 1e-12);
    // ½ m v² (1 − e²) at the first two impacts, and at the third, at the end.
    let lost = 16.0 * 0.75 * (1.0 + 0.25 + 0.0625);
    assert!((trajectory.energy().contact + lost).abs() < 1e-9, "{:?}", trajectory.energy());
}

#[test]
fn a_second_run_begins_anew_with_the_same_bits() {
    let mut model = Model::new();
    let [left, right] = ["left", "right"].map(|name| model.add(ball(name)).unwrap());
    model.spring("spring", left.port("top"), right.port("top"), 1e3).unwrap();
    let first = model.simulate(1.0, 1e-3).unwrap();
    let second = model.simulate(1.0, 1e-3).unwrap();
    assert_eq!(bits(&first), bits(&second));
    assert_eq!(first.events(), second.events());
    assert_eq!(first.energy(), second.energy());
    for (one, other) in first.report().subsystems.iter().zip(&second.report().subsystems) {
        assert_eq!(one.statistics.steps, 1000);
        assert_eq!((&one.name, one.statistics.steps), (&other.name, other.statistics.steps));
    }

    // What is added later is in the runs that follow, which are as if everything had been there from the start.
    let third = model.add(ball("third")).unwrap();
    model.rigid("rod", third.port("top"), right.port("top")).unwrap();
    let late = model.simulate(1.0, 1e-3).unwrap();
    let mut anew = Model::new();
    for name in ["left", "right", "third"] {
        anew.add(ball(name)).unwrap();
    }
    anew.spring("spring", "left.top", "right.top", 1e3).unwrap();
    anew.rigid("rod", "third.top", "right.top").unwrap();
    assert_eq!(bits(&late), bits(&anew.simulate(1.0, 1e-3).unwrap()));
}

#[test]
fn names_are_checked_where_they_are_used() {
    let mut model = Model::new();
    let ball_part = model.add(ball("ball")).unwrap();
    let text = model.add(ball("ball")).unwrap_err().to_string();
    assert!(text.starts_with("there is a part or an interface `ball` already"), "{text}");
    model.add(ball("other")).unwrap();
    let text = model.spring("spring", ball_part.port("tip"), "other.top", 1.0).unwrap_err().to_string();
    assert_eq!(text, "no port `ball.tip`; did you mean `top`?");
    let text = model.spring("spring", ball_part.port("foot_of"), "other.top", 1.0).unwrap_err().to_string();
    assert_eq!(text, "no port `ball.foot_of`; known: `centre`, `top`");
    let text = model.rigid("rod", "bal.top", "other.top").unwrap_err().to_string();
    assert_eq!(text, "no part `bal`; did you mean `ball`?");
    model.spring("spring", "ball.top", "other.top", 1.0).unwrap();
    let error = model.spring("spring", "ball.centre", "other.centre", 1.0).unwrap_err();
    assert!(matches!(error, ModelError::NameTaken { .. }), "{error}");
    // Ports of different size are the master's to refuse.
    model.spring("mixed", "ball.centre", "other.top", 1.0).unwrap();
    let text = model.simulate(0.1, 1e-3).unwrap_err().to_string();
    assert!(text.contains("mixed"), "{text}");
}

#[test]
fn signals_are_connected_by_name() {
    let gain = |name: &str| ControllerBuilder::new(name, Pid::new(2.0, 0.0)).with_default("setpoint", 1.0);
    let mut model = Model::new();
    let first = model.add(gain("first").with_default("measurement", 0.25).build().unwrap()).unwrap();
    let second = model.add(gain("second").build().unwrap()).unwrap();
    let text = model.connect(first.signal("outptu"), second.signal("measurement")).unwrap_err().to_string();
    assert!(text.starts_with("no output `first.outptu`; did you mean `output`?"), "{text}");
    let text = model.connect(first.signal("output"), second.signal("mesurement")).unwrap_err().to_string();
    assert!(text.starts_with("no input `second.mesurement`; did you mean `measurement`?"), "{text}");
    model.connect(first.signal("output"), second.signal("measurement")).unwrap();
    let trajectory = model.simulate(0.1, 1e-2).unwrap();
    assert_eq!(trajectory.last(second.quantity("output")).unwrap(), 2.0 * (1.0 - 2.0 * 0.75));
}

/// A mass that cannot be saved.
struct Forgetful(Mechanism);

impl Subsystem for Forgetful {
    pass_on!(0: description, rows, energy, begin, evaluate, commit, discard, prepare_jump, jump, project_positions, observe);
}

#[test]
fn a_part_that_cannot_be_saved_runs_once() {
    let mut model = Model::new();
    model.add(Forgetful(ball("ball"))).unwrap();
    let trajectory = model.simulate(0.2, 1e-3).unwrap();
    assert!((trajectory.last("ball.z").unwrap() - 0.6).abs() < 1e-12);
    let text = model.simulate(0.2, 1e-3).unwrap_err().to_string();
    assert!(text.starts_with("part `ball` can run once, it cannot be set back to its start"), "{text}");
}

/// A mass whose solver fails from 0.1 s on.
struct Brittle(Mechanism);

impl Subsystem for Brittle {
    pass_on!(0: description, rows, energy, evaluate, commit, discard, prepare_jump, jump, project_positions, observe, save, restore);

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        if step.time < 0.1 {
            return self.0.begin(step, start_loads);
        }
        let (subsystem, reason) = (self.description().name.clone(), "it is broken".to_owned());
        Err(SubsystemError::StepFailed { subsystem, time: step.time, size: step.size, reason })
    }
}

#[test]
fn a_run_that_fails_leaves_what_it_had() {
    let mut model = Model::new();
    model.add(Brittle(ball("ball"))).unwrap();
    for _ in 0..2 {
        let error = model.simulate(0.2, 1e-2).unwrap_err();
        let ModelError::Run { trajectory, .. } = &error else { panic!("{error}") };
        assert!(matches!(trajectory.outcome(), Outcome::Failed(_)));
        assert_eq!((trajectory.times().len(), trajectory.report().steps), (11, 10));
        assert!((trajectory.last("ball.z").unwrap() - 0.75).abs() < 1e-12);
        let text = format!("{error:?}");
        assert!(
            text.starts_with("the run ended at 0.1 s after 10 steps") && text.contains("it is broken"),
            "{text}"
        );
        // Short, though it holds a trajectory.
        assert!(text.len() < 300);
    }
}

#[test]
fn a_part_is_in_one_run_at_a_time() {
    let mut model = Model::new();
    model.add(ball("ball")).unwrap();
    let run = model.start().unwrap();
    let text = model.simulate(0.2, 1e-3).unwrap_err().to_string();
    assert!(text.starts_with("part `ball` is in another run of this model"), "{text}");
    drop(run);
    assert_eq!(model.simulate(0.2, 1e-3).unwrap().report().steps, 200);
}

#[test]
fn a_start_time_and_settings_reach_the_master() {
    let mut model = Model::new();
    model.add(PointMassBuilder::new("stone", 1.0).with_initial_time(2.0).build().unwrap()).unwrap();
    model.start_at(2.0).unwrap();
    model.configure(MasterConfig { impacts: Impacts::PLAIN, ..MasterConfig::default() }).unwrap();
    let run = model.start().unwrap();
    assert_eq!((run.time(), run.master().config().impacts), (2.0, Impacts::PLAIN));
}

#[test]
fn models_and_what_they_leave_go_to_other_threads() {
    fn sent<T: Send>() {}
    fn shared<T: Sync>() {}
    sent::<Model>();
    sent::<cosimo::Run>();
    sent::<ModelError>();
    sent::<Trajectory>();
    shared::<Trajectory>();
}
