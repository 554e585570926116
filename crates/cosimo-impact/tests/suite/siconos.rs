//! Trajectories of Siconos with the same θ, γ and restitution rule.

use cosimo_impact::{
    Activation, Dissipation, LinearContact, LinearContacts, MassesAndSprings, NonsmoothStepper, Scheme,
};
use cosimo_mechanics::Restitution;

use crate::common::{Masses, ball, bar, table};

/// Moreau and Jean's rule as Siconos has it.
fn scheme(gamma: f64) -> Scheme {
    let activation = Activation { gamma, restitution: Restitution::Always };
    Scheme::MoreauJean { theta: 0.5, activation, dissipation: Dissipation::AsItIs }
}

/// Largest difference from a table of time, some positions, their velocities and impulse; returns the largest impulse met.
fn compare(name: &str, mut stepper: Masses, h: f64, coordinates: &[usize]) -> f64 {
    let mut largest = 0.0_f64;
    for row in table(name) {
        while stepper.state().time < row[0] - 0.5 * h {
            stepper.step(h).unwrap();
        }
        let state = stepper.state();
        let positions = coordinates.iter().map(|i| state.q[*i]);
        let velocities = coordinates.iter().map(|i| state.v[*i]);
        let found: Vec<f64> = positions.chain(velocities).chain([stepper.contacts().impulses[0]]).collect();
        let worst = found.iter().zip(&row[1..]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-10, "{name} at {}: {found:?}, {row:?}", row[0]);
        largest = largest.max(found[found.len() - 1]);
    }
    largest
}

#[test]
fn bouncing_ball() {
    assert!(compare("siconos_ball.csv", ball(scheme(0.5)), 5e-3, &[0]) > 1.0);
}

#[test]
fn two_balls_on_a_spring() {
    let balls = MassesAndSprings::chain(2, 1.0, 1e3).with_force(0, -10.0).with_force(1, -10.0);
    let floor = LinearContacts::new(vec![LinearContact::on_coordinate(0, 1.0).with_restitution(0.8)]);
    let start = (0.0, vec![1.001; 2], vec![0.0; 2]);
    let stepper = NonsmoothStepper::new(balls, floor, scheme(1.5), start).unwrap();
    compare("siconos_two_balls.csv", stepper, 1e-3, &[0, 1]);
}

#[test]
fn elastic_bar() {
    assert!(compare("siconos_bar.csv", bar(scheme(0.0)), 2e-3, &[0, 200]) > 0.1);
}
