//! Unilateral contacts with friction inside spatial multibody systems.
//!
//! Reference: cases A1, A3, H1, L1 to L5; closed forms and elliptic integrals.

use cosimo::master::ContactEventKind;
use cosimo::model::ModelSpec;
use coupling_tests::{Run, Table, assert_balanced, fitted_order, root};

const THETA: &str = "\"theta\"";

/// A rule with its formulation.
const RULES: [(&str, &str); 7] = [
    (THETA, "stabilised-index-2"),
    (THETA, "index-2"),
    ("{ method = \"generalized-alpha\", spectral_radius = 0.8 }", "stabilised-index-1"),
    ("{ method = \"generalized-alpha\", spectral_radius = 0.8 }", "stabilised-index-2"),
    ("{ method = \"multistep\", spectral_radius = 0.6 }", "stabilised-index-1"),
    ("{ method = \"newmark\", gamma = 0.5 }", "stabilised-index-1"),
    ("{ method = \"hht\", alpha = -0.1 }", "stabilised-index-1"),
];

/// Times, rates and impulses of the first five impacts of a pendulum: order two with every rule of order two.
#[test]
fn impacts_have_the_order_of_every_rule() {
    let file = root().join("coupling-tests/models/pendulum-in-space.toml");
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let exact = Table::reference("H1_bouncing_pendulum/events.csv");
    let steps = [2e-3, 1e-3, 5e-4];
    for (solver, formulation) in RULES {
        let errors = steps.map(|h| {
            let own = [
                format!("time.step={h:e}"),
                format!("subsystem.pendulum.solver={solver}"),
                format!("subsystem.pendulum.formulation=\"{formulation}\""),
            ];
            let run = Run::completed(&Run::text(&text, &[&own[0], &own[1], &own[2]]));
            let impacts = run.events_at("pendulum.stop", ContactEventKind::Impact);
            let largest = |column: &str, found: &dyn Fn(usize) -> f64| {
                let pairs = exact.column(column).iter().take(5).enumerate();
                pairs.map(|(k, exact)| (found(k) - exact).abs()).fold(0.0, f64::max)
            };
            [
                largest("t", &|k| impacts[k].time),
                largest("gapdot_minus", &|k| impacts[k].velocities[0]),
                largest("p_contact", &|k| impacts[k].impulse),
            ]
        });
        for (k, bound) in [3e-6, 5e-6, 2e-5].into_iter().enumerate() {
            let order = fitted_order(&steps, &errors.map(|error| error[k]));
            let about = format!("{solver}, {formulation}, quantity {k}: {errors:?}");
            assert!((1.8..2.3).contains(&order), "{about}: order {order}");
            assert!(errors[1][k] < bound, "{about}");
        }
    }
}

/// A sphere with these keys on a floor of the ground, tilted about y.
fn sphere(body: &str, contact: &str, gravity: [f64; 3]) -> ModelSpec {
    let text = format!(
        "schema = 1\ntime = {{ end = 1, step = 1e-3 }}\n[[subsystem]]\nname = \"b\"\nkind = \"multibody\"\n\
         gravity = {gravity:?}\n[[subsystem.body]]\nname = \"ball\"\n{body}\n[[subsystem.contact]]\nname = \"floor\"\n\
         type = \"sphere-plane\"\nfirst = {{ body = \"ground\", axis = [0, 0, 1] }}\nsecond = {{ body = \"ball\" }}\n{contact}\n"
    );
    Run::text(&text, &[])
}

/// Balls that fall through the air follow parabolas: every impact is exact.
#[test]
fn bounces_of_a_body_are_those_of_the_ball() {
    for (folder, radius, height, restitution, g, count) in
        [("A1_table5_1", 0.2, 1.001, 0.8, 10.0, 5), ("A3_table2_1_e02", 0.1, 1.0, 0.2, 9.81, 3)]
    {
        let mut model = sphere(
            &format!("mass = 1\ninertia = [1e-3, 1e-3, 1e-3]\nposition = [0, 0, {height}]"),
            &format!("radius = {radius}\nrestitution = {restitution}"),
            [0.0, 0.0, -g],
        );
        model.time.end = 4.0;
        let run = Run::completed(&model);
        let exact = Table::reference(&format!("{folder}/events.csv"));
        let impacts = run.events_at("b.floor", ContactEventKind::Impact);
        for (k, found) in impacts[..count].iter().enumerate() {
            let exact = |name| exact.column(name)[k];
            let errors = [
                found.time - exact("t"),
                found.velocities[0] - exact("v_minus"),
                found.velocities[1] - exact("v_plus"),
                found.impulse - exact("impulse"),
            ];
            assert!(errors.iter().all(|error| error.abs() < 1e-9), "{folder}, impact {k}: {errors:?}");
        }
    }
}

