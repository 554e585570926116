//! Impacts with friction, and what follows on them.

use cosimo::master::{ContactEventKind, FrictionState};
use coupling_tests::{Run, Table, assert_balanced};

use super::{BALL, assert_path};

const SPHERE: &str = "tilted-plane-friction/sphere.toml";

/// Every impact of ball and sphere: time, impulses, slip, spin.
#[test]
fn impacts_with_friction_are_exact() {
    for (path, case) in [(BALL, "B2_tilted_mu002_pointmass"), (SPHERE, "B3_tilted_mu002_sphere")] {
        let run = Run::example(path, &["time.end=3.4"]);
        let events = Table::reference(&format!("{case}/events.csv"));
        let impacts = run.events_at("ball.slope", ContactEventKind::Impact);
        for (k, found) in impacts[..10].iter().enumerate() {
            let exact = |name| events.column(name)[k];
            assert!((found.time - exact("t")).abs() < 1e-9, "{case}: impact {k} at {} s", found.time);
            assert!((found.impulse - exact("p_n")).abs() < 1e-9, "{case}: impact {k}");
            assert!(
                (found.friction[0] - exact("p_t")).abs() < 1e-9,
                "{case}: impact {k}: {:?}",
                found.friction
            );
            assert!(found.friction[1].abs() < 1e-12);
            let slips = exact("slip_plus").abs() > 1e-12;
            assert_eq!(found.state == FrictionState::Slip, slips, "{case}: impact {k}");
        }
        let table = Table::reference(&format!("{case}/reference.csv"));
        let columns = [("ball.x", "x"), ("ball.z", "z"), ("ball.vx", "vx"), ("ball.vz", "vz")];
        assert_path(&run, (&table, 3.39), &columns, 1e-9);
        if path == SPHERE {
            assert_path(&run, (&table, 3.39), &[("ball.wy", "omega")], 1e-8);
        }
        assert_balanced(&Run::model(path, &["time.end=3.4"]), 1e-12);
    }
}

/// Behind the accumulation of impacts the point mass slides and the sphere rolls, with accelerations of their own.
#[test]
fn ball_slides_and_sphere_rolls_after_the_bounces() {
    for (path, case, acceleration) in [
        (BALL, "B2_tilted_mu002_pointmass", 0.294_340_849_455_862_03),
        (SPHERE, "B3_tilted_mu002_sphere", 0.350_211_178_960_967_43),
    ] {
        let run = Run::example(path, &[]);
        let (sine, cosine) = 0.05_f64.sin_cos();
        let speed = |t: f64| run.at("ball.vx", t) * cosine - run.at("ball.vz", t) * sine;
        assert!(
            (speed(6.0) - speed(4.0) - 2.0 * acceleration).abs() < 1e-11,
            "{case}: {}",
            speed(6.0) - speed(4.0)
        );
        let table = Table::reference(&format!("{case}/reference.csv"));
        assert_path(&run, (&table, 6.0), &[("ball.x", "x"), ("ball.z", "z")], 1e-5);
        assert!(run.at("ball.slope.slip_0", 6.0).abs() < 1e-12 || path == BALL);
        let [normal, friction] =
            ["ball.slope.impulse", "ball.slope.friction_0"].map(|name| run.at(name, 6.0));
        let at_bound = (friction.abs() - 0.02 * normal).abs() < 1e-15;
        assert_eq!(at_bound, path == BALL, "{case}");
        assert_balanced(&Run::model(path, &[]), 1e-11);
    }
}

/// Moreau's law in the model file; Newton's gains are warnings and stand in the report.
#[test]
fn impact_laws_are_chosen_by_name_and_gains_are_told() {
    // A rod of 1 kg and 2 m, tilted, that slides fast as it hits the floor with its end.
    let text = |law: &str, angle: f64, omega: f64| {
        let (sine, cosine) = angle.sin_cos();
        format!(
            "schema = 1\ntime = {{ end = 0.01, step = 1e-4 }}\n[[subsystem]]\nname = \"rod\"\nkind = \"planar\"\n\
             [[subsystem.body]]\nname = \"rod\"\nmass = 1\ninertia = 0.333\nposition = [0, {:?}]\nangle = {angle:?}\n\
             velocity = [{:?}, -1]\nangular_velocity = {omega:?}\n[[subsystem.contact]]\nname = \"tip\"\nbody = \"rod\"\n\
             point = [-1, 0]\nnormal = [0, 1]\nrestitution = 0.9\nfriction = 0.9\nimpact_law = \"{law}\"\n",
            sine + 1e-4,
            -0.3 * cosine
        )
    };
    let mut gained = 0;
    for angle in [0.3, 0.6, 0.9, 1.2] {
        for omega in [-2.0, -0.8, 0.0, 0.8] {
            let newton = Run::completed(&Run::text(&text("newton", angle, omega), &[]));
            let works: Vec<f64> = newton.events.iter().map(|event| event.work).collect();
            let is_gain = works.iter().any(|work| *work > 1e-9);
            assert_eq!(is_gain, !newton.report.impact_gains.is_empty(), "{works:?}");
            gained += usize::from(is_gain);
            let moreau = Run::completed(&Run::text(&text("moreau", angle, omega), &[]));
            assert!(moreau.events.iter().all(|event| event.work <= 1e-12), "{angle} {omega}");
            assert!(moreau.report.impact_gains.is_empty());
            assert_balanced(&Run::text(&text("moreau", angle, omega), &[]), 1e-9);
        }
    }
    assert!(gained > 0);
}
