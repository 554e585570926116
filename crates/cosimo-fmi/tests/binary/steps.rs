//! Co-simulation.

use crate::support::{BOTH, STEPS, initialize, instance, near, real};
use cosimo_fmi::binary::{Kind, StepDone, Version};

/// Height and velocity after the first impact, at `time`, of a ball dropped from a height of 1.
fn after_first_impact(time: f64) -> (f64, f64) {
    let (g, e) = (9.81, 0.7);
    let impact = (2.0_f64 / g).sqrt();
    let (up, since) = (e * g * impact, time - impact);
    (up * since - 0.5 * g * since * since, up - g * since)
}

#[test]
fn a_ball_bounces_inside_its_steps() {
    for version in BOTH {
        let Some(mut ball) = instance("bouncing_ball", version, STEPS) else { return };
        initialize(&mut ball, &[], &[]);
        for step in 0..10 {
            let done = ball.do_step(f64::from(step) * 0.06, 0.06, true).unwrap();
            near(done.reached, f64::from(step + 1) * 0.06, 1e-14);
            assert!(!done.early && !done.event_needed && !done.terminate && !done.discarded);
        }
        let (height, velocity) = after_first_impact(0.6);
        near(real(&mut ball, 4), height, 1e-10);
        near(real(&mut ball, 5), velocity, 1e-10);
        for step in 10..200 {
            ball.do_step(f64::from(step) * 0.06, 0.06, true).unwrap();
        }
        assert_eq!((real(&mut ball, 4), real(&mut ball, 5)), (0.0, 0.0), "it comes to rest");
        ball.terminate().unwrap();
    }
}

#[test]
fn a_ball_returns_early_for_events_of_the_master() {
    let kind = Kind::CoSimulation { event_mode: true, early_return: true };
    let Some(mut ball) = instance("bouncing_ball", Version::Three, kind) else { return };
    initialize(&mut ball, &[], &[]);
    ball.update_discrete_states().unwrap();
    ball.enter_step_mode().unwrap();
    let done = ball.do_step(0.0, 0.6, true).unwrap();
    near(done.reached, (2.0_f64 / 9.81).sqrt(), 1e-14);
    assert!(done.early && done.event_needed && !done.discarded);
    assert!(real(&mut ball, 5) < 0.0, "the impact is not taken yet");
    ball.enter_event_mode().unwrap();
    let update = ball.update_discrete_states().unwrap();
    assert!(update.states_changed && !update.needs_another && update.next_event_time.is_none());
    ball.enter_step_mode().unwrap();
    let rest = ball.do_step(done.reached, 0.6 - done.reached, true).unwrap();
    assert!(!rest.early);
    let (height, velocity) = after_first_impact(0.6);
    near(real(&mut ball, 4), height, 1e-10);
    near(real(&mut ball, 5), velocity, 1e-10);
}

#[test]
fn an_oscillator_swings_with_its_force() {
    for version in BOTH {
        let Some(mut half) = instance("oscillator_half", version, STEPS) else { return };
        // Mass 2 on stiffness 8 with damping 0.4, from x = 0.5, pushed by 3.
        initialize(&mut half, &[1, 2, 3, 4, 5, 6], &[2.0, 8.0, 0.4, 0.5, -1.0, 3.0]);
        for step in 0..20 {
            half.do_step(f64::from(step) * 0.05, 0.05, false).unwrap();
        }
        let (decay, rest) = (0.1, 3.0 / 8.0);
        let omega = (4.0_f64 - decay * decay).sqrt();
        let (a, b) = (0.5 - rest, (-1.0 + decay * (0.5 - rest)) / omega);
        let expected = rest + (-decay).exp() * (a * omega.cos() + b * omega.sin());
        near(real(&mut half, 7), expected, 1e-10);
    }
}

#[test]
fn a_spring_answers_at_once() {
    for version in BOTH {
        let Some(mut half) = instance("spring_half", version, STEPS) else { return };
        initialize(&mut half, &[1, 2, 3], &[50.0, 2.0, 0.1]);
        half.set_f64(&[4, 5, 6, 7], &[0.0, 1.0, 0.4, -1.0]).unwrap();
        near(real(&mut half, 8), 50.0 * 0.3 - 4.0, 1e-14);
        let done = half.do_step(0.0, 0.1, true).unwrap();
        assert_eq!(done, StepDone { reached: 0.1, ..StepDone::default() });
    }
}

#[test]
fn a_stiff_oscillator_stays_on_its_slow_path() {
    for version in BOTH {
        let Some(mut unit) = instance("van_der_pol", version, STEPS) else { return };
        initialize(&mut unit, &[1], &[100.0]);
        unit.do_step(0.0, 1.0, true).unwrap();
        let (x, y) = (real(&mut unit, 2), real(&mut unit, 3));
        near(y, x / (100.0 * (1.0 - x * x)), 1e-3);
    }
}

#[test]
fn a_unit_is_reset_and_runs_again_to_the_same_bits() {
    for version in BOTH {
        let Some(mut half) = instance("oscillator_half", version, STEPS) else { return };
        let mut run = || {
            initialize(&mut half, &[2], &[3.0]);
            half.do_step(0.0, 0.5, true).unwrap();
            let found = real(&mut half, 7).to_bits();
            half.reset().unwrap();
            found
        };
        assert_eq!(run(), run());
    }
}
