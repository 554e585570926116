//! What FMUs and systems are written of.

use std::fs;
use std::io::Read;
use std::path::Path;

use cosimo_export::{ExportModelError, ModelUnit, Server, write_model_fmu, write_model_ssp};
use cosimo_fmi_export::FmiVersion;

use super::MODEL;

/// The model with the stiffness of a parameter of the file, which is exported by these paths.
fn with_parameter(paths: &str) -> String {
    let model = MODEL.replace("stiffness = [500.0]", "stiffness = [\"= k\"]");
    let model = model.replace("setpoint = 0.5", "setpoint = 0.5\nintegral = 1.0");
    let own = "[\"mass.stiffness\", \"mass.position\", \"control.proportional\"]";
    model.replace(own, paths) + "[parameters]\nk = 500.0\nname = \"a\"\ntip = { x = 1.0 }\n"
}

#[test]
fn an_fmu_with_parameters_of_the_file_holds_what_the_file_includes() {
    let folder = tempfile::tempdir().unwrap();
    let text = with_parameter("[\"parameters.k\"]");
    let (main, parameters) = text.split_once("[parameters]").unwrap();
    fs::write(folder.path().join("k.toml"), format!("[parameters]{parameters}")).unwrap();
    let text = main.replacen("schema = 1", "schema = 1\ninclude = \"k.toml\"", 1);
    let name = folder.path().join("held.toml").display().to_string();
    let fmu = folder.path().join("held.fmu");
    write_model_fmu(&fmu, FmiVersion::V3, (&name, &text), Path::new("/bin/sh"), &[]).unwrap();
    fs::remove_file(folder.path().join("k.toml")).unwrap();
    let mut archive = zip::ZipArchive::new(fs::File::open(&fmu).unwrap()).unwrap();
    let mut packed = String::new();
    archive.by_name("resources/model.toml").unwrap().read_to_string(&mut packed).unwrap();
    let unit = ModelUnit::new("held", &packed).unwrap();
    assert!(unit.description().variables.iter().any(|own| own.name == "k"), "{packed}");
}

#[test]
fn parameters_that_are_no_numbers_are_told_from_those_that_are_not_there() {
    for (path, found) in [("parameters.name", "\"a\""), ("parameters.tip", "a table")] {
        let error =
            ModelUnit::new("held", &with_parameter(&format!("[\"{path}\"]"))).err().unwrap().to_string();
        let expected = format!(
            "the parameter `{path}` of the export is {found}; it must be a number, true or false, or a list of numbers"
        );
        assert_eq!(error, expected);
    }
    let error = ModelUnit::new("held", &with_parameter("[\"parameters.m\"]")).err().unwrap();
    assert!(matches!(error, ExportModelError::NoEntry { .. }), "{error}");
}

#[test]
fn quantities_that_are_not_there_or_have_the_name_of_a_parameter_are_refused() {
    let error = |paths: &str, quantities: &str| {
        let text = with_parameter(paths).replace("[\"mass.q*\"]", quantities);
        ModelUnit::new("held", &text).err().map(|error| error.to_string())
    };
    let none = error("[]", "[\"mass.nosuch\"]").unwrap();
    assert!(
        none.starts_with("the export names the quantity `mass.nosuch`, and the model has `mass."),
        "{none}"
    );
    assert!(error("[]", "[\"mass.q*\", \"nosuch.*\"]").unwrap().contains("`nosuch.*`"));
    for quantities in ["[\"control.integral\"]", "[\"*\"]"] {
        let twice = error("[\"control.integral\"]", quantities).unwrap();
        assert!(twice.contains("`control.integral` twice, as a parameter and as a quantity"), "{twice}");
        assert_eq!(error("[]", quantities), None);
    }
}

#[test]
fn a_system_refuses_parameters_of_no_subsystem() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server { path: Path::new("/bin/sh"), arguments: &|_| Vec::new() };
    let write = |paths: &str| {
        let text = with_parameter(paths);
        let file = folder.path().join("held.ssp");
        write_model_ssp(&file, FmiVersion::V3, ("held", &text), &server).map_err(Box::new)
    };
    for path in ["parameters.k", "time.end", "mas.stiffness"] {
        let error = write(&format!("[\"mass.position\", \"{path}\"]")).unwrap_err();
        assert!(matches!(&*error, ExportModelError::NotOfSubsystem { name } if name == path), "{error}");
    }
    write("[\"mass.position\", \"subsystem.control.proportional\"]").unwrap();
}
