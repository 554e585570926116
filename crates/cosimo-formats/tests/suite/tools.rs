//! Other tools.

use std::path::Path;
use std::process::Command;

/// Runs a script of `tests/python` that needs these modules on a folder; fails if it does.
#[track_caller]
pub(crate) fn python(script: &str, modules: &[&str], folder: &Path) {
    let imports = modules.iter().map(|module| format!("import {module}\n")).collect::<String>();
    let has = Command::new("python3").args(["-c", &imports]).output();
    if !has.is_ok_and(|output| output.status.success()) {
        return missing(&format!("python3 does not have all of {}", modules.join(", ")));
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(script);
    succeeds(Command::new("python3").arg(script).arg(folder));
}

/// Runs a script of `tests/node` that needs a module on a file; fails if it does.
#[track_caller]
pub(crate) fn node(script: &str, module: &str, file: &Path) {
    let has = Command::new("node").args(["-e", &format!("require('{module}')")]).output();
    if !has.is_ok_and(|output| output.status.success()) {
        return missing(&format!("node does not have {module} (NODE_PATH)"));
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node").join(script);
    succeeds(Command::new("node").arg(script).arg(file));
}

/// A test is skipped without its tool, and fails where tools are required.
#[track_caller]
fn missing(what: &str) {
    let is_required = std::env::var_os("COSIMO_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(!is_required, "{what}, and COSIMO_REQUIRE_TOOLS=1");
}

#[track_caller]
fn succeeds(command: &mut Command) {
    let output = command.output().unwrap();
    let texts = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{}\n{}\n{}", output.status, texts[0], texts[1]);
}
