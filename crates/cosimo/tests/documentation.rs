//! The programs of the documentation are those of a crate of its own that depends on `cosimo` alone. What they compute, their
//! doctests show.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../README.md");
const FRONT_PAGE: &str = include_str!("../src/lib.rs");
const GUIDE: &str = include_str!("../../../docs/subsystem.md");
const EXAMPLE: &str = include_str!("../examples/own_subsystem.rs");

#[test]
fn the_guide_quotes_the_example_word_for_word() {
    let quote = format!("```rust\n{EXAMPLE}```\n");
    assert!(GUIDE.ends_with(&quote), "docs/subsystem.md must end with examples/own_subsystem.rs");
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
