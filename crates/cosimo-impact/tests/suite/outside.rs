//! Impulses from outside, on rows of a system.

use cosimo_impact::{
    Correction, LinearContact, LinearContacts, MassesAndSprings, NonsmoothStepper, OuterRows, Scheme,
    SmoothConstraints,
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
        Scheme::SchatzmanPaoli { theta: 0.5 },
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
            // The velocity of Schatzman and Paoli's rule is late by half a step.
            let share = if scheme.name() == "schatzman-paoli" { 25.0 * h } else { 0.05 };
            assert!((work - change).abs() < share * work, "{}: {work} J, {change} J", scheme.name());
            let pairs = by_force.state().q.iter().zip(&by_impulses.state().q);
            pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
        });
        let is_of_order_two = differences.windows(2).all(|pair| pair[0] > 3.5 * pair[1]);
        let is_round_off = differences.iter().all(|difference| *difference < 1e-12);
        // The first velocity, half a step before the start, is that without the load.
        let is_late = differences.windows(2).all(|pair| pair[0] > 1.8 * pair[1]) && differences[2] < 3e-3;
        let is_right = match scheme.name() {
            "multistep" => is_round_off || is_of_order_two,
            "schatzman-paoli" => is_late,
            _ => is_round_off,
        };
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
fn schemes_whose_position_does_not_see_impulses_take_none() {
    let scheme = Scheme::NonsmoothGeneralizedAlpha {
        spectral_radius: 0.8,
        smooth: SmoothConstraints::Acceleration,
        correction: Correction::Full,
        restitution: Default::default(),
    };
    let refused = chain(scheme, 0.0, 1.0).with_outer_rows(Box::new(Coordinate(0)));
    assert!(refused.unwrap_err().to_string().contains("takes no loads on ports"));
}

/// With rows on which nobody acts the rule of Schatzman and Paoli goes through the same positions as without, in steps that change and through
/// impacts with restitution; its velocity is that with which the position has gone on.
#[test]
fn rows_leave_the_positions_of_schatzman_and_paoli_alone() {
    for theta in [0.0, 0.5] {
        let ball = || {
            let mut chain = MassesAndSprings::chain(MASSES, 1.0, 400.0);
            for mass in 0..MASSES {
                chain = chain.with_force(mass, -9.81);
            }
            let floor = LinearContact::on_coordinate(0, 1.0).with_restitution(0.6);
            let start = (0.0, vec![0.1; MASSES], vec![-0.5; MASSES]);
            let scheme = Scheme::SchatzmanPaoli { theta };
            NonsmoothStepper::new(chain, LinearContacts::new(vec![floor]), scheme, start).unwrap()
        };
        let (mut alone, mut joined) = (ball(), ball().with_outer_rows(Box::new(Coordinate(2))).unwrap());
        let (mut hits, mut before) = (0, alone.state().q.clone());
        for k in 0..600 {
            let h = if k % 3 == 0 { 1.5e-3 } else { 1e-3 };
            alone.step(h).unwrap();
            joined.step(h).unwrap();
            hits += u32::from(alone.contacts().impulses[0] > 0.0);
            let (found, exact) = (joined.state(), alone.state());
            for (i, before) in before.iter_mut().enumerate() {
                assert!(
                    (found.q[i] - exact.q[i]).abs() < 1e-8,
                    "{theta}, step {k}: {:e}",
                    found.q[i] - exact.q[i]
                );
                assert!((found.v[i] - (found.q[i] - *before) / h).abs() < 1e-9, "{theta}, step {k}");
                *before = found.q[i];
            }
        }
        assert!(hits > 5, "{hits}");
    }
}

/// An impulse changes the velocity of the rule at once and whole, and what is saved goes on with the same bits.
#[test]
fn the_velocity_of_schatzman_and_paoli_takes_an_impulse_at_once() {
    let start = || {
        chain(Scheme::SchatzmanPaoli { theta: 0.5 }, 0.0, 10.0)
            .with_outer_rows(Box::new(Coordinate(1)))
            .unwrap()
    };
    let h = 1e-4;
    let mut stepper = start();
    stepper.step(h).unwrap();
    let saved = stepper.save();
    let [without, with] = [0.0, 0.25].map(|impulse| {
        stepper.solve_trial_under(h, &[impulse]).unwrap();
        stepper.trial_end().v[1]
    });
    // On springs of 400 N/m an impulse is taken back by less than ω² h² of it.
    assert!((with - without - 0.25).abs() < 1e-5, "{}", with - without);
    let report = stepper.solve_trial_under(h, &[0.25]).unwrap();
    assert!((report.balance.outside - 0.125 * (stepper.state().v[1] + with)).abs() < 1e-12);
    stepper.take_trial(2.0 * h);
    let mut other = start();
    other.restore(&saved).unwrap();
    other.solve_trial_under(h, &[0.25]).unwrap();
    other.take_trial(2.0 * h);
    assert_eq!(other.state(), stepper.state());
}
