//! Waves: an elastic bar and a chain of masses against a wall.

use crate::common::event_driven::Problem;
use crate::common::{envelope_order, step_sizes, table};
use cosimo_nonsmooth::{ContactChange, ContactChangeKind, ImpactResolution, MoreauJean};

/// Case I2: 200 elements with lumped mass, 10 m/s, 5 m from the wall.
fn bar() -> MoreauJean {
    let mut masses = vec![0.05; 201];
    (masses[0], masses[200]) = (0.025, 0.025);
    let problem = Problem::chain(&masses, &[18_000.0; 200], 0.0, 0.0);
    problem.stepper(ImpactResolution::SubStep, (&[5.0; 201], &[-10.0; 201]))
}

const RELEASE: f64 = 1.169_140_334_853_204_6;

/// The one change of this kind.
fn only(changes: &[ContactChange], kind: ContactChangeKind) -> ContactChange {
    let found: Vec<_> = changes.iter().filter(|change| change.kind == kind).collect();
    assert_eq!(found.len(), 1, "{changes:?}");
    *found[0]
}

/// An impact, a contact over 0.67 s whose force begins at zero, and release.
#[test]
fn bar_is_stopped_held_and_released_with_order_two() {
    let steps = step_sizes(24, (1e-3, 1e-4), 1.2);
    let mut errors = [vec![], vec![], vec![]];
    for h in &steps {
        let mut bar = bar();
        let mut changes = Vec::new();
        for _ in 0..(1.2 / h).round() as usize {
            bar.step(*h).unwrap();
            changes.extend_from_slice(&bar.contacts().changes);
        }
        let impact = only(&changes, ContactChangeKind::Impact);
        assert!((impact.time - 0.5).abs() < 1e-12, "{impact:?}");
        only(&changes, ContactChangeKind::Closing);
        let release = only(&changes, ContactChangeKind::Release);
        errors[0].push((impact.impulse - 0.25).abs());
        errors[1].push((release.time - RELEASE).abs());
        errors[2].push((bar.stepper().energy().total() - 498.75).abs());
        assert!(bar.stepper().energy().total() <= 500.0);
    }
    // The energy passes through zero errors with the phase of the waves against the steps; its largest errors count.
    for (errors, limit) in errors.iter().zip([5e-4, 7e-6, 1e-2]) {
        let order = envelope_order(&steps, errors);
        assert!((1.8..2.2).contains(&order) && errors[23] < limit, "order {order}, errors {errors:?}");
    }
}

#[test]
fn bar_follows_the_modal_solution() {
    let mut bar = bar();
    let rows = table("i2_motion.csv");
    let mut count = 0;
    for k in 1..=15_000_u32 {
        bar.step(1e-4).unwrap();
        let t = f64::from(k) * 1e-4;
        let Some(row) = rows.iter().find(|row| (row[0] - t).abs() < 1e-9) else { continue };
        let q = &bar.stepper().state().q;
        assert!((q[0] - row[1]).abs() < 2e-3, "gap {} at {t}", q[0]);
        assert!((q[200] - row[4]).abs() < 2e-3, "free end {} at {t}", q[200]);
        count += 1;
    }
    assert_eq!(count, 30);
}

/// Case F1: 100 masses, 188 impacts that accumulate and a release, over many phases of the impacts against the steps.
#[test]
fn chain_against_the_wall_keeps_position_and_energy_at_all_phases() {
    let (h, rows, phases) = (1e-3, table("f1_motion.csv"), 10);
    for phase in (0..phases).map(|i| f64::from(i) / f64::from(phases)) {
        // The chain starts later by a share of the step, so that its motion is late by it.
        let problem = Problem::chain(&[1.0; 100], &[1e4; 99], 0.0, 0.8);
        let start = vec![0.1 + phase * h; 100];
        let mut chain = problem.stepper(ImpactResolution::SubStep, (&start, &[-1.0; 100]));
        for k in 1..=2600_u32 {
            chain.step(h).unwrap();
            if k != 400 && k != 2600 {
                continue;
            }
            let row = rows.iter().find(|row| (row[0] - f64::from(k) * h).abs() < 1e-9).unwrap();
            let state = chain.stepper().state();
            let position = state.q[0] + phase * h * state.v[0];
            let energy = (chain.stepper().energy().total() - row[4]) / 50.0;
            assert!((position + row[1]).abs() < 3e-4, "phase {phase}, step {k}: {position}");
            assert!(energy.abs() < 1e-4, "phase {phase}, step {k}: energy {energy}");
        }
    }
}