/// A sphere thrown without spin slides, then rolls at 5/7 of its speed.
#[test]
fn a_body_slides_until_it_rolls() {
    let model = sphere(
        "mass = 1\ninertia = [4e-3, 4e-3, 4e-3]\nposition = [0, 0, 0.1]\nvelocity = [2, 0, 0]",
        "radius = 0.1\nrestitution = 0\nfriction = 0.3",
        [0.0, 0.0, -9.81],
    );
    let run = Run::completed(&model);
    let sticks = run.events_at("b.floor", ContactEventKind::Stick);
    assert!((sticks[0].time - 0.194_165_331_780_010_7).abs() < 3e-3, "{sticks:?}");
    let table = Table::reference("L5_sphere_sliding_to_rolling/reference.csv");
    for (k, &t) in table.column("t").iter().enumerate().take_while(|(_, t)| **t <= 1.0) {
        for (name, column, tolerance) in [("b.ball.x", "x", 2e-5), ("b.ball.vx", "v", 3e-3)] {
            let error = run.at(name, t) - table.column(column)[k];
            assert!(error.abs() < tolerance, "{name} at {t} s is off by {error:e}");
        }
    }
    assert!((run.at("b.ball.vx", 1.0) - 10.0 / 7.0).abs() < 1e-11, "{}", run.at("b.ball.vx", 1.0));
    assert!((run.at("b.ball.wy", 1.0) - 100.0 / 7.0).abs() < 1e-10);
    assert_balanced(&model, 1e-12);
}

/// Blocks on inclines, as bodies that touch at their centre of mass and so do not turn. In models that are stepped in parts friction has
/// one direction a step: in the one in which a block turns round its speed is wrong by at most `2 μ g h cos α`.
#[test]
fn blocks_on_inclines_follow_the_closed_forms() {
    for (folder, slope, speed, friction) in [
        ("L1_incline_up_sticks", 0.2, 2.0, 0.3),
        ("L2_incline_up_slides_back", 0.35, 2.0, 0.3),
        ("L3_incline_down_stops", 0.2, -1.0, 0.3),
        ("L4_incline_from_rest_slides", 0.05_f64, 0.0, 0.02),
    ] {
        let model = sphere(
            &format!("mass = 1\ninertia = [1, 1, 1]\nvelocity = [{speed}, 0, 0]"),
            &format!("restitution = 0\nfriction = {friction}"),
            [-9.81 * slope.sin(), 0.0, -9.81 * slope.cos()],
        );
        let run = Run::completed(&model);
        let table = Table::reference(&format!("{folder}/reference.csv"));
        for (k, &t) in table.column("t").iter().enumerate().take_while(|(_, t)| **t <= 1.0) {
            let of_speed = 2.0 * friction * 9.81 * slope.cos() * 1e-3;
            let turned = if folder.starts_with("L2") { (t - 0.3263).max(0.0) } else { 0.0 };
            let of_place = 5e-3 * of_speed + turned * of_speed;
            for (name, column, tolerance) in [("b.ball.x", "s", of_place), ("b.ball.vx", "v", of_speed)] {
                let error = run.at(name, t) - table.column(column)[k];
                assert!(error.abs() <= tolerance + 1e-12, "{folder}: {name} at {t} s is off by {error:e}");
            }
        }
    }
}

