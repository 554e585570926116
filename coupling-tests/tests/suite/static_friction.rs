//! Friction of contacts that stick and slide differently, in models: the block on a belt that a spring holds has one limit cycle,
//! whatever kind of subsystem it is, wherever the spring stands.
//!
//! ```text
//!   rides    2 (μ_s − μ) N/(k v)          slides    2 (π − φ)/ω,  tan φ = (μ_s − μ) N ω/(k v)
//! ```

use cosimo::master::ContactEventKind;
use cosimo::model::ModelSpec;
use coupling_tests::{Run, fitted_order};

const G: f64 = 9.81;
const SPEED: f64 = 0.1;
const LAW: &str = "restitution = 0\nfriction = 0.3\nstatic_friction = 0.5\n";

fn head(h: f64) -> String {
    format!("schema = 1\ntime = {{ end = 4, step = {h:e} }}\n[master]\nenergy_tolerance = 1e9\n")
}

/// A node on a belt, and a wall behind a compliant interface.
fn node(h: f64) -> ModelSpec {
    let text = format!(
        "{}[[subsystem]]\nname = \"block\"\nkind = \"node\"\nmass = 1\ngravity = [0, 0, -{G}]\nvelocity = [{SPEED}, 0, 0]\n\
         [[subsystem.port]]\nname = \"side\"\ndirection = [1, 0, 0]\n[[subsystem.plane]]\nname = \"belt\"\nnormal = [0, 0, 1]\n\
         {LAW}velocity = [{SPEED}, 0, 0]\n[[subsystem]]\nname = \"wall\"\nkind = \"linear\"\ncoordinates = [\"x\"]\nmass = [1]\n\
         [[subsystem.constraint]]\nname = \"held\"\nrow = {{ x = 1 }}\n[[subsystem.port]]\nname = \"end\"\ncoordinates = [\"x\"]\n\
         [[interface]]\nname = \"spring\"\nbetween = [\"block.side\", \"wall.end\"]\nlaw = \"compliant\"\nstiffness = 100\n",
        head(h)
    );
    Run::text(&text, &[])
}

/// Block and belt as coordinates of one linear system; the belt is so heavy that friction does not slow it down.
fn linear(h: f64) -> ModelSpec {
    let text = format!(
        "{}[[subsystem]]\nname = \"block\"\nkind = \"linear\"\ncoordinates = [\"x\", \"z\", \"b\"]\nmass = [1, 1, 1e9]\n\
         stiffness = [[100, 0, 0], [0, 0, 0], [0, 0, 0]]\nforce = [0, -{G}, 0]\nvelocity = [{SPEED}, 0, {SPEED}]\n\
         [[subsystem.contact]]\nname = \"belt\"\nrow = {{ z = 1 }}\ntangents = [{{ x = 1, b = -1 }}]\n{LAW}",
        head(h)
    );
    Run::text(&text, &[])
}

/// A body of a spatial system on a belt that is a body too, held by a spring.
fn multibody(h: f64) -> ModelSpec {
    let text = format!(
        "{}[[subsystem]]\nname = \"block\"\nkind = \"multibody\"\ngravity = [0, 0, -{G}]\n\
         [[subsystem.body]]\nname = \"mass\"\nmass = 1\ninertia = [1, 1, 1]\nvelocity = [{SPEED}, 0, 0]\n\
         [[subsystem.body]]\nname = \"band\"\nmass = 1e9\ninertia = [1e9, 1e9, 1e9]\nvelocity = [{SPEED}, 0, 0]\n\
         [[subsystem.joint]]\nname = \"rail\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"band\"]\nat = [0, 0, 0]\naxis = [1, 0, 0]\n\
         [[subsystem.force]]\nname = \"spring\"\ntype = \"spring\"\nfirst = {{ body = \"ground\", point = [-10, 0, 0] }}\n\
         second = {{ body = \"mass\" }}\nstiffness = 100\nlength = 10\n\
         [[subsystem.contact]]\nname = \"belt\"\ntype = \"sphere-plane\"\nfirst = {{ body = \"band\", axis = [0, 0, 1] }}\n\
         second = {{ body = \"mass\" }}\n{LAW}",
        head(h)
    );
    Run::text(&text, &[])
}

/// Mean rides and slides of a run (s).
fn cycle(run: &Run) -> [f64; 2] {
    let ends = [ContactEventKind::Stick, ContactEventKind::Slip]
        .map(|kind| run.events_at("block.belt", kind).iter().map(|event| event.time).collect::<Vec<_>>());
    let [stick, slip] = &ends;
    // The run begins with a ride.
    let slides = slip.iter().zip(stick).map(|(slip, stick)| stick - slip);
    let rides = stick.iter().zip(&slip[1..]).map(|(stick, slip)| slip - stick);
    let mean = |spans: Vec<f64>| spans.iter().sum::<f64>() / spans.len() as f64;
    assert!(stick.len() >= 2 && slip.len() >= 3, "{ends:?}");
    [mean(rides.collect()), mean(slides.collect())]
}

#[test]
fn the_limit_cycle_on_a_belt_is_that_of_the_closed_form() {
    let (k, half) = (100.0_f64, 0.2 * G / 100.0);
    let phase = (half * k.sqrt() / SPEED).atan();
    let exact = [2.0 * half / SPEED, 2.0 * (std::f64::consts::PI - phase) / k.sqrt()];
    let models: [(&str, &dyn Fn(f64) -> ModelSpec); 3] =
        [("node", &node), ("linear", &linear), ("multibody", &multibody)];
    for (kind, model) in models {
        let steps = [4e-3, 2e-3, 1e-3, 5e-4];
        let errors = steps.map(|h| {
            let found = cycle(&Run::completed(&model(h)));
            [0, 1].map(|i| (found[i] - exact[i]).abs()).into_iter().fold(0.0, f64::max)
        });
        let order = fitted_order(&steps, &errors);
        // Ends of rides and slides are found within a step.
        assert!(errors.iter().zip(steps).all(|(error, h)| *error < 2.0 * h), "{kind}: {errors:?}");
        assert!(order > 0.8, "{kind}: order {order}, {errors:?}");
    }
}

/// The same bits with threads, over processes' descriptions, and after a checkpoint in a ride and in a slide.
#[test]
fn runs_with_static_friction_repeat() {
    for model in [node(1e-3), multibody(1e-3)] {
        let whole = Run::completed(&model);
        let resumed = Run::interrupted(&model, &[300, 600, 1001]);
        let name = if model.subsystems.len() == 2 { "block.x" } else { "block.mass.x" };
        assert_eq!(whole.at(name, 4.0).to_bits(), resumed.at(name, 4.0).to_bits());
    }
}
