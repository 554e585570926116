//! The programs of the documentation: of the README, the front page, the guides.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const README: &str = include_str!("../../../../README.md");
const FRONT_PAGE: &str = include_str!("../../src/lib.rs");
const GUIDE: &str = include_str!("../../../../docs/reference/subsystem.md");
const EXAMPLE: &str = include_str!("../../examples/own_subsystem.rs");
const TUTORIAL: &str = include_str!("../../../../docs/guide/tutorial.md");
const HAMMER: &str = include_str!("../../examples/spring_hammer.rs");
const ROTOR: &str = include_str!("../../examples/rotor_on_stop.rs");
const TWO_MASSES: &str = include_str!("../../../../examples/as-a-library/src/bin/two_masses.rs");

#[test]
fn the_guide_quotes_the_example_word_for_word() {
    let quote = format!("```rust\n{EXAMPLE}```\n");
    assert!(GUIDE.ends_with(&quote), "docs/reference/subsystem.md must end with examples/own_subsystem.rs");
}

/// The last step of the tutorial: its model with the brake of `examples/spring_hammer.rs`, which it quotes.
#[test]
fn the_tutorial_ends_with_a_program_that_runs() {
    assert!(
        TUTORIAL.contains(&format!("```rust\n{HAMMER}```\n")),
        "the tutorial must quote examples/spring_hammer.rs"
    );
    let parts = TUTORIAL.split("\n```toml hammer.toml").skip(1);
    let model: String =
        parts.map(|part| part.split_once('\n').unwrap().1.split_once("```").unwrap().0).collect();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("hammer.toml"), model).unwrap();

    let output = example("spring_hammer").current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("completed at t = 4 s"));
    assert!(
        fs::read_to_string(folder.path().join("out/brake/results.csv")).unwrap().contains("brake.shaft.load")
    );
}

/// What a test of this package has built beside it.
fn example(name: &str) -> Command {
    let tests = std::env::current_exe().unwrap();
    Command::new(tests.parent().unwrap().with_file_name("examples").join(name))
}

/// All solvers find the same, and what a balance of moments says.
#[test]
fn the_rotor_ends_where_weight_and_inertia_balance_whatever_the_solvers() {
    assert!(ROTOR.lines().count() <= 80);
    let output = example("rotor_on_stop").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let numbers = |line: &str| line.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    let found: Vec<Vec<f64>> = text.lines().map(numbers).collect();
    let [first, second, inflow] = &found[..] else { panic!("{found:?}") };
    // Ω² sin β (m l e + (m l² + I_z − I_x) cos β) + m g l cos β = ½ ρ c a Ω² (c/2) sin β ∫ (e + s cos β) s ds about the hinge at e, the
    // centre of mass l further out; the blade that droops turns about its span too, which the three-quarter chord feels.
    let (m, l, e, chord) = (91.0, 3.6, 0.289, 0.537);
    let moment = |beta: f64| {
        let inertia = m * l * e + (m * l * l + 392.0) * beta.cos();
        let integral = |s: f64| e * s * s / 2.0 + beta.cos() * s * s * s / 3.0;
        let span = integral(7.4 - e) - integral(2.08 - e);
        let air = 0.5 * 1.225 * chord * 6.0 * 0.5 * chord * span;
        36.0 * beta.sin() * (inertia - air) + m * 9.81 * l * beta.cos()
    };
    let (mut low, mut high) = (-0.1_f64, 0.0_f64);
    while high - low > 1e-12 {
        let middle = 0.5 * (low + high);
        if moment(middle) > 0.0 { high = middle } else { low = middle }
    }
    let level = low.to_degrees();
    for found in [first, second] {
        assert!((found[1] - level).abs() < 1e-5, "{found:?} in place of {level}");
    }
    // Both rules are of order two; the step is 1e-3 s.
    assert!((first[0] - second[0]).abs() < 5e-6, "{first:?} {second:?} {inflow:?}");
    // The inflow takes lift from the falling blade: it hits sooner.
    assert!(inflow[0] < first[0] - 1e-3, "{first:?} {second:?} {inflow:?}");
}

/// A crate of its own with the one dependency: its programs are those of the README, and its tests say what they print.
#[test]
fn the_programs_of_the_readme_run_in_a_crate_of_their_own() {
    let folder = root().join("examples/as-a-library");
    let program =
        |name: &str| fs::read_to_string(folder.join("src/bin").join(name).with_extension("rs")).unwrap();
    let quoted: Vec<&str> =
        README.split("```rust\n").skip(1).map(|after| after.split_once("```").unwrap().0).collect();
    let names = ["bouncing_ball", "two_masses", "pendulum_stop", "stiffness_study"];
    for block in &quoted {
        assert!(
            names.iter().any(|name| program(name) == *block),
            "no program of examples/as-a-library:\n{block}"
        );
    }
    assert!(quoted.contains(&program("two_masses").as_str()), "the README must quote two_masses.rs");
    for (name, most) in [("pendulum_stop", 12), ("stiffness_study", 8), ("bouncing_ball", 9)] {
        let text = program(name);
        let (_, main) = text.split_once("fn main() ").unwrap();
        let lines = main.lines().count() - 2;
        assert!(lines <= most, "{name}: {lines} lines");
        assert!(
            main.lines().all(|line| line.matches(';').count() <= 1 + 2 * line.matches("; 3]").count()),
            "{name}"
        );
    }

    // The versions of the workspace, so that nothing need be fetched.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--quiet"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .envs([
            ("CARGO_PROFILE_DEV_OPT_LEVEL", "0"),
            ("CARGO_PROFILE_DEV_DEBUG", "false"),
            ("CARGO_INCREMENTAL", "0"),
        ])
        .output()
        .unwrap();
    let [out, error] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{out}{error}");
}

/// The front page of the crate shows the same program.
#[test]
fn the_front_page_shows_a_program_of_the_readme() {
    let page: Vec<&str> = FRONT_PAGE.lines().filter_map(|line| line.strip_prefix("//!")).collect();
    let page: Vec<&str> = page.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    assert!(page.join("\n").contains(&format!("```\n{TWO_MASSES}```")));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
