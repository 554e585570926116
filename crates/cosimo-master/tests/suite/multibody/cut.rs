//! A pendulum in two parts, joined rigidly, is the pendulum in one.

use cosimo_master::{Master, MasterConfig, NoObserver, StepControl, Tangent};
use cosimo_multibody::spatial::SpatialSystem;
use cosimo_native::MultibodyPort;
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};
use nalgebra::Vector3;

use super::models::{
    GENERALIZED_ALPHA, MIDPOINT, MULTISTEP, cut, double_pendulum, frame, part_of_double_pendulum,
    part_of_rod, point, whole_rod,
};
use super::run::{bits, values};

const END: f64 = 0.8;

/// Centre of mass of the lower part at the end (m), of the whole pendulum by backward differentiation of order 5.
fn exact(system: SpatialSystem) -> Vector3<f64> {
    let settings = DaeSettings { tolerance: 1e-13, ..DaeSettings::default() };
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let mut solver = DaeSolver::new(system, Method::Bdf { order: 5 }, settings, (0.0, q, v)).unwrap();
    solver.advance_to(END, 2e-4).unwrap();
    let q = &solver.state().q;
    Vector3::new(q[7], q[8], q[9])
}

/// The same of the whole pendulum by a method in steps of `h`.
fn whole(system: SpatialSystem, method: Method, h: f64) -> Vector3<f64> {
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let formulation = if method == MIDPOINT { Formulation::PositionVelocity } else { Formulation::default() };
    let settings = DaeSettings { formulation, ..DaeSettings::default() };
    let mut solver = DaeSolver::new(system, method, settings, (0.0, q, v)).unwrap();
    solver.advance_to(END, h).unwrap();
    let q = &solver.state().q;
    Vector3::new(q[7], q[8], q[9])
}

fn run(mut master: Master, steps: usize) -> Master {
    for _ in 0..steps {
        master.step(END / steps as f64).unwrap();
    }
    master
}

fn lower(master: &Master) -> Vector3<f64> {
    values(master, "lower", ["lower.x", "lower.y", "lower.z"])
}

/// Errors of the parts fall with order two and are those of the whole but for a factor.
fn assert_order_two(
    system: fn() -> SpatialSystem,
    part_of: fn(&str) -> SpatialSystem,
    port: fn(&str, [f64; 3]) -> MultibodyPort,
    methods: [Method; 2],
) {
    let exact = exact(system());
    let error =
        |steps| (lower(&run(cut(part_of, port, methods, MasterConfig::default()), steps)) - exact).norm();
    let errors = [error(200), error(400), error(800)];
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((3.7..4.3).contains(&ratio), "{methods:?}: {errors:?}");
    }
    let alone = (whole(system(), methods[0], END / 800.0) - exact).norm();
    assert!(errors[2] < 4.0 * alone, "{methods:?}: {errors:?}, in one {alone:e}");
}

#[test]
fn double_pendulum_cut_at_its_elbow() {
    for methods in [[MIDPOINT; 2], [GENERALIZED_ALPHA; 2], [MULTISTEP; 2]] {
        assert_order_two(double_pendulum, part_of_double_pendulum, point, methods);
    }
}

#[test]
fn rod_cut_through() {
    for methods in [[MIDPOINT; 2], [GENERALIZED_ALPHA; 2], [MULTISTEP; 2]] {
        assert_order_two(whole_rod, part_of_rod, frame, methods);
    }
}

/// Newton's iteration of the master with exact inverse masses: two corrections a step where both sides turn fast.
#[test]
fn corrections_are_few() {
    for (part_of, port) in
        [(part_of_double_pendulum as fn(&str) -> _, point as fn(&str, [f64; 3]) -> _), (part_of_rod, frame)]
    {
        let config = MasterConfig { tolerance: 1e-6, ..MasterConfig::default() };
        let mut master = cut(part_of, port, [MIDPOINT; 2], config);
        let most = (0..800).map(|_| master.step(1e-3).unwrap().iterations).max();
        assert!(most <= Some(2), "{most:?} corrections in a step");
    }
}

/// The balance of the master closes, and what is created numerically falls with the step.
#[test]
fn energy_balance_closes() {
    let created = |steps| {
        let master = run(cut(part_of_double_pendulum, point, [MIDPOINT; 2], MasterConfig::default()), steps);
        let energy = master.energy();
        let open = energy.end - energy.start - energy.contact - energy.external + energy.dissipated
            - energy.monitor_sum;
        assert!(open.abs() < 1e-11 * energy.start.abs().max(energy.end.abs()), "{energy:?}");
        energy.monitor_sum.abs()
    };
    let [coarse, fine] = [created(200), created(800)];
    assert!(coarse < 1e-2 && fine < coarse / 8.0, "{coarse:e} J, {fine:e} J");
}

#[test]
fn saved_runs_go_on_with_the_same_bits() {
    for methods in [[MIDPOINT; 2], [GENERALIZED_ALPHA; 2], [MULTISTEP; 2]] {
        let make = || cut(part_of_double_pendulum, point, methods, MasterConfig::default());
        let mut master = run(make(), 100);
        let saved = master.save().unwrap();
        for _ in 0..100 {
            master.step(1e-3).unwrap();
        }
        let mut other = make();
        other.restore(&saved).unwrap();
        for _ in 0..100 {
            other.step(1e-3).unwrap();
        }
        assert_eq!(bits(&master), bits(&other));
    }
}

#[test]
fn threads_give_the_same_bits() {
    let at = |threads| {
        let config = MasterConfig { threads, ..MasterConfig::default() };
        bits(&run(cut(part_of_rod, frame, [GENERALIZED_ALPHA; 2], config), 200))
    };
    assert_eq!(at(1), at(2));
}

/// Steps that the control halves: the subsystems follow any sizes.
#[test]
fn steps_follow_the_error() {
    let exact = exact(double_pendulum());
    let error = |tolerance: f64| {
        let config = MasterConfig {
            step_control: StepControl::Error,
            error_tolerance: tolerance,
            ..MasterConfig::default()
        };
        let mut master = cut(part_of_double_pendulum, point, [MIDPOINT; 2], config);
        let report = master.run(END, 0.02, &mut NoObserver).unwrap();
        assert!(report.step_sizes.smallest < 0.5 * report.step_sizes.largest, "{:?}", report.step_sizes);
        (lower(&master) - exact).norm()
    };
    let [coarse, fine] = [1e-5, 1e-7].map(error);
    assert!(coarse < 1e-2 && fine < 0.1 * coarse, "{coarse:e} m, {fine:e} m");
}

/// Inverse masses that are kept from step to step change the iterations, not the solution.
#[test]
fn frozen_inverse_masses_lead_to_the_same_motion() {
    let end = |tangent| {
        let config = MasterConfig { tangent, tolerance: 1e-11, ..MasterConfig::default() };
        lower(&run(cut(part_of_double_pendulum, point, [MIDPOINT; 2], config), 400))
    };
    let apart = (end(Tangent::Exact) - end(Tangent::Frozen)).norm();
    assert!(apart < 1e-9, "{apart:e} m");
}
