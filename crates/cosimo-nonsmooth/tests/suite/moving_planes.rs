//! Balls on planes that move: at constant speed, vibrating, turning.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{observed_order, run, step_sizes, stepper, table};
use cosimo_mechanics::ContactLaw;
use cosimo_nonsmooth::{
    ContactChangeKind, ImpactResolution, MoreauJean, MovingPlane, MovingPlanes, PlaneMotion,
};
use nalgebra::Vector3;

const GRAVITY: f64 = 9.81;

fn ball_on(motion: PlaneMotion, e: f64, (q, v): ([f64; 3], [f64; 3])) -> MoreauJean {
    let planes = MovingPlanes::new(
        vec![MovingPlane { name: "plane".into(), motion, law: ContactLaw::frictionless(e) }],
        0.0,
    )
    .unwrap();
    let ball = MovingPlanes::point_mass(1.0, Vector3::new(0.0, 0.0, -GRAVITY)).unwrap();
    stepper(ball, planes, &[e], ImpactResolution::SubStep, (&q, &v))
}

/// In the frame of the plane the motion is that of a plane at rest.
#[test]
fn plane_at_constant_speed_bounces_like_one_at_rest() {
    let velocity = Vector3::new(0.3, -0.2, 1.7);
    let motion = PlaneMotion { velocity, ..PlaneMotion::at_rest(Vector3::zeros(), Vector3::z()) };
    let mut ball = ball_on(motion, 0.8, ([0.0, 0.0, 0.9], [0.0, 0.0, 1.7]));
    let (found, exact) = (run(&mut ball, 1e-3, 3420, ContactChangeKind::Impact), table("a2_impacts.csv"));
    assert_eq!((found.len(), exact.len()), (10, 10));
    for (change, row) in found.iter().zip(&exact) {
        let errors = [change.time - row[1], change.rate_before - row[2], change.impulse - row[4]];
        assert!(errors.iter().all(|error| error.abs() < 1e-11), "impact {}: {errors:?}", row[0]);
    }
    // At rest on the plane it moves along.
    run(&mut ball, 1e-3, 1580, ContactChangeKind::Impact);
    let state = ball.stepper().state();
    assert!((state.q[2] - 1.7 * state.time).abs() < 1e-11 && (state.v[2] - 1.7).abs() < 1e-12, "{state:?}");
    assert!((ball.contacts().sustained[0] - GRAVITY * 1e-3).abs() < 1e-12);
}

/// Impacts (time, rate before, impulse) on a plane at `A sin(ω t)`: closed form in between, bisection at the impact.
fn vibrating_impacts((amplitude, frequency): (f64, f64), e: f64, mut z: f64, count: usize) -> Vec<[f64; 3]> {
    let (mut time, mut v) = (0.0, 0.0);
    let mut found = Vec::new();
    while found.len() < count {
        let gap = |t: f64| z + t * (v - 0.5 * GRAVITY * t) - amplitude * (frequency * (time + t)).sin();
        let mut high = 1e-4;
        while gap(high) > 0.0 {
            high += 1e-5;
        }
        let mut low = high - 1e-5;
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if gap(middle) > 0.0 { &mut low } else { &mut high }) = middle;
        }
        z += high * (v - 0.5 * GRAVITY * high);
        v -= GRAVITY * high;
        time += high;
        let rate = v - amplitude * frequency * (frequency * time).cos();
        found.push([time, rate, -(1.0 + e) * rate]);
        v -= (1.0 + e) * rate;
    }
    found
}

