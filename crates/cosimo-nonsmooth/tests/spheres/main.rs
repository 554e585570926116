//! Spheres that are poured into a box: what must hold whatever the contacts do.

mod pile;

use pile::{Pile, RADIUS};

const STEP: f64 = 1e-3;

#[test]
fn spheres_come_to_rest_in_the_box_and_it_carries_their_weight() {
    let mut pile = Pile::above_the_floor(60, 8.0 * RADIUS).unwrap();
    let (mut before, mut support) = (pile.energy(), 0.0);
    for step in 0..2500 {
        let (contacts, outcome) = pile.step(STEP).unwrap();
        assert!(outcome.is_none_or(|outcome| outcome.is_solved()), "step {step}");
        // No impact of these throws anything; taking penetrations back lifts by little.
        let energy = pile.energy();
        assert!(energy < before + 1e-3 * pile.weight() * RADIUS, "step {step}: {before} {energy}");
        before = energy;
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
        for _ in 0..400 {
            pile.step(STEP).unwrap();
        }
        pile.centres
            .iter()
            .flat_map(|c| c.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}
