//! A four-bar linkage cut at its coupler: crank and rocker on hinges, the coupler a body by itself, joined at both pins.
//!
//! None of the bodies can follow the motions of the others alone: the coupler receives two points whose distance it holds, crank and
//! rocker a point that they can only lead along a circle. Every scheme moves the linkage as the condensed one does, and as the same
//! linkage in one subsystem; also where each pin is held at two points, which holds five times what is held already.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::f64::consts::PI;
use std::fmt::Write as _;

use coupling_tests::Run;
use nalgebra::{Rotation2, Vector2};

const CRANK: f64 = 0.3;
const COUPLER: f64 = 0.9;
const ROCKER: f64 = 0.7;

/// A bar of the linkage in the plane: length and mass, where it begins, its angle.
struct Bar {
    name: &'static str,
    length: f64,
    mass: f64,
    start: Vector2<f64>,
    angle: f64,
}

/// Crank, coupler and rocker for an angle of the crank; the pivots are 1 m apart.
fn bars(crank: f64) -> [Bar; 3] {
    let pivot = Vector2::new(1.0, 0.0);
    let first = Rotation2::new(crank) * Vector2::new(CRANK, 0.0);
    let displacement = pivot - first;
    let along =
        (COUPLER * COUPLER - ROCKER * ROCKER + displacement.norm_squared()) / (2.0 * displacement.norm());
    let across = (COUPLER * COUPLER - along * along).sqrt();
    let second = first
        + (displacement * along + Vector2::new(-displacement.y, displacement.x) * across)
            / displacement.norm();
    let angle = |x: Vector2<f64>| x.y.atan2(x.x);
    [
        Bar { name: "crank", length: CRANK, mass: 1.0, start: Vector2::zeros(), angle: crank },
        Bar { name: "coupler", length: COUPLER, mass: 3.0, start: first, angle: angle(second - first) },
        Bar { name: "rocker", length: ROCKER, mass: 2.0, start: pivot, angle: angle(second - pivot) },
    ]
}

impl Bar {
    fn body(&self) -> String {
        let Self { name, length, mass, start, angle } = self;
        let inertia = mass * length * length / 12.0;
        format!(
            "[[subsystem.body]]\nname = \"{name}\"\nmass = {mass:?}\ninertia = [1e-3, {inertia:?}, {inertia:?}]\n\
             centre_of_mass = [{:?}, 0, 0]\nposition = [{:?}, 0, {:?}]\n\
             orientation = {{ axis = [0, -1, 0], angle = {angle:?} }}\n",
            length / 2.0,
            start.x,
            start.y
        )
    }

    fn pivot(&self) -> String {
        let Self { name, start, .. } = self;
        format!(
            "[[subsystem.joint]]\nname = \"{name}-pivot\"\ntype = \"revolute\"\nbodies = [\"ground\", \"{name}\"]\n\
             at = [{:?}, 0, {:?}]\naxis = [0, 1, 0]\n",
            start.x, start.y
        )
    }

    /// Ports at a place along the bar, one for each place across it.
    fn ports(&self, pin: &str, along: f64, across: &[f64]) -> String {
        across.iter().enumerate().fold(String::new(), |mut text, (k, y)| {
            let name = self.name;
            write!(
                text,
                "[[subsystem.port]]\nname = \"{pin}{k}\"\nbody = \"{name}\"\npoint = [{along:?}, {y:?}, 0]\n\
                 coordinates = 3\n"
            )
            .unwrap();
            text
        })
    }
}

const HEAD: &str = "schema = 1\ntime = { end = 0.3, step = 1e-3 }\n";

fn subsystem(name: &str) -> String {
    format!("[[subsystem]]\nname = \"{name}\"\nkind = \"multibody\"\ngravity = [0, 0, -9.81]\n")
}

