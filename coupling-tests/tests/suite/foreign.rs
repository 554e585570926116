//! Trajectories of Siconos 4.4 with the same `θ`, `γ` and restitution rule, at every step that is written: of a subsystem that steps its
//! contacts itself, of one whose contacts are the master's, and of systems cut at joints.
//!
//! Reference: folder `siconos`.

use cosimo::master::{Acceleration, Scheme};
use cosimo::model::ModelSpec;
use coupling_tests::{Run, Table};

const BALL: &str = "../coupling-tests/models/foreign/ball.toml";

/// Moreau and Jean's rule as Siconos has it: `θ` and `γ`.
fn scheme([theta, gamma]: [f64; 2]) -> String {
    let activation = format!("{{ gamma = {gamma}, restitution = \"always\" }}");
    format!("{{ scheme = \"moreau-jean\", theta = {theta}, activation = {activation} }}")
}

/// The same by the plain problem of the master.
fn plain([_, gamma]: [f64; 2]) -> String {
    format!("{{ method = \"plain\", gamma = {gamma}, restitution = \"always\" }}")
}

/// The settings of both for a subsystem.
fn displacements(subsystem: &str, rule: [f64; 2]) -> [Vec<String>; 2] {
    let own = format!("subsystem.{subsystem}.solver={}", scheme(rule));
    let theta = format!("subsystem.{subsystem}.solver={{ method = \"theta\", theta = {} }}", rule[0]);
    [vec![own], vec![theta, format!("master.impacts={}", plain(rule))]]
}

fn with(path: &str, overrides: &[String], more: &[&str]) -> ModelSpec {
    let overrides: Vec<&str> = overrides.iter().map(String::as_str).chain(more.iter().copied()).collect();
    Run::model(path, &overrides)
}

fn models(file: &str, rule: [f64; 2]) -> [ModelSpec; 2] {
    let path = format!("../coupling-tests/models/foreign/{file}");
    displacements("system", rule).map(|overrides| with(&path, &overrides, &[]))
}

/// Compares a run with a table; returns the largest difference of a column, relative to its largest entry.
fn difference(table: &str, model: &ModelSpec, owner: &str, columns: &[&str]) -> f64 {
    let table = Table::reference(&format!("siconos/{table}.csv"));
    let run = Run::completed(model);
    let step = |t: &f64| (t / model.time.step).round() as usize;
    let steps: Vec<usize> = table.column("t").iter().map(step).collect();
    let times = steps.iter().zip(table.column("t"));
    assert!(times.into_iter().all(|(k, t)| (run.times[*k] - t).abs() < 1e-12 * (1.0 + t)));
    let of_column = |name: &&str| {
        let (found, expected) = (run.column(&format!("{owner}.{name}")), table.column(name));
        let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let differences = steps.iter().zip(expected).map(|(k, x)| (found[*k] - x).abs() / scale);
        differences.fold(0.0, f64::max)
    };
    columns.iter().map(of_column).fold(0.0, f64::max)
}

fn check(table: &str, models: &[ModelSpec], owner: &str, columns: &[&str]) {
    for (displacement, model) in models.iter().enumerate() {
        let found = difference(table, model, owner, columns);
        assert!(found < 1e-10, "{table}, way {displacement}: {found:e}");
    }
}

#[test]
fn bouncing_ball() {
    for (table, rule) in [("ball_midpoint", [0.5, 0.5]), ("ball_implicit", [1.0, 0.0])] {
        check(table, &models("ball.toml", rule), "system", &["q0", "v_q0"]);
    }
}

#[test]
fn beads() {
    let columns = ["q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7"];
    let velocities = ["v_q0", "v_q1", "v_q2", "v_q3", "v_q4", "v_q5", "v_q6", "v_q7"];
    for (table, rule) in [("beads_midpoint", [0.5, 0.5]), ("beads_implicit", [1.0, 0.5])] {
        check(table, &models("beads.toml", rule), "system", &[columns, velocities].concat());
    }
}

