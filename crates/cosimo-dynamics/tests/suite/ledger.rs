//! The energy balance of every step.

use crate::common::{chain, stepper};
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, NoRows, RowMap, Theta, TimeLoad};
use cosimo_mechanics::{StepEnergy, TimeFunction};
use nalgebra::{DMatrix, dmatrix};

#[test]
fn midpoint_rule_creates_no_energy_in_a_damped_loaded_linear_system() {
    let load = TimeLoad {
        direction: LinearRow::dense(&[0.0, 1.0, 0.0, -0.5, 0.0], 0.0),
        size: TimeFunction::table(vec![0.0, 0.2, 0.5, 0.9], vec![0.0, 30.0, -20.0, 5.0]).unwrap(),
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
        let (mut sum, mut largest) = (StepEnergy::default(), 0.0_f64);
        for k in 0..500 {
            let phase = f64::from(k) * 0.1;
            let impulses = [0.02 * phase.sin(), -0.03 * (2.0 * phase).cos()];
            stepper.begin(2e-3, &[0.0; 2]).unwrap();
            let work = stepper.commit(&impulses, None).unwrap();
            largest = largest.max(work.numerical.abs());
            sum.port_work += work.port_work;
            sum.external_work += work.external_work;
            sum.dissipated += work.dissipated;
            assert!(work.contact_work == 0.0 && work.jumps == 0.0);
        }
        let scale = start.abs() + sum.dissipated;
        assert!(
            sum.dissipated > 1.0 && sum.external_work.abs() > 0.01 && sum.port_work.abs() > 0.1,
            "{sum:?}"
        );
        assert!(largest < 1e-13 * scale, "tied: {is_tied}: {largest:e} of {scale}");
        let balance = stepper.energy().total() - start - sum.port_work - sum.external_work + sum.dissipated;
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

/// A wall that moves with 2 m/s, seen from the first coordinate.
#[derive(Debug)]
struct MovingWall;

impl RowMap for MovingWall {
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
    assert!((work.port_work - 6.0).abs() < 1e-14 && work.numerical.abs() < 1e-14, "{work:?}");
}

#[test]
fn time_dependent_load_gives_the_closed_response_and_its_work() {
    // A mass of 2 kg under a ramp 0 to 6 N in 1 s, then 6 N: v = 1.5 m/s and q = 0.5 m at 1 s.
    let load = TimeLoad {
        direction: LinearRow::coordinate(0),
        size: TimeFunction::table(vec![0.0, 1.0], vec![0.0, 6.0]).unwrap(),
    };
    let mass = LinearSystem::new(dmatrix![2.0]).unwrap().with_load(load);
    let mut stepper = stepper(mass, Theta::default(), NoRows, (&[0.0], &[0.0]));
    let mut external = 0.0;
    for _ in 0..1000 {
        stepper.begin(1e-3, &[]).unwrap();
        let work = stepper.commit(&[], None).unwrap();
        assert!(work.numerical.abs() < 1e-14);
        external += work.external_work;
    }
    assert!((stepper.state().v[0] - 1.5).abs() < 1e-12, "{:?}", stepper.state());
    assert!((stepper.state().q[0] - 0.5).abs() < 1e-6, "{:?}", stepper.state());
    assert!((external - 2.25).abs() < 1e-12, "{external}");
}
