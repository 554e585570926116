//! Energy: the discrete balance of the plain scheme, and how little impacts at their own instants create.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::event_driven::Problem;
use crate::common::random::Random;
use crate::common::{observed_order, step_sizes};
use cosimo_nonsmooth::ImpactResolution;
use nalgebra::{DMatrix, DVector};

/// Masses on random springs against random stops, without dampers unless asked for.
fn random_problem(random: &mut Random, is_damped: bool) -> (Problem, Vec<f64>, Vec<f64>) {
    let (n, contacts) = (random.index(2, 6), random.index(1, 4));
    let mut stiffness = DMatrix::zeros(n, n);
    for a in 0..n {
        for b in 0..a {
            let k = if random.index(0, 1) == 0 { 0.0 } else { random.magnitude(5.0, 300.0) };
            stiffness[(a, a)] += k;
            stiffness[(b, b)] += k;
            stiffness[(a, b)] -= k;
            stiffness[(b, a)] -= k;
        }
        stiffness[(a, a)] += random.magnitude(1.0, 30.0);
    }
    let entry = |random: &mut Random, is_own: bool| match random.index(0, 3) {
        _ if is_own => 1.0,
        0 => random.between(-1.0, 1.0),
        _ => 0.0,
    };
    let mass = DVector::from_fn(n, |_, _| random.magnitude(0.3, 5.0));
    let damping = if is_damped { random.between(0.0, 1e-3) } else { 0.0 };
    let rows = DMatrix::from_fn(contacts, n, |c, j| entry(random, j == c % n));
    let q: Vec<f64> = (0..n).map(|_| random.between(-0.1, 0.1)).collect();
    let v: Vec<f64> = (0..n).map(|_| random.between(-3.0, 1.0)).collect();
    let gaps = &rows * DVector::from_column_slice(&q);
    let mut start_gap = || if random.index(0, 4) == 0 { 0.0 } else { random.between(0.0, 0.1) };
    let offsets = gaps.map(|y| y - start_gap());
    let problem = Problem {
        mass: DMatrix::from_diagonal(&mass),
        damping: &stiffness * damping,
        force: DVector::from_fn(n, |_, _| random.between(-20.0, 0.0)),
        restitutions: (0..contacts).map(|_| random.restitution()).collect(),
        stiffness,
        rows,
        offsets,
    };
    (problem, q, v)
}

/// `ΔE = Σ P (U₀ + U₁)/2`, which is also what is reported as contact work and impact work.
#[test]
fn plain_steps_balance_to_round_off() {
    for seed in 0..40 {
        let (problem, q, v) = random_problem(&mut Random::new(seed), false);
        let mut stepper = problem.stepper(ImpactResolution::Plain, (&q, &v));
        let scale = stepper.stepper().energy().kinetic + 1.0;
        for _ in 0..2000 {
            let before = stepper.stepper().energy().total();
            let rates = stepper.stepper().start_velocities().to_vec();
            let work = stepper.step(1e-3).unwrap();
            let after = stepper.stepper().energy().total();
            let impulses = &stepper.contacts().sustained;
            let means =
                rates.iter().zip(stepper.stepper().start_velocities()).map(|(u0, u1)| 0.5 * (u0 + u1));
            let impact: f64 = impulses.iter().zip(means).map(|(p, u)| p * u).sum();
            for (name, found) in [
                ("change", after - before),
                ("reported", stepper.contacts().work),
                ("work", work.contact_work),
            ] {
                assert!((found - impact).abs() < 1e-12 * scale, "seed {seed}, {name}: {found} {impact}");
            }
        }
    }
}

