//! The plain scheme through impacts: order one in the mean, for θ = ½ and 1, with errors of the size expected.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{coordinates, observed_order, step_sizes, table};
use cosimo_dynamics::{LinearSystem, Theta};
use cosimo_nonsmooth::{ImpactResolution, MoreauJean};
use nalgebra::dmatrix;

/// Motion between impacts: from gap zero and this rate on, or from the start.
type Flight = fn(f64, f64) -> (f64, f64);

struct Case {
    stiffness: f64,
    force: f64,
    end: f64,
    impacts: &'static str,
    errors: &'static str,
    start: fn(f64) -> (f64, f64),
    flight: Flight,
}

const OMEGA: f64 = 2.0 * std::f64::consts::PI;

const BALL: Case = Case {
    stiffness: 0.0,
    force: -9.81,
    end: 3.0,
    impacts: "j_ball_impacts.csv",
    errors: "j_ball_errors.csv",
    start: |t| (1.0 - 4.905 * t * t, -9.81 * t),
    flight: |t, u| (u * t - 4.905 * t * t, u - 9.81 * t),
};

const OSCILLATOR: Case = Case {
    stiffness: OMEGA * OMEGA,
    force: 0.0,
    end: 2.8,
    impacts: "j_oscillator_impacts.csv",
    errors: "j_oscillator_errors.csv",
    start: |t| ((OMEGA * t).cos(), -OMEGA * (OMEGA * t).sin()),
    flight: |t, u| (u / OMEGA * (OMEGA * t).sin(), u * (OMEGA * t).cos()),
};

/// Errors in L1 of position and velocity.
fn errors(case: &Case, theta: f64, h: f64) -> [f64; 2] {
    let system = LinearSystem::new(dmatrix![1.0]).unwrap().with_force(vec![case.force]).unwrap();
    let system = system.with_stiffness(dmatrix![case.stiffness]).unwrap();
    let start = (0.0, vec![1.0], vec![0.0]);
    let contacts = (Box::new(coordinates(&[0])) as _, vec![0.9]);
    let rule = Theta::new(theta).unwrap();
    let mut stepper = MoreauJean::new(system, rule, contacts, ImpactResolution::Plain, start).unwrap();
    let impacts = table(case.impacts);
    let mut sum = [0.0; 2];
    for k in 1..=(case.end / h).round() as usize {
        stepper.step(h).unwrap();
        let t = k as f64 * h;
        let exact = match impacts.iter().rev().find(|impact| impact[1] <= t) {
            Some(impact) => (case.flight)(t - impact[1], impact[3]),
            None => (case.start)(t),
        };
        let state = stepper.stepper().state();
        sum[0] += h * (state.q[0] - exact.0).abs();
        sum[1] += h * (state.v[0] - exact.1).abs();
    }
    sum
}

#[test]
fn plain_scheme_has_order_one_in_the_mean() {
    for case in [BALL, OSCILLATOR] {
        let guide = table(case.errors);
        for theta in [0.5, 1.0] {
            let steps = step_sizes(24, (1e-2, 1e-4), case.end);
            let errors: Vec<_> = steps.iter().map(|h| errors(&case, theta, *h)).collect();
            for quantity in 0..2 {
                let errors: Vec<f64> = errors.iter().map(|e| e[quantity]).collect();
                let order = observed_order(&steps, &errors);
                let about = format!("{}, theta {theta}, quantity {quantity}: order {order}", case.errors);
                assert!((0.85..1.3).contains(&order), "{about}");
                // Error by step size, against the largest of the other implementation. That one activates contacts by
                // a forecast over half a step; by the end gap, as here, impacts come half a step early where θ = 1.
                let factor = if theta == 1.0 { 4.0 } else { 1.5 };
                let rows = guide.iter().filter(|row| row[0] == theta);
                let limit = rows.map(|row| row[2 + quantity] / row[1]).fold(0.0, f64::max);
                let worst = steps.iter().zip(&errors).map(|(h, e)| e / h).fold(0.0, f64::max);
                assert!(worst < factor * limit, "{about}: error {worst} h, other implementation {limit} h");
            }
        }
    }
}