/// A moment of 2 N m drives a link against a stop of its hinge, which carries it from then on.
#[test]
fn a_motor_drives_a_link_against_a_stop() {
    let text = "schema = 1\ntime = { end = 2, step = 1e-3 }\n[[subsystem]]\nname = \"arm\"\nkind = \"multibody\"\n\
        [[subsystem.body]]\nname = \"link\"\nmass = 1\ninertia = [1e-3, 0.08, 0.08]\nposition = [0.5, 0, 0]\n\
        [[subsystem.joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"link\"]\nat = [0, 0, 0]\n\
        axis = [0, 1, 0]\n[[subsystem.load]]\nbody = \"link\"\nmoment_axis = [0, 1, 0]\ntime = [0, 2]\nvalue = [2, 2]\n\
        [[subsystem.sensor]]\nname = \"turn\"\ntype = \"angle\"\nbodies = [\"ground\", \"link\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n\
        [[subsystem.contact]]\nname = \"stop\"\ntype = \"stop\"\nsensor = \"turn\"\nlimit = 0.5\nrestitution = 0.4\n";
    let model = Run::text(text, &[]);
    let run = Run::completed(&model);
    // About the hinge: 0.33 kg m².
    let acceleration = 2.0 / 0.33;
    let impact = run.events_at("arm.stop", ContactEventKind::Impact)[0].clone();
    let speed = (2.0_f64 * acceleration * 0.5).sqrt();
    assert!((impact.time - (1.0 / acceleration).sqrt()).abs() < 1e-7, "{impact:?}");
    assert!((impact.velocities[0] + speed).abs() < 1e-6 && (impact.velocities[1] - 0.4 * speed).abs() < 1e-6);
    assert!((impact.impulse - 1.4 * 0.33 * speed).abs() < 1e-6, "{impact:?}");
    assert!((run.at("arm.stop.impulse", 2.0) / 1e-3 - 2.0).abs() < 1e-9);
    assert!((run.at("arm.stop.force", 2.0) - 2.0).abs() < 1e-9);
    assert_eq!([run.at("arm.stop.status", 0.1), run.at("arm.stop.status", 2.0)], [0.0, 1.0]);
    // Where the plain problem takes the last rebounds it leaves less than they are high: `a h²`.
    let gap = run.at("arm.stop.gap", 2.0);
    assert!(gap.abs() < acceleration * 1e-6, "{gap}");
    assert!(run.at("arm.turn.rate", 2.0).abs() < 1e-11);
    assert_balanced(&model, 1e-5);
}

/// Ten links of 0.1 m that fall on a floor with friction, in one subsystem or cut in the middle.
fn falling_links(h: f64, is_cut: bool) -> ModelSpec {
    let mut text = format!("schema = 1\ntime = {{ end = 0.6, step = {h:e} }}\n");
    for half in 0..2_usize {
        if half == 0 || is_cut {
            text += &format!(
                "[[subsystem]]\nname = \"s{half}\"\nkind = \"multibody\"\ngravity = [0, 0, -9.81]\n"
            );
        }
        for k in 5 * half..5 * half + 5 {
            text += &format!(
                "[[subsystem.body]]\nname = \"l{k}\"\nmass = 0.2\ninertia = [1e-5, 1.7e-4, 1.7e-4]\n\
                 position = [{:?}, 0, 0.6]\n[[subsystem.contact]]\nname = \"c{k}\"\ntype = \"sphere-plane\"\n\
                 first = {{ body = \"ground\", axis = [0, 0, 1] }}\nsecond = {{ body = \"l{k}\", point = [0.05, 0, 0] }}\n\
                 radius = 0.02\nrestitution = 0.3\nfriction = 0.4\n",
                0.1 * k as f64 + 0.05
            );
            let before = if k == 0 { "ground".to_owned() } else { format!("l{}", k - 1) };
            let kind = match k {
                5 if is_cut => continue,
                5 => "type = \"spherical\"",
                _ => "type = \"revolute\"\naxis = [0, 1, 0]",
            };
            text += &format!(
                "[[subsystem.joint]]\nname = \"j{k}\"\n{kind}\nbodies = [\"{before}\", \"l{k}\"]\nat = [{:?}, 0, 0.6]\n",
                0.1 * k as f64
            );
        }
        if is_cut {
            let (link, end) = [("l4", 0.05), ("l5", -0.05)][half];
            text += &format!(
                "[[subsystem.port]]\nname = \"cut\"\nbody = \"{link}\"\npoint = [{end}, 0, 0]\ncoordinates = 3\n"
            );
        }
    }
    if is_cut {
        text += "[[interface]]\nname = \"joint\"\nbetween = [\"s0.cut\", \"s1.cut\"]\nlaw = \"rigid\"\n";
    }
    Run::text(&text, &[])
}

/// Where the links are at a time (m), all impulses of the floor (N s), and the energy at the end (J).
fn fall(h: f64, is_cut: bool) -> (Run, impl Fn(&Run, &str, usize, f64) -> f64) {
    let value = move |run: &Run, part: &str, link: usize, t: f64| {
        run.at(&format!("s{}.{part}", if is_cut { link / 5 } else { 0 }), t)
    };
    (Run::completed(&falling_links(h, is_cut)), value)
}

