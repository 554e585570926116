//! Many contacts without restitution, and contacts that what is held or driven contradicts: a correct run or a precise error.

use cosimo::master::Outcome;
use coupling_tests::Run;

const G: f64 = 9.81;

fn bodies(names: &[String], places: &[[f64; 3]], contacts: &str) -> String {
    let mut text = format!(
        "schema = 1\ntime = {{ end = 1, step = 2e-3 }}\n[[subsystem]]\nname = \"b\"\nkind = \"multibody\"\ngravity = [0, 0, -{G}]\n"
    );
    for (name, place) in names.iter().zip(places) {
        text += &format!(
            "[[subsystem.body]]\nname = \"{name}\"\nmass = 1\ninertia = [4e-3, 4e-3, 4e-3]\nposition = {place:?}\n"
        );
    }
    text + contacts
}

fn on_floor(name: &str, body: &str, point: [f64; 3], radius: f64) -> String {
    format!(
        "[[subsystem.contact]]\nname = \"{name}\"\ntype = \"sphere-plane\"\nfirst = {{ body = \"ground\", axis = [0, 0, 1] }}\n\
         second = {{ body = \"{body}\", point = {point:?} }}\nradius = {radius}\nrestitution = 0\nfriction = 0.4\n"
    )
}

fn touching(name: &str, pair: [&str; 2]) -> String {
    format!(
        "[[subsystem.contact]]\nname = \"{name}\"\ntype = \"sphere-sphere\"\nfirst = {{ body = \"{}\" }}\n\
         second = {{ body = \"{}\" }}\nradii = [0.1, 0.1]\nrestitution = 0\nfriction = 0.4\n",
        pair[0], pair[1]
    )
}

/// A box that falls flat on its four points stays where it falls; the points carry its weight together.
#[test]
fn a_box_falls_on_four_points() {
    let corners = [[0.2, 0.1, -0.1], [0.2, -0.1, -0.1], [-0.2, 0.1, -0.1], [-0.2, -0.1, -0.1]];
    let points: String = corners
        .iter()
        .enumerate()
        .map(|(k, corner)| on_floor(&format!("p{k}"), "box", *corner, 0.0))
        .collect();
    let run = Run::completed(&Run::text(&bodies(&["box".to_owned()], &[[0.0, 0.0, 0.3]], &points), &[]));
    let carried: f64 = (0..4).map(|k| run.at(&format!("b.p{k}.force"), 1.0)).sum();
    assert!((carried - G).abs() < 1e-9, "{carried}");
    for (part, exact) in [("z", 0.1), ("vz", 0.0), ("x", 0.0), ("wx", 0.0), ("wy", 0.0)] {
        let found = run.at(&format!("b.box.{part}"), 1.0);
        assert!((found - exact).abs() < 1e-9, "{part}: {found}");
    }
}

/// A stack of spheres: every contact carries what is above it.
#[test]
fn a_stack_of_spheres_stands() {
    let names: Vec<String> = (0..5).map(|k| format!("s{k}")).collect();
    let places: Vec<[f64; 3]> = (0..5).map(|k| [0.0, 0.0, 0.1 + 0.2 * f64::from(k)]).collect();
    let between: String = (1..5).map(|k| touching(&format!("c{k}"), [&names[k - 1], &names[k]])).collect();
    let text = bodies(&names, &places, &(on_floor("c0", "s0", [0.0; 3], 0.1) + &between));
    let run = Run::completed(&Run::text(&text, &["time.end=0.2"]));
    for k in 0..5 {
        let carried = run.at(&format!("b.c{k}.force"), 0.2);
        assert!((carried - (5 - k) as f64 * G).abs() < 1e-8, "contact {k}: {carried}");
    }
}

/// A hundred spheres that fall together in pairs, one upon the other.
#[test]
fn a_hundred_spheres_come_to_rest() {
    let names: Vec<String> = (0..100).map(|k| format!("s{k}")).collect();
    let place = |k: usize| [0.5 * ((k / 2) % 10) as f64, 0.5 * (k / 20) as f64, 0.15 + 0.25 * (k % 2) as f64];
    let places: Vec<[f64; 3]> = (0..100).map(place).collect();
    let mut contacts = String::new();
    for k in (0..100).step_by(2) {
        contacts += &on_floor(&format!("f{k}"), &names[k], [0.0; 3], 0.1);
        contacts += &touching(&format!("c{k}"), [&names[k], &names[k + 1]]);
    }
    let run = Run::completed(&Run::text(&bodies(&names, &places, &contacts), &["time.end=0.2"]));
    for k in (0..100).step_by(2) {
        let [low, high] = ["f", "c"].map(|name| run.at(&format!("b.{name}{k}.force"), 0.2));
        assert!((low - 2.0 * G).abs() < 1e-6 && (high - G).abs() < 1e-6, "{k}: {low} {high}");
        assert!(run.at(&format!("b.f{k}.gap"), 0.2).abs() < 1e-5);
    }
}

/// The message with which a run of this text ends; empty where it does not fail.
fn failure(text: &str) -> String {
    match Run::of(&Run::text(text, &[])).report.outcome {
        Outcome::Failed(message) => message,
        _ => String::new(),
    }
}

const RAM: &str = "[[subsystem.joint]]\nname = \"rail\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"ram\"]\nat = [0, 0, 0.5]\n\
    axis = [0, 0, 1]\n[[subsystem.joint]]\nname = \"drive\"\ntype = \"coordinate\"\nbodies = [\"ground\", \"ram\"]\nat = [0, 0, 0]\n\
    axis = [0, 0, 1]\nmotion = { rate = -1 }\n";

fn with_ram(places: &[(&str, f64)], contacts: &str) -> String {
    let names: Vec<String> = places.iter().map(|(name, _)| (*name).to_owned()).collect();
    let at: Vec<[f64; 3]> = places.iter().map(|(_, z)| [0.0, 0.0, *z]).collect();
    let text = bodies(&names, &at, &(RAM.to_owned() + contacts));
    text.replace("position = [0.0, 0.0, 0.5]", "position = [0, 0, 0.5]\nvelocity = [0, 0, -1]")
}

/// A body that a motion drives into the floor: the contact, its rate, and what holds.
#[test]
fn a_driven_body_that_meets_the_floor_is_told() {
    let message = failure(&with_ram(&[("ram", 0.5)], &on_floor("floor", "ram", [0.0; 3], 0.1)));
    for part in ["`b.floor`", "-1.000e0 m/s", "prescribed motion", "nothing gives way"] {
        assert!(message.contains(part), "{message}");
    }
}

/// A free body between the floor and what is driven: both contacts, with friction and without.
#[test]
fn a_clamped_body_is_told_with_its_contacts() {
    let contacts = on_floor("floor", "free", [0.0; 3], 0.1) + &touching("press", ["free", "ram"]);
    for text in [contacts.clone(), contacts.replace("friction = 0.4\n", "")] {
        let message = failure(&with_ram(&[("free", 0.1), ("ram", 0.5)], &text));
        for part in ["`b.floor`, `b.press` clamp", "no finite impulses", "force or torque"] {
            assert!(message.contains(part), "{message}");
        }
    }
}
