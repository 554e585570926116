//! What an archive holds, and what is refused.

use std::path::Path;

use cosimo_fmi_export::{
    Causality, ExportError, ExportedVariable, FmiVersion, UnitDescription, Value, Variability, write_fmu,
};

use crate::exported::{export, oscillator};

fn names(path: &Path) -> Vec<(String, u32)> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    let entries = (0..archive.len()).map(|index| {
        let entry = archive.by_index(index).unwrap();
        (entry.name().to_owned(), entry.unix_mode().unwrap() & 0o777)
    });
    entries.collect()
}

#[test]
fn an_archive_holds_what_the_standard_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("oscillator.fmu");
    let (arch, system) = (std::env::consts::ARCH, std::env::consts::OS);
    let own = |platform: &str| format!("binaries/{platform}/oscillator.{}", std::env::consts::DLL_EXTENSION);
    let common = [
        ("resources/cosimo-fmu.txt", 0o644),
        ("resources/cosimo-fmi-test-server", 0o755),
        ("resources/models/model.txt", 0o644),
    ];
    let common = common.map(|(name, mode)| (name.to_owned(), mode));
    let description = ("modelDescription.xml".to_owned(), 0o644);
    export(&path, FmiVersion::V3);
    let terminals = ("terminalsAndIcons/terminalsAndIcons.xml".to_owned(), 0o644);
    let binary = (own(&format!("{arch}-{system}")), 0o755);
    let expected: Vec<_> =
        [description.clone(), terminals, binary].into_iter().chain(common.clone()).collect();
    assert_eq!(names(&path), expected);
    export(&path, FmiVersion::V2);
    if (arch, system) == ("x86_64", "linux") {
        let expected: Vec<_> = [description, (own("linux64"), 0o755)].into_iter().chain(common).collect();
        assert_eq!(names(&path), expected);
    }
    // Nothing is left besides.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn exports_are_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = [1, 2].map(|_| {
        let path = folder.path().join("oscillator.fmu");
        export(&path, FmiVersion::V3);
        std::fs::read(path).unwrap()
    });
    assert!(bytes[0] == bytes[1]);
}

/// The error of an export.
fn refused(unit: &UnitDescription, payload: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("refused.fmu");
    let payload: Vec<_> = payload.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
    let server = std::env::current_exe().unwrap();
    let error = write_fmu(&path, FmiVersion::V2, unit, &server, &[], &payload).unwrap_err();
    assert!(!path.exists());
    error.to_string()
}

#[test]
fn descriptions_that_do_not_fit_together_are_refused() {
    let with = |variable: ExportedVariable| {
        let mut unit = oscillator();
        unit.variables.push(variable);
        refused(&unit, &[])
    };
    let real = |name: &str, causality| ExportedVariable::new(name, causality, Value::Real(0.0));
    let new = |causality| real("new", causality);
    assert!(with(real("time", Causality::Input)).contains("can be no name"));
    assert!(with(real("a\nb", Causality::Input)).contains("can be no name"));
    assert!(with(real("force", Causality::Input)).contains("two variables are called `force`"));
    assert!(with(real("state[2]", Causality::Input)).contains("two variables are called `state[2]`"));
    assert!(with(new(Causality::Input).with_variability(Variability::Fixed)).contains("variability"));
    assert!(with(new(Causality::Output).depending_on(&[3])).contains("no input"));
    assert!(with(new(Causality::Output).depending_on(&[99])).contains("no input"));
    assert!(with(ExportedVariable::vector("new", Causality::Input, Vec::new())).contains("start value"));
    let integer = ExportedVariable::new("new", Causality::Output, Value::Integer(1));
    assert!(with(integer.clone().with_unit("m")).contains("units"));
    assert!(with(integer.with_variability(Variability::Continuous)).contains("continuous"));
    let identifier = UnitDescription { identifier: "1.a".to_owned(), ..oscillator() };
    assert!(refused(&identifier, &[]).contains("identifier"));
    assert_eq!(UnitDescription::new("1. Träger").identifier, "_1__Tr_ger");
}

#[test]
fn files_stay_in_the_folder_of_resources() {
    let server = std::env::current_exe().unwrap();
    let server = server.file_name().unwrap().to_str().unwrap();
    for name in ["../a", "/a", "a//b", "", "a/./b", "cosimo-fmu.txt", server, "a\\b"] {
        assert!(refused(&oscillator(), &[name]).contains("can be no file"), "{name}");
    }
    assert!(refused(&oscillator(), &["a", "a"]).contains("can be no file"));
}

#[test]
fn an_export_that_fails_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("oscillator.fmu");
    std::fs::write(&path, "before").unwrap();
    let missing = folder.path().join("missing");
    let error = write_fmu(&path, FmiVersion::V3, &oscillator(), &missing, &[], &[]).unwrap_err();
    assert!(matches!(error, ExportError::File { .. }), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "before");
}
