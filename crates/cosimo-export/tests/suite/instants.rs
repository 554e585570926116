//! Impulses and impacts of units, as a host that handles events drives them.

use cosimo_export::ModelUnit;
use cosimo_fmi_export::{Experiment, ExportedUnit, Step, Value};

use crate::Driven;

const GRAVITY: f64 = 9.81;

/// A ball of 2 kg and 0.1 m a metre over a floor, with a port, and with friction where it is asked for.
fn ball(friction: &str) -> String {
    format!(
        r#"
schema = 1
time = {{ end = 3.0, step = 1e-2 }}
[[subsystem]]
name = "ball"
kind = "node"
mass = 2.0
radius = 0.1
gravity = [0, 0, -{GRAVITY}]
position = [0, 0, 1.1]
[[subsystem.port]]
name = "top"
direction = [0, 0, 1]
[[subsystem.plane]]
name = "floor"
normal = [0, 0, 1]
restitution = 0.5
{friction}
"#
    )
}

/// Two masses as one, by a rigid joint; the first has the open port.
const PAIR: &str = r#"
schema = 1
time = { end = 1.0, step = 1e-2 }
[[subsystem]]
name = "a"
kind = "linear"
mass = [2.0]
[[subsystem.port]]
name = "tip"
coordinates = [0]
[[subsystem.port]]
name = "open"
coordinates = [0]
[[subsystem]]
name = "b"
kind = "linear"
mass = [3.0]
[[subsystem.port]]
name = "tip"
coordinates = [0]
[[interface]]
name = "j"
between = ["a.tip", "b.tip"]
law = "rigid"
"#;

/// A unit whose host handles events, and carries its contacts or not; in step mode at the start.
fn in_events(text: &str, carries: bool) -> Driven {
    let mut driven = Driven { unit: ModelUnit::new("own", text).unwrap(), time: 0.0 };
    if carries {
        driven.put("contacts.carried", Value::Boolean(true));
    }
    let experiment = Experiment { start: 0.0, stop: None, tolerance: None, events: true };
    driven.unit.enter_initialisation(&experiment).unwrap();
    driven.unit.exit_initialisation().unwrap();
    driven.unit.update_discrete_states().unwrap();
    driven.unit.leave_events().unwrap();
    driven
}

/// Gives impulses in event mode.
fn strike(driven: &mut Driven, impulses: &[(&str, f64)]) {
    driven.unit.enter_events().unwrap();
    driven.put("impact", Value::Boolean(true));
    impulses.iter().for_each(|(name, impulse)| driven.set(name, *impulse));
    driven.unit.update_discrete_states().unwrap();
    driven.unit.leave_events().unwrap();
}

#[test]
fn impulses_change_the_momentum_of_all_that_is_joined() {
    let mut driven = in_events(PAIR, false);
    driven.steps(1e-2, 3);
    driven.unit.enter_events().unwrap();
    let (velocity, impulse) = (driven.scalar("a.open.velocity"), driven.scalar("a.open.impulse"));
    let inverse_mass = driven.unit.directional_derivative(&[velocity], &[impulse], &[1.0]).unwrap()[0];
    assert!((inverse_mass - 0.2).abs() < 1e-14, "{inverse_mass}");
    driven.unit.leave_events().unwrap();
    strike(&mut driven, &[("a.open.impulse", 10.0)]);
    assert!((driven.get("a.open.velocity") - 2.0).abs() < 1e-12);
    let before = driven.get("a.open.position");
    driven.steps(1e-2, 10);
    assert!((driven.get("a.open.position") - before - 0.2).abs() < 1e-12);
    // An impulse acts once, and not without the clock.
    driven.unit.enter_events().unwrap();
    driven.set("a.open.impulse", 10.0);
    driven.unit.update_discrete_states().unwrap();
    driven.unit.leave_events().unwrap();
    assert!((driven.get("a.open.velocity") - 2.0).abs() < 1e-12);
}

#[test]
fn a_host_that_carries_contacts_gives_their_forces_and_impulses() {
    let mut driven = in_events(&ball(""), true);
    assert!((driven.get("contacts.ball.floor.gap") - 1.0).abs() < 1e-14);
    driven.steps(1e-2, 100);
    // It falls through the floor, which is the host's.
    let gap = driven.get("contacts.ball.floor.gap");
    assert!((gap - (1.0 - 0.5 * GRAVITY)).abs() < 1e-12, "{gap}");
    strike(&mut driven, &[("contacts.ball.floor.impulse", 2.0 * GRAVITY)]);
    driven.set("contacts.ball.floor.force", 2.0 * GRAVITY);
    driven.steps(1e-2, 50);
    assert!(driven.get("contacts.ball.floor.gap_rate").abs() < 1e-12);
    assert!((driven.get("contacts.ball.floor.gap") - gap).abs() < 1e-12);
    assert_eq!(driven.get("contacts.ball.floor.restitution"), 0.5);
}

#[test]
fn the_law_of_a_carried_contact_follows_its_parameters() {
    let text = ball("")
        .replace("[[subsystem]]", "[export]\nparameters = [\"ball.plane.floor.restitution\"]\n[[subsystem]]");
    let mut driven = Driven { unit: ModelUnit::new("own", &text).unwrap(), time: 0.0 };
    driven.set("ball.plane.floor.restitution", 0.25);
    driven.put("contacts.carried", Value::Boolean(true));
    assert_eq!(driven.get("contacts.ball.floor.restitution"), 0.25);
}

#[test]
fn slips_of_contacts_with_friction_are_driven_too() {
    let mut driven = in_events(&ball("friction = 0.3"), true);
    assert_eq!(driven.get("contacts.ball.floor.friction"), 0.3);
    strike(&mut driven, &[("contacts.ball.floor.friction_impulse", 3.0)]);
    let rate = driven.get("contacts.ball.floor.slip_rate");
    assert!((rate - 1.5).abs() < 1e-12, "{rate}");
}