#[test]
fn two_balls_on_a_spring() {
    for (table, rule) in [("two_balls_midpoint", [0.5, 1.5]), ("two_balls_implicit", [1.0, 0.5])] {
        check(table, &models("two-balls.toml", rule), "system", &["q0", "q1", "v_q0", "v_q1"]);
    }
}

/// Element matrices `factor · [a b; b a]` of a line of elements, as a list of rows.
fn of_elements(count: usize, factor: f64, [a, b]: [f64; 2]) -> String {
    let entry = |i: usize, j: usize| match i.abs_diff(j) {
        0 if i == 0 || i == count - 1 => factor * a,
        0 => factor * a + factor * a,
        1 => factor * b,
        _ => 0.0,
    };
    let mut rows = String::from("[");
    for i in 0..count {
        let row: Vec<String> = (0..count).map(|j| format!("{:?}", entry(i, j))).collect();
        rows.extend(["[", &row.join(", "), "], "]);
    }
    rows + "]"
}

/// Steel bar of 1 m and 314 mm² in 99 elements with their consistent mass.
fn bar(rule: [f64; 2]) -> [ModelSpec; 2] {
    let element = 1.0 / 100.0;
    let mass = of_elements(100, 7800.0 * 0.000_314 * element / 6.0, [2.0, 1.0]);
    let stiffness = of_elements(100, 210e9 * 0.000_314 / element, [1.0, -1.0]);
    let text = format!(
        "schema = 1\ntime = {{ end = 1.5e-3, step = 2e-6 }}\n[[subsystem]]\nname = \"bar\"\nkind = \"linear\"\nmass = {mass}\n\
         stiffness = {stiffness}\nposition = 5e-5\nvelocity = -0.1\n[[subsystem.contact]]\nname = \"wall\"\n\
         row = {{ 0 = 1.0 }}\nrestitution = 0.0\n"
    );
    displacements("bar", rule)
        .map(|overrides| Run::text(&text, &overrides.iter().map(String::as_str).collect::<Vec<_>>()))
}

#[test]
fn bar_with_its_consistent_mass() {
    let columns = ["q0", "q1", "q50", "q99", "v_q0", "v_q1", "v_q50", "v_q99"];
    for (table, rule) in [("bar_midpoint", [0.5, 0.5]), ("bar_implicit", [1.0, 0.0])] {
        check(table, &bar(rule), "bar", &columns);
    }
}

#[test]
fn woodpecker() {
    let columns = ["y", "sleeve", "bird", "v_y", "v_sleeve", "v_bird"];
    for (table, rule) in [("woodpecker_midpoint", [0.5, 0.5]), ("woodpecker_implicit", [1.0, 0.0])] {
        let times = ["time.end=0.5", "time.step=1e-4"];
        let models =
            displacements("toy", rule).map(|overrides| with("woodpecker/model.toml", &overrides, &times));
        check(table, &models, "toy", &columns);
    }
}

/// A subsystem of a model that is cut: a mass (kg) at a height (m) with its weight.
fn mass(name: &str, mass: f64, theta: f64, height: f64, contact: &str) -> String {
    format!(
        "[[subsystem]]\nname = \"{name}\"\nkind = \"linear\"\nmass = [{mass}]\ngravity = GRAVITY\nposition = [{height}]\n\
         solver = {{ method = \"theta\", theta = {theta} }}\n[[subsystem.port]]\nname = \"end\"\ncoordinates = [0]\n{contact}"
    )
}

/// Both balls of the models cut: the one rigidly in two parts, which must fall as one, the two at their spring.
fn cut(
    rule @ [theta, _]: [f64; 2],
    [end, step, gravity, height, restitution]: [f64; 5],
    (masses, law): ([f64; 2], &str),
) -> ModelSpec {
    let floor =
        format!("[[subsystem.contact]]\nname = \"floor\"\nrow = [1.0]\nrestitution = {restitution}\n");
    let bodies = mass("a", masses[0], theta, height, &floor) + &mass("b", masses[1], theta, height, "");
    let text = format!(
        "schema = 1\ntime = {{ end = {end}, step = {step} }}\nmaster = {{ impacts = {} }}\n{bodies}\
         [[interface]]\nname = \"joint\"\nbetween = [\"a.end\", \"b.end\"]\n{law}",
        plain(rule)
    );
    Run::text(&text.replace("GRAVITY", &gravity.to_string()), &[])
}

