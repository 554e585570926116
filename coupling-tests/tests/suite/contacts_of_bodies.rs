//! Contacts that touch, close and come to rest between rigid bodies, whatever masses, restitutions, steps and rules.
//!
//! Reference: statics, and the bouncing ball in closed form.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::f64::consts::FRAC_PI_2;

use cosimo::master::{ContactEventKind, NoObserver, Outcome};
use cosimo::model::ModelSpec;
use coupling_tests::Run;

const G: f64 = 9.81;
/// Rounding of gaps whose bodies are up to so far (m) from the origin.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

const RULES: [&str; 4] = [
    "\"theta\"",
    "\"generalized-alpha\"",
    "{ method = \"multistep\", spectral_radius = 0.6 }",
    "{ method = \"newmark\", gamma = 0.5 }",
];

/// A system `s` in gravity, of these parts, to be run for `end` seconds in steps `h`.
fn system((end, h): (f64, f64), solver: &str, parts: &str) -> ModelSpec {
    let head = format!(
        "schema = 1\ntime = {{ end = {end}, step = {h} }}\n[[subsystem]]\nname = \"s\"\nkind = \"multibody\"\n\
         gravity = [0, 0, -{G}]\n"
    );
    Run::text(&(head + parts), &[&format!("subsystem.s.solver={solver}")])
}

fn sphere(name: &str, mass: f64, place: [f64; 3]) -> String {
    let inertia = 4e-3 * mass;
    format!(
        "[[subsystem.body]]\nname = \"{name}\"\nmass = {mass}\ninertia = [{inertia}, {inertia}, {inertia}]\nposition = {place:?}\n"
    )
}