#[test]
fn a_unit_stops_at_its_impacts_and_rebounds_in_event_mode() {
    let mut driven = in_events(&ball(""), false);
    let fall = (2.0 / GRAVITY).sqrt();
    let (mut expected, mut flight) = (fall, fall);
    let mut seen = 0;
    while seen < 5 {
        let end = driven.time + 1e-2;
        let done =
            driven.unit.step(&Step { time: driven.time, size: end - driven.time, may_end_early: true });
        let done = done.unwrap();
        driven.time = done.reached;
        if !done.event {
            continue;
        }
        assert!(
            (done.reached - expected).abs() < 1e-9,
            "impact {seen} at {} s, not {expected}",
            done.reached
        );
        let before = driven.get("ball.top.velocity");
        // A state at an impact goes on with it.
        let state = driven.unit.save().unwrap();
        driven.unit.restore(&state).unwrap();
        driven.unit.enter_events().unwrap();
        driven.unit.update_discrete_states().unwrap();
        driven.unit.leave_events().unwrap();
        let after = driven.get("ball.top.velocity");
        assert!(before < 0.0 && (after + 0.5 * before).abs() < 1e-9, "{before} then {after}");
        flight *= 0.5;
        expected += 2.0 * flight;
        seen += 1;
    }
    assert!(driven.time < 3.0 * fall);
}

#[test]
fn contacts_that_two_numbers_do_not_tell_stay_with_the_unit() {
    let unit = ModelUnit::new("own", &ball("impact_law = \"moreau\"")).unwrap();
    assert!(unit.description().variables.iter().all(|own| !own.is_clock && own.name != "contacts.carried"));
    let unit = ModelUnit::new("own", &ball("")).unwrap();
    assert!(unit.description().variables.iter().any(|own| own.is_clock));
}

#[test]
fn a_state_that_was_restored_is_saved_with_the_same_bytes() {
    for text in [ball("friction = 0.3"), PAIR.to_owned()] {
        let mut driven = in_events(&text, text != PAIR);
        for steps in [0, 3] {
            driven.steps(1e-2, steps);
            let time = driven.time;
            let state = driven.unit.save().unwrap();
            let before = driven.unit.serialise(&state).unwrap();
            driven.steps(1e-2, 2);
            driven.unit.restore(&state).unwrap();
            driven.time = time;
            let state = driven.unit.save().unwrap();
            assert!(before == driven.unit.serialise(&state).unwrap(), "after {steps} steps");
        }
    }
}

#[test]
fn impulses_of_one_event_are_not_those_of_another() {
    let mut driven = in_events(PAIR, false);
    driven.unit.enter_events().unwrap();
    driven.put("impact", Value::Boolean(true));
    driven.set("a.open.impulse", 10.0);
    // Left without an update.
    driven.unit.leave_events().unwrap();
    driven.steps(1e-2, 1);
    strike(&mut driven, &[]);
    assert_eq!(driven.get("a.open.velocity"), 0.0);
}

#[test]
fn a_state_knows_whether_the_unit_handles_an_event() {
    let mut driven = in_events(PAIR, false);
    driven.steps(1e-2, 1);
    let (velocity, impulse) = (driven.scalar("a.open.velocity"), driven.scalar("a.open.impulse"));
    driven.unit.enter_events().unwrap();
    let state = driven.unit.save().unwrap();
    driven.unit.leave_events().unwrap();
    driven.unit.restore(&state).unwrap();
    let inverse_mass = driven.unit.directional_derivative(&[velocity], &[impulse], &[1.0]).unwrap()[0];
    assert!((inverse_mass - 0.2).abs() < 1e-14, "{inverse_mass}");
    // A unit that was made without events handles them from a state that does.
    let mut stopping = in_events(&ball(""), false);
    stopping.steps(1e-2, 3);
    let state = stopping.unit.save().unwrap();
    let mut other = ModelUnit::new("own", &ball("")).unwrap();
    other.restore(&state).unwrap();
    let done = other.step(&Step { time: stopping.time, size: 1.0, may_end_early: true }).unwrap();
    assert!(done.event && (done.reached - (2.0 / GRAVITY).sqrt()).abs() < 1e-9, "{done:?}");
}

/// An angular impulse about the point of a frame turns the body by its inertia there: `Δω = J⁻¹ L` of a body at rest.
#[test]
fn angular_impulses_turn_frames() {
    let text = r#"
schema = 1
time = { end = 1.0, step = 1e-2 }
[[subsystem]]
name = "s"
kind = "rigid-body"
mass = 2.0
inertia = [0.3, 0.2, 0.4]
"#;
    let mut driven = in_events(text, false);
    driven.steps(1e-2, 1);
    driven.unit.enter_events().unwrap();
    driven.put("impact", Value::Boolean(true));
    let first = driven.scalar("s.centre.angular_impulse");
    for (k, value) in [0.3, -0.2, 0.8].into_iter().enumerate() {
        let scalar = first + u32::try_from(k).unwrap();
        driven.unit.set(&[cosimo_fmi_export::Change { scalar, value: Value::Real(value) }]).unwrap();
    }
    driven.unit.update_discrete_states().unwrap();
    driven.unit.leave_events().unwrap();
    let first = driven.scalar("s.centre.angular_velocity") as usize;
    let values = driven.unit.values().unwrap();
    for (k, expected) in [1.0, -1.0, 2.0].into_iter().enumerate() {
        let Value::Real(found) = values[first + k] else { unreachable!("a number") };
        assert!((found - expected).abs() < 1e-12, "{k}: {found}");
    }
}
