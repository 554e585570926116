//! A ball in a wedge: two contacts at one instant, and one shortly after the other.
//!
//! Reference: case C; closed form. The unsymmetric falls are followed from parabola to parabola here.

use coupling_tests::{Bounces, Run, Table, orders_in_bands, step_sizes};

use cosimo::master::ContactEventKind;

const MODEL: &str = "wedge/model.toml";

#[test]
fn both_planes_are_hit_at_the_exact_instants() {
    let run = Run::example(MODEL, &[]);
    let events = Table::reference("C_double_impact_wedge/events.csv");
    for contact in ["ball.left", "ball.right"] {
        let impacts = run.events_at(contact, ContactEventKind::Impact);
        for (k, found) in impacts[..10].iter().enumerate() {
            let exact = |name| events.column(name)[k];
            assert!((found.time - exact("t")).abs() < 1e-9, "{contact}, impact {k}: {} s", found.time);
            assert!(
                (found.impulse - exact("p_each")).abs() < 1e-9,
                "{contact}, impact {k}: {} N s",
                found.impulse
            );
            let [before, after] = found.velocities;
            assert!((before - exact("gapdot_minus")).abs() < 1e-9, "{contact}, impact {k}: {before} m/s");
            assert!((after - exact("gapdot_plus")).abs() < 1e-9, "{contact}, impact {k}: {after} m/s");
        }
    }
    let table = Table::reference("C_double_impact_wedge/reference.csv");
    for (k, &t) in table.column("t").iter().enumerate().take_while(|(_, t)| **t < 3.39) {
        for (found, exact) in [("ball.z", "z"), ("ball.vz", "vz"), ("ball.x", "x"), ("ball.vx", "vx")] {
            let error = run.at(found, t) - table.column(exact)[k];
            assert!(error.abs() < 1e-9, "{found} at {t} s is off by {error}");
        }
    }
}

/// The ball falls and rebounds upright, both gaps being `z cos 0.05 − R`.
#[test]
fn plain_scheme_has_order_one_in_the_mean() {
    let cosine = 0.05_f64.cos();
    let exact = Bounces { height: cosine - 0.1, gravity: 9.81 * cosine, restitution: 0.8 };
    let errors = |h: &f64| {
        let run = Run::example(MODEL, &["time.end=2", "master.impacts=plain", &format!("time.step={h:e}")]);
        let [left, right, v] = ["ball.left.gap", "ball.right.gap", "ball.vz"].map(|name| run.column(name));
        let worse = |k: usize, exact: f64| {
            if (left[k] - exact).abs() > (right[k] - exact).abs() { left[k] } else { right[k] }
        };
        exact.mean_errors(&run, |k| [worse(k, exact.at(run.times[k])[0]), v[k] * cosine])
    };
    let steps = step_sizes(1e-2, 1e-4, 200);
    let errors: Vec<_> = steps.iter().map(errors).collect();
    let orders = orders_in_bands(&steps, &errors);
    assert!(orders.iter().all(|order| (0.9..1.1).contains(order)), "orders {orders:?}");
}

#[test]
fn ball_rests_on_both_planes() {
    let run = Run::example(MODEL, &[]);
    let (z_rest, force_each) = (0.100_125_130_340_846_12, 4.911_137_643_218_502_5);
    assert!((run.at("ball.z", 5.0) - z_rest).abs() < 1e-5);
    assert!(run.at("ball.x", 5.0).abs() < 1e-12 && run.at("ball.vz", 5.0).abs() < 1e-12);
    for contact in ["left", "right"] {
        let force = run.at(&format!("ball.{contact}.impulse"), 5.0) / 1e-3;
        assert!((force - force_each).abs() < 1e-9, "{contact}: {force} N");
    }
}

/// One frictionless impact of the ball.
struct Bounce {
    time: f64,
    plane: usize,
    impulse: f64,
}

/// Follows a ball of 1 kg from `[x, z]` at rest through `count` bounces between two planes that rise `slope` (rad).
fn bounces(slope: f64, start: [f64; 2], count: usize) -> Vec<Bounce> {
    let (sine, cosine) = slope.sin_cos();
    let normals = [[sine, cosine], [-sine, cosine]];
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let (mut time, mut r, mut v, mut list) = (0.0, start, [0.0, 0.0], Vec::new());
    while list.len() < count {
        // The gap of a plane falls to zero at the later root of y + u t − a t²/2.
        let closing = normals.map(|n| {
            let (y, u, a) = ((dot(n, r) - 0.1).max(0.0), dot(n, v), 9.81 * n[1]);
            (u + (u * u + 2.0 * a * y).sqrt()) / a
        });
        let plane = usize::from(closing[1] < closing[0]);
        let (t, n) = (closing[plane], normals[plane]);
        r = [r[0] + t * v[0], r[1] + t * (v[1] - 0.5 * 9.81 * t)];
        v[1] -= 9.81 * t;
        let impulse = -1.8 * dot(n, v);
        v = [v[0] + impulse * n[0], v[1] + impulse * n[1]];
        time += t;
        list.push(Bounce { time, plane, impulse });
    }
    list
}

fn assert_bounces(slope: f64, x: f64, count: usize) {
    let (sine, cosine) = slope.sin_cos();
    let run = Run::example(
        MODEL,
        &[
            &format!("subsystem.ball.position=[{x}, 0, 1]"),
            &format!("subsystem.ball.plane.left.normal=[{sine}, 0, {cosine}]"),
            &format!("subsystem.ball.plane.right.normal=[{}, 0, {cosine}]", -sine),
            "time.end=3",
        ],
    );
    let impacts: Vec<_> = run.events.iter().filter(|e| e.kind == ContactEventKind::Impact).collect();
    assert!(impacts.len() >= count, "{x}: {impacts:?}");
    for (found, exact) in impacts.iter().zip(bounces(slope, [x, 1.0], count)) {
        assert!((found.time - exact.time).abs() < 1e-9, "{x}: {} s, not {}", found.time, exact.time);
        assert_eq!(found.contact, ["ball.left", "ball.right"][exact.plane], "{x}: at {} s", found.time);
        assert!((found.impulse - exact.impulse).abs() < 1e-9, "{x}: {} N s", found.impulse);
    }
}

/// Beside the edge the ball reaches one plane a moment before the other, within the same step, and its impact there
/// throws it clear of the other one.
#[test]
fn impact_on_one_plane_is_not_merged_with_the_near_other_one() {
    for x in [5e-4, -2e-3, 0.1] {
        assert_bounces(0.05, x, 6);
    }
}

/// In a steep wedge the impact on one plane does not save the ball from the other: two impacts in one step.
#[test]
fn two_impacts_in_one_step_are_resolved_one_after_the_other() {
    for x in [2e-4, -1e-3] {
        let two = bounces(0.7, [x, 1.0], 2);
        assert!(two[0].plane != two[1].plane && two[1].time - two[0].time < 1e-3);
        assert_bounces(0.7, x, 4);
    }
}
