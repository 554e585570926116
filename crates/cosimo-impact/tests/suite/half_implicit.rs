//! The half-implicit rule: stacks at rest, joints that are stabilised, bodies that slide or overlap.

use cosimo_dynamics::{ConstrainedSystem, Level};
use cosimo_impact::{LinearContact, LinearContacts, MassesAndSprings, NonsmoothStepper, Scheme};

use crate::common::pendulum::{Pendulum, Wall};

fn scheme() -> Scheme {
    Scheme::half_implicit_euler(0.05)
}

/// Five masses fall on each other and come to rest; every contact carries what is above it.
#[test]
fn a_stack_comes_to_rest_under_its_weight() {
    let mut stack = MassesAndSprings::new(vec![1.0, 2.0, 3.0, 4.0, 5.0]);
    let mut contacts = Vec::new();
    for mass in 0..5 {
        stack = stack.with_force(mass, -10.0 * (mass + 1) as f64);
        let terms = if mass == 0 { vec![(0, 1.0)] } else { vec![(mass - 1, -1.0), (mass, 1.0)] };
        contacts.push(LinearContact { terms, offset: 0.0, restitution: 0.0 });
    }
    let start = (0.0, vec![0.01, 0.03, 0.06, 0.1, 0.15], vec![0.0; 5]);
    let mut stepper = NonsmoothStepper::new(stack, LinearContacts::new(contacts), scheme(), start).unwrap();
    stepper.advance_to(1.0, 1e-3).unwrap();
    let state = stepper.state();
    assert!(state.q.iter().all(|q| q.abs() < 1e-6) && state.v.iter().all(|v| v.abs() < 1e-5), "{state:?}");
    for (contact, weight) in [150.0, 140.0, 120.0, 90.0, 50.0].into_iter().enumerate() {
        let force = stepper.contacts().impulses[contact] / 1e-3;
        assert!((force - weight).abs() < 0.05, "{contact}: {force}");
    }
}

/// The pendulum falls on its wall without rebound and stays; its joint stays closed to second order.
#[test]
fn joints_are_stabilised() {
    let theta = std::f64::consts::PI / 12.0;
    let q = vec![theta.cos(), theta.sin(), theta];
    let violation = |h: f64| {
        let start = (0.0, q.clone(), vec![0.0; 3]);
        let mut stepper = NonsmoothStepper::new(Pendulum, Wall::new(0.0), scheme(), start).unwrap();
        let (mut worst, mut rows) = (0.0_f64, [0.0; 2]);
        while stepper.state().time < 1.0 {
            stepper.step(h).unwrap();
            let state = stepper.state();
            Pendulum.constraints(Level::Position, state.motion(), &state.a, &mut rows);
            worst = rows.iter().fold(worst, |worst, row| worst.max(row.abs()));
        }
        assert!(stepper.state().v[2].abs() < 1e-3, "{:?}", stepper.state());
        worst
    };
    let found = [1e-3, 5e-4].map(violation);
    assert!(found[0] < 2e-5 && (found[0] / found[1] - 4.0).abs() < 0.5, "{found:?}");
}

/// A mass of 1 kg above a floor at zero, under a gravity of 10 m/s².
fn fallen(q: f64, scheme: Scheme) -> NonsmoothStepper<MassesAndSprings, LinearContacts> {
    let mass = MassesAndSprings::new(vec![1.0]).with_force(0, -10.0);
    let floor = LinearContacts::new(vec![LinearContact::on_coordinate(0, 1.0)]);
    NonsmoothStepper::new(mass, floor, scheme, (0.0, vec![q], vec![0.0])).unwrap()
}

fn corrected_at(correction_speed: f64) -> Scheme {
    let Scheme::HalfImplicitEuler { distance, contact_tolerance, contact_iterations, .. } = scheme() else {
        unreachable!()
    };
    Scheme::HalfImplicitEuler { distance, correction_speed, contact_tolerance, contact_iterations }
}

/// A mass that starts 10 mm inside the floor is pushed out at the speed of correction and rises no further than that speed takes it;
/// without a bound it leaves in one step.
#[test]
fn overlaps_are_corrected_at_a_bounded_speed() {
    let (depth, h) = (0.01, 1e-3);
    for speed in [0.02, 0.1, 0.5] {
        let mut stepper = fallen(-depth, corrected_at(speed));
        let out = ((depth / speed / h) - 0.5).floor() as usize;
        let mut pushed = 0.0;
        for step in 1..=out {
            let balance = stepper.step(h).unwrap().balance;
            // What pushes is no work of the contact, which takes out. The rule, explicit in its forces, holds back `h f v/2`.
            let held = 0.5 * h * 10.0 * speed;
            assert!(balance.contact + balance.impact <= 1e-15, "{balance:?}");
            assert!(balance.algorithmic <= 1.001 * held, "{balance:?}");
            pushed += balance.external;
            let (q, expected) = (stepper.state().q[0], speed * h * step as f64 - depth);
            assert!((q - expected).abs() < 1e-12, "{speed}, step {step}: {q} {expected}");
        }
        let lifted = 10.0 * speed * h * out as f64 + speed * speed;
        assert!((pushed - lifted).abs() < 1e-9 + 1e-3 * lifted, "{speed}: {pushed} for {lifted} J");
        let mut highest = f64::NEG_INFINITY;
        for _ in 0..1000 {
            stepper.step(h).unwrap();
            highest = highest.max(stepper.state().q[0]);
        }
        assert!(highest < speed * speed / 20.0 + speed * h, "{speed}: {highest}");
        assert!(stepper.state().q[0].abs() < 1e-12 && stepper.state().v[0].abs() < 1e-12);
    }
    let mut stepper = fallen(-depth, corrected_at(f64::INFINITY));
    stepper.step(h).unwrap();
    assert!(stepper.state().q[0].abs() < 1e-15 && (stepper.state().v[0] - depth / h).abs() < 1e-12);
}
