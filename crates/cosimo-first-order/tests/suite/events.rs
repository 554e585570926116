//! Events inside steps.

use cosimo_dynamics::{StepRule, Theta};
use cosimo_first_order::{FirstOrderSubsystem, Point};
use cosimo_subsystem::Stepped;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};

use crate::conformance::{OF_ORDER_ONE, rules};
use crate::systems::{Ball, ball_map};

/// Height and velocity of the ball at `t` (s), dropped from 1 m.
fn exact(mut t: f64) -> [f64; 2] {
    let g = 9.81;
    let (mut q, mut v) = (1.0, 0.0f64);
    loop {
        let hit = (v + (v * v + 2.0 * g * q).sqrt()) / g;
        if t <= hit {
            return [q + v * t - 0.5 * g * t * t, v - g * t];
        }
        (t, q, v) = (t - hit, 0.0, -0.8 * (v - g * hit));
    }
}

fn drop_ball(
    rule: Box<dyn cosimo_dynamics::StepRule>,
    kick: Option<f64>,
) -> Stepped<FirstOrderSubsystem<Ball>> {
    let start = Point { time: 0.0, states: &[1.0, 0.0], inputs: &[0.0] };
    let system = Ball { kick, ..Ball::default() };
    FirstOrderSubsystem::new("ball", system, rule, ball_map(), start).unwrap()
}

fn run(ball: &mut Stepped<FirstOrderSubsystem<Ball>>, h: f64, steps: u32) {
    let loads = StepLoads::zeros(1);
    for k in 0..steps {
        ball.begin(MacroStep { time: f64::from(k) * h, size: h }, &[0.0]).unwrap();
        ball.commit(&loads).unwrap();
    }
}

/// Errors of position and velocity at 1.95 s, behind three bounces.
fn errors_of_ball(rule: Box<dyn StepRule>, steps: u32) -> [f64; 2] {
    let mut ball = drop_ball(rule, None);
    run(&mut ball, 1.95 / f64::from(steps), steps);
    assert_eq!(ball.system().bounces, 3);
    let [q, v] = exact(1.95);
    [ball.states()[0] - q, ball.states()[1] - v].map(f64::abs)
}

#[test]
fn a_ball_bounces_as_by_its_closed_form_under_every_rule() {
    for (name, rule) in rules().into_iter().filter(|(name, _)| !OF_ORDER_ONE.contains(name)) {
        let coarse = errors_of_ball(rule(), 150);
        if name.starts_with("theta") || name.starts_with("multistep") {
            // A parabola exactly.
            assert!(coarse.iter().all(|error| *error < 1e-9), "{name}: {coarse:?}");
            continue;
        }
        // Generalized-alpha, whose algorithmic rates begin anew after every bounce, to its order.
        let fine = errors_of_ball(rule(), 2400);
        let order = (coarse[1] / fine[1]).log2() / 4.0;
        assert!((order - 2.0).abs() < 0.15 && fine[0] < 3e-7 && fine[1] < 5e-6, "{name}: {order}, {fine:?}");
    }
}

#[test]
fn a_trial_passes_events_and_takes_them_back() {
    let mut ball = drop_ball(Box::new(Theta::default()), None);
    let h = 0.5;
    // The ball hits the floor at 0.4515 s.
    let response = ball.begin(MacroStep { time: 0.0, size: h }, &[0.0]).unwrap();
    let [q, v] = exact(h);
    assert!((response.positions[0] - q).abs() < 1e-12 && (response.velocities[0] - v).abs() < 1e-12);
    assert_eq!((ball.system().bounces, ball.states()[0]), (0, 1.0));
    ball.commit(&StepLoads::zeros(1)).unwrap();
    assert_eq!(ball.system().bounces, 1);
    assert!((ball.states()[0] - q).abs() < 1e-12);
}

#[test]
fn an_event_at_a_given_time_splits_the_step_there() {
    let mut ball = drop_ball(Box::new(Theta::default()), Some(0.237));
    run(&mut ball, 0.1, 3);
    let (t, after) = (0.3, 0.3 - 0.237);
    let expected = [1.0 - 0.5 * 9.81 * t * t + after, -9.81 * t + 1.0];
    let states = ball.states();
    assert!((states[0] - expected[0]).abs() < 1e-13 && (states[1] - expected[1]).abs() < 1e-13, "{states:?}");
}