#[test]
fn a_ball_in_two_parts() {
    for (table, rule) in [("ball_midpoint", [0.5, 0.5]), ("ball_implicit", [1.0, 0.0])] {
        for masses in [[0.25, 0.75], [0.999, 0.001]] {
            let model = cut(rule, [4.0, 5e-3, -9.81, 1.0, 0.9], (masses, "law = \"rigid\"\n"));
            check(table, &[model], "a", &["q0", "v_q0"]);
        }
    }
}

/// The iterative schemes solve the same problem, and so do bodies that may turn.
#[test]
fn a_ball_in_two_parts_by_sweeps_and_as_a_body() {
    let rule = [0.5, 0.5];
    let parts = cut(rule, [4.0, 5e-3, -9.81, 1.0, 0.9], ([0.75, 0.25], "law = \"rigid\"\n"));
    for scheme in [Scheme::GaussSeidel, Scheme::Jacobi] {
        let mut model = parts.clone();
        model.master.scheme = scheme;
        model.master.acceleration = Acceleration::IqnIls { reuse: 8, filter: 1e-3 };
        model.master.tolerance = 1e-13;
        check("ball_midpoint", &[model], "a", &["q0", "v_q0"]);
    }
    let text = format!(
        "schema = 1\ntime = {{ end = 4.0, step = 5e-3 }}\nmaster = {{ impacts = {} }}\n[[subsystem]]\nname = \"s\"\n\
         kind = \"multibody\"\nsolver = \"theta\"\ngravity = [0, 0, -9.81]\n[[subsystem.body]]\nname = \"ball\"\nmass = 1.0\n\
         inertia = [0.1, 0.1, 0.1]\nposition = [0, 0, 1.2]\n[[subsystem.contact]]\nname = \"floor\"\ntype = \"sphere-plane\"\n\
         first = {{ body = \"ground\", point = [0, 0, 0], axis = [0, 0, 1] }}\nsecond = {{ body = \"ball\" }}\nradius = 0.2\n\
         restitution = 0.9\n",
        plain(rule)
    );
    let (body, alone) =
        (Run::completed(&Run::text(&text, &[])), Run::completed(&models("ball.toml", rule)[1]));
    let heights = body.column("s.ball.z").into_iter().zip(alone.column("system.q0"));
    let difference = heights.map(|(z, q)| (z - 0.2 - q).abs()).fold(0.0, f64::max);
    assert!(difference < 1e-10, "{difference:e} m");
}

#[test]
fn two_balls_cut_at_their_spring() {
    for (table, rule) in [("two_balls_midpoint", [0.5, 1.5]), ("two_balls_implicit", [1.0, 0.5])] {
        let law = "law = \"compliant\"\nstiffness = 1000.0\n";
        let model = cut(rule, [2.5, 1e-3, -10.0, 1.001, 0.8], ([1.0, 1.0], law));
        check(table, &[model], "a", &["q0", "v_q0"]);
    }
}

/// The start of a scheme is held to `initial_tolerance`.
#[test]
fn a_scheme_accepts_the_overlap_that_the_model_does() {
    let overlap = ["subsystem.system.position=[-1e-6]", "master.initial_tolerance=1e-5", "time.end=0.1"];
    let mut overrides = overlap.map(str::to_owned).to_vec();
    overrides.push(format!("subsystem.system.solver={}", scheme([0.5, 0.5])));
    let overrides: Vec<&str> = overrides.iter().map(String::as_str).collect();
    assert_eq!(Run::completed(&Run::model(BALL, &overrides)).column("system.q0")[0], -1e-6);
    let strict = [overrides.as_slice(), &["master.initial_tolerance=1e-7"]].concat();
    let refused = Run::model(BALL, &strict).build().unwrap_err().to_string();
    assert!(refused.contains("floor"), "{refused}");
}
