//! Order of convergence of every rule on problems with closed solutions.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::observed_order;
use cosimo_dynamics::{DynamicsError, LinearRow, LinearSystem, MotionState, StepRule, Theta, TimeLoad};
use cosimo_dynamics::{GeneralizedAlpha, Multistep};
use cosimo_mechanics::TimeFunction;
use cosimo_smooth::Integrator;
use nalgebra::{Complex, dmatrix};

const MASS: f64 = 1.5;
const DAMPING: f64 = 0.8;
const STIFFNESS: f64 = 60.0;
const FORCE: f64 = 4.0;
const FREQUENCY: f64 = 5.0;
const START: (f64, f64) = (0.3, -1.0);
const END: f64 = 2.0;

/// Steps (s) of the table of the force: what it misses between them is far below the error of the rules.
const TABLE_STEP: f64 = 1e-4;

/// `m a + d v + k q = F cos Ω t`.
fn oscillator(frequency: f64) -> LinearSystem {
    let system = LinearSystem::new(dmatrix![MASS]).unwrap().with_damping(dmatrix![DAMPING]).unwrap();
    let system = system.with_stiffness(dmatrix![STIFFNESS]).unwrap();
    if frequency == 0.0 {
        return system.with_force(vec![FORCE]).unwrap();
    }
    let times: Vec<f64> = (0..=25_000).map(|k| TABLE_STEP * f64::from(k)).collect();
    let forces = times.iter().map(|t| FORCE * (frequency * t).cos()).collect();
    let size = TimeFunction::table(times, forces).unwrap();
    system.with_load(TimeLoad { direction: LinearRow::coordinate(0), size })
}

/// Position and velocity of the oscillator under `force · cos(frequency · t)`.
fn exact(t: f64, (force, frequency): (f64, f64)) -> (f64, f64) {
    let i_omega = Complex::new(0.0, frequency);
    let amplitude = force / (i_omega * i_omega * MASS + i_omega * DAMPING + STIFFNESS);
    let sigma = DAMPING / (2.0 * MASS);
    let root = Complex::new(-sigma, (STIFFNESS / MASS - sigma * sigma).sqrt());
    let (q0, v0) = (START.0 - amplitude.re, START.1 - (i_omega * amplitude).re);
    // Re(z exp(root t)) with the position q0 and the velocity v0 at t = 0.
    let z = Complex::new(q0, (root.re * q0 - v0) / root.im);
    let (free, forced) = (z * (root * t).exp(), amplitude * (i_omega * t).exp());
    ((free + forced).re, (root * free + i_omega * forced).re)
}

/// Steps `integrator` to the end with steps `h` and `ratio · h` in turn; the largest errors of position and
/// velocity on the way.
fn errors(mut integrator: Integrator, (h, ratio): (f64, f64), load: (f64, f64)) -> (f64, f64) {
    let mut worst: (f64, f64) = (0.0, 0.0);
    let mut is_long = false;
    while integrator.state().time < END - 1e-9 {
        integrator.step(if is_long { ratio * h } else { h }).unwrap();
        is_long = !is_long;
        let MotionState { time, q, v, .. } = integrator.state();
        let (position, velocity) = exact(*time, load);
        worst = (worst.0.max((q[0] - position).abs()), worst.1.max((v[0] - velocity).abs()));
    }
    worst
}

/// Checks error and order of a rule on the forced oscillator, and on the same one under a constant force.
fn assert_orders(rule: impl StepRule + Clone + 'static, expected: f64, ratio: f64) {
    let coarsest = if expected > 1.5 { 0.01 } else { 1e-3 };
    let steps: Vec<f64> = (0..4).map(|k| coarsest / f64::from(1 << k) * 2.0 / (1.0 + ratio)).collect();
    let start = (0.0, vec![START.0], vec![START.1]);
    for frequency in [0.0, FREQUENCY] {
        let run = |h: &f64| {
            let integrator = Integrator::new(oscillator(frequency), rule.clone(), start.clone());
            errors(integrator.unwrap(), (*h, ratio), (FORCE, frequency))
        };
        let (positions, velocities): (Vec<_>, Vec<_>) = steps.iter().map(run).unzip();
        let orders = [observed_order(&steps, &positions), observed_order(&steps, &velocities)];
        let about = format!("{}, ratio {ratio}: {orders:?}, {positions:?}, {velocities:?}", rule.name());
        assert!(orders.iter().all(|order| (order - expected).abs() < 0.1), "{about}");
        // Amplitudes are 0.3 m and 2 m/s.
        assert!(positions[0] < 7e-3 && velocities[0] < 5e-2, "{about}");
    }
}

#[test]
fn implicit_midpoint_rule_has_order_two() {
    assert_orders(Theta::default(), 2.0, 1.0);
    assert_orders(Theta::default(), 2.0, 1.5);
}

#[test]
fn implicit_euler_rule_has_order_one() {
    assert_orders(Theta::new(1.0).unwrap(), 1.0, 1.0);
}

#[test]
fn multistep_has_order_two_at_constant_and_alternating_steps() {
    for rho in [0.0, 0.6, 1.0] {
        for ratio in [1.0, 1.5] {
            assert_orders(Multistep::new(rho).unwrap(), 2.0, ratio);
        }
    }
}

#[test]
fn generalized_alpha_has_order_two_at_constant_and_alternating_steps() {
    for rho in [0.0, 0.2, 0.6, 0.8, 0.9, 1.0] {
        for ratio in [1.0, 1.5, 2.0] {
            assert_orders(GeneralizedAlpha::new(rho).unwrap(), 2.0, ratio);
        }
    }
}

#[test]
fn other_members_of_the_families_have_their_orders() {
    for ratio in [1.0, 1.5] {
        assert_orders(GeneralizedAlpha::hht(-0.1).unwrap(), 2.0, ratio);
        assert_orders(GeneralizedAlpha::newmark(0.5).unwrap(), 2.0, ratio);
        assert_orders(GeneralizedAlpha::newmark(0.8).unwrap(), 1.0, ratio);
        assert_orders(Multistep::backward_differentiation(1).unwrap(), 1.0, ratio);
    }
}

#[test]
fn last_step_is_shortened_to_the_end() {
    let start = (0.0, vec![START.0], vec![START.1]);
    let mut integrator = Integrator::new(oscillator(FREQUENCY), Multistep::new(0.6).unwrap(), start).unwrap();
    assert_eq!(integrator.advance_to(0.995, 0.01).unwrap(), 100);
    assert_eq!(integrator.state().time, 0.995);
    assert_eq!(integrator.advance_to(1.095, 0.01).unwrap(), 10);
    assert_eq!(integrator.state().time, 1.095);
    let (position, velocity) = exact(1.095, (FORCE, FREQUENCY));
    assert!((integrator.state().q[0] - position).abs() < 3e-3);
    assert!((integrator.state().v[0] - velocity).abs() < 2e-2);
}

#[test]
fn step_sizes_that_are_not_positive_are_refused() {
    let start = (0.0, vec![START.0], vec![START.1]);
    let mut integrator = Integrator::new(oscillator(FREQUENCY), Theta::default(), start).unwrap();
    for h in [0.0, -1e-3, f64::NAN] {
        assert!(matches!(integrator.advance_to(1.0, h), Err(DynamicsError::StepSize { .. })), "{h}");
    }
    assert_eq!(integrator.state().time, 0.0);
}
