//! Compiles the binary of exported FMUs, which the library holds as bytes.

use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// A link to the sources of `cosimo-fmi-shim`; a package holds a copy.
const SOURCES: &str = "shim";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={SOURCES}");
    println!("cargo::rerun-if-changed=build.rs");
    let out = Path::new(&env::var("OUT_DIR")?).join("shim");
    if env::var_os("CARGO_CFG_UNIX").is_none() {
        // Sockets as standard input are of Unix; exports say so.
        return Ok(fs::write(out, [])?);
    }
    let mut rustc = Command::new(env::var("RUSTC")?);
    rustc.args(["--edition", "2024", "--crate-name", "cosimo_fmi_shim", "--crate-type", "cdylib"]);
    rustc.args(["-C", "opt-level=2", "-C", "strip=symbols", "-C", "panic=unwind"]);
    rustc.args(["--target", &env::var("TARGET")?]);
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.arg("-C").arg(format!("linker={linker}"));
    }
    rustc.arg(Path::new(SOURCES).join("lib.rs")).arg("-o").arg(out);
    let status = rustc.status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("the binary of FMUs does not compile: {status}").into())
    }
}
