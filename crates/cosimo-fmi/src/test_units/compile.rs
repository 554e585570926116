//! The C compiler and the header files.

use crate::binary::Version;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// What units are built with.
#[derive(Debug)]
pub(super) struct Tools {
    compiler: String,
    headers: PathBuf,
}

/// The tools of this system, or what is missing.
pub(super) fn tools() -> Result<&'static Tools, &'static str> {
    static TOOLS: LazyLock<Result<Tools, String>> = LazyLock::new(find);
    TOOLS.as_ref().map_err(String::as_str)
}

/// The folder of the C sources.
pub(super) fn sources() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/units"))
}

fn find() -> Result<Tools, String> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    if !Command::new(&compiler).arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Err(format!("there is no C compiler `{compiler}`"));
    }
    let headers = std::env::var_os("COSIMO_FMI_HEADERS").map(PathBuf::from).or_else(of_python);
    match headers {
        Some(headers)
            if ["fmi2Functions.h", "fmi3Functions.h"].iter().all(|file| headers.join(file).is_file()) =>
        {
            Ok(Tools { compiler, headers })
        }
        _ => Err("the header files of FMI are neither in COSIMO_FMI_HEADERS nor in the Python package fmpy"
            .to_owned()),
    }
}

fn of_python() -> Option<PathBuf> {
    let program = "import importlib.util as u; print(u.find_spec('fmpy').submodule_search_locations[0])";
    let output = Command::new("python3").args(["-c", program]).output().ok()?;
    let folder = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| Path::new(folder.trim()).join("c-code"))
}

impl Tools {
    /// Compiles a unit into a shared library.
    pub(super) fn compile(
        &self,
        unit: &str,
        version: Version,
        defines: &[(&str, &str)],
        library: &Path,
    ) -> Result<(), String> {
        let number = if version == Version::Two { "2" } else { "3" };
        let output = Command::new(&self.compiler)
            .args(["-std=gnu11", "-shared", "-fPIC", "-O2", "-ffp-contract=off"])
            .arg(format!("-DFMI_VERSION={number}"))
            .args(defines.iter().map(|(name, value)| format!("-D{name}={value}")))
            .arg("-I")
            .arg(&self.headers)
            .arg(sources().join(format!("{unit}.c")))
            .arg("-o")
            .arg(library)
            .arg("-lm")
            .output()
            .map_err(|error| error.to_string())?;
        if output.status.success() {
            Ok(())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }
}