/// The linkage in three subsystems in this order, its pins held at these places across the bars.
fn cut(crank: f64, order: [usize; 3], across: &[f64]) -> String {
    let bars = bars(crank);
    let parts = bars.iter().map(|bar| {
        let head = subsystem(bar.name) + &bar.body();
        match bar.name {
            "crank" => head + &bar.pivot() + &bar.ports("p", bar.length, across),
            "rocker" => head + &bar.pivot() + &bar.ports("q", bar.length, across),
            _ => head + &bar.ports("p", 0.0, across) + &bar.ports("q", bar.length, across),
        }
    });
    let parts: Vec<String> = parts.collect();
    let mut text = HEAD.to_owned() + &order.map(|k| parts[k].as_str()).concat();
    for (pin, bar) in [("p", "crank"), ("q", "rocker")] {
        for k in 0..across.len() {
            writeln!(text, "[[interface]]\nname = \"{pin}{k}\"\nbetween = [\"{bar}.{pin}{k}\", \"coupler.{pin}{k}\"]\nlaw = \"rigid\"")
                .unwrap();
        }
    }
    text
}

/// The linkage in one subsystem.
fn whole(crank: f64) -> String {
    let bars = bars(crank);
    let mut text = HEAD.to_owned() + &subsystem("linkage");
    bars.iter().for_each(|bar| text += &bar.body());
    text += &bars[0].pivot();
    text += &bars[2].pivot();
    for (pin, bar, along) in [("p", &bars[0], 0.0), ("q", &bars[2], COUPLER)] {
        write!(
            text,
            "[[subsystem.joint]]\nname = \"{pin}\"\ntype = \"spherical\"\n\
             first = {{ body = \"{}\", point = [{:?}, 0, 0] }}\nsecond = {{ body = \"coupler\", point = [{along:?}, 0, 0] }}\n",
            bar.name, bar.length
        )
        .unwrap();
    }
    text
}

