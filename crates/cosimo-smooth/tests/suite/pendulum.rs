//! A rotating pendulum with nonlinear constraints, against its closed solution.
//!
//! Reference: `reference/pendulum.csv`, see the README beside it.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{AnglePendulum, ConstrainedPendulum, observed_order};
use cosimo_dynamics::{EquationsOfMotion, StepRule, Theta};
use cosimo_smooth::{GeneralizedAlpha, Integrator, Multistep};

/// A row of the reference: time, positions, velocities.
struct Instant {
    time: f64,
    q: [f64; 3],
    v: [f64; 3],
}

fn reference() -> Vec<Instant> {
    let mut reader = csv::Reader::from_path("tests/reference/pendulum.csv").unwrap();
    let numbers = |record: csv::StringRecord| record.iter().map(|x| x.parse().unwrap()).collect::<Vec<f64>>();
    let instant = |x: Vec<f64>| Instant { time: x[0], q: [x[1], x[2], x[3]], v: [x[4], x[5], x[6]] };
    reader.records().map(|record| instant(numbers(record.unwrap()))).collect()
}

/// Largest errors of positions and velocities up to 1 s, and the largest constraint residual.
fn errors(rule: impl StepRule + 'static, h: f64) -> [f64; 3] {
    let reference = reference();
    let start = (0.0, reference[0].q.to_vec(), reference[0].v.to_vec());
    let system = ConstrainedPendulum::default();
    let mut integrator = Integrator::new(system, rule, start).unwrap();
    let (mut worst, mut residual) = ([0.0_f64; 3], [0.0; 2]);
    for instant in &reference[1..] {
        while integrator.state().time < instant.time - 1e-9 {
            integrator.step(h).unwrap();
            let state = integrator.state();
            system.constraint(state.time, &state.q, &mut residual);
            worst[2] = worst[2].max(residual[0].abs()).max(residual[1].abs());
        }
        let state = integrator.state();
        for i in 0..3 {
            worst[0] = worst[0].max((state.q[i] - instant.q[i]).abs());
            worst[1] = worst[1].max((state.v[i] - instant.v[i]).abs());
        }
    }
    worst
}

fn assert_converges(rule: impl StepRule + Clone + 'static, largest: f64) {
    let steps = [4e-3, 2e-3, 1e-3, 5e-4];
    let found: Vec<[f64; 3]> = steps.iter().map(|h| errors(rule.clone(), *h)).collect();
    let column = |i: usize| found.iter().map(|e| e[i]).collect::<Vec<_>>();
    let orders = [observed_order(&steps, &column(0)), observed_order(&steps, &column(1))];
    let about = format!("{}: orders {orders:?}, errors {found:?}", rule.name());
    assert!(orders.iter().all(|order| (order - 2.0).abs() < 0.1), "{about}");
    assert!(found[3][0] < largest && found[3][1] < 12.0 * largest, "{about}");
    assert!(found.iter().all(|e| e[2] < 1e-10), "{about}");
}

#[test]
fn multistep_converges_with_order_two_on_constraints() {
    assert_converges(Multistep::new(0.6).unwrap(), 1e-3);
}

#[test]
fn generalized_alpha_converges_with_order_two_on_constraints() {
    assert_converges(GeneralizedAlpha::new(0.6).unwrap(), 1e-3);
}

#[test]
fn implicit_midpoint_rule_converges_with_order_two_on_constraints() {
    assert_converges(Theta::default(), 1e-3);
}

/// Error of the angle at 1 s.
fn angle_error(rule: impl StepRule + 'static, h: f64) -> f64 {
    let reference = reference();
    let (start, end) = (&reference[0], &reference[10]);
    let start = (0.0, vec![start.q[2]], vec![start.v[2]]);
    let mut integrator = Integrator::new(AnglePendulum, rule, start).unwrap();
    integrator.advance_to(end.time, h).unwrap();
    (integrator.state().q[0] - end.q[2]).abs().max((integrator.state().v[0] - end.v[2]).abs())
}

#[test]
fn every_rule_has_order_two_in_the_angle_alone() {
    let steps = [4e-3, 2e-3, 1e-3, 5e-4];
    let check = |name: &str, error: &dyn Fn(f64) -> f64| {
        let errors: Vec<f64> = steps.iter().map(|h| error(*h)).collect();
        let order = observed_order(&steps, &errors);
        assert!((order - 2.0).abs() < 0.1 && errors[3] < 1e-4, "{name}: order {order}, errors {errors:?}");
    };
    check("theta", &|h| angle_error(Theta::default(), h));
    for rho in [0.0, 0.6] {
        check("multistep", &|h| angle_error(Multistep::new(rho).unwrap(), h));
        check("generalized-alpha", &|h| angle_error(GeneralizedAlpha::new(rho).unwrap(), h));
    }
}
