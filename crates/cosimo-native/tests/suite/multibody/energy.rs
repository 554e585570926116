//! The ledger of a system with all forces: what is left to the time integration vanishes with the step.

use cosimo_native::MultibodyBuilder;
use cosimo_smooth::dae::Method;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};

use super::models::{damped_rod, sprung};

/// Sums over 0.2 s of the energy of each entry of the ledger, without regard to sign: port, external, dissipated,
/// and what is left.
fn ledger(builder: MultibodyBuilder, steps: usize) -> [f64; 4] {
    let mut system = builder.build().unwrap();
    let h = 0.2 / steps as f64;
    let rows = system.description().rows();
    let load = |row: usize, time: f64| 3.0 * (row as f64 + 20.0 * time).cos();
    let mut sums = [0.0; 4];
    for step in 0..steps {
        let time = step as f64 * h;
        let at = |time: f64| (0..rows).map(|row| load(row, time)).collect::<Vec<f64>>();
        let (start, end) = (at(time), at(time + h));
        let weights = system.begin(MacroStep { time, size: h }, &start).unwrap().weights;
        let impulses = start.iter().zip(&end).map(|(a, b)| weights.start * a + weights.end * b).collect();
        let ledger = system.commit(&StepLoads { impulses, ..StepLoads::zeros(rows) }).unwrap();
        let parts = [ledger.port_work, ledger.external_work, ledger.dissipated, ledger.numerical];
        sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part.abs());
    }
    sums
}

#[test]
fn powers_of_all_forces_close_the_ledger() {
    for method in [
        Method::Midpoint,
        Method::GeneralizedAlpha { spectral_radius: 1.0 },
        Method::Multistep { spectral_radius: 0.9 },
    ] {
        let [coarse, fine] = [200, 400].map(|steps| ledger(sprung().with_method(method), steps));
        for part in &fine[..3] {
            assert!(*part > 0.1, "{method:?}: every entry is tried: {fine:?}");
        }
        let ratio = coarse[3] / fine[3];
        assert!(ratio > 3.0 && fine[3] < 5e-3 * fine[0], "{method:?}: {ratio:.2}, {coarse:?} {fine:?}");
    }
}

/// A step that follows the error adds up the powers of its parts: a rod that a damper slows down loses what the ledger says.
#[test]
fn steps_that_follow_the_error_close_the_ledger() {
    let run = |tolerance: f64| {
        let rod = damped_rod().with_method(Method::AdaptiveBdf { largest_order: 5 });
        let mut system = rod.with_error_tolerance(tolerance).build().unwrap();
        let before = system.energy().total();
        let mut sums = [0.0; 3];
        for step in 0..10_u8 {
            system.begin(MacroStep { time: 0.1 * f64::from(step), size: 0.1 }, &[]).unwrap();
            let ledger = system.commit(&StepLoads::zeros(0)).unwrap();
            let parts = [ledger.dissipated, ledger.external_work, ledger.numerical.abs()];
            sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        }
        let [dissipated, external, numerical] = sums;
        let change = system.energy().total() - before;
        assert!(dissipated > 0.5 && external.abs() > 0.1, "both are tried: {sums:?}");
        assert!((change + dissipated - external).abs() <= 1.001 * numerical, "{change} {sums:?}");
        numerical
    };
    let [coarse, fine] = [1e-4, 1e-7].map(run);
    assert!(fine < 0.05 * coarse && fine < 1e-3, "{coarse:e} {fine:e}");
}

/// A step that nothing loads is solved once, however often it is asked for.
#[test]
fn steps_without_loads_are_solved_once() {
    let mut system = damped_rod().build().unwrap();
    for step in 0..10_u8 {
        system.begin(MacroStep { time: 0.01 * f64::from(step), size: 0.01 }, &[]).unwrap();
        system.evaluate(&[]).unwrap();
        system.commit(&StepLoads::zeros(0)).unwrap();
    }
    assert_eq!(system.statistics().factorizations, 10);
}
