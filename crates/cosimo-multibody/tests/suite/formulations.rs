//! What the figures of the formulations show (`cargo run --release -p cosimo-multibody --example formulations`): O. Brüls, V.
//! Acary, A. Cardona, *On the Constraints Formulation in the Nonsmooth Generalized-α Method*, 2018, section 5.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::paper_pendulum::{FORMULATIONS, Instant, RULE, Run, STEP, run};
use cosimo_smooth::dae::{Formulation, Method};

/// The runs of the figures, over 2 s.
fn figure(formulation: Formulation, is_disturbed: bool) -> Vec<Instant> {
    run(Run { formulation, rule: RULE, is_disturbed, step: STEP, steps: 1000 }).unwrap()
}

/// Figure 2, left: largest residuals over 2 s at the three levels, at round-off where imposed and of their known size where
/// not; those of the first row, in closed form, with them.
#[test]
fn residuals_are_those_of_the_levels_imposed() {
    let round_off = [(0.0, 2e-15), (0.0, 2e-14), (0.0, 1e-11)];
    let sizes = [
        [round_off[0], (6e-4, 7e-4), (4.0, 5.0)],
        [(5e-5, 6e-5), round_off[1], (0.02, 0.03)],
        [round_off[0], round_off[1], (0.02, 0.03)],
        round_off,
    ];
    for ((name, formulation), sizes) in FORMULATIONS.into_iter().zip(sizes) {
        let steps = figure(formulation, false);
        for (level, (low, high)) in sizes.into_iter().enumerate() {
            let found = steps.iter().fold(0.0, |m: f64, step| m.max(step.largest[level]));
            let first = steps.iter().fold(0.0, |m: f64, step| m.max(step.first[level].abs()));
            assert!((low..high).contains(&found), "{name}, level {level}: {found:e}");
            assert!((0.5 * low..high).contains(&first), "{name}, level {level}: {first:e} of {found:e}");
        }
    }
}

/// How far a number alternates from step to step in the first twenty.
fn alternation(steps: &[Instant], number: impl Fn(&Instant) -> f64) -> f64 {
    let second = |w: &[Instant]| 0.25 * (number(&w[2]) - 2.0 * number(&w[1]) + number(&w[0])).abs();
    steps[..20].windows(3).map(second).fold(0.0, f64::max)
}

/// Figure 2, right: residuals of accelerations alternate in the first steps, by O(h). With index 2 it is by the algorithmic
/// acceleration, which begins `(γ − ½) h` off: without numerical damping it is O(h²).
#[test]
fn oscillations_after_a_consistent_start_are_of_their_orders() {
    let size = |formulation, rule, step| {
        let steps = run(Run { formulation, rule, is_disturbed: false, step, steps: 20 }).unwrap();
        alternation(&steps, |step| step.first[2])
    };
    let undamped = Method::GeneralizedAlpha { spectral_radius: 1.0 };
    for (formulation, rule, order) in [
        (Formulation::Position, RULE, 1.0),
        (Formulation::Position, undamped, 1.0),
        (Formulation::Velocity, RULE, 1.0),
        (Formulation::Velocity, undamped, 2.0),
        (Formulation::PositionVelocity, RULE, 1.0),
        (Formulation::PositionVelocity, undamped, 2.0),
    ] {
        let [coarse, fine] = [STEP / 16.0, STEP / 32.0].map(|h| size(formulation, rule, h));
        let found = (coarse / fine).log2();
        assert!((found - order).abs() < 0.1, "{formulation:?}, {rule:?}: {coarse:e} to {fine:e}");
    }
    let [index_3, index_2] =
        [Formulation::Position, Formulation::Velocity].map(|formulation| size(formulation, RULE, STEP));
    assert!((200.0..250.0).contains(&(index_3 / index_2)), "{index_3:e} {index_2:e}");
    assert!(size(Formulation::PositionVelocityAcceleration, RULE, STEP) < 1e-11);
}

/// Figure 3: after accelerations of zero residuals and reactions alternate widely, but where accelerations are imposed.
#[test]
fn reactions_after_a_disturbed_start_alternate_but_in_one_formulation() {
    for (name, formulation) in FORMULATIONS {
        let steps = figure(formulation, true);
        let [residual, reaction] =
            [alternation(&steps, |step| step.first[2]), alternation(&steps, |step| step.reaction)];
        if formulation == Formulation::PositionVelocityAcceleration {
            assert!(residual < 1e-11 && reaction < 0.1, "{name}: {residual:e} {reaction:e}");
        } else {
            assert!(residual > 70.0 && reaction > 70.0, "{name}: {residual} {reaction}");
        }
    }
}

/// The force of the hinge at an angle, `m ẍ` of the closed form by the energy: all come to it once the oscillations are gone.
#[test]
fn reactions_come_to_the_closed_form() {
    let exact = |angle: f64| {
        let (s, c) = angle.sin_cos();
        let (square, rate) = (100.0 + 20.0 * (s - 0.5) / 1.1, 10.0 * c / 1.1);
        -(c * square + s * rate)
    };
    let off = |steps: &[Instant]| {
        steps.iter().fold(0.0, |m: f64, step| m.max((step.reaction - exact(step.angle)).abs()))
    };
    for (name, formulation) in FORMULATIONS {
        let steps = figure(formulation, false);
        let (all, later) = (off(&steps), off(&steps[200..]));
        assert!(later < 6e-3, "{name}: {later:e} N");
        assert_eq!(all > 0.5, formulation == Formulation::Position, "{name}: {all:e} N");
    }
}
