//! `cosimo verify`.

use std::fs;

use super::{MODEL, Scratch, assert_code, read, stderr, stdout};

/// The falling mass of the model, `z = 0.5 − 5 t²` until 0.3 s with a spring that is as good as none.
const LIST: &str = r#"
[[case]]
name = "fall"
model = "masses.toml"
set = ["interface.spring.stiffness=1e-9", "time.end=0.3"]

[[case.check]]
quantity = "lower.z"
reference = "z"
table = "fall.csv"
tolerance = 1e-9
why = "exact"

[[case.check]]
quantity = "energy.end - energy.start"
reference = 0.0
tolerance = 1e-9
why = "nothing takes any"
"#;

fn scratch(list: &str) -> Scratch {
    let scratch = Scratch::new(MODEL);
    fs::write(scratch.path("list.toml"), list).unwrap();
    let rows: String =
        (0..4).map(|k| f64::from(k) / 10.0).map(|t| format!("{t},{}\n", 0.5 - 5.0 * t * t)).collect();
    fs::write(scratch.path("fall.csv"), format!("t,z\n{rows}")).unwrap();
    scratch
}

#[test]
fn the_cases_of_the_project_pass() {
    let scratch = Scratch::new(MODEL);
    let output = scratch.cosimo(&["verify", "--out", "table.csv"]);
    assert_code(&output, 0);
    let table = read(&scratch.path("table.csv"));
    let names: Vec<&str> = table.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert!(names.len() > 80 && table.lines().skip(1).all(|line| line.contains(",true,")), "{table}");
    for letter in ["A1", "B3", "C_", "D1", "E5", "F1", "H1", "H5", "I2", "J2", "K2", "L8", "O1", "O2", "O4"] {
        assert!(names.iter().any(|name| name.starts_with(letter)), "{letter}");
    }
    assert!(stdout(&output).ends_with(&format!("{0} of {0} checks passed\n", names.len())));
}

#[test]
fn filters_choose_cases_and_quantities() {
    let scratch = Scratch::new(MODEL);
    let output = scratch.cosimo(&["verify", "--list", "A1_", "omega"]);
    assert_code(&output, 0);
    assert!(
        stdout(&output).starts_with("A1_table5_1  (examples/bouncing-ball/model.toml)\n"),
        "{}",
        stdout(&output)
    );
    assert!(!stdout(&output).contains("A2_"), "{}", stdout(&output));
    let output = scratch.cosimo(&["verify", "nothing-of-this-name"]);
    assert_code(&output, 2);
    assert!(
        stderr(&output).contains("no case or quantity contains nothing-of-this-name"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_wrong_reference_fails() {
    let right = scratch(LIST);
    assert_code(&right.cosimo(&["verify", "--cases", "list.toml"]), 0);
    fs::write(right.path("fall.csv"), "t,z\n0.1,0.45\n0.2,0.300001\n").unwrap();
    let output = right.cosimo(&["verify", "--cases", "list.toml"]);
    assert_code(&output, 1);
    let told = stdout(&output);
    assert!(
        told.contains("1.00e-6") && told.contains("FAILED") && told.contains("1 of 2 checks passed"),
        "{told}"
    );
    assert!(stderr(&output).contains("1 of 2 checks failed"), "{}", stderr(&output));
}

#[test]
fn what_cannot_be_compared_fails_with_its_reason() {
    for (from, to, expected) in [
        ("\"lower.z\"", "\"lower.w\"", "the run has no quantity `lower.w`"),
        ("reference = \"z\"", "reference = \"y\"", "`fall.csv` has no column `y`: it has t, z"),
        ("fall.csv", "none.csv", "cannot read `none.csv`"),
        ("masses.toml", "none.toml", "cannot read `none.toml`"),
        ("time.end=0.3", "time.end=-1", "end is -1"),
        (
            "tolerance = 1e-9\nwhy = \"exact\"",
            "events = { contact = \"lower.floor\", count = 3 }\ntolerance = 1\nwhy = \"\"",
            "an event has no `lower.z`",
        ),
    ] {
        let output = scratch(&LIST.replacen(from, to, 1)).cosimo(&["verify", "--cases", "list.toml"]);
        assert_code(&output, 1);
        assert!(stdout(&output).contains(expected), "{expected}: {}", stdout(&output));
    }
    let output = scratch(&LIST.replacen("tolerance = 1e-9", "tolerance = -1.0", 1)).cosimo(&[
        "verify",
        "--cases",
        "list.toml",
    ]);
    assert_code(&output, 2);
    assert!(
        stderr(&output).contains("case `fall`, `lower.z`: tolerance must be positive"),
        "{}",
        stderr(&output)
    );
}
