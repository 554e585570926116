//! Balls on floors, planes and in a wedge against closed forms: impacts at their own instants are exact there.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{ball, observed_order, run, step_sizes, stepper, table};
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, Theta};
use cosimo_mechanics::ContactLaw;
use cosimo_nonsmooth::{
    ContactChange, ContactChangeKind, ImpactResolution, MoreauJean, MovingPlane, MovingPlanes, PlaneMotion,
};
use nalgebra::{DMatrix, Vector3};

const STEP: f64 = 1e-3;
const TILT: f64 = 0.05;

/// Compares impacts with rows `k, t, rate before, rate after, impulse`.
fn assert_impacts(found: &[ContactChange], exact: &[Vec<f64>]) {
    assert!(found.len() >= exact.len(), "{} impacts", found.len());
    for (change, row) in found.iter().zip(exact) {
        let errors = [
            change.time - row[1],
            change.rate_before - row[2],
            change.rate_after - row[3],
            change.impulse - row[4],
        ];
        assert!(errors.iter().all(|error| error.abs() < 1e-11), "impact {}: {errors:?}", row[0]);
    }
}

#[test]
fn first_impacts_of_dropped_balls_are_exact() {
    for (name, height, gravity, e, end) in [
        ("a1_impacts.csv", 0.801, 10.0, 0.8, 3.2),
        ("a2_impacts.csv", 0.9, 9.81, 0.8, 3.5),
        ("a3_impacts.csv", 0.9, 9.81, 0.2, 0.637),
        ("a4_impacts.csv", 1.0, 9.81, 0.9, 5.5),
    ] {
        let mut ball = ball(height, gravity, e, ImpactResolution::SubStep);
        let steps = (end / STEP) as usize;
        assert_impacts(&run(&mut ball, STEP, steps, ContactChangeKind::Impact), &table(name));
    }
}

/// The impacts accumulate at `t₁ (1 + e)/(1 − e)`; the last ones within a step are one closing.
#[test]
fn ball_follows_the_accumulation_of_impacts_to_its_end_and_rests() {
    for e in [0.0, 0.2, 0.8, 0.9] {
        let mut ball = ball(0.801, 10.0, e, ImpactResolution::SubStep);
        let first = 0.160_2_f64.sqrt();
        let end = first * (1.0 + e) / (1.0 - e);
        let mut changes = Vec::new();
        for _ in 0..(end / STEP) as usize + 2 {
            ball.step(STEP).unwrap();
            changes.extend_from_slice(&ball.contacts().changes);
        }
        let (closing, impacts) = changes.split_last().unwrap();
        assert_eq!(closing.kind, ContactChangeKind::Closing);
        assert!((end - closing.time).abs() < STEP, "closing at {}, end at {end}", closing.time);
        let (mut time, mut rate) = (first, 10.0 * first);
        for impact in impacts {
            assert_eq!(impact.kind, ContactChangeKind::Impact);
            assert!(
                (impact.time - time).abs() < 1e-11 && (impact.rate_before + rate).abs() < 1e-11,
                "{impact:?}"
            );
            rate *= e;
            time += 0.2 * rate;
        }
        assert_rests(&mut ball, 10.0);
    }
}

fn assert_rests(ball: &mut MoreauJean, weight: f64) {
    let gap = ball.stepper().start_positions()[0];
    assert!(gap.abs() < 1e-15, "{gap}");
    for _ in 0..10_000 {
        ball.step(STEP).unwrap();
        let (rate, moved) = (ball.stepper().state().v[0], ball.stepper().start_positions()[0] - gap);
        let force = ball.contacts().sustained[0] / STEP;
        assert!(rate.abs() < 1e-16 && moved.abs() < 1e-15, "rate {rate}, moved {moved}");
        assert!((force - weight).abs() < 1e-12 * weight, "force {force}");
        assert!(ball.contacts().changes.is_empty());
    }
}

#[test]
fn ball_put_on_the_floor_rests_from_the_start() {
    for e in [0.0, 0.8, 1.0] {
        for gap in [0.0, 1e-17, -1e-17] {
            let mut ball = ball(gap, 9.81, e, ImpactResolution::SubStep);
            ball.step(STEP).unwrap();
            let kinds: Vec<_> = ball.contacts().changes.iter().map(|change| change.kind).collect();
            assert!(e == 1.0 || kinds == [ContactChangeKind::Closing], "e {e}, gap {gap}: {kinds:?}");
            assert!(ball.stepper().state().v[0].abs() < 1e-7);
        }
    }
}

/// Down-slope and normal of a plane through the origin that slopes down towards `+x`.
fn plane(slope: f64) -> [f64; 2] {
    [slope.sin(), slope.cos()]
}

fn point(planes: &[f64]) -> MoreauJean {
    let system = LinearSystem::new(DMatrix::identity(2, 2)).unwrap().with_force(vec![0.0, -9.81]).unwrap();
    let rows = planes.iter().map(|slope| LinearRow::dense(&plane(*slope), 0.1)).collect();
    let e = vec![0.8; planes.len()];
    stepper(system, LinearRows(rows), &e, ImpactResolution::SubStep, (&[0.0, 1.0], &[0.0, 0.0]))
}