fn on_plane(name: &str, [plane, body]: [&str; 2], point: [f64; 3], more: &str) -> String {
    format!(
        "[[subsystem.contact]]\nname = \"{name}\"\ntype = \"sphere-plane\"\n{more}\n\
         first = {{ {plane}, axis = [0, 0, 1] }}\nsecond = {{ body = \"{body}\", point = {point:?} }}\n"
    )
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// What the run warns of.
fn warnings(model: &ModelSpec) -> Vec<String> {
    let mut master = model.build().unwrap();
    master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
    master.warnings().iter().map(ToString::to_string).collect()
}

/// A ball bounces `√(2H/g) (1+e)/(1−e)` long, and then rests on the floor: its gap is zero but for rounding, whatever the step. A
/// rebound shorter than a tenth of a step is not followed, which takes from the end what it would have bounced on.
#[test]
fn a_bouncing_ball_comes_to_rest_on_the_floor() {
    for e in [0.5, 0.7, 0.8, 0.9, 0.95] {
        for h in [1e-3, 7e-3, 2e-2, 5e-2] {
            let bounces = (2.0 / G).sqrt() * (1.0 + e) / (1.0 - e);
            let parts = sphere("b", 1.0, [0.0, 0.0, 1.0])
                + &on_plane("c", ["body = \"ground\"", "b"], [0.0; 3], &format!("restitution = {e}"));
            let end = bounces + 10.0 * h + 0.5;
            let run = Run::completed(&system((end, h), "\"theta\"", &parts));
            let closing = run.events_at("s.c", ContactEventKind::Closing)[0].time;
            let cut = (1.1 * h).max(0.1 * h / (1.0 - e) + h);
            assert!((-cut..=h).contains(&(closing - bounces)), "e {e}, h {h}: {closing} for {bounces}");
            let rests = run.times.iter().position(|t| *t > bounces + h).unwrap();
            let (gap, force) = (run.column("s.c.gap"), run.column("s.c.force"));
            assert!(largest(&gap[rests..]) <= ROUNDING, "e {e}, h {h}: gap {}", largest(&gap[rests..]));
            let wrong: Vec<f64> = force[rests..].iter().map(|force| force - G).collect();
            assert!(largest(&wrong) < 1e-9, "e {e}, h {h}: {}", largest(&wrong));
        }
    }
}

/// A ball that falls from rest, under rules that remember accelerations too: it never goes below the floor by more than the rule errs,
/// and rests on it.
#[test]
fn a_ball_rests_under_every_rule() {
    for solver in RULES {
        for (e, mass) in [(0.0, 0.01), (0.5, 1.0), (0.7, 300.0)] {
            let parts = sphere("b", mass, [0.3, 0.0, 0.2])
                + &on_plane("c", ["body = \"ground\"", "b"], [0.0; 3], &format!("restitution = {e}"));
            let run = Run::completed(&system((2.0, 4e-3), solver, &parts));
            let (gap, force) = (run.at("s.c.gap", 2.0), run.at("s.c.force", 2.0));
            assert!(gap.abs() < 1e-9, "{solver}, e {e}: gap {gap}");
            assert!((force - mass * G).abs() < 1e-6 * mass, "{solver}, e {e}: {force} N");
        }
    }
}

/// Bodies on each other whose gaps are zero but for rounding: the lower contacts carry all that is above from the first step on, and no
/// gap opens, whatever the masses.
#[test]
fn a_gap_of_rounding_is_closed() {
    for solver in RULES {
        for (step, masses) in [(5e-3, [1.0, 1.0]), (1e-3, [100.0, 1.0]), (5e-3, [1.0, 30.0])] {
            for ulps in [-20.0, -3.0, 0.0, 3.0, 20.0] {
                let shift = ulps * f64::EPSILON / 8.0;
                let plane = format!("body = \"low\", point = [0, 0, {:e}]", 0.1 - shift);
                let more = "restitution = 0\nradius = 0.1";
                let parts = sphere("low", masses[0], [0.0, 0.0, 0.1])
                    + &sphere("up", masses[1], [0.0, 0.0, 0.3])
                    + &on_plane("g", ["body = \"ground\"", "low"], [0.0; 3], more)
                    + &on_plane("c", [&plane, "up"], [0.0; 3], more);
                let run = Run::completed(&system((0.05, step), solver, &parts));
                let weight = masses.map(|mass| mass * G);
                for (name, carried) in [("s.c", weight[1]), ("s.g", weight[0] + weight[1])] {
                    let (gap, force) =
                        (run.column(&format!("{name}.gap")), run.column(&format!("{name}.force")));
                    let wrong: Vec<f64> = force[1..].iter().map(|force| force - carried).collect();
                    let what = format!("{solver}, h {step}, {masses:?}, {ulps} ulps, {name}");
                    assert!(largest(&gap) < 1e-12, "{what}: {:e} m", largest(&gap));
                    assert!(largest(&wrong) < 1e-6 * carried, "{what}: {} N", largest(&wrong));
                }
                assert!(run.impacts().is_empty(), "{solver}: {:?}", run.events);
            }
        }
    }
}

/// A pin of two spheres between a wall and a pad that a force presses against it.
fn grasp(force: f64, masses: [f64; 2], h: f64) -> ModelSpec {
    let contact = |name: &str, side: &str, axis: f64, y: f64| {
        format!(
            "[[subsystem.contact]]\nname = \"{name}\"\ntype = \"sphere-plane\"\nradius = 0.004\nrestitution = 0\nfriction = 0.7\n\
             first = {{ {side}, axis = [{axis}, 0, 0] }}\nsecond = {{ body = \"pin\", point = [0, {y}, 0] }}\n"
        )
    };
    let wall = "body = \"ground\", point = [-0.004, 0, 0]";
    let parts = format!(
        "[[subsystem.body]]\nname = \"pad\"\nmass = {}\ninertia = [1e-4, 1e-4, 1e-4]\nposition = [0.004, 0, 0]\n\
         [[subsystem.body]]\nname = \"pin\"\nmass = {}\ninertia = [6e-6, 3.6e-7, 6e-6]\n\
         [[subsystem.joint]]\nname = \"slide\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"pad\"]\nat = [0, 0, 0]\naxis = [1, 0, 0]\n\
         [[subsystem.load]]\nbody = \"pad\"\ndirection = [-1, 0, 0]\ntime = [0]\nvalue = [{force}]\n",
        masses[0], masses[1]
    );
    let contacts = contact("l1", wall, 1.0, 0.02)
        + &contact("l2", wall, 1.0, -0.02)
        + &contact("r1", "body = \"pad\"", -1.0, 0.02)
        + &contact("r2", "body = \"pad\"", -1.0, -0.02);
    system((1.0, h), "\"theta\"", &(parts + &contacts))
}

/// What is pressed between two planes and held by friction does not move, and nothing is said of energy: none is created.
#[test]
fn what_is_grasped_does_not_move() {
    for (force, masses) in
        [(12.0, [0.2, 0.045]), (60.0, [0.2, 0.045]), (25.0, [1.0, 0.3]), (200.0, [0.05, 0.1])]
    {
        for h in [5e-3, 1e-3] {
            let model = grasp(force, masses, h);
            let run = Run::completed(&model);
            let place = run.column("s.pad.x");
            let moved: Vec<f64> = place.iter().map(|x| x - 0.004).collect();
            assert!(largest(&moved) < 1e-12, "{force} N, h {h}: {:e} m", largest(&moved));
            for name in ["s.pin.x", "s.pin.y", "s.pin.z"] {
                assert!(largest(&run.column(name)) < 1e-12, "{force} N, h {h}: {name}");
            }
            let pressed = run.at("s.l1.force", 1.0) + run.at("s.l2.force", 1.0);
            assert!((pressed - force).abs() < 1e-8 * force, "{force} N, h {h}: {pressed}");
            assert!(run.impacts().is_empty(), "{force} N, h {h}: {:?}", run.events);
            assert_eq!(warnings(&model), Vec::<String>::new(), "{force} N, h {h}");
        }
    }
}

/// A rod hangs in a hole that is larger than its pin: every combination of clearance and step ends, and the pin stays in its hole.
#[test]
fn a_pin_in_a_hole_swings() {
    for clearance in [1e-4, 2e-4, 3.5e-4, 5e-4, 7e-4, 1e-3] {
        for h in [5e-5, 1e-4, 1.5e-4, 2e-4] {
            let parts = format!(
                "[[subsystem.body]]\nname = \"rod\"\nmass = 1.0\ninertia = [0.08, 0.08, 0.08]\nposition = [0.5, 0, 0]\n\
                 [[subsystem.joint]]\nname = \"plane\"\ntype = \"planar\"\nbodies = [\"ground\", \"rod\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n\
                 [[subsystem.sensor]]\nname = \"play\"\ntype = \"distance\"\nfirst = {{ body = \"ground\" }}\n\
                 second = {{ body = \"rod\", point = [{}, 0, 0] }}\n\
                 [[subsystem.contact]]\nname = \"bearing\"\ntype = \"stop\"\nsensor = \"play\"\nlimit = {clearance:e}\n\
                 side = \"upper\"\nrestitution = 0.3\n",
                -0.5 + 0.2 * clearance
            );
            let run = Run::of(&system((0.8, h), "\"theta\"", &parts));
            assert_eq!(
                run.report.outcome,
                Outcome::Completed,
                "{clearance} m, h {h}: {}",
                run.report.end_time
            );
            let gap = run.column("s.bearing.gap");
            let least = gap.iter().fold(f64::INFINITY, |least, gap| least.min(*gap));
            assert!(least > -1e-2 * clearance, "{clearance} m, h {h}: {least:e}");
            assert!(run.report.energy.end <= run.report.energy.start + 1e-3, "{clearance} m, h {h}");
            // A rod about its end falls to the vertical in this time and a little more.
            let quarter = FRAC_PI_2 * ((0.08 + 0.25) / (0.5 * G)).sqrt();
            assert!(quarter < 0.8, "{quarter}");
            assert!(run.column("s.rod.z").iter().any(|z| *z < -0.45), "{clearance} m, h {h}");
        }
    }
}

/// A crate rests on four points; a ball far away falls: all impacts are the ball's.
#[test]
fn an_impact_far_away_is_none_of_what_rests() {
    for (mass, h, e) in [(2.0, 1e-3, 0.5), (2000.0, 1e-3, 0.8), (0.02, 4e-3, 0.0)] {
        let corners = [[-0.15, -0.15], [-0.15, 0.15], [0.15, -0.15], [0.15, 0.15]];
        let ground = "body = \"ground\"";
        let points: String = corners
            .iter()
            .enumerate()
            .map(|(k, [x, y])| {
                on_plane(
                    &format!("p{k}"),
                    [ground, "crate"],
                    [*x, *y, -0.15],
                    "restitution = 0\nfriction = 0.4",
                )
            })
            .collect();
        let load = format!(
            "[[subsystem.load]]\nbody = \"crate\"\ndirection = [1, 0, 0]\ntime = [0.1, 0.5]\nvalue = [0, {}]\n",
            6.0 * mass
        );
        let crate_body = format!(
            "[[subsystem.body]]\nname = \"crate\"\nmass = {mass}\ninertia = [{0}, {0}, {0}]\nposition = [0, 0, 0.15]\n",
            0.01 * mass
        );
        let ball = sphere("ball", 1.0, [3.0, 0.0, 1.0]);
        let floor =
            on_plane("floor", [ground, "ball"], [0.0; 3], &format!("restitution = {e}\nradius = 0.1"));
        let run =
            Run::completed(&system((0.7, h), "\"theta\"", &(crate_body + &load + &ball + &points + &floor)));
        let impacts: Vec<_> =
            run.events.iter().filter(|event| event.kind == ContactEventKind::Impact).collect();
        assert_eq!(impacts.len(), 1, "{mass} kg: {impacts:?}");
        let falls = (2.0 * 0.9 / G).sqrt();
        assert!(impacts[0].contact == "s.floor" && (impacts[0].time - falls).abs() < 1e-9, "{impacts:?}");
        let pressed: f64 = (0..4).map(|k| run.at(&format!("s.p{k}.force"), 0.7 - h)).sum();
        assert!((pressed - mass * G).abs() < 1e-8 * mass, "{pressed} N");
        assert!(largest(&run.column("s.p0.gap")) < 1e-12);
    }
}

/// Balls in a box hit walls and each other many times a step, and steps are halved: every step ends where it should.
#[test]
fn impacts_do_not_pass_the_end_of_a_step() {
    for (h, e) in [(1e-3, 0.0), (2e-3, 0.0), (2e-3, 0.6), (5e-3, 0.9)] {
        let mut parts = String::new();
        let names = ["a", "b", "c"];
        for (k, name) in names.iter().enumerate() {
            let x = 0.06 + 0.11 * k as f64;
            parts += &sphere(name, 1.0, [x, 0.05 + 0.002 * x, 0.06 + 0.03 * k as f64]);
        }
        let contact = |name: String, first: &str, second: &str, shape: &str| {
            format!(
                "[[subsystem.contact]]\nname = \"{name}\"\ntype = \"{shape}\nfirst = {{ {first} }}\n\
                 second = {{ body = \"{second}\" }}\nrestitution = {e}\nfriction = 0.3\n"
            )
        };
        let planes = ["axis = [0, 0, 1]", "axis = [1, 0, 0]", "point = [0.36, 0, 0], axis = [-1, 0, 0]"];
        for (k, name) in names.iter().enumerate() {
            for (p, plane) in planes.iter().enumerate() {
                let ground = format!("body = \"ground\", {plane}");
                parts += &contact(format!("p{p}{name}"), &ground, name, "sphere-plane\"\nradius = 0.05");
            }
            for other in &names[..k] {
                let first = format!("body = \"{other}\"");
                parts +=
                    &contact(format!("{other}{name}"), &first, name, "sphere-sphere\"\nradii = [0.05, 0.05]");
            }
        }
        let model = system((0.8, h), "\"theta\"", &parts);
        let run = Run::completed(&Run::text(&model.to_toml(), &["master.max_halvings=3"]));
        for (k, time) in run.times.iter().enumerate() {
            assert!((time - k as f64 * h).abs() < 1e-12, "h {h}, e {e}: step {k} at {time}");
        }
    }
}
