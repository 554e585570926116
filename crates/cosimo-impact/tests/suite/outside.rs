//! Impulses from outside, on rows of a system.

use cosimo_impact::{
    LinearContact, LinearContacts, MassesAndSprings, NonsmoothStepper, OuterRows, Scheme, SmoothConstraints,
};
use nalgebra::DMatrix;

/// The position of one mass.
#[derive(Debug)]
struct Coordinate(usize);

impl OuterRows for Coordinate {
    fn len(&self) -> usize {
        1
    }

    fn unit_forces(&self, _q: &[f64], out: &mut DMatrix<f64>) {
        out.fill(0.0);
        out[(self.0, 0)] = 1.0;
    }
}

const MASSES: usize = 4;

fn schemes() -> Vec<Scheme> {
    vec![
        Scheme::moreau_jean(0.5),
        Scheme::DissipativeMoreauJean { theta: 0.5, activation: Default::default() },
        Scheme::ProjectedMoreauJean { theta: 0.5, activation: Default::default() },
        Scheme::multistep(0.8),
        Scheme::Hht { alpha: -0.1, activation: Default::default() },
        Scheme::generalized_alpha(0.8, SmoothConstraints::Acceleration),
        Scheme::generalized_alpha(0.8, SmoothConstraints::Velocity),
        Scheme::half_implicit_euler(0.1),
    ]
}

/// A chain with this force (N) on its last mass, above a floor that the first one meets if it is low.
fn chain(scheme: Scheme, force: f64, height: f64) -> NonsmoothStepper<MassesAndSprings, LinearContacts> {
    let mut chain = MassesAndSprings::chain(MASSES, 1.0, 400.0);
    for mass in 0..MASSES {
        chain = chain.with_force(mass, if mass + 1 < MASSES { -9.81 } else { force - 9.81 });
    }
    let floor = LinearContacts::new(vec![LinearContact::on_coordinate(0, 1.0)]);
    NonsmoothStepper::new(chain, floor, scheme, (0.0, vec![height; MASSES], vec![0.0; MASSES])).unwrap()
}

#[test]
fn a_constant_load_moves_a_system_as_a_force_does() {
    let force = 30.0;
    for scheme in schemes() {
        let differences = [4e-3, 2e-3, 1e-3].map(|h| {
            let (mut by_force, mut by_impulses) = (
                chain(scheme, force, 10.0),
                chain(scheme, 0.0, 10.0).with_outer_rows(Box::new(Coordinate(MASSES - 1))).unwrap(),
            );
            let (mut work, mut change) = (0.0, 0.0);
            for k in 1..=(0.2 / h) as u32 {
                by_force.solve_trial(h).unwrap();
                by_force.take_trial(f64::from(k) * h);
                let balance = by_impulses.solve_trial_under(h, &[force * h]).unwrap().balance;
                by_impulses.take_trial(f64::from(k) * h);
                (work, change) = (work + balance.outside, change + balance.change);
            }
            // Without damping what the load puts in is in the energy, but for what the rule makes of it.
            assert!((work - change).abs() < 0.05 * work, "{}: {work} J, {change} J", scheme.name());
            let pairs = by_force.state().q.iter().zip(&by_impulses.state().q);
            pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
        });
        let is_of_order_two = differences.windows(2).all(|pair| pair[0] > 3.5 * pair[1]);
        let is_round_off = differences.iter().all(|difference| *difference < 1e-12);
        let is_right = is_round_off || (scheme.name() == "multistep" && is_of_order_two);
        assert!(is_right, "{}: {differences:?}", scheme.name());
    }
}

/// The answer is the derivative of the end, with the contact open and with it closed, where the load presses on it: but for the softness of closed
/// contacts in it, a millionth of their mobility, here 1/kg.
#[test]
fn the_answer_is_the_derivative() {
    let h = 2e-3;
    for (height, row) in [(10.0, 0), (0.0, 0), (0.0, 2)] {
        for scheme in schemes() {
            let mut stepper = chain(scheme, 0.0, height).with_outer_rows(Box::new(Coordinate(row))).unwrap();
            for k in 1..5 {
                stepper.solve_trial_under(h, &[-0.05]).unwrap();
                stepper.take_trial(f64::from(k) * h);
            }
            let mut rate = |x: f64| {
                stepper.solve_trial_under(h, &[x]).unwrap();
                stepper.trial_end().v[row]
            };
            let found = (rate(-0.05 + 1e-3) - rate(-0.05 - 1e-3)) / 2e-3;
            stepper.solve_trial_under(h, &[-0.05]).unwrap();
            let [inverse_mass, _] = stepper.outer_answer(true).unwrap();
            let stated = inverse_mass[(0, 0)];
            let allowed = if height == 0.0 { 1e-6 + 1e-7 } else { 1e-7 };
            assert!((found - stated).abs() < allowed, "{}, {row}: {stated} for {found} 1/kg", scheme.name());
            assert_eq!(stated.abs() < 2e-6, height == 0.0 && row == 0, "{}: {stated}", scheme.name());
        }
    }
}

#[test]
fn schemes_that_see_impulses_by_halves_take_none() {
    let refused =
        chain(Scheme::SchatzmanPaoli { theta: 0.5 }, 0.0, 1.0).with_outer_rows(Box::new(Coordinate(0)));
    assert!(refused.unwrap_err().to_string().contains("takes no loads on ports"));
}