#[test]
fn ball_on_a_tilted_plane_bounces_in_two_and_three_dimensions() {
    let exact = table("b1_impacts.csv");
    let mut flat = point(&[TILT]);
    assert_impacts(&run(&mut flat, STEP, 3400, ContactChangeKind::Impact), &exact);

    let [nx, nz] = plane(TILT);
    let motion = PlaneMotion::at_rest(Vector3::zeros(), Vector3::new(0.6 * nx, 0.8 * nx, nz));
    let planes = MovingPlanes::new(
        vec![MovingPlane { name: "slope".into(), motion, law: ContactLaw::frictionless(0.8) }],
        0.1,
    )
    .unwrap();
    let mass = MovingPlanes::point_mass(1.0, Vector3::new(0.0, 0.0, -9.81)).unwrap();
    let start: (&[f64], &[f64]) = (&[0.0, 0.0, 1.0], &[0.0; 3]);
    let mut space = stepper(mass, planes, &[0.8], ImpactResolution::SubStep, start);
    assert_impacts(&run(&mut space, STEP, 3400, ContactChangeKind::Impact), &exact);
    let (a, b) = (flat.stepper().state(), space.stepper().state());
    for (x, y) in [(0.6 * a.q[0], b.q[0]), (0.8 * a.q[0], b.q[1]), (a.q[1], b.q[2]), (a.v[1], b.v[2])] {
        assert!((x - y).abs() < 1e-12, "{x} {y}");
    }
}

/// The ball of case A1, by the rule θ = 1.
fn backward_ball() -> MoreauJean {
    let system = LinearSystem::new(DMatrix::identity(1, 1)).unwrap().with_force(vec![-10.0]).unwrap();
    let contacts: (Box<dyn cosimo_dynamics::RowMap>, _) =
        (Box::new(crate::common::coordinates(&[0])), vec![0.8]);
    let start = (0.0, vec![0.801], vec![0.0]);
    let rule = Theta::new(1.0).unwrap();
    MoreauJean::new(system, rule, contacts, ImpactResolution::SubStep, start).unwrap()
}

/// With θ = 1 a step falls too far by `½ g h²`, and a flight by `½ g h t`: order one, but no impact is missed.
#[test]
fn ball_bounces_with_order_one_by_the_backward_rule_too() {
    let exact = table("a1_impacts.csv");
    let steps = step_sizes(24, (2e-3, 1e-4), 3.4);
    let error = |h: &f64| {
        let mut ball = backward_ball();
        let mut impacts = Vec::new();
        for _ in 0..(3.4 / h).round() as usize {
            ball.step(*h).unwrap();
            assert!(ball.stepper().start_positions()[0] > -20.0 * h * h);
            let is_impact = |change: &&ContactChange| change.kind == ContactChangeKind::Impact;
            impacts.extend(ball.contacts().changes.iter().filter(is_impact).copied());
        }
        assert!(impacts.len() >= exact.len(), "{impacts:?}");
        let error = |(impact, row): (&ContactChange, &Vec<f64>)| {
            (impact.time - row[1]).abs().max((impact.rate_before - row[2]).abs() / 10.0)
        };
        impacts.iter().zip(&exact).map(error).fold(0.0, f64::max)
    };
    let errors: Vec<f64> = steps.iter().map(error).collect();
    let order = observed_order(&steps, &errors);
    assert!(
        (0.99..1.01).contains(&order) && errors[23] < 51.0 * steps[23],
        "order {order}, errors {errors:?}"
    );
}

#[test]
fn ball_rests_by_the_backward_rule_too() {
    let mut ball = backward_ball();
    for _ in 0..4000 {
        ball.step(STEP).unwrap();
    }
    assert!((ball.contacts().sustained[0] / STEP - 10.0).abs() < 1e-9);
}

/// Both planes of the wedge are hit at once: one joint problem, of condition 400.
#[test]
fn ball_in_a_wedge_hits_both_planes_at_once() {
    let mut ball = point(&[TILT, -TILT]);
    let found = run(&mut ball, STEP, 3400, ContactChangeKind::Impact);
    assert_eq!(table("c_impacts.csv").len(), 10);
    for (k, row) in table("c_impacts.csv").iter().enumerate() {
        for change in &found[2 * k..2 * k + 2] {
            let exact = [row[1], row[5], row[6], row[4]];
            let is = [change.time, change.rate_before, change.rate_after, change.impulse];
            let error = is.iter().zip(exact).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(error < 1e-10, "impact {k}, contact {}: {error:e}", change.contact);
        }
    }
    for _ in 0..1000 {
        ball.step(STEP).unwrap();
    }
    let state = ball.stepper().state();
    assert!(state.q[0].abs() < 1e-12 && state.v.iter().all(|v| v.abs() < 1e-12), "{state:?}");
    for impulse in &ball.contacts().sustained {
        assert!((impulse / STEP - 4.911_137_643_218_508).abs() < 1e-6, "{impulse}");
    }
}