/// Ten links cut at a joint: before the floor is met the cut makes a difference of third order; behind the impacts of the first
/// 0.25 s impulses and energy agree. The motion is sensitive: each impact amplifies what differs.
#[test]
fn links_that_are_cut_fall_like_those_that_are_not() {
    let steps = [2e-3, 1e-3, 5e-4];
    let differences = steps.map(|h| {
        let (whole, of_whole) = fall(h, false);
        let (cut, of_cut) = fall(h, true);
        let apart = |link: usize, part: &str, t: f64| {
            of_whole(&whole, &format!("l{link}.{part}"), link, t)
                - of_cut(&cut, &format!("l{link}.{part}"), link, t)
        };
        let largest =
            |t: f64| (0..10).flat_map(|k| ["x", "z"].map(|part| apart(k, part, t).abs())).fold(0.0, f64::max);
        let impulses = |run: &Run, of: &dyn Fn(&Run, &str, usize, f64) -> f64| -> f64 {
            let all = run.times[1..].iter();
            all.map(|t| (0..10).map(|k| of(run, &format!("c{k}.impulse"), k, *t)).sum::<f64>()).sum()
        };
        let [a, b] = [impulses(&whole, &of_whole), impulses(&cut, &of_cut)];
        assert!(a > 0.5 && (a - b).abs() < 0.01 * a, "step {h}: impulses {a} and {b} N s");
        let [a, b] = [&whole, &cut].map(|run| run.report.energy.end);
        assert!((a - b).abs() < 0.01 * whole.report.energy.start, "step {h}: energies {a} and {b} J");
        largest(0.3)
    });
    let order = fitted_order(&steps, &differences);
    assert!(order > 2.0 && differences[1] < 1e-7, "order {order}, {differences:?} m");
}

/// A spatial four-bar linkage whose crank and rocker turn about skew axes, pins and floor with friction below; in one subsystem, or
/// cut at the pin of the crank.
fn falling_four_bar(h: f64, is_cut: bool) -> ModelSpec {
    let body = |name: &str, mass: f64, inertia: f64, at: [f64; 3]| {
        format!(
            "[[subsystem.body]]\nname = \"{name}\"\nmass = {mass}\ninertia = [{inertia}, {inertia}, {inertia}]\n\
             position = {at:?}\n"
        )
    };
    let joint = |name: &str, kind: &str, bodies: [&str; 2], at: [f64; 3]| {
        format!("[[subsystem.joint]]\nname = \"{name}\"\n{kind}\nbodies = {bodies:?}\nat = {at:?}\n")
    };
    let contact = |name: &str, point: [f64; 3]| {
        format!(
            "[[subsystem.contact]]\nname = \"{name}-floor\"\ntype = \"sphere-plane\"\n\
             first = {{ body = \"ground\", point = [0, 0, 0.25], axis = [0, 0, 1] }}\n\
             second = {{ body = \"{name}\", point = {point:?} }}\nradius = 0.05\nrestitution = 0.3\nfriction = 0.3\n"
        )
    };
    let port = |body: &str, point: [f64; 3]| {
        format!("[[subsystem.port]]\nname = \"pin\"\nbody = \"{body}\"\npoint = {point:?}\ncoordinates = 3\n")
    };
    let head = |name: &str| {
        format!("[[subsystem]]\nname = \"{name}\"\nkind = \"multibody\"\ngravity = [0, 0, -9.81]\n")
    };
    let crank = body("crank", 1.0, 8e-3, [0.15, 0.0, 0.5])
        + &joint(
            "crank-pivot",
            "type = \"revolute\"\naxis = [0, 1, 0]",
            ["ground", "crank"],
            [0.0, 0.0, 0.5],
        )
        + &contact("crank", [0.15, 0.0, 0.0]);
    let rest = body("coupler", 2.0, 0.15, [0.65, 0.15, 0.75])
        + &body("rocker", 1.5, 0.03, [1.0, 0.3, 0.75])
        + &joint("rocker-pin", "type = \"spherical\"", ["coupler", "rocker"], [1.0, 0.3, 1.0])
        + &joint(
            "rocker-pivot",
            "type = \"revolute\"\naxis = [0.3, 1, 0]",
            ["ground", "rocker"],
            [1.0, 0.3, 0.5],
        )
        + &contact("rocker", [0.0, 0.0, 0.25]);
    let time = format!("schema = 1\ntime = {{ end = 1, step = {h:e} }}\n");
    let text = if is_cut {
        [
            time,
            head("a") + &crank + &port("crank", [0.15, 0.0, 0.0]),
            head("b") + &rest + &port("coupler", [-0.35, -0.15, -0.25]),
            "[[interface]]\nname = \"crank-pin\"\nbetween = [\"a.pin\", \"b.pin\"]\nlaw = \"rigid\"\n"
                .to_owned(),
        ]
        .concat()
    } else {
        let pin = joint("crank-pin", "type = \"spherical\"", ["crank", "coupler"], [0.3, 0.0, 0.5]);
        // Joints may name bodies that come later.
        [time, head("a"), crank, rest, pin].concat()
    };
    Run::text(&text, &[])
}

