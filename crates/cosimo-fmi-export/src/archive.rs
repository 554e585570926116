//! The FMU: an archive with everything in it.

use std::collections::BTreeSet;
use std::env::consts::{ARCH, DLL_EXTENSION, OS};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::check::check;
use crate::description::{FmiVersion, UnitDescription};
use crate::description_xml::{model_description, terminals_and_icons};
use crate::error::ExportError;
use crate::layout::add_to;
use crate::protocol::{SHEET_FILE, Sheet};

/// The binary of all FMUs.
const SHIM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/shim"));

/// Writes an FMU for this machine. It is there as a whole or not at all.
///
/// The FMU runs `server`, an executable, with `arguments`, in which `{resources}` stands for the folder that holds the files of
/// `payload`, names and contents. The server must give a unit with the variables of the description to
/// [`serve_host`](crate::serve_host).
///
/// # Errors
///
/// If the description does not fit together, a name or an argument cannot be stored, or a file cannot be read or written.
pub fn write_fmu(
    path: &Path,
    version: FmiVersion,
    unit: &UnitDescription,
    server: &Path,
    arguments: &[String],
    payload: &[(String, Vec<u8>)],
) -> Result<(), ExportError> {
    check(unit)?;
    if SHIM.is_empty() {
        return Err(ExportError::Platform);
    }
    let name = server_name(server)?;
    check_payload(name, payload)?;
    let sheet = sheet(version, unit, name, arguments, payload)?;
    let at = |path: &Path| {
        let path = path.to_path_buf();
        move |error| ExportError::File { path, error }
    };
    let mut executable = File::open(server).map_err(at(server))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    public(&mut builder);
    let file = builder.prefix(".fmu").tempfile_in(folder).map_err(at(folder))?;
    let mut archive = Archive(ZipWriter::new(file));
    let written = write_entries(&mut archive, version, unit, &sheet, &mut executable, payload);
    written.and_then(|()| archive.0.finish().map_err(io::Error::from)).map_err(at(path)).and_then(
        |file| {
            file.persist(path)
                .map_err(|error| ExportError::File { path: path.to_path_buf(), error: error.error })
        },
    )?;
    Ok(())
}

/// Lets files have the permissions that new files usually have.
fn public(builder: &mut tempfile::Builder<'_, '_>) {
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    let _ = builder;
}

fn write_entries(
    archive: &mut Archive<impl Write + io::Seek>,
    version: FmiVersion,
    unit: &UnitDescription,
    sheet: &Sheet,
    server: &mut File,
    payload: &[(String, Vec<u8>)],
) -> io::Result<()> {
    archive.add("modelDescription.xml", model_description(version, unit, &sheet.token).as_bytes(), 0o644)?;
    if version == FmiVersion::V3
        && let Some(terminals) = terminals_and_icons(unit)
    {
        archive.add("terminalsAndIcons/terminalsAndIcons.xml", terminals.as_bytes(), 0o644)?;
    }
    let binary = format!("binaries/{}/{}.{DLL_EXTENSION}", platform(version), unit.identifier);
    archive.add(&binary, SHIM, 0o755)?;
    archive.add(&format!("resources/{SHEET_FILE}"), sheet.write().as_bytes(), 0o644)?;
    archive.add(&format!("resources/{}", sheet.server), server, 0o755)?;
    payload
        .iter()
        .try_for_each(|(name, content)| archive.add(&format!("resources/{name}"), content.as_slice(), 0o644))
}

/// An archive that is being written. Nothing in it tells when.
struct Archive<W: Write + io::Seek>(ZipWriter<W>);

impl<W: Write + io::Seek> Archive<W> {
    fn add(&mut self, name: &str, mut content: impl io::Read, permissions: u32) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .unix_permissions(permissions)
            .large_file(false);
        self.0.start_file(name, options)?;
        io::copy(&mut content, &mut self.0).map(|_| ())
    }
}

/// Name of the folder of binaries for this machine. FMI 2 knows few; others have the name of FMI 3.
fn platform(version: FmiVersion) -> String {
    let system = if OS == "macos" { "darwin" } else { OS };
    match (version, ARCH) {
        (FmiVersion::V2, "x86_64") => format!("{system}64"),
        (FmiVersion::V2, "x86") => format!("{system}32"),
        _ => format!("{ARCH}-{system}"),
    }
}

fn server_name(server: &Path) -> Result<&str, ExportError> {
    let name = server.file_name().and_then(|name| name.to_str()).filter(|name| is_file_name(name));
    name.ok_or_else(|| ExportError::Server(PathBuf::from(server)))
}

fn is_file_name(name: &str) -> bool {
    !matches!(name, "" | "." | ".." | SHEET_FILE)
        && !name.contains(|letter: char| letter.is_control() || letter == '\\')
}

/// Files stay in the folder of resources and do not overwrite each other.
fn check_payload(server: &str, payload: &[(String, Vec<u8>)]) -> Result<(), ExportError> {
    let mut taken = BTreeSet::from([server]);
    for (name, _) in payload {
        if !name.split('/').all(is_file_name) || !taken.insert(name) {
            return Err(ExportError::Payload(name.clone()));
        }
    }
    Ok(())
}

/// What the shim must know, with the token: a hash of all that makes the unit what it is.
fn sheet(
    version: FmiVersion,
    unit: &UnitDescription,
    server: &str,
    arguments: &[String],
    payload: &[(String, Vec<u8>)],
) -> Result<Sheet, ExportError> {
    if let Some(argument) = arguments.iter().find(|argument| argument.contains(['\n', '\r'])) {
        return Err(ExportError::Argument(argument.clone()));
    }
    let mut sheet = Sheet { server: server.to_owned(), arguments: arguments.to_vec(), ..Sheet::default() };
    add_to(&mut sheet, unit, version == FmiVersion::V3);
    let mut hash = Xxh3::new();
    let texts = [model_description(version, unit, ""), sheet.write()];
    let files = payload.iter().flat_map(|(name, content)| [name.as_bytes(), content]);
    for part in texts.iter().map(String::as_bytes).chain(files) {
        hash.update(&part.len().to_le_bytes());
        hash.update(part);
    }
    let digits = format!("{:032x}", hash.digest128());
    let groups = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    sheet.token = format!("{{{}}}", groups.join("-"));
    Ok(sheet)
}
