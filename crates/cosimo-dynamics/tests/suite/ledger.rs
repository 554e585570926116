//! The energy balance of every step.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{ConstrainedPendulum, DoublePendulum, Tip, chain, observed_order, stepper};
use cosimo_dynamics::{
    Kinematics, LinearRow, LinearRows, LinearSystem, NoRows, StepWork, Theta, TimeLoad, TimeTable,
};
use nalgebra::{DMatrix, dmatrix};

#[test]
fn midpoint_rule_creates_no_energy_in_a_damped_loaded_linear_system() {
    let load = TimeLoad {
        direction: LinearRow::dense(&[0.0, 1.0, 0.0, -0.5, 0.0], 0.0),
        table: TimeTable::new(vec![0.0, 0.2, 0.5, 0.9], vec![0.0, 30.0, -20.0, 5.0]).unwrap(),
    };
    let tie = LinearRow { weights: vec![(2, 1.0), (4, -1.0)], offset: 0.05 };
    for is_tied in [false, true] {
        let masses = chain(5, (0.7, 900.0, 1.5)).with_force(vec![1.0, 2.0, 0.0, -1.0, 0.5]).unwrap();
        let masses = masses.with_load(load.clone());
        let masses = if is_tied { masses.with_constraint(tie.clone()) } else { masses };
        let ports =
            LinearRows(vec![LinearRow::coordinate(0), LinearRow::dense(&[0.0, 0.0, 1.0, -1.0, 0.0], 0.0)]);
        let (q, v) = ([0.1, 0.0, 0.05, 0.1, 0.0], [0.0, 2.0, -1.0, 0.0, -1.0]);
        let mut stepper = stepper(masses, Theta::default(), ports, (&q, &v));
        let start = stepper.energy().total();
        let (mut sum, mut largest) = (StepWork::default(), 0.0_f64);
        for k in 0..500 {
            let phase = f64::from(k) * 0.1;
            let impulses = [0.02 * phase.sin(), -0.03 * (2.0 * phase).cos()];
            stepper.begin(2e-3, &[0.0; 2]).unwrap();
            let work = stepper.commit(&impulses, None).unwrap();
            largest = largest.max(work.numerical.abs());
            sum.port += work.port;
            sum.external += work.external;
            sum.dissipated += work.dissipated;
            assert!(work.contact == 0.0 && work.jumps == 0.0);
        }
        let scale = start.abs() + sum.dissipated;
        assert!(sum.dissipated > 1.0 && sum.external.abs() > 0.01 && sum.port.abs() > 0.1, "{sum:?}");
        assert!(largest < 1e-13 * scale, "tied: {is_tied}: {largest:e} of {scale}");
        let balance = stepper.energy().total() - start - sum.port - sum.external + sum.dissipated;
        assert!(balance.abs() < 1e-12 * scale, "tied: {is_tied}: {balance:e}");
    }
}

#[test]
fn free_oscillator_keeps_its_energy_over_twenty_thousand_steps() {
    let spring = LinearSystem::new(dmatrix![2.0]).unwrap().with_stiffness(dmatrix![5e3]).unwrap();
    for (system, q, v) in
        [(spring, vec![0.1], vec![3.0]), (chain(10, (1.0, 1e4, 0.0)), vec![0.0; 10], vec![1.0; 10])]
    {
        let mut stepper = stepper(system, Theta::default(), NoRows, (&q, &v));
        let start = stepper.energy().total();
        for _ in 0..20_000 {
            stepper.begin(1e-3, &[]).unwrap();
            stepper.commit(&[], None).unwrap();
        }
        let drift = stepper.energy().total() / start - 1.0;
        assert!(drift.abs() < 1e-10, "relative drift {drift:e}");
    }
}

#[test]
fn implicit_euler_rule_dissipates_numerically() {
    let oscillator = LinearSystem::new(dmatrix![1.0]).unwrap().with_stiffness(dmatrix![100.0]).unwrap();
    let mut stepper = stepper(oscillator, Theta::new(1.0).unwrap(), NoRows, (&[0.0], &[1.0]));
    for _ in 0..100 {
        let before = stepper.energy().total();
        stepper.begin(1e-2, &[]).unwrap();
        let work = stepper.commit(&[], None).unwrap();
        assert!(work.numerical < 0.0);
        assert_eq!(work.numerical, stepper.energy().total() - before);
    }
}

/// Largest and final deviation of the energy of a double pendulum from its start over two seconds.
fn energy_deviation(h: f64) -> (f64, f64) {
    let arms = DoublePendulum::default();
    let mut stepper = stepper(arms, Theta::default(), NoRows, (&[1.2, -0.4], &[0.0, 0.0]));
    let start = stepper.energy().total();
    let mut largest: f64 = 0.0;
    for _ in 0..(2.0 / h).round() as usize {
        stepper.begin(h, &[]).unwrap();
        stepper.commit(&[], None).unwrap();
        largest = largest.max((stepper.energy().total() - start).abs());
    }
    (largest, (stepper.energy().total() - start).abs())
}

#[test]
fn midpoint_rule_keeps_the_energy_of_a_double_pendulum_to_second_order() {
    let steps = [8e-3, 4e-3, 2e-3, 1e-3];
    let deviations = steps.map(|h| energy_deviation(h).0);
    let order = observed_order(&steps, &deviations);
    assert!((order - 2.0).abs() < 0.1 && deviations[3] < 1e-4, "order {order}, {deviations:?}");
}

