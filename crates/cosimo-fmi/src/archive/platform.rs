//! Folders of binaries (FMI 2.0.5, 2.3; FMI 3.0.2, 2.5.1.4.1).

use std::env::consts::{ARCH, DLL_EXTENSION, OS};

use crate::description::FmiVersion;

/// The folders within `binaries` that may hold the binary for this machine, the best first: that of FMI 2, and those of FMI 3,
/// which tools use in FMI 2 for machines that it does not know.
pub(super) fn folders(version: FmiVersion) -> Vec<String> {
    let system = if OS == "macos" { "darwin" } else { OS };
    let tuple = format!("{ARCH}-{system}");
    let short = if OS == "windows" { "win" } else { system };
    let bits = usize::BITS;
    match version {
        FmiVersion::V2 if matches!(ARCH, "x86" | "x86_64") => vec![format!("{short}{bits}"), tuple],
        _ => vec![tuple],
    }
}

/// Name of the binary of a model.
pub(super) fn file(model_identifier: &str) -> String {
    format!("{model_identifier}.{DLL_EXTENSION}")
}