#[test]
fn impacts_on_a_vibrating_plane_have_order_two() {
    let (vibration, e, height) = ((0.01, 30.0), 0.7, 0.3);
    let exact = vibrating_impacts(vibration, e, height, 4);
    let end = exact[3][0] + 0.02;
    let steps = step_sizes(24, (5e-3, 1e-4), end);
    let error = |h: &f64| {
        let motion = PlaneMotion {
            amplitude: vibration.0 * Vector3::z(),
            frequency: vibration.1,
            ..PlaneMotion::at_rest(Vector3::zeros(), Vector3::z())
        };
        let mut ball = ball_on(motion, e, ([0.0, 0.0, height], [0.0; 3]));
        let found = run(&mut ball, *h, (end / h).round() as usize, ContactChangeKind::Impact);
        let worst = |(found, exact): (&cosimo_nonsmooth::ContactChange, &[f64; 3])| {
            (found.time - exact[0]).abs()
                + (found.rate_before - exact[1]).abs()
                + (found.impulse - exact[2]).abs()
        };
        assert!(found.len() >= exact.len(), "{found:?}");
        found.iter().zip(&exact).map(worst).fold(0.0, f64::max)
    };
    let errors: Vec<f64> = steps.iter().map(error).collect();
    let order = observed_order(&steps, &errors);
    assert!(order > 1.8 && errors[23] < 1e-4, "order {order}, errors {errors:?}");
}

/// Carried by a plane that shakes it less than gravity, the ball stays on it; the gap does not drift.
#[test]
fn ball_stays_on_a_gently_shaking_plane() {
    let (amplitude, frequency) = (0.02, 15.0);
    let motion = PlaneMotion {
        amplitude: amplitude * Vector3::z(),
        frequency,
        ..PlaneMotion::at_rest(Vector3::zeros(), Vector3::z())
    };
    let h = 1e-3;
    let mut ball = ball_on(motion, 0.5, ([0.0; 3], [0.0, 0.0, amplitude * frequency]));
    for k in 0..10_000_u32 {
        ball.step(h).unwrap();
        let gap = ball.stepper().start_positions()[0];
        // The trapezoidal rule on the way of the plane: h² A ω²/12 at most.
        assert!(gap.abs() < 4e-7, "gap {gap}");
        // The mean force over the step.
        let speed = |t: f64| amplitude * frequency * (frequency * t).cos();
        let exact = GRAVITY + (speed(f64::from(k + 1) * h) - speed(f64::from(k) * h)) / h;
        let force = ball.contacts().impulses[0] / h;
        assert!((force - exact).abs() < 1e-9, "step {k}: {force} N, not {exact}");
    }
}

/// A plane that turns about the axis through its point pushes the ball round: no slip law, only the normal rate.
/// Rows that turn are nonlinear: the plain scheme, iterated.
#[test]
fn ball_on_a_turning_plane_follows_it() {
    let omega = 0.8;
    // A vertical wall through the axis z, turning; the ball starts on it, 1 m from the axis, moving along.
    let motion = PlaneMotion {
        angular_velocity: omega * Vector3::z(),
        ..PlaneMotion::at_rest(Vector3::zeros(), Vector3::y())
    };
    let steps = step_sizes(12, (1e-2, 5e-4), 1.0);
    let error = |h: &f64| {
        let planes = MovingPlanes::new(
            vec![MovingPlane {
                name: "wall".into(),
                motion: motion.clone(),
                law: ContactLaw::frictionless(0.0),
            }],
            0.0,
        );
        let ball = MovingPlanes::point_mass(1.0, Vector3::zeros()).unwrap();
        let start: (&[f64], &[f64]) = (&[1.0, 0.0, 0.0], &[0.0, omega, 0.0]);
        let mut ball = stepper(ball, planes.unwrap(), &[0.0], ImpactResolution::SubStep, start);
        for _ in 0..(1.0 / h).round() as usize {
            ball.step(*h).unwrap();
            assert!(ball.contacts().impulses[0] > 0.0);
            assert!(ball.stepper().start_velocities()[0].abs() < 1e-12);
        }
        // On the wall the distance from the axis is cosh(ω t).
        let (q, t) = (&ball.stepper().state().q, omega);
        let exact = t.cosh() * Vector3::new(t.cos(), t.sin(), 0.0);
        (Vector3::new(q[0], q[1], q[2]) - exact).norm()
    };
    let errors: Vec<f64> = steps.iter().map(error).collect();
    let order = observed_order(&steps, &errors);
    assert!((1.95..2.05).contains(&order) && errors[11] < 1e-6, "order {order}, errors {errors:?}");
}