/// Largest distance of the coupler in a run from that in another, over time (m).
fn apart((run, name): (&Run, &str), (other, other_name): (&Run, &str)) -> f64 {
    let distance = |k: &str| {
        let (own, other) = (run.column(&format!("{name}.{k}")), other.column(&format!("{other_name}.{k}")));
        assert_eq!(own.len(), other.len());
        own.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    ["coupler.x", "coupler.y", "coupler.z"].map(distance).into_iter().fold(0.0, f64::max)
}

/// Six bars of 0.5 m in a ring, hung at one pivot, each pin held at two points.
fn ring() -> String {
    let across = [-0.05, 0.05];
    let mut text = HEAD.replace("end = 0.3", "end = 0.6");
    for k in 0..6_u8 {
        let angle = (120.0 + 60.0 * f64::from(k)) * PI / 180.0;
        let start = (0..k)
            .map(|j| Rotation2::new((120.0 + 60.0 * f64::from(j)) * PI / 180.0) * Vector2::new(0.5, 0.0));
        let name = ["b0", "b1", "b2", "b3", "b4", "b5"][usize::from(k)];
        let bar = Bar { name, length: 0.5, mass: 1.0 + 0.3 * f64::from(k), start: start.sum(), angle };
        let pivot = if k == 0 { bar.pivot() } else { String::new() };
        text += &(subsystem(name) + &bar.body() + &pivot);
        text += &(bar.ports("s", 0.0, &across) + &bar.ports("e", 0.5, &across));
    }
    for k in 0..6 {
        for j in 0..2 {
            let next = (k + 1) % 6;
            writeln!(text, "[[interface]]\nname = \"j{k}{j}\"\nbetween = [\"b{k}.e{j}\", \"b{next}.s{j}\"]\nlaw = \"rigid\"")
                .unwrap();
        }
    }
    text
}

const ITERATIVE: [[&str; 2]; 3] = [
    ["master.scheme=gauss-seidel", "master.acceleration=iqn-ils"],
    ["master.scheme=gauss-seidel", "master.acceleration=aitken"],
    ["master.scheme=jacobi", "master.acceleration=iqn-ils"],
];

/// In whichever order the bodies are taken, and so whichever of them finds the forces of a pin.
#[test]
fn every_scheme_moves_a_four_bar_as_the_condensed_one() {
    for angle in [20.0, 60.0, 130.0] {
        let crank = angle * PI / 180.0;
        for (across, orders) in
            [(vec![0.0], [[0, 1, 2], [1, 0, 2]]), (vec![-0.05, 0.05], [[2, 0, 1], [1, 2, 0]])]
        {
            for order in orders {
                let model = cut(crank, order, &across);
                let condensed = Run::completed(&Run::text(&model, &[]));
                let moved = condensed.column("coupler.coupler.z");
                assert!((moved[moved.len() - 1] - moved[0]).abs() > 1e-2, "{angle}: the linkage moves");
                for scheme in ITERATIVE {
                    let run = Run::completed(&Run::text(&model, &scheme));
                    let apart = apart((&run, "coupler"), (&condensed, "coupler"));
                    // The tolerance is 1e-9.
                    assert!(apart < 1e-8, "{angle}, {order:?}, {across:?}, {scheme:?}: {apart:e} m");
                }
            }
        }
    }
}

/// Its forces grow from 15 N to 600 N as the ring folds, at 0.54 s.
#[test]
fn a_ring_that_folds_is_followed() {
    let text = ring();
    let condensed = Run::completed(&Run::text(&text, &[]));
    for scheme in [ITERATIVE[0], ITERATIVE[2]] {
        let run = Run::completed(&Run::text(&text, &scheme));
        let off = |k: &str| {
            let (own, other) = (run.column(k), condensed.column(k));
            own.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let apart = f64::max(off("b3.b3.x"), off("b3.b3.z"));
        // A thousand times what a step is solved to: folding bars make much of little.
        assert!(apart < 1e-6, "{scheme:?}: {apart:e} m");
    }
}

/// A joint that is relaxed by a little, and bodies whose inverse mass is differenced, are no longer exactly singular.
#[test]
fn nearly_singular_bodies_are_told_the_forces_too() {
    let model = cut(1.0, [0, 1, 2], &[0.0]);
    for constant in ["1e-16", "1e-13", "1e-11"] {
        let set = ["interface.q0.law=tikhonov".to_owned(), format!("interface.q0.constant={constant}")];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let condensed = Run::completed(&Run::text(&model, &set));
        for scheme in [ITERATIVE[0], ITERATIVE[2]] {
            let run = Run::completed(&Run::text(&model, &[&set[..], &scheme[..]].concat()));
            let apart = apart((&run, "coupler"), (&condensed, "coupler"));
            assert!(apart < 1e-7, "{constant} m/N, {scheme:?}: {apart:e} m");
        }
    }
    let condensed = Run::completed(&Run::text(&model, &[]));
    for body in ["crank", "coupler", "rocker"] {
        let setting = format!("subsystem.{body}.coupling=differenced");
        let run = Run::completed(&Run::text(&model, &[ITERATIVE[0][0], ITERATIVE[0][1], &setting]));
        let apart = apart((&run, "coupler"), (&condensed, "coupler"));
        assert!(apart < 1e-6, "{body}: {apart:e} m");
    }
}

/// A body that a motion drives does not give way at all: a node that hangs on it comes first in the file, so that the body finds the
/// force.
#[test]
fn driven_bodies_find_forces_that_do_not_move_them() {
    let text = "schema = 1\ntime = { end = 0.3, step = 1e-3 }\nmaster = { initial_state = \"project\" }\n\
        [[subsystem]]\nname = \"node\"\nkind = \"node\"\nmass = 2\ngravity = [0, 0, -9.81]\nposition = [0.2, 0, 0]\n\
        port = [{ name = \"p\" }]\n\
        [[subsystem]]\nname = \"wall\"\nkind = \"multibody\"\n\
        [[subsystem.body]]\nname = \"wall\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n\
        [[subsystem.joint]]\nname = \"rv\"\ntype = \"revolute\"\nbodies = [\"ground\", \"wall\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n\
        [[subsystem.joint]]\nname = \"drive\"\ntype = \"angle\"\nbodies = [\"ground\", \"wall\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n\
        motion = { mean = 0.0, amplitude = 0.3, frequency = 3.0, phase = 1.5707963267948966 }\n\
        [[subsystem.port]]\nname = \"p\"\nbody = \"wall\"\npoint = [0.2, 0, 0]\ncoordinates = 3\n\
        [[interface]]\nname = \"j\"\nbetween = [\"node.p\", \"wall.p\"]\nlaw = \"rigid\"\n";
    for scheme in ITERATIVE {
        let run = Run::completed(&Run::text(text, &scheme));
        for (t, z) in run.times.iter().zip(run.column("node.z")) {
            let angle = 0.3 * (3.0 * t).cos();
            assert!((z + 0.2 * angle.sin()).abs() < 1e-5, "{scheme:?}, {t} s: {z} m");
        }
    }
}

/// A stop in a loop that is not redundant: a slider-crank of three bodies pushes a node against a wall.
#[test]
fn impacts_in_a_loop_do_not_mislead_what_was_learnt() {
    let text = include_str!("models/slider_crank_stop.toml");
    for mass in ["1", "10"] {
        let set = format!("subsystem.node.mass={mass}");
        let condensed = Run::completed(&Run::text(text, &[&set]));
        assert!(condensed.impacts().len() > 1);
        for scheme in [ITERATIVE[0], ITERATIVE[2]] {
            let run = Run::completed(&Run::text(text, &[&scheme[..], &[&set]].concat()));
            let (own, other) = (run.column("node.x"), condensed.column("node.x"));
            let apart = own.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-7, "{mass} kg, {scheme:?}: {apart:e} m");
        }
    }
}

/// Both are of order two.
#[test]
fn the_cut_linkage_moves_as_the_whole() {
    let crank = 1.0;
    let far = [1e-3, 5e-4].map(|step: f64| {
        let step = format!("time.step={step:?}");
        let run = |text: &str| Run::completed(&Run::text(text, &[&step]));
        let (cut, whole) = (run(&cut(crank, [0, 1, 2], &[0.0])), run(&whole(crank)));
        apart((&cut, "coupler"), (&whole, "linkage"))
    });
    let order = (far[0] / far[1]).log2();
    assert!(far[0] < 1e-4 && order > 1.8, "{far:?} m, order {order}");
}

/// Loops that hold something five times over, of bodies whose inverse mass is found by differences, or that take micro steps.
#[test]
fn differenced_bodies_hold_redundant_loops() {
    for angle in [20.0, 130.0] {
        let model = cut(angle * PI / 180.0, [1, 0, 2], &[-0.05, 0.05]);
        let exact = Run::completed(&Run::text(&model, &[]));
        for setting in ["subsystem.coupler.coupling=differenced", "subsystem.crank.coupling=differenced"] {
            let run = Run::completed(&Run::text(&model, &[setting]));
            let apart = apart((&run, "coupler"), (&exact, "coupler"));
            assert!(apart < 1e-6, "{angle}, {setting}: {apart:e} m");
        }
        let run = Run::completed(&Run::text(&model, &["subsystem.coupler.micro_steps=3"]));
        let apart = apart((&run, "coupler"), (&exact, "coupler"));
        assert!(apart < 1e-4, "{angle}, micro steps: {apart:e} m");
    }
}

/// A body with so many ports that its inverse mass is learnt, with micro steps, is differenced where it is part of a redundant loop;
/// also when the run goes on from a saved state.
#[test]
fn learnt_bodies_hold_redundant_loops() {
    let text = cut(20.0 * PI / 180.0, [1, 0, 2], &[-0.05, 0.0, 0.05]);
    let exact = Run::completed(&Run::text(&text, &[]));
    let model = Run::text(&text, &["subsystem.coupler.micro_steps=3"]);
    let run = Run::completed(&model);
    let apart = apart((&run, "coupler"), (&exact, "coupler"));
    assert!(apart < 1e-4, "{apart:e} m");
    assert!(Run::interrupted(&model, &[1, 100]).has_bits_of(&run));
}

/// Sweeps that drive a linkage apart are reported as that, not as the failure of the body that could not follow in the end.
#[test]
fn divergence_is_told_with_its_contraction() {
    let model = Run::text(&cut(20.0 * PI / 180.0, [0, 2, 1], &[0.0]), &["master.scheme=gauss-seidel"]);
    assert!(model.build().unwrap().step(1e-3).is_ok(), "the coupler comes last, and finds all forces");
    let model = Run::text(&cut(20.0 * PI / 180.0, [0, 1, 2], &[0.0]), &["master.scheme=gauss-seidel"]);
    let mut master = model.build().unwrap();
    master.step(1e-3).unwrap();
    let warnings: String = master.warnings().iter().map(|warning| warning.text.as_str()).collect();
    assert!(warnings.contains("each iteration multiplies the error by"), "{warnings}");
    assert!(warnings.contains("acceleration = \"iqn-ils\""), "{warnings}");
}