/// Every impact at its own instant: over the step of an impact the energy changes by what the law says, with an error of
/// order two; it may grow by that much.
#[test]
fn elastic_impacts_keep_the_energy_with_order_two() {
    let oscillator = Problem::oscillator([2.0, 0.0, 50.0], &[[1.0, 0.0], [-1.0, -0.8]], 1.0);
    let chain = Problem::chain(&[0.5, 1.0, 2.0], &[150.0, 60.0], 0.0, 1.0);
    let cases: [(&Problem, &[f64], &[f64]); 2] =
        [(&oscillator, &[0.4], &[5.0]), (&chain, &[0.1, 0.1, 0.1], &[-1.0, -1.0, -1.0])];
    for (problem, q, v) in cases {
        let steps = step_sizes(24, (1e-2, 1e-4), 1.0);
        let errors = |h: &f64| {
            let mut stepper = problem.stepper(ImpactResolution::SubStep, (q, v));
            let start = stepper.stepper().energy().total();
            let (mut last, mut growth, mut drift, mut impacts) = (start, 0.0_f64, 0.0_f64, 0);
            for _ in 0..(1.0 / h).round() as usize {
                stepper.step(*h).unwrap();
                let energy = stepper.stepper().energy().total();
                growth = growth.max((energy - last) / start);
                drift = drift.max((energy - start).abs() / start);
                last = energy;
                impacts += stepper.contacts().changes.len();
            }
            assert!(impacts > 1);
            (growth, drift)
        };
        let errors: Vec<_> = steps.iter().map(errors).collect();
        for (name, errors) in [
            ("step", errors.iter().map(|e| e.0).collect::<Vec<_>>()),
            ("run", errors.iter().map(|e| e.1).collect()),
        ] {
            let worst = steps.iter().zip(&errors).map(|(h, e)| e / (h * h)).fold(0.0, f64::max);
            let order = observed_order(&steps, &errors);
            assert!(order > 1.8 && worst < 600.0, "{name}: order {order}, growth {worst} h²");
        }
    }
}

struct Stress {
    /// Largest growth in a step and in all, by the start energy above the minimum.
    step: f64,
    run: f64,
    /// Deepest penetration (m).
    penetration: f64,
    bits: Vec<u64>,
}

fn stress(seed: u64, h: f64, end: f64) -> Stress {
    let (problem, q, v) = random_problem(&mut Random::new(seed), seed.is_multiple_of(2));
    let mut stepper = problem.stepper(ImpactResolution::SubStep, (&q, &v));
    let lowest = -0.5 * problem.force.dot(&problem.stiffness.clone().lu().solve(&problem.force).unwrap());
    let start = stepper.stepper().energy().total() - lowest;
    let (mut last, mut found) = (start, Stress { step: 0.0, run: 0.0, penetration: 0.0, bits: Vec::new() });
    for _ in 0..(end / h) as usize {
        stepper.step(h).unwrap();
        let energy = stepper.stepper().energy().total() - lowest;
        found.step = found.step.max((energy - last) / start);
        found.run = found.run.max(energy / start - 1.0);
        last = energy;
        assert!(energy.is_finite() && stepper.contacts().impulses.iter().all(|p| *p >= 0.0));
        let deepest = stepper.stepper().start_positions().iter().fold(0.0_f64, |m, y| m.max(-y));
        found.penetration = found.penetration.max(deepest);
    }
    found.bits = crate::common::bits(&stepper);
    found
}

/// Two hundred random systems, with every restitution from 0 to 1: no failure, no adhesion, and the energy grows by no
/// more than the order of the scheme.
#[test]
fn random_systems_never_gain_more_energy_than_the_order_of_the_scheme() {
    let mut worst = [[0.0_f64; 3]; 2];
    for (h, worst) in [1e-3, 2.5e-4].into_iter().zip(&mut worst) {
        for seed in 0..200 {
            let found = stress(seed, h, 3.0);
            for (most, x) in worst.iter_mut().zip([found.step, found.run, found.penetration]) {
                *most = most.max(x);
            }
        }
    }
    let [coarse, fine] = worst;
    assert!(coarse[0] < 2e-3 && coarse[1] < 1e-3 && coarse[2] < 4e-3, "{worst:?}");
    assert!(fine[0] < 1e-4 && fine[1] < 1e-4 && fine[2] < 1e-3, "{worst:?}");
}

#[test]
fn same_input_gives_the_same_bits() {
    for seed in 0..20 {
        assert_eq!(stress(seed, 1e-3, 1.0).bits, stress(seed, 1e-3, 1.0).bits, "seed {seed}");
    }
}
