//! A point thrown across a slope of `μ = tan α` turns into the line of fall and goes on at half its speed.
//!
//! Reference: its equation of motion, `v̇ = g sin α (e_x − v/‖v‖)`, by Runge and Kutta's rule in steps of 10 µs; `‖v‖ + v_x` is constant.

use super::*;
use coupling_tests::fitted_order;

const SLOPE: f64 = 0.5;
const G: f64 = 9.81;
const SPEED: f64 = 2.0;
const END: f64 = 0.6;

/// Ways and velocities down and across at the end.
fn reference() -> [f64; 4] {
    const STEPS: usize = 60_000;
    let rate = |[_, _, u, v]: [f64; 4]| {
        let speed = u.hypot(v);
        [u, v, G * SLOPE.sin() * (1.0 - u / speed), -G * SLOPE.sin() * v / speed]
    };
    let along = |y: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    let (mut y, h) = ([0.0, 0.0, 0.0, SPEED], END / STEPS as f64);
    for _ in 0..STEPS {
        let k1 = rate(y);
        let k2 = rate(along(y, k1, 0.5 * h));
        let k3 = rate(along(y, k2, 0.5 * h));
        let k4 = rate(along(y, k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    assert!((y[2].hypot(y[3]) + y[2] - SPEED).abs() < 1e-12);
    y
}

/// The point as a node and as a body, with the slope along x.
fn text(kind: &str, master: &str, h: f64) -> String {
    let gravity = [G * SLOPE.sin(), 0.0, -G * SLOPE.cos()];
    let friction = SLOPE.tan();
    let head = format!(
        "schema = 1\ntime = {{ end = {END}, step = {h:e} }}\n{master}\n[[subsystem]]\nname = \"s\"\n"
    );
    let own = match kind {
        "node" => format!(
            "kind = \"node\"\nmass = 2.0\ngravity = {gravity:?}\nposition = [0, 0, 0]\nvelocity = [0, {SPEED}, 0]\n\
             [[subsystem.plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nrestitution = 0\nfriction = {friction}\n"
        ),
        solver => format!(
            "kind = \"multibody\"\nsolver = {solver}\ngravity = {gravity:?}\n[[subsystem.body]]\nname = \"b\"\nmass = 2.0\n\
             inertia = [0.1, 0.1, 0.1]\nvelocity = [0, {SPEED}, 0]\n[[subsystem.contact]]\nname = \"floor\"\n\
             type = \"sphere-plane\"\nfirst = {{ body = \"ground\", axis = [0, 0, 1] }}\nsecond = {{ body = \"b\" }}\n\
             radius = 0\nrestitution = 0\nfriction = {friction}\n"
        ),
    };
    head + &own
}

fn error(kind: &str, (master, h): (&str, f64), exact: &[f64; 4]) -> f64 {
    let run = Run::completed(&Run::text(&text(kind, master, h), &[]));
    let prefix = if kind == "node" { "s" } else { "s.b" };
    let names = ["x", "y", "vx", "vy"].map(|name| format!("{prefix}.{name}"));
    let last = run.times.len() - 1;
    names.iter().zip(exact).fold(0.0, |most, (name, exact)| most.max((run.value(name, last) - exact).abs()))
}

/// Rules whose loads are means over the step, and those that remember accelerations.
const MEANS: [&str; 2] = ["node", "\"theta\""];
const OTHERS: [&str; 2] = [
    "{ method = \"multistep\", spectral_radius = 0.6 }",
    "{ method = \"generalized-alpha\", spectral_radius = 0.8 }",
];

#[test]
fn sliding_along_a_curve_is_of_order_two_where_loads_are_means() {
    let exact = reference();
    let steps = [0.02, 0.01, 0.005];
    let errors = |kind: &str| steps.map(|h| error(kind, ("", h), &exact));
    for kind in MEANS {
        let errors = errors(kind);
        let order = fitted_order(&steps, &errors);
        assert!(order > 1.8 && errors[2] < 1e-4, "{kind}: order {order} at errors {errors:?}");
    }
    for kind in OTHERS {
        let errors = errors(kind);
        let order = fitted_order(&steps, &errors);
        assert!(order > 0.9 && errors[2] < 1e-2, "{kind}: order {order} at errors {errors:?}");
    }
}

#[test]
fn the_error_follows_the_tolerance_of_a_step() {
    let exact = reference();
    for kind in MEANS {
        let error = |tolerance: f64| {
            let master = format!("[master]\nstep_control = \"error\"\nerror_tolerance = {tolerance:e}\n");
            error(kind, (&master, 0.02), &exact)
        };
        let errors = [1e-6, 1e-8, 1e-10].map(error);
        assert!(errors[0] < 1e-3 && errors[1] < 1e-4 && errors[2] < 5e-6, "{kind}: {errors:?}");
    }
}
