//! The programs of the documentation are those of a crate of its own that depends on `cosimo` alone. What they compute, their
//! doctests show.

use std::fs;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../../README.md");
const FRONT_PAGE: &str = include_str!("../../src/lib.rs");
const GUIDE: &str = include_str!("../../../../docs/reference/subsystem.md");
const EXAMPLE: &str = include_str!("../../examples/own_subsystem.rs");
const TUTORIAL: &str = include_str!("../../../../docs/guide/tutorial.md");
const HAMMER: &str = include_str!("../../examples/spring_hammer.rs");

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

    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().unwrap().with_file_name("examples").join("spring_hammer");
    let output = Command::new(program).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("completed at t = 4 s"));
    assert!(
        fs::read_to_string(folder.path().join("out/brake/results.csv")).unwrap().contains("brake.shaft.load")
    );
}

/// Checked as someone who follows the README would: a package outside the workspace with one dependency.
#[test]
fn the_programs_compile_with_one_dependency() {
    let cosimo = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    // The profile of the workspace: what is checked there need not be checked again.
    let package = "[package]\nname = \"one-dependency\"\nedition = \"2024\"\n[workspace]\n[profile.dev]\nopt-level = 1\n";
    write("Cargo.toml", &format!("{package}[dependencies]\ncosimo = {{ path = {cosimo:?} }}\n"));
    write("src/bin/readme.rs", code_block(README, "```rust\n"));
    write("src/bin/front_page.rs", &front_page());
    write("src/bin/own_subsystem.rs", EXAMPLE);
    write("src/bin/spring_hammer.rs", HAMMER);
    // The versions of the workspace, so that nothing need be fetched.
    fs::copy(cosimo.join("../../Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();

    let output = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--bins", "--quiet"])
        .current_dir(folder.path())
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The text of the first block of code that begins like this.
fn code_block<'a>(document: &'a str, fence: &str) -> &'a str {
    let (_, after) = document.split_once(fence).unwrap();
    after.split_once("```").unwrap().0
}

/// The program on the front page of the crate, as the compiler of doctests completes it.
fn front_page() -> String {
    let page: Vec<&str> = FRONT_PAGE.lines().filter_map(|line| line.strip_prefix("//!")).collect();
    let page: Vec<&str> = page.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let block = page.join("\n");
    let lines = code_block(&block, "```\n").lines().map(|line| line.strip_prefix("# ").unwrap_or(line));
    let body = lines.collect::<Vec<_>>().join("\n");
    format!("fn main() -> Result<(), Box<dyn std::error::Error>> {{\n{body}\n}}\n")
}
