//! Impacts at their own instants: order two, with dampers, several contacts, closing and release.
//!
//! The exact solutions are event-driven (`common::event_driven`); orders are fitted over 24 steps from 10 ms down to
//! 0.1 ms, errors are means over instants away from impacts.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::event_driven::{EventDriven, MOST_INSTANTS, Problem};
use crate::common::random::Random;
use crate::common::{observed_order, step_sizes};
use cosimo_nonsmooth::ImpactResolution;
use nalgebra::{DMatrix, DVector, dmatrix, dvector};

/// Instants at which errors are taken, evenly spread up to the end.
const INSTANTS: usize = 10;

struct Study {
    order: f64,
    /// Largest error by the square of the step size, at steps below 1 ms.
    constant: f64,
    events: usize,
    /// Whether the exact solution reaches the end.
    is_complete: bool,
}

/// Errors of positions and velocities up to `end` at many step sizes.
fn study(problem: &Problem, start: (&[f64], &[f64]), end: f64) -> Study {
    let mut exact = EventDriven::new(problem.clone(), start.0, start.1);
    let span = end / INSTANTS as f64;
    let mut states = Vec::new();
    for k in 1..=INSTANTS {
        exact.advance(k as f64 * span, 1e-3);
        states.push((exact.q(), exact.v()));
    }
    let is_quiet = |k: usize| {
        let t = (k + 1) as f64 * span;
        exact
            .events
            .iter()
            .all(|event| event.rate_before == event.rate_after || (event.time - t).abs() > 0.02)
    };
    let steps = step_sizes(24, (1e-2, 1e-4), span);
    let error = |h: &f64| {
        let mut stepper = problem.stepper(ImpactResolution::SubStep, start);
        let mut sum = 0.0;
        for (k, (q, v)) in states.iter().enumerate() {
            for _ in 0..(span / h).round() as usize {
                stepper.step(*h).unwrap();
            }
            let state = stepper.stepper().state();
            let difference = |x: &[f64], y: &DVector<f64>| (DVector::from_column_slice(x) - y).amax();
            if is_quiet(k) {
                sum += difference(&state.q, q) + difference(&state.v, v);
            }
        }
        sum / INSTANTS as f64
    };
    let errors: Vec<f64> = steps.iter().map(error).collect();
    let small = steps.iter().zip(&errors).filter(|(h, _)| **h < 1e-3);
    let constant = small.map(|(h, e)| e / (h * h)).fold(0.0, f64::max);
    Study {
        order: observed_order(&steps, &errors),
        constant,
        events: exact.events.len(),
        is_complete: exact.instants < MOST_INSTANTS,
    }
}

/// Instants `t` of impacts of `m q̈ + d q̇ + k q = 0` at `q = 0`, by the closed form of the motion in between.
fn oscillator_impacts([m, d, k]: [f64; 3], (mut q, mut v): (f64, f64), e: f64, count: usize) -> Vec<f64> {
    let sigma = d / (2.0 * m);
    let omega = (k / m - sigma * sigma).sqrt();
    let mut time = 0.0;
    let mut found = Vec::new();
    for _ in 0..count {
        let b = (v + sigma * q) / omega;
        let position = |t: f64| (-sigma * t).exp() * (q * (omega * t).cos() + b * (omega * t).sin());
        // The phase of the next zero that is passed downwards.
        let zero = (-q).atan2(b).rem_euclid(2.0 * std::f64::consts::PI);
        let t = if zero * omega.recip() < 1e-9 || b > 0.0 && q == 0.0 { std::f64::consts::PI } else { zero };
        let t = (if position(1.0001 * t / omega) > 0.0 { t - std::f64::consts::PI } else { t }) / omega;
        let rate = (-sigma * t).exp() * omega * (b * (omega * t).cos() - q * (omega * t).sin());
        time += t;
        found.push(time);
        (q, v) = (0.0, -e * rate);
    }
    found
}

#[test]
fn event_driven_solution_has_the_impacts_of_the_closed_form() {
    let parameters = [2.0, 3.0, 50.0];
    let problem = Problem::oscillator(parameters, &[[1.0, 0.0]], 0.9);
    let mut exact = EventDriven::new(problem, &[1.0], &[0.5]);
    exact.advance(3.0, 1e-3);
    let times = oscillator_impacts(parameters, (1.0, 0.5), 0.9, exact.events.len());
    assert!(exact.events.len() >= 4);
    for (event, time) in exact.events.iter().zip(times) {
        assert!((event.time - time).abs() < 1e-11, "{} {time}", event.time);
    }
}

#[test]
fn damped_oscillator_at_one_stop_has_order_two() {
    for e in [0.9, 0.5] {
        let problem = Problem::oscillator([2.0, 3.0, 50.0], &[[1.0, 0.0]], e);
        let found = study(&problem, (&[1.0], &[0.5]), 1.5);
        let Study { order, constant, events, .. } = found;
        assert!(events >= 2 && order >= 1.8 && constant < 60.0, "e {e}: order {order}, constant {constant}");
    }
}

