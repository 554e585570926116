//! `cosimo converge`.

use std::fs;

use super::{Scratch, assert_code, read, stderr, stdout};

/// A mass on a spring, `q = cos(2 t)`, by the midpoint rule.
const SPRING: &str = r#"
schema = 1
title = "Spring"
time = { end = 1.0, step = 0.05 }
[record]
quantities = ["mass.x", "mass.v_x"]
[[subsystem]]
name = "mass"
kind = "linear"
coordinates = ["x"]
mass = [1.0]
stiffness = [4.0]
position = 1.0
"#;

/// The numbers of a column of `convergence.csv` in the rows of a quantity.
fn column(table: &str, quantity: &str, name: &str) -> Vec<f64> {
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let position = lines.next().and_then(|names| names.iter().position(|own| *own == name)).unwrap();
    let rows = lines.filter(|fields| fields[1] == quantity);
    rows.map(|fields| fields[position].parse().unwrap_or(f64::NAN)).collect()
}

#[test]
fn a_rule_of_order_two_is_observed_to_be_one_against_a_fine_run() {
    let scratch = Scratch::new(SPRING);
    let output =
        scratch.cosimo(&["converge", "masses.toml", "--count", "4", "--finer", "64", "--out", "study"]);
    assert_code(&output, 0);
    let table = read(&scratch.path("study/convergence.csv"));
    for quantity in ["mass.x", "mass.v_x"] {
        for order in ["order_l1", "order_graph"] {
            let found = column(&table, quantity, order);
            assert!(found.len() == 4 && found[0].is_nan(), "{table}");
            assert!(found[1..].iter().all(|p| (1.9..2.1).contains(p)), "{quantity}, {order}: {found:?}");
        }
    }
    assert!(read(&scratch.path("study/convergence.svg")).contains("order 2"));
    assert!(stdout(&output).contains("over all steps"), "{}", stdout(&output));
    assert!(stderr(&output).contains("h = 2.5e-2 s: 40 steps"), "{}", stderr(&output));
    let again = scratch.cosimo(&["converge", "masses.toml", "--out", "study"]);
    assert_code(&again, 2);
    assert!(stderr(&again).contains("--force"), "{}", stderr(&again));
}

/// The errors are those of the midpoint rule in closed form, `q_k = cos(φ k)` with `tan(φ/2) = ω h/2`.
#[test]
fn errors_against_a_table_are_those_of_the_rule() {
    let scratch = Scratch::new(SPRING);
    let rows: String =
        (0..=4000).map(|k| f64::from(k) / 4000.0).map(|t| format!("{t},{}\n", (2.0 * t).cos())).collect();
    fs::write(scratch.path("exact.csv"), format!("t,q\n{rows}")).unwrap();
    let settings =
        ["--reference", "exact.csv", "--quantity", "mass.x=q", "--steps", "0.1,0.05", "--out", "study"];
    assert_code(&scratch.cosimo(&[["converge", "masses.toml"].as_slice(), &settings].concat()), 0);
    let table = read(&scratch.path("study/convergence.csv"));
    let found = column(&table, "mass.x", "l1");
    for (h, found) in [0.1_f64, 0.05].into_iter().zip(found) {
        let (turn, steps) = (2.0 * h.atan(), (1.0 / h).round() as i32);
        let error = |k: f64| ((turn * k).cos() - (2.0 * h * k).cos()).abs();
        let exact: f64 = (0..=steps).map(|k| h * error(f64::from(k))).sum();
        assert!((found / exact - 1.0).abs() < 1e-9, "{h}: {found}, {exact}");
    }
}

/// A jump that comes late by a share of the step is no small error in the largest difference, but in both distances here.
#[test]
fn settings_are_compared_in_one_figure() {
    let ball = "schema = 1\ntime = { end = 1.0, step = 0.01 }\n[[subsystem]]\nname = \"ball\"\nkind = \"node\"\nmass = 1\n\
        gravity = [0, 0, -10]\nposition = [0, 0, 1]\nport = []\n[[subsystem.plane]]\nname = \"floor\"\n\
        normal = [0, 0, 1]\nrestitution = 0.8\n";
    let scratch = Scratch::new(ball);
    let settings = ["--quantity", "ball.vz", "--compare", "master.impacts=plain,sub-step", "--phases", "8"];
    let output =
        scratch.cosimo(&[["converge", "masses.toml", "-q", "--out", "study"].as_slice(), &settings].concat());
    assert_code(&output, 0);
    assert_eq!(stderr(&output), "table and figure in study\n");
    let table = read(&scratch.path("study/convergence.csv"));
    let of = |setting: &str| {
        let lines = table.lines().filter(|line| line.starts_with(setting) || line.starts_with("setting"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let plain = column(&of("plain"), "ball.vz", "l1");
    let exact = column(&of("sub-step"), "ball.vz", "l1");
    let order = (plain[0] / plain[4]).log2() / 4.0;
    assert!((0.8..1.2).contains(&order), "{table}");
    assert!(exact.iter().zip(&plain).all(|(exact, plain)| exact < &(1e-2 * plain)), "{table}");
    let figure = read(&scratch.path("study/convergence.svg"));
    assert!(figure.contains("ball.vz, plain") && figure.contains("ball.vz, sub-step"));
}

/// Steps that a run chooses itself cannot be compared, which is reported with every step.
#[test]
fn runs_that_cannot_be_compared_are_told() {
    let scratch = Scratch::new(SPRING);
    let settings = ["--set", "master.step_control=error", "--steps", "0.1,1e-3", "--out", "study"];
    let output = scratch.cosimo(&[["converge", "masses.toml"].as_slice(), &settings].concat());
    assert_code(&output, 1);
    assert!(stdout(&output).contains("h = 1e-1 s: the run chose steps"), "{}", stdout(&output));
    assert!(stderr(&output).contains("step_control=fixed"), "{}", stderr(&output));
    assert!(read(&scratch.path("study/convergence.csv")).contains(",,,1e-1,,,,,chose steps"));
}

#[test]
fn bad_input_is_told_before_anything_runs() {
    let scratch = Scratch::new(SPRING);
    fs::write(scratch.path("short.csv"), "t,q\n0,1\n0.5,0.5\n").unwrap();
    for (arguments, expected) in [
        (
            vec!["--quantity", "mass.y"],
            "no recorded quantity is called `mass.y`; recorded are mass.x, mass.v_x",
        ),
        (vec!["--reference", "none.csv"], "cannot read `none.csv`"),
        (vec!["--reference", "short.csv"], "`short.csv` has no column `mass.x`: it has t, q"),
        (
            vec!["--reference", "short.csv", "--quantity", "mass.x=q"],
            "covers 0 to 0.5 s, the comparison 0 to 1 s",
        ),
        (vec!["--steps", "0.1,0.1"], "two different steps"),
        (vec!["--until", "2"], "--until 2 must be within the run, 0 to 1 s"),
        (vec!["--set", "time.step=0"], "step is 0, must be positive"),
        (vec!["--compare", "subsystem.mass.solver=theta,none"], "no solver `none`"),
    ] {
        let output = scratch.cosimo(&[vec!["converge", "masses.toml"], arguments].concat());
        assert_code(&output, 2);
        assert!(stderr(&output).contains(expected), "{expected}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
}
