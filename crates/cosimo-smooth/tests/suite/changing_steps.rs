//! Steps that change: what a jump of the acceleration leaves in the algorithmic one does not grow with them.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use cosimo_dynamics::GeneralizedAlpha;
use cosimo_dynamics::{LinearRow, LinearSystem, TimeLoad};
use cosimo_mechanics::TimeFunction;
use cosimo_smooth::Integrator;
use nalgebra::dmatrix;

const RADII: [f64; 7] = [0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0];

const WIDTH: f64 = 0.01;

/// A mass of 1 kg, pushed by 1 N s within `WIDTH` from 0 s on, by a force that goes up and down along lines.
fn pushed() -> LinearSystem {
    let size = TimeFunction::table(vec![0.0, 0.5 * WIDTH, WIDTH], vec![0.0, 2.0 / WIDTH, 0.0]).unwrap();
    LinearSystem::new(dmatrix![1.0])
        .unwrap()
        .with_load(TimeLoad { direction: LinearRow::coordinate(0), size })
}

#[test]
fn steps_that_double_behind_a_pulse_leave_its_impulse() {
    for rho in RADII {
        let worst = |count: u32| {
            let rule = GeneralizedAlpha::new(rho).unwrap();
            let mut integrator = Integrator::new(pushed(), rule, (0.0, vec![0.0], vec![0.0])).unwrap();
            let mut h = WIDTH / f64::from(count);
            integrator.advance_to(WIDTH, h).unwrap();
            let mut worst: f64 = 0.0;
            for _ in 0..12 {
                h *= 2.0;
                integrator.step(h).unwrap();
                worst = worst.max((integrator.state().v[0] - 1.0).abs());
            }
            worst
        };
        let (coarse, fine) = (worst(20), worst(80));
        // The last acceleration before the end times the step is 4/n² m/s, and left over is a multiple of that.
        let left = |count: f64| 12.0 * 4.0 / (count * count);
        assert!(coarse < left(20.0) && fine < left(80.0), "ρ = {rho}: {coarse:e} m/s, {fine:e} m/s");
    }
}

/// Sizes of steps on the ladder of halves, each at most twice or half the one before, in an order without a pattern.
fn sizes(count: usize) -> impl Iterator<Item = f64> {
    let (mut seed, mut rung) = (12_345_u64, 0_i32);
    (0..count).map(move |_| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        rung = (rung + [-1, 0, 1][(seed >> 33) as usize % 3]).clamp(-4, 4);
        2.0_f64.powi(rung)
    })
}

/// Largest velocity of `a = −ω² q` from `q = 0, v = 1` on steps of these sizes.
fn largest_velocity(rho: f64, omega: f64, sizes: impl Iterator<Item = f64>) -> f64 {
    let oscillator =
        LinearSystem::new(dmatrix![1.0]).unwrap().with_stiffness(dmatrix![omega * omega]).unwrap();
    let rule = GeneralizedAlpha::new(rho).unwrap();
    let mut integrator = Integrator::new(oscillator, rule, (0.0, vec![0.0], vec![1.0])).unwrap();
    let step = |h: f64| {
        integrator.step(h).unwrap();
        integrator.state().v[0].abs()
    };
    sizes.map(step).fold(0.0, f64::max)
}

#[test]
fn undamped_motions_of_any_frequency_do_not_grow_on_steps_of_changing_sizes() {
    for rho in RADII {
        for omega in [1e-3, 0.1, 1.0, 10.0, 100.0, 1e4] {
            let found = largest_velocity(rho, omega, sizes(2000));
            assert!(found < 20.0, "ρ = {rho}, ω h about {omega}: {found:e}");
        }
    }
}

/// Steps that double and halve in turn, for ever: the hardest of all patterns.
#[test]
fn steps_that_double_and_halve_in_turn_keep_stiff_motions_bounded() {
    for rho in [0.2, 0.3, 0.4, 0.6, 0.8, 0.9] {
        for omega in [10.0, 100.0, 1e4] {
            let pattern = (0..2000).map(|k| if k % 2 == 0 { 1.0 } else { 2.0 });
            let found = largest_velocity(rho, omega, pattern);
            assert!(found < 20.0, "ρ = {rho}, ω h about {omega}: {found:e}");
        }
    }
}
