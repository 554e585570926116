//! Impulses inside a step, jumps and shifts.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{chain, observed_order, stepper};
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, Stepper, Theta, TimeLoad};
use cosimo_mechanics::{ImpulseMoments, TimeFunction};
use nalgebra::{Matrix2, Vector2, dmatrix};

/// Moments of the impulses `ξ` on one row at the time `s` before the end of the step begun.
fn moments(stepper: &Stepper, impulse: &[f64], s: f64) -> ImpulseMoments {
    let c = stepper.formula().stage_velocity();
    let scaled = |factor: f64| impulse.iter().map(|x| factor * x).collect();
    ImpulseMoments {
        velocity: scaled(1.0),
        velocity_damped: scaled(c - s),
        position: scaled(s),
        position_damped: scaled(s * (c - 0.5 * s)),
    }
}

const MASS: f64 = 2.0;
const DAMPING: f64 = 3.0;
const STIFFNESS: f64 = 50.0;

/// Exact change of position and velocity of the damped oscillator after the time `s` for a unit impulse.
fn exact_change(s: f64) -> Vector2<f64> {
    let (sigma, stiffness) = (DAMPING / (2.0 * MASS), STIFFNESS / MASS);
    let omega = (stiffness - sigma * sigma).sqrt();
    let (sin, cos) = (omega * s).sin_cos();
    Vector2::new(sin / omega, cos - sigma / omega * sin) * (-sigma * s).exp() / MASS
}

fn oscillator() -> LinearSystem {
    let mass = LinearSystem::new(dmatrix![MASS]).unwrap();
    mass.with_damping(dmatrix![DAMPING]).unwrap().with_stiffness(dmatrix![STIFFNESS]).unwrap()
}

/// What an impulse at the share `share` of a step of size `h` before its end changes, against the exact change.
fn superposition_error(h: f64, share: f64) -> Vector2<f64> {
    let make = || {
        stepper(oscillator(), Theta::default(), LinearRows(vec![LinearRow::coordinate(0)]), (&[0.2], &[1.0]))
    };
    let (mut free, mut hit) = (make(), make());
    for stepper in [&mut free, &mut hit] {
        stepper.begin(h, &[0.0]).unwrap();
    }
    let smooth = free.commit(&[0.0], None).unwrap();
    let m = moments(&hit, &[1.5], share * h);
    let work = hit.commit(&[0.0], Some(m.view())).unwrap();
    let change = hit.energy().total() - free.energy().total();
    assert!((work.jumps - (work.dissipated - smooth.dissipated) - change).abs() < 1e-12);
    let change = Vector2::new(hit.state().q[0] - free.state().q[0], hit.state().v[0] - free.state().v[0]);
    (change - 1.5 * exact_change(share * h)).abs()
}

#[test]
fn impulse_inside_a_step_is_superposed_to_third_order_in_position_and_second_in_velocity() {
    let steps = [8e-3, 4e-3, 2e-3, 1e-3];
    for share in [0.1, 0.3, 0.5, 0.9] {
        let errors = steps.map(|h| superposition_error(h, share));
        let orders = [0, 1].map(|i| observed_order(&steps, &errors.map(|e| e[i])));
        let about = format!("share {share}: orders {orders:?}, errors {errors:?}");
        assert!(orders[0] > 2.9 && orders[1] > 1.9, "{about}");
        assert!(errors[3][0] < 1e-8 && errors[3][1] < 1e-4, "{about}");
    }
}

/// Exact motion over the time `t`.
fn exact_flow(t: f64, y: Vector2<f64>) -> Vector2<f64> {
    (Matrix2::new(0.0, 1.0, -STIFFNESS / MASS, -DAMPING / MASS) * t).exp() * y
}

/// Instants (s) and impulses (N s) of a run of one second.
const IMPACTS: [(f64, f64); 3] = [(0.1234, 2.0), (0.2741, -3.0), (0.7077, 1.5)];

fn energy(y: Vector2<f64>) -> f64 {
    0.5 * (MASS * y[1] * y[1] + STIFFNESS * y[0] * y[0])
}

/// The exact state at the end of that run, and the energies dissipated and put in by the impulses.
fn exact_run() -> (Vector2<f64>, f64, f64) {
    let start = Vector2::new(0.2, 1.0);
    let (mut y, mut time, mut put_in) = (start, 0.0, 0.0);
    for (t, impulse) in IMPACTS {
        y = exact_flow(t - time, y);
        put_in += impulse * (y[1] + 0.5 * impulse / MASS);
        y[1] += impulse / MASS;
        time = t;
    }
    let end = exact_flow(1.0 - time, y);
    (end, energy(start) + put_in - energy(end), put_in)
}

