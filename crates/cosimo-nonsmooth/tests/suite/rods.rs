//! Rods on two obstacles: which contacts take part in an impact, and rocking to rest.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{observed_order, step_sizes, stepper, table};
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
use cosimo_nonsmooth::{ContactChangeKind, ImpactResolution, MoreauJean};
use nalgebra::dmatrix;

/// A rod of 1 kg and 2 m: height of the middle and angle; obstacles `x` from the middle with these start gaps.
fn rod(
    x: [f64; 2],
    gaps: [f64; 2],
    (gravity, e): (f64, f64),
    resolution: ImpactResolution,
    (q, v): ([f64; 2], [f64; 2]),
) -> MoreauJean {
    let system = LinearSystem::new(dmatrix![1.0, 0.0; 0.0, 1.0 / 3.0]).unwrap();
    let system = system.with_force(vec![-gravity, 0.0]).unwrap();
    let row = |i: usize| LinearRow::dense(&[1.0, x[i]], q[0] + x[i] * q[1] - gaps[i]);
    stepper(system, LinearRows(vec![row(0), row(1)]), &[e; 2], resolution, (&q, &v))
}

/// Both contacts are closed, one may rest: the joint law decides which take part.
#[test]
fn impulses_at_both_obstacles_are_exact() {
    let rows = table("k1_impacts.csv");
    assert_eq!(rows.len(), 46);
    for row in &rows {
        let &[x1, x2, e, vy, omega, g1, g2, l1, l2, g1_after, g2_after, vy_after, omega_after, ..] = &row[..]
        else {
            unreachable!("a row of {} numbers", row.len())
        };
        for resolution in [ImpactResolution::SubStep, ImpactResolution::Plain] {
            let mut rod = rod([x1, x2], [0.0; 2], (0.0, e), resolution, ([0.0; 2], [vy, omega]));
            let rates = rod.stepper().start_velocities();
            assert!((rates[0] - g1).abs() < 1e-15 && (rates[1] - g2).abs() < 1e-15);
            rod.step(1e-3).unwrap();
            let (impulses, rates) = (&rod.contacts().impulses, rod.stepper().start_velocities());
            let v = &rod.stepper().state().v;
            let found = [impulses[0], impulses[1], rates[0], rates[1], v[0], v[1]];
            let exact = [l1, l2, g1_after, g2_after, vy_after, omega_after];
            let error = found.iter().zip(exact).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(error < 1e-12, "{resolution:?} {row:?}: {found:?}");
            assert!(impulses.iter().all(|p| *p >= 0.0));
        }
    }
}

const A: f64 = 0.4;

fn rocking_rod() -> MoreauJean {
    let start = ([0.02, 0.05], [0.0; 2]);
    rod([-A, A], [0.0, 0.04], (9.81, 0.0), ImpactResolution::SubStep, start)
}

/// The rod turns about one obstacle until it hits the other one, which throws the first open: without dampers or
/// springs all of it is exact.
#[test]
fn rocking_rod_is_exact_and_comes_to_rest() {
    let (h, exact, motion) = (1.5e-3, table("k2_impacts.csv"), table("k2_motion.csv"));
    let mut rod = rocking_rod();
    let mut changes = Vec::new();
    for k in 1..=200 {
        rod.step(h).unwrap();
        changes.extend_from_slice(&rod.contacts().changes);
        if let Some(row) = motion.iter().find(|row| (row[0] - f64::from(k) * h).abs() < 1e-9) {
            let state = rod.stepper().state();
            let error = [state.q[0] - row[1], state.q[1] - row[2], state.v[0] - row[3], state.v[1] - row[4]];
            // The last impacts, at 0.2336 s, are one.
            let tolerance = if (0.2325..0.24).contains(&row[0]) { 1e-2 } else { 1e-6 };
            assert!(error.iter().all(|x| x.abs() < tolerance), "{row:?}: {error:?}");
        }
    }
    let impacts: Vec<_> = changes.iter().filter(|change| change.kind == ContactChangeKind::Impact).collect();
    assert!(impacts.len() >= 5, "{impacts:?}");
    for (found, row) in impacts.iter().zip(&exact[..5]) {
        assert_eq!(found.contact, usize::from(row[2] < 0.0));
        let errors = [
            found.time - row[1],
            found.rate_before + 2.0 * A * row[3],
            found.rate_after,
            found.impulse - row[5],
        ];
        assert!(errors.iter().all(|error| error.abs() < 1e-11), "impact {}: {errors:?}", row[0]);
    }
    let state = rod.stepper().state();
    assert!(state.q.iter().all(|q| q.abs() < 1e-5) && state.v.iter().all(|v| v.abs() < 1e-12), "{state:?}");
    for impulse in &rod.contacts().sustained {
        assert!((impulse / h - 4.905).abs() < 1e-9);
    }
    // Closings and releases alternate at each contact.
    for contact in 0..2 {
        let own = changes.iter().filter(|change| change.contact == contact);
        let kinds: Vec<_> =
            own.map(|change| change.kind).filter(|kind| *kind != ContactChangeKind::Impact).collect();
        for (i, kind) in kinds.iter().enumerate() {
            let expected = if i % 2 == 0 { ContactChangeKind::Closing } else { ContactChangeKind::Release };
            assert_eq!(*kind, expected, "contact {contact}: {kinds:?}");
        }
    }
}

/// On springs the instants have the order of the scheme; the reference is a run with steps of 1 µs.
#[test]
fn instants_of_a_rod_rocking_on_springs_have_order_two() {
    let impacts = |h: f64| {
        let system = LinearSystem::new(dmatrix![1.0, 0.0; 0.0, 1.0 / 3.0]).unwrap();
        let system = system.with_force(vec![-9.81, 0.0]).unwrap();
        let system = system.with_stiffness(dmatrix![40.0, 3.0; 3.0, 25.0]).unwrap();
        let system = system.with_damping(dmatrix![0.5, 0.0; 0.0, 0.2]).unwrap();
        let rows = LinearRows(vec![LinearRow::dense(&[1.0, -A], 0.0), LinearRow::dense(&[1.0, A], 0.0)]);
        let start: (&[f64], &[f64]) = (&[0.04, 0.1], &[0.0, 0.0]);
        let mut rod = stepper(system, rows, &[0.0; 2], ImpactResolution::SubStep, start);
        let found = crate::common::run(&mut rod, h, (0.25 / h) as usize, ContactChangeKind::Impact);
        [found[0].time, found[1].time, found[0].impulse, found[1].impulse]
    };
    let exact = impacts(1e-6);
    let steps = step_sizes(24, (2e-3, 5e-5), 0.25);
    let errors: Vec<_> = steps.iter().map(|h| impacts(*h)).collect();
    for quantity in 0..4 {
        let errors: Vec<f64> = errors.iter().map(|found| (found[quantity] - exact[quantity]).abs()).collect();
        let order = observed_order(&steps, &errors);
        assert!(order > 1.8, "quantity {quantity}: order {order}, errors {errors:?}");
    }
}
