//! Writing of systems.

mod check;
mod parameters;
mod structure;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::error::{SspError, SspProblem};
use super::load::STRUCTURE;
use super::outline::{Outline, SspVersion};
use super::xml::{Attribute, Xml};
use crate::archive::ArchiveProblem;
use crate::description::Unit;

/// File of the parameters.
const PARAMETERS: &str = "resources/parameters.ssv";

/// Writes a system as an archive (`.ssp`) with its FMUs and a file of its parameters. Read again, it is the same, but for
/// what SSP cannot express: units without base units are left out, and real parameters take the unit of their connector.
///
/// # Errors
///
/// If an FMU cannot be read, the archive cannot be written, or the system contradicts itself or its version of SSP.
pub fn write(path: impl AsRef<Path>, outline: &Outline) -> Result<(), SspError> {
    let path = path.as_ref();
    let failed = |problem| SspError::in_file(path.display(), problem);
    check::check(outline).map_err(failed)?;
    let files = resources(outline).map_err(failed)?;
    let mut texts = vec![(STRUCTURE, structure::text(outline, &files))];
    if outline.components.iter().any(|component| !component.parameters.is_empty()) {
        texts.push((PARAMETERS, parameters::text(outline)));
    }
    if texts.iter().any(|(_, text)| text.contains(super::xml::forbidden)) {
        let why = "a name or a text has a control character, which XML cannot have; remove it".to_owned();
        return Err(failed(SspProblem::Outline { name: outline.name.clone(), why }));
    }
    pack(path, &texts, &files).map_err(failed)
}

/// Paths of the FMUs within the archive.
type Files = BTreeMap<PathBuf, String>;

fn resources(outline: &Outline) -> Result<Files, SspProblem> {
    let mut used = BTreeSet::from([PARAMETERS.to_owned()]);
    let mut files = Files::new();
    for component in &outline.components {
        let source = &component.source;
        if files.contains_key(source) {
            continue;
        }
        let fail = |why: &str| {
            let why = format!("its FMU {} {why}", source.display());
            SspProblem::Outline { name: component.name.clone(), why }
        };
        if source.is_dir() {
            return Err(fail("is a folder; zip what is in it"));
        }
        if !source.is_file() {
            return Err(fail("does not exist; correct the path"));
        }
        let text = |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
        let stem = text(source.file_stem()).unwrap_or_default().replace(['\\', ':'], "_");
        let end = text(source.extension()).map(|end| format!(".{end}")).unwrap_or_default();
        let mut names = std::iter::once(format!("resources/{stem}{end}"))
            .chain((2..=outline.components.len() + 2).map(|count| format!("resources/{stem}_{count}{end}")));
        let name = names.find(|name| !used.contains(name)).unwrap_or_default();
        used.insert(name.clone());
        files.insert(source.clone(), name);
    }
    Ok(files)
}

fn pack(path: &Path, texts: &[(&str, String)], files: &Files) -> Result<(), SspProblem> {
    let zipped = |error| SspProblem::Archive(ArchiveProblem::Zip(error));
    let mut zip = ZipWriter::new(io::BufWriter::new(File::create(path)?));
    for (name, text) in texts {
        zip.start_file(*name, SimpleFileOptions::default()).map_err(zipped)?;
        zip.write_all(text.as_bytes())?;
    }
    for (source, name) in files {
        let mut file = File::open(source)?;
        let large = file.metadata()?.len() >= u32::MAX.into();
        let options =
            SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(large);
        zip.start_file(name.as_str(), options).map_err(zipped)?;
        io::copy(&mut file, &mut zip)?;
    }
    zip.finish().map_err(zipped)?.flush()?;
    Ok(())
}

/// The attributes of a root element.
fn root(outline: &Outline, name: &str, prefix: &str, kind: &str) -> Vec<Attribute<'static>> {
    let namespace = |kind: &str| Some(format!("http://ssp-standard.org/SSP1/SystemStructure{kind}"));
    let prefix = if prefix == "ssd" { "xmlns:ssd" } else { "xmlns:ssv" };
    let version = if outline.version == SspVersion::V1 { "1.0" } else { "2.0" };
    vec![
        (prefix, namespace(kind)),
        ("xmlns:ssc", namespace("Common")),
        ("version", Some(version.to_owned())),
        ("name", Some(name.to_owned())),
        ("generationTool", Some("Cosimo".to_owned())),
    ]
}

fn write_units<'a>(xml: &mut Xml, tag: &str, units: impl Iterator<Item = &'a Unit>) {
    let known: Vec<_> = units.filter_map(|unit| Some((unit, unit.base.as_ref()?))).collect();
    xml.list(tag, &known, |xml, (unit, base)| {
        xml.element("ssc:Unit", &[("name", Some(unit.name.clone()))], |xml| {
            let names = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"].into_iter().zip(base.exponents);
            let exponents = names.filter(|(_, exponent)| *exponent != 0);
            let mut attributes: Vec<_> =
                exponents.map(|(name, exponent)| (name, Some(exponent.to_string()))).collect();
            let differs = |value: f64, default: f64| (value != default).then(|| super::xml::number(value));
            attributes.push(("factor", differs(base.factor, 1.0)));
            attributes.push(("offset", differs(base.offset, 0.0)));
            xml.leaf("ssc:BaseUnit", &attributes);
        });
    });
}