#[test]
fn run_with_impulses_between_communication_points_has_order_two() {
    let (exact, dissipated, put_in) = exact_run();
    let steps = [1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4];
    let run = |h: f64| {
        let ports = LinearRows(vec![LinearRow::coordinate(0)]);
        let mut stepper = stepper(oscillator(), Theta::default(), ports, (&[0.2], &[1.0]));
        let (mut damping, mut impulses) = (-dissipated, -put_in);
        for k in 0..(1.0 / h).round() as usize {
            let end = (k + 1) as f64 * h;
            stepper.begin(h, &[0.0]).unwrap();
            let inside = IMPACTS.iter().find(|(t, _)| (k as f64 * h..end).contains(t));
            let m = inside.map(|(t, impulse)| moments(&stepper, &[*impulse], end - t));
            let work = stepper.commit(&[0.0], m.as_ref().map(ImpulseMoments::view)).unwrap();
            damping += work.dissipated;
            impulses += work.jumps;
        }
        let state = Vector2::new(stepper.state().q[0] - exact[0], stepper.state().v[0] - exact[1]);
        [state.amax(), damping.abs(), impulses.abs()]
    };
    let errors = steps.map(run);
    for (what, most) in
        [("state", 1e-5), ("dissipated", 1e-4), ("put in by impulses", 1e-4)].iter().enumerate()
    {
        let of = errors.map(|e| e[what]);
        let order = observed_order(&steps, &of);
        assert!(order > 1.8 && of[4] < most.1, "{}: order {order}, {of:?}", most.0);
    }
}

#[test]
fn constant_load_works_on_the_way_with_impulses() {
    let load = |newtons: f64| TimeLoad {
        direction: LinearRow::dense(&[1.0, -0.5], 0.0),
        size: TimeFunction::table(vec![0.0, 5.0], vec![newtons; 2]).unwrap(),
    };
    let system = chain(2, (1.0, 50.0, 0.4)).with_load(load(-7.0));
    let ports = LinearRows(vec![LinearRow::coordinate(0), LinearRow::coordinate(1)]);
    let mut stepper = stepper(system, Theta::default(), ports, (&[0.1, 0.0], &[0.5, 1.0]));
    let (start, mut external, mut swing) = (stepper.state().q.clone(), 0.0, 0.0_f64);
    for k in 0..200 {
        stepper.begin(1e-2, &[0.0; 2]).unwrap();
        let m = moments(&stepper, &[f64::from(k % 3), -0.5], 1e-4 * f64::from(k % 100));
        external += stepper.commit(&[0.0; 2], Some(m.view())).unwrap().external_work;
        swing = swing.max(stepper.state().q[0].abs());
    }
    let displacement = |i: usize| stepper.state().q[i] - start[i];
    let exact = -7.0 * (displacement(0) - 0.5 * displacement(1));
    assert!(
        (external - exact).abs() < 1e-13 * 7.0 * swing * 200.0 && exact.abs() > 0.1,
        "{external} {exact}"
    );
}

#[test]
fn jump_and_shift_move_the_rows_by_the_inverse_mass() {
    let ports = LinearRows(vec![LinearRow::coordinate(0), LinearRow::dense(&[0.0, 1.0, -1.0], 0.2)]);
    let mut stepper = stepper(chain(3, (1.0, 500.0, 0.4)), Theta::default(), ports, (&[0.1; 3], &[0.5; 3]));
    stepper.prepare_jump(1e-3).unwrap();
    let w = stepper.inverse_mass().clone();
    let (z, rate, velocity) =
        (stepper.start_positions().to_vec(), stepper.start_velocities().to_vec(), stepper.state().v.clone());
    stepper.project_positions(&[1e-3, -2e-3]).unwrap();
    assert_eq!(stepper.state().v, velocity);
    stepper.jump(&[1.0, 0.5]).unwrap();
    for i in 0..2 {
        let moved = stepper.start_positions()[i] - z[i];
        assert!((moved - (w[(i, 0)] * 1e-3 - w[(i, 1)] * 2e-3)).abs() < 1e-15);
        let jumped = stepper.start_velocities()[i] - rate[i];
        assert!((jumped - (w[(i, 0)] + w[(i, 1)] * 0.5)).abs() < 1e-14);
    }
    assert_eq!(stepper.energy(), stepper.system().energy(&stepper.state().q, &stepper.state().v));
}
