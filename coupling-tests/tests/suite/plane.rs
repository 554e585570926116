//! A ball on a frictionless tilted plane.
//!
//! Reference: case B1; closed form.

use coupling_tests::{Bounces, Run, Table, orders_in_bands, step_sizes};

use cosimo::master::ContactEventKind;

const MODEL: &str = "tilted-plane/model.toml";

#[test]
fn first_ten_bounces_are_exact() {
    let run = Run::example(MODEL, &[]);
    let events = Table::reference("B1_tilted_frictionless/events.csv");
    let impacts = run.events_at("ball.slope", ContactEventKind::Impact);
    for (k, found) in impacts[..10].iter().enumerate() {
        let exact = |name| events.column(name)[k];
        assert!((found.time - exact("t")).abs() < 1e-9, "impact {k}: {} s", found.time);
        let [before, after] = found.velocities;
        assert!((before - exact("vn_minus")).abs() < 1e-9, "impact {k}: {before} m/s");
        assert!((after - exact("vn_plus")).abs() < 1e-9, "impact {k}: {after} m/s");
        assert!((found.impulse - exact("p_n")).abs() < 1e-9, "impact {k}: {} N s", found.impulse);
    }
}

#[test]
fn path_is_exact_through_the_bounces() {
    let run = Run::example(MODEL, &[]);
    let table = Table::reference("B1_tilted_frictionless/reference.csv");
    let columns =
        [("ball.x", "x"), ("ball.z", "z"), ("ball.vx", "vx"), ("ball.vz", "vz"), ("ball.slope.gap", "gap")];
    for (k, &t) in table.column("t").iter().enumerate().take_while(|(_, t)| **t < 3.39) {
        for (found, exact) in columns {
            let error = run.at(found, t) - table.column(exact)[k];
            assert!(error.abs() < 1e-9, "{found} at {t} s is off by {error}");
        }
    }
}

/// After the accumulation of impacts at 3.855 s the ball slides; the normal impulses have left no trace along the slope.
#[test]
fn ball_slides_after_the_bounces() {
    let run = Run::example(MODEL, &[]);
    let (sine, cosine) = 0.05_f64.sin_cos();
    for t in [4.0, 5.0, 6.0] {
        let along = run.at("ball.x", t) * cosine - (run.at("ball.z", t) - 1.0) * sine;
        let speed = run.at("ball.vx", t) * cosine - run.at("ball.vz", t) * sine;
        assert!((along - 0.5 * 9.81 * sine * t * t).abs() < 1e-9, "{along} m at {t} s");
        assert!((speed - 9.81 * sine * t).abs() < 1e-9, "{speed} m/s at {t} s");
        let normal = run.at("ball.vx", t) * sine + run.at("ball.vz", t) * cosine;
        assert!(normal.abs() < 1e-12, "{normal} m/s off the plane at {t} s");
        assert!(run.at("ball.slope.gap", t).abs() < 1e-5);
        let force = run.at("ball.slope.impulse", t) / 1e-3;
        assert!((force - 9.81 * cosine).abs() < 1e-9, "{force} N at {t} s");
    }
}

/// Along the normal the ball bounces under `g cos 0.05`.
#[test]
fn plain_scheme_has_order_one_in_the_mean() {
    let (sine, cosine) = 0.05_f64.sin_cos();
    let exact = Bounces { height: cosine - 0.1, gravity: 9.81 * cosine, restitution: 0.8 };
    let errors = |h: &f64| {
        let run = Run::example(MODEL, &["time.end=2", "master.impacts=plain", &format!("time.step={h:e}")]);
        let [gap, vx, vz] = ["ball.slope.gap", "ball.vx", "ball.vz"].map(|name| run.column(name));
        exact.mean_errors(&run, |k| [gap[k], vx[k] * sine + vz[k] * cosine])
    };
    let steps = step_sizes(1e-2, 1e-4, 200);
    let errors: Vec<_> = steps.iter().map(errors).collect();
    let orders = orders_in_bands(&steps, &errors);
    assert!(orders.iter().all(|order| (0.9..1.1).contains(order)), "orders {orders:?}");
}