#[test]
fn damped_oscillator_between_two_stops_has_order_two() {
    for e in [0.9, 0.5] {
        let problem = Problem::oscillator([2.0, 1.0, 50.0], &[[1.0, 0.0], [-1.0, -0.8]], e);
        let Study { order, constant, events, .. } = study(&problem, (&[0.4], &[5.0]), 1.2);
        assert!(events >= 3 && order >= 1.8 && constant < 120.0, "e {e}: order {order}, constant {constant}");
    }
}

#[test]
fn mass_caught_by_a_stop_rests_on_it() {
    let problem = Problem::oscillator([2.0, 0.7, 50.0], &[[1.0, 0.1]], 0.0);
    for h in step_sizes(24, (1e-2, 1e-4), 1.0) {
        let mut stepper = problem.stepper(ImpactResolution::SubStep, (&[0.6], &[0.0]));
        for _ in 0..(1.0 / h).round() as usize {
            stepper.step(h).unwrap();
        }
        let state = stepper.stepper().state();
        assert!((state.q[0] - 0.1).abs() < 1e-15 && state.v[0].abs() < 1e-15, "step {h}: {state:?}");
        let load = stepper.contacts().sustained[0] / h;
        assert!((load - 5.0).abs() < 1e-11, "step {h}: load {load}");
    }
}

/// Impact without rebound, a time of contact, and release.
#[test]
fn closing_and_release_have_order_two() {
    for (masses, springs) in [(&[1.0, 3.0][..], &[80.0][..]), (&[0.5, 1.0, 2.0], &[150.0, 60.0])] {
        let problem = Problem::chain(masses, springs, 0.01, 0.0);
        let start = (vec![0.1; masses.len()], vec![-1.0; masses.len()]);
        let Study { order, constant, events, .. } = study(&problem, (&start.0, &start.1), 1.5);
        assert!(events >= 2 && order >= 1.8 && constant < 60.0, "order {order}, constant {constant}");
    }
}

/// A rod that lies on one support is hit at the other: closed contacts under impacts elsewhere.
#[test]
fn impacts_with_other_contacts_closed_have_order_two() {
    for e in [0.0, 0.6] {
        let problem = Problem {
            mass: dmatrix![1.0, 0.0, 0.0; 0.0, 0.4, 0.0; 0.0, 0.0, 0.8],
            damping: dmatrix![0.4, 0.0, -0.4; 0.0, 0.2, 0.0; -0.4, 0.0, 0.4],
            stiffness: dmatrix![90.0, 0.0, -90.0; 0.0, 30.0, 0.0; -90.0, 0.0, 120.0],
            force: dvector![-9.0, 0.5, -8.0],
            rows: dmatrix![1.0, -0.5, 0.0; 1.0, 0.5, 0.0; 0.0, 0.0, 1.0],
            offsets: dvector![-0.05, -0.15, -0.3],
            restitutions: vec![0.0, e, e],
        };
        let Study { order, constant, events, .. } =
            study(&problem, (&[0.1, 0.3, 0.2], &[-0.5, 0.0, -1.0]), 0.8);
        assert!(events >= 4 && order >= 1.8 && constant < 1e3, "e {e}: {order}, {constant}, {events} events");
    }
}

/// Random systems with one to three contacts, some accumulating impacts on the way, all with dampers.
#[test]
fn random_systems_have_order_two() {
    let mut orders = Vec::new();
    for seed in 0..24 {
        let (problem, q, v) = random_problem(&mut Random::new(seed));
        let found = study(&problem, (&q, &v), 0.4);
        if found.is_complete {
            orders.push((found.order, found.events, seed));
        }
    }
    assert!(orders.len() > 18 && orders.iter().all(|(order, ..)| *order > 1.8), "{orders:.2?}");
}

fn random_problem(random: &mut Random) -> (Problem, Vec<f64>, Vec<f64>) {
    let (n, contacts) = (random.index(2, 4), random.index(1, 3));
    let mut stiffness = DMatrix::zeros(n, n);
    for a in 0..n {
        for b in 0..a {
            let k = random.magnitude(5.0, 300.0);
            stiffness[(a, a)] += k;
            stiffness[(b, b)] += k;
            stiffness[(a, b)] -= k;
            stiffness[(b, a)] -= k;
        }
        stiffness[(a, a)] += random.magnitude(1.0, 50.0);
    }
    let mass = DVector::from_fn(n, |_, _| random.magnitude(0.3, 5.0));
    let rows = DMatrix::from_fn(contacts, n, |c, j| {
        f64::from(u8::from(j == c % n)) + 0.3 * random.between(0.0, 1.0)
    });
    let q: Vec<f64> = (0..n).map(|_| random.between(0.1, 0.3)).collect();
    let v: Vec<f64> = (0..n).map(|_| random.between(-3.0, 1.0)).collect();
    let gaps = &rows * DVector::from_column_slice(&q);
    let problem = Problem {
        mass: DMatrix::from_diagonal(&mass),
        damping: &stiffness * random.between(0.001, 0.01),
        stiffness,
        force: DVector::from_fn(n, |_, _| random.between(-5.0, 0.0)),
        offsets: gaps.map(|y| y - random.between(0.05, 0.3)),
        rows,
        restitutions: (0..contacts)
            .map(|_| if random.index(0, 2) == 0 { 0.0 } else { random.between(0.4, 0.9) })
            .collect(),
    };
    (problem, q, v)
}
