//! Spheres that are poured into a box: what must hold whatever the contacts do.

#[path = "../../../../../examples/box-of-spheres/main.rs"]
#[allow(dead_code, clippy::duplicate_mod, reason = "an example is a program of its own")]
mod example;
mod pile;

use pile::{Pile, RADIUS};

const STEP: f64 = 1e-3;

/// What a step begins with: energy (J), and vertical speeds (m/s).
struct Start {
    energy: f64,
    rising: f64,
}

impl Start {
    fn of(pile: &Pile) -> Self {
        Self { energy: pile.energy(), rising: pile.velocities.iter().map(|v| v.z).sum() }
    }

    /// The energy balance of a step. Weights work with the speed of the end, which makes `m g h (Δż + ½ g h)` of each sphere.
    /// The rest is the work of the contacts: they put in no more than taking penetrations back asks for.
    fn assert_balance(&self, pile: &Pile, step: usize) {
        let end = Self::of(pile);
        let (weight, count) = (pile.weight() / pile.centres.len() as f64, pile.centres.len() as f64);
        let made = weight * STEP * (end.rising - self.rising + 0.5 * 9.81 * STEP * count);
        let contacts = end.energy - self.energy - made;
        let round_off = 1e-13 * (1.0 + self.energy);
        assert!(contacts <= pile.lifting + round_off, "step {step}: contacts put {contacts:e} J in");
    }
}

#[test]
fn spheres_come_to_rest_in_the_box_and_it_carries_their_weight() {
    let mut pile = Pile::above_the_floor(60, 8.0 * RADIUS).unwrap();
    let mut support = 0.0;
    for step in 0..2500 {
        let start = Start::of(&pile);
        let (contacts, outcome) = pile.step(STEP).unwrap();
        assert!(outcome.is_none_or(|outcome| outcome.is_solved()), "step {step}");
        start.assert_balance(&pile, step);
        assert!(step < 1000 || contacts >= 60, "step {step}: {contacts} contacts");
        support += if step >= 2000 { pile.support() } else { 0.0 };
    }
    assert!(pile.penetration() < 0.01 * RADIUS, "{}", pile.penetration());
    let mean = support / (500.0 * STEP);
    assert!((mean / pile.weight() - 1.0).abs() < 2e-3, "{mean} {}", pile.weight());
    let speed = pile.velocities.iter().map(|v| v.fixed_rows::<3>(0).norm()).fold(0.0, f64::max);
    assert!(speed < 0.02, "{speed}");
}

#[test]
fn every_run_gives_the_same_bits() {
    let run = || {
        let mut pile = Pile::above_the_floor(30, 6.0 * RADIUS).unwrap();
        for step in 0..400 {
            let start = Start::of(&pile);
            pile.step(STEP).unwrap();
            start.assert_balance(&pile, step);
        }
        pile.centres
            .iter()
            .flat_map(|c| c.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

/// The example runs: until the lowest spheres meet the floor all fall freely, and each is in the picture.
#[test]
fn the_example_pours_and_draws() {
    let height = |centres: &[nalgebra::Vector3<f64>]| centres.iter().map(|c| c.z).sum::<f64>() / 27.0;
    let ((start, _), (end, picture)) = (example::run(27, 0).unwrap(), example::run(27, 30).unwrap());
    // Steps of 1 ms, each with the speed of its end.
    let displacement = height(&start.centres) - height(&end.centres);
    assert!((displacement - 9.81 * 1e-6 * 15.0 * 31.0).abs() < 1e-12, "{displacement}");
    assert_eq!(picture.matches("<circle").count(), 27);
    let (rest, _) = example::run(8, 600).unwrap();
    assert!(
        rest.penetration() < 0.02 * RADIUS && rest.centres.iter().all(|c| c.z < 0.3),
        "{:?}",
        rest.centres
    );
}
