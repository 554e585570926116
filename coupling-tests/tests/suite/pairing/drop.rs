//! A node of 1 kg under a mass of 100 kg on the two-step rule falls 0.2 m, e = 0.5: one body that bounces.
//!
//! Closed form: impacts at 0.2, 0.4, 0.5, 0.55 … s; 202, 50.5, 12.625, 3.15625 … J between them; at rest from 0.6 s on. A Tikhonov
//! joint is then compressed by `c` times the weight of the mass, 1000 N, and the mass has fallen as far.

use coupling_tests::{Run, fitted_order};

fn text(law: &str, master: &str) -> String {
    format!(
        r#"
schema = 1
time = {{ end = 1.0, step = 1e-3 }}
[master]
{master}
[[subsystem]]
name = "node"
kind = "node"
mass = 1.0
gravity = [0, 0, -10]
position = [0, 0, 0.2]
port = [{{ name = "top", direction = [0, 0, 1] }}]
[[subsystem.plane]]
name = "floor"
normal = [0, 0, 1]
restitution = 0.5
[[subsystem]]
name = "mass"
kind = "linear"
solver = {{ method = "multistep", spectral_radius = 0.6 }}
coordinates = ["z"]
mass = [100.0]
gravity = -10.0
position = 0.2
port = [{{ name = "foot", coordinates = ["z"] }}]
[[interface]]
name = "joint"
between = ["node.top", "mass.foot"]
{law}
"#
    )
}

/// Energy (J) at a time (s), that of the joint included.
fn energy(run: &Run, t: f64, constant: f64) -> f64 {
    let of = |mass: f64, z: &str, v: &str| 0.5 * mass * run.at(v, t).powi(2) + 10.0 * mass * run.at(z, t);
    let gap = run.at("node.z", t) - run.at("mass.z", t);
    let joint = if constant > 0.0 { 0.5 * gap * gap / constant } else { 0.0 };
    of(1.0, "node.z", "node.vz") + of(100.0, "mass.z", "mass.v_z") + joint
}

const SCHEMES: [&str; 3] = [
    "impacts = \"plain\"",
    "impacts = \"plain\"\nscheme = \"gauss-seidel\"\nacceleration = \"aitken\"",
    "impacts = \"plain\"\nscheme = \"gauss-seidel\"\nacceleration = \"iqn-ils\"",
];

fn laws() -> [(String, f64); 4] {
    let tikhonov = |c: f64| (format!("law = \"tikhonov\"\nconstant = {c:e}"), c);
    [("law = \"rigid\"".to_owned(), 0.0), tikhonov(1e-9), tikhonov(5e-9), tikhonov(1e-7)]
}

#[test]
fn impacts_inside_steps_leave_the_energies_of_one_body() {
    for (law, constant) in laws() {
        for h in [1e-3, 1e-4] {
            let run = Run::completed(&Run::text(&text(&law, ""), &[&format!("time.step={h:e}")]));
            for (t, exact) in [(0.3, 50.5), (0.45, 12.625), (0.525, 3.15625)] {
                let found = energy(&run, t, constant);
                // The load of a joint that gives way is zero between impacts, but for what rings on after one.
                assert!((found - exact).abs() < 1e-9 + 1e4 * constant, "{law}, {h} s: {found} J at {t} s");
            }
            let (found, exact) = (energy(&run, 1.0, constant), -0.5 * constant * 1e6);
            assert!((found - exact).abs() < 1e-7 + 0.03 * exact.abs(), "{law}, {h} s: {found} J at rest");
        }
    }
}

#[test]
fn plain_impacts_are_of_order_one_in_every_scheme() {
    for (law, constant) in laws() {
        for scheme in SCHEMES {
            // The first impact falls on a communication point, and is taken in the step that begins there, half a step late; or in the step
            // before, where the tolerance of an iteration says so.
            for (h, right, before) in [(1e-3, 49.995, 51.50875), (1e-4, 50.4495, 50.601)] {
                let run = Run::completed(&Run::text(&text(&law, scheme), &[&format!("time.step={h:e}")]));
                let found = energy(&run, 0.3, constant);
                let is_other = scheme.contains("scheme") && (found - before).abs() < 1e-3;
                assert!((found - right).abs() < 1e-3 || is_other, "{law}, {scheme}, {h} s: {found} J");
            }
        }
    }
}

#[test]
fn energy_is_never_more_than_at_the_start() {
    for (law, constant) in laws() {
        for scheme in ["", SCHEMES[0], SCHEMES[1]] {
            let run = Run::completed(&Run::text(&text(&law, scheme), &[]));
            let most = run.times.iter().map(|t| energy(&run, *t, constant)).fold(0.0, f64::max);
            assert!(most < 202.0 + 1e-6, "{law}, {scheme}: {most} J");
        }
    }
}

#[test]
fn every_rule_of_the_mass_falls_alike() {
    for solver in super::SECOND_ORDER.iter().chain(&super::FIRST_ORDER) {
        let solver = format!("subsystem.mass.solver={solver}");
        let steps = [4e-3, 2e-3, 1e-3];
        let errors = steps.map(|h| {
            let run = Run::completed(&Run::text(
                &text("law = \"rigid\"", ""),
                &[&solver, &format!("time.step={h:e}"), "time.end=0.3"],
            ));
            (energy(&run, 0.3, 0.0) - 50.5).abs()
        });
        // Free flight is exact for rules of order 2: then errors are round-off.
        let is_exact = errors.iter().all(|error| *error < 1e-8);
        assert!(is_exact || fitted_order(&steps, &errors) > 0.7, "{solver}: {errors:?}");
    }
}
