//! Other hosts: FMPy and libcosim, each where `python3` has it. `COSIMO_REQUIRE_FMI=1` requires both.

use std::path::Path;
use std::process::Command;

use cosimo_fmi_export::FmiVersion;

use crate::exported::export;

/// Whether Python can import a module.
fn has(module: &str) -> bool {
    let import = Command::new("python3").args(["-c", &format!("import {module}")]).output();
    import.is_ok_and(|output| output.status.success())
}

/// Runs a script of this folder on FMUs of both versions.
fn run(script: &str) {
    let folder = tempfile::Builder::new().prefix("FMU für 100% ").tempdir().unwrap();
    let paths = [FmiVersion::V2, FmiVersion::V3].map(|version| {
        let path = folder.path().join(format!("oscillator {version:?}.fmu"));
        export(&path, version);
        path
    });
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fmus").join(script);
    let output = Command::new("python3").arg(script).args(paths).current_dir(folder.path()).output().unwrap();
    let texts = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{}\n{}\n{}", output.status, texts[0], texts[1]);
}

fn is_required() -> bool {
    std::env::var_os("COSIMO_REQUIRE_FMI").is_some_and(|value| value == "1")
}

#[test]
fn fmpy_validates_and_simulates() {
    if has("fmpy") || is_required() {
        run("with_fmpy.py");
    } else {
        eprintln!("FMPy is not installed: FMUs are not tested with it");
    }
}

#[test]
fn libcosim_simulates() {
    if has("libcosimpy") || is_required() {
        run("with_libcosim.py");
    } else {
        eprintln!("libcosimpy is not installed: FMUs are not tested with it");
    }
}
