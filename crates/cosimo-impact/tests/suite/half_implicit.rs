//! The half-implicit rule with cones: stacks at rest, joints that are stabilised.

use cosimo_dynamics::{ConstrainedSystem, Level};
use cosimo_impact::{LinearContact, LinearContacts, MassesAndSprings, NonsmoothStepper, Scheme};

use crate::common::pendulum::{Pendulum, Wall};

const SCHEME: Scheme = Scheme::HalfImplicitEuler { distance: 0.05 };

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
    let mut stepper = NonsmoothStepper::new(stack, LinearContacts::new(contacts), SCHEME, start).unwrap();
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
        let mut stepper = NonsmoothStepper::new(Pendulum, Wall::new(0.0), SCHEME, start).unwrap();
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