/// A four-bar linkage cut at a joint: before the floor is met the cut makes a difference of at least second order; behind the impacts, over
/// a second, impulses and energy agree.
#[test]
fn a_four_bar_that_is_cut_falls_like_one_that_is_not() {
    let steps = [2e-3, 1e-3, 5e-4];
    let differences = steps.map(|h| {
        let [whole, cut] = [false, true].map(|is_cut| Run::completed(&falling_four_bar(h, is_cut)));
        let of_cut = |name: &str| format!("{}.{name}", if name.starts_with("crank") { "a" } else { "b" });
        let first = ["crank", "rocker"]
            .iter()
            .flat_map(|name| whole.events_at(&format!("a.{name}-floor"), ContactEventKind::Impact));
        let first = first.map(|event| event.time).fold(f64::INFINITY, f64::min);
        let impulses = |run: &Run, name: &dyn Fn(&str) -> String| -> f64 {
            let all = ["crank-floor.impulse", "rocker-floor.impulse"].map(name);
            run.times[1..].iter().map(|t| all.iter().map(|name| run.at(name, *t)).sum::<f64>()).sum()
        };
        let [a, b] = [impulses(&whole, &|name| format!("a.{name}")), impulses(&cut, &of_cut)];
        assert!(a > 0.5 && (a - b).abs() < 0.01 * a, "step {h}: impulses {a} and {b} N s");
        let [ends, starts] = [
            [&whole, &cut].map(|run| run.report.energy.end),
            [&whole, &cut].map(|run| run.report.energy.start),
        ];
        assert!(
            (ends[0] - ends[1]).abs() < 0.01 * (starts[0] - ends[0]).abs(),
            "step {h}: energies {ends:?} J"
        );
        assert!(first > 0.15 && first < 0.9, "{first}");
        let before = 0.1;
        let parts = ["crank.x", "crank.z", "coupler.x", "coupler.y", "coupler.z", "rocker.x", "rocker.z"];
        let apart =
            parts.map(|part| (whole.at(&format!("a.{part}"), before) - cut.at(&of_cut(part), before)).abs());
        apart.into_iter().fold(0.0, f64::max)
    });
    let order = fitted_order(&steps, &differences);
    assert!(order > 1.9, "order {order}, {differences:?} m");
}

/// The same links with threads, or taken up from a checkpoint in the middle of their impacts, have the same bits.
#[test]
fn runs_with_contacts_repeat() {
    let model = falling_links(1e-3, true);
    let whole = Run::completed(&model);
    let resumed = Run::interrupted(&model, &[350, 401]);
    for (name, t) in [("s0.l3.z", 0.6), ("s1.l9.x", 0.6), ("s1.c9.slip_0", 0.55)] {
        assert_eq!(whole.at(name, t).to_bits(), resumed.at(name, t).to_bits(), "{name}");
    }
}

/// A sphere that starts inside the floor is refused with the contact and its depth.
#[test]
fn a_penetrated_start_is_refused() {
    let model = sphere(
        "mass = 1\ninertia = [1e-3, 1e-3, 1e-3]\nposition = [0, 0, 0.1]",
        "radius = 0.2\nrestitution = 0",
        [0.0, 0.0, -9.81],
    );
    let error = model.build().map(|_| ()).map_err(|error| format!("{error:?} {error}"));
    assert!(error.as_ref().is_err_and(|text| text.contains("floor") && text.contains("1e-1")), "{error:?}");
}