#[test]
fn midpoint_rule_keeps_the_energy_of_a_double_pendulum_bounded() {
    let arms = DoublePendulum::default();
    let mut stepper = stepper(arms, Theta::default(), NoRows, (&[0.6, -0.4], &[0.0, 0.0]));
    let start = stepper.energy().total();
    let mut deviation = |steps: usize| {
        let mut largest: f64 = 0.0;
        for _ in 0..steps {
            stepper.begin(5e-3, &[]).unwrap();
            stepper.commit(&[], None).unwrap();
            largest = largest.max((stepper.energy().total() - start).abs());
        }
        largest
    };
    let early = deviation(2_000);
    let late = deviation(20_000);
    assert!(early < 1e-3 && late < 2.0 * early, "largest deviation {early:e} J at first, {late:e} J later");
}

#[test]
fn ledger_of_a_damped_double_pendulum_closes_to_second_order() {
    let sum = |h: f64| {
        let arms = DoublePendulum { damping: 0.3, ..DoublePendulum::default() };
        let mut stepper = stepper(arms, Theta::default(), Tip(arms.lengths), (&[1.2, -0.4], &[0.0, 0.0]));
        (0..(1.0 / h).round() as u32).fold(0.0_f64, |sum, k| {
            let impulse = [3.0 * h * (5.0 * h * (f64::from(k) + 0.5)).sin(), 0.0];
            stepper.begin(h, &[0.0; 2]).unwrap();
            stepper.evaluate(&impulse).unwrap();
            sum + stepper.commit(&impulse, None).unwrap().numerical
        })
    };
    let steps = [8e-3, 4e-3, 2e-3, 1e-3];
    let sums = steps.map(|h| sum(h).abs());
    let order = observed_order(&steps, &sums);
    assert!(order > 1.8 && sums[3] < 1e-4, "order {order}, {sums:?}");
}

#[test]
fn midpoint_rule_keeps_the_energy_of_a_constrained_pendulum_to_second_order() {
    let angle = std::f64::consts::FRAC_PI_6;
    let (q, v) = ([angle.cos(), angle.sin(), angle], [-5.0, 10.0 * angle.cos(), 10.0]);
    let deviation = |h: f64| {
        let mut stepper = stepper(ConstrainedPendulum::default(), Theta::default(), NoRows, (&q, &v));
        let start = stepper.energy().total();
        (0..(2.0 / h).round() as usize).fold(0.0_f64, |largest, _| {
            stepper.begin(h, &[]).unwrap();
            stepper.commit(&[], None).unwrap();
            largest.max((stepper.energy().total() - start).abs())
        })
    };
    let steps = [4e-3, 2e-3, 1e-3];
    let deviations = steps.map(deviation);
    let order = observed_order(&steps, &deviations);
    assert!((order - 2.0).abs() < 0.15 && deviations[2] < 1e-3 * 50.0, "order {order}, {deviations:?}");
}

/// A wall that moves with 2 m/s, seen from the first coordinate.
#[derive(Debug)]
struct MovingWall;

impl Kinematics for MovingWall {
    fn rows(&self) -> usize {
        1
    }
    fn is_constant(&self) -> bool {
        true
    }
    fn positions(&self, t: f64, q: &[f64], out: &mut [f64]) {
        out[0] = q[0] - 2.0 * t;
    }
    fn velocities(&self, _t: f64, _q: &[f64], v: &[f64], out: &mut [f64]) {
        out[0] = v[0] - 2.0;
    }
    fn jacobian(&self, _t: f64, _q: &[f64], first: usize, out: &mut DMatrix<f64>) {
        out[(first, 0)] = 1.0;
    }
}

#[test]
fn work_of_a_load_on_a_moving_row_is_that_on_the_body() {
    let mass = LinearSystem::new(dmatrix![3.0]).unwrap();
    let mut stepper = stepper(mass, Theta::default(), MovingWall, (&[0.0], &[0.0]));
    stepper.begin(0.1, &[0.0]).unwrap();
    let work = stepper.commit(&[6.0], None).unwrap();
    // 6 N s on 3 kg: 2 m/s, 6 J.
    assert!((work.port - 6.0).abs() < 1e-14 && work.numerical.abs() < 1e-14, "{work:?}");
}

#[test]
fn time_dependent_load_gives_the_closed_response_and_its_work() {
    // A mass of 2 kg under a ramp 0 to 6 N in 1 s, then 6 N: v = 1.5 m/s and q = 0.5 m at 1 s.
    let load = TimeLoad {
        direction: LinearRow::coordinate(0),
        table: TimeTable::new(vec![0.0, 1.0], vec![0.0, 6.0]).unwrap(),
    };
    let mass = LinearSystem::new(dmatrix![2.0]).unwrap().with_load(load);
    let mut stepper = stepper(mass, Theta::default(), NoRows, (&[0.0], &[0.0]));
    let mut external = 0.0;
    for _ in 0..1000 {
        stepper.begin(1e-3, &[]).unwrap();
        let work = stepper.commit(&[], None).unwrap();
        assert!(work.numerical.abs() < 1e-14);
        external += work.external;
    }
    assert!((stepper.state().v[0] - 1.5).abs() < 1e-12, "{:?}", stepper.state());
    assert!((stepper.state().q[0] - 0.5).abs() < 1e-6, "{:?}", stepper.state());
    assert!((external - 2.25).abs() < 1e-12, "{external}");
}
