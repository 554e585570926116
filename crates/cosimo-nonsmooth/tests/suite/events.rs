//! What is reported of contacts: impacts, closings and releases, with their times.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{ball, coordinates, step_sizes, stepper};
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, TimeLoad};
use cosimo_mechanics::TimeFunction;
use cosimo_nonsmooth::{ContactChange, ContactChangeKind, ImpactResolution, MoreauJean};
use nalgebra::dmatrix;

use ContactChangeKind::{Closing, Impact, Release};

fn changes(stepper: &mut MoreauJean, h: f64, count: usize) -> Vec<ContactChange> {
    let mut found = Vec::new();
    for _ in 0..count {
        stepper.step(h).unwrap();
        assert!(stepper.contacts().changes.is_sorted_by(|a, b| a.time <= b.time));
        found.extend_from_slice(&stepper.contacts().changes);
    }
    found
}

fn kinds(changes: &[ContactChange]) -> Vec<ContactChangeKind> {
    changes.iter().map(|change| change.kind).collect()
}

#[test]
fn impact_without_rebound_is_followed_by_a_closing() {
    for resolution in [ImpactResolution::SubStep, ImpactResolution::Plain] {
        let mut ball = ball(0.801, 10.0, 0.0, resolution);
        let found = changes(&mut ball, 1e-3, 1000);
        assert_eq!(kinds(&found), [Impact, Closing], "{resolution:?}: {found:?}");
        assert!(
            (found[0].time - 0.160_2_f64.sqrt()).abs() < 1e-12
                && (found[1].time - found[0].time).abs() < 1e-12
        );
    }
}

/// A rebound is an impact, not a load: nothing is released after it.
#[test]
fn rebounds_are_no_closings() {
    for resolution in [ImpactResolution::SubStep, ImpactResolution::Plain] {
        let mut ball = ball(0.801, 10.0, 0.8, resolution);
        let found = changes(&mut ball, 1e-3, 3200);
        assert!(
            found.len() >= 10 && found.iter().all(|change| change.kind == Impact),
            "{resolution:?}: {found:?}"
        );
        // Then all impacts, and one closing at the end.
        let rest = changes(&mut ball, 1e-3, 1000);
        let (last, others) = rest.split_last().unwrap();
        assert!(
            last.kind == Closing && others.iter().all(|change| change.kind == Impact),
            "{resolution:?}: {rest:?}"
        );
    }
}

#[test]
fn impact_at_the_end_of_a_step_is_reported_once() {
    // 0.8 m at 10 m/s² take 0.4 s.
    for h in [1e-3, 4e-4, 0.1, 0.4] {
        for e in [0.0, 0.5] {
            let mut ball = ball(0.8, 10.0, e, ImpactResolution::SubStep);
            let found = changes(&mut ball, h, (0.8 / h).round() as usize);
            let impacts: Vec<_> = found.iter().filter(|change| change.kind == Impact).collect();
            assert_eq!(
                impacts.iter().filter(|change| change.time < 0.41).count(),
                1,
                "step {h}, e {e}: {found:?}"
            );
            assert!(
                (impacts[0].time - 0.4).abs() < 1e-9 && (impacts[0].impulse - 4.0 * (1.0 + e)).abs() < 1e-9
            );
            if e == 0.0 {
                assert_eq!(kinds(&found), [Impact, Closing], "step {h}: {found:?}");
            }
        }
    }
}

/// A force over time, from the first to the second value in 2 s, at a place on a rod.
fn ramp(place: f64, values: [f64; 2]) -> TimeLoad {
    let size = TimeFunction::table(vec![0.0, 2.0], values.to_vec()).unwrap();
    TimeLoad { direction: LinearRow::dense(&[1.0, place], 0.0), size }
}

/// Times of the changes against the exact ones, over many step sizes: loads that are linear in time are found exactly.
fn assert_exact(
    system: &LinearSystem,
    rows: &LinearRows,
    resolution: ImpactResolution,
    exact: &[(ContactChangeKind, usize, f64)],
) {
    for h in step_sizes(24, (1e-2, 1e-4), 2.0) {
        let mut rod = stepper(system.clone(), rows.clone(), &[0.0; 2], resolution, (&[0.0; 2], &[0.0; 2]));
        let found = changes(&mut rod, h, (2.0 / h).round() as usize);
        let all: Vec<_> = found.iter().filter(|change| change.kind != Impact).collect();
        assert_eq!(all.len(), exact.len(), "{resolution:?}, step {h}: {found:?}");
        for (kind, contact, time) in exact {
            let is_it = |change: &&&ContactChange| change.kind == *kind && change.contact == *contact;
            let own: Vec<_> = all.iter().filter(is_it).collect();
            assert_eq!(own.len(), 1, "{resolution:?}, step {h}, contact {contact}: {found:?}");
            assert!((own[0].time - time).abs() < 1e-13, "{resolution:?}, step {h}: {:?}", own[0]);
        }
    }
}

/// A rod lies on two supports and is lifted at one of them by a growing force: the load there vanishes at a time that
/// statics gives, while the other support goes on carrying.
#[test]
fn release_is_exact_beside_a_closed_contact() {
    let system =
        LinearSystem::new(dmatrix![1.0, 0.0; 0.0, 1.0 / 3.0]).unwrap().with_force(vec![-10.0, 0.0]).unwrap();
    // Weight 10 N in the middle, supports at -0.5 and 0.8 m; force F(t) at 0.8 m. Moments about the left support:
    // 1.3 R = 5 − 1.3 F.
    let rows = LinearRows(vec![LinearRow::dense(&[1.0, -0.5], 0.0), LinearRow::dense(&[1.0, 0.8], 0.0)]);
    let system = system.with_load(ramp(0.8, [0.0, 5.0]));
    let release = 2.0 * (5.0 / 1.3) / 5.0;
    for resolution in [ImpactResolution::SubStep, ImpactResolution::Plain] {
        assert_exact(
            &system,
            &rows,
            resolution,
            &[(Closing, 0, 0.0), (Closing, 1, 0.0), (Release, 1, release)],
        );
    }
}

/// A contact that touches closes when a force begins to press, without impact.
#[test]
fn closing_without_impact_is_found() {
    let system = LinearSystem::new(dmatrix![1.0]).unwrap().with_stiffness(dmatrix![0.0]).unwrap();
    let size = TimeFunction::table(vec![0.0, 1.0, 2.0], vec![0.0, 0.0, -5.0]).unwrap();
    let system = system.with_load(TimeLoad { direction: LinearRow::coordinate(0), size });
    let start: (&[f64], &[f64]) = (&[0.0], &[0.0]);
    let mut ball = stepper(system, coordinates(&[0]), &[0.5], ImpactResolution::SubStep, start);
    let found = changes(&mut ball, 1e-3, 3000);
    assert_eq!(kinds(&found), [Closing]);
    assert!((found[0].time - 1.0).abs() < 1.1e-3, "{found:?}");
    assert!(ball.stepper().start_positions()[0].abs() < 1e-12);
    assert!((ball.contacts().sustained[0] / 1e-3 - 5.0).abs() < 1e-9);
}
