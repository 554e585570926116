//! Systems of FMUs (SSP): read, written, with mistakes, random and damaged.

#![cfg(test)]
mod damaged;
mod errors;
mod levels;
mod parameters;
mod round_trip;
mod units;

use std::io::{Cursor, Write};

use cosimo_fmi::ssp::{Outline, SspError, System};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Attributes of all root elements.
const NAMES: &str = "xmlns:ssd='http://ssp-standard.org/SSP1/SystemStructureDescription' \
    xmlns:ssc='http://ssp-standard.org/SSP1/SystemStructureCommon' \
    xmlns:ssv='http://ssp-standard.org/SSP1/SystemStructureParameterValues' \
    xmlns:ssm='http://ssp-standard.org/SSP1/SystemStructureParameterMapping' version='2.0' name='file'";

/// A description whose system has this within, with what comes after the system.
fn description(system: &str, after: &str) -> String {
    format!(
        "<ssd:SystemStructureDescription {NAMES}>\n<ssd:System name='root'>\n{system}\n</ssd:System>\n{after}\n\
         </ssd:SystemStructureDescription>"
    )
}

/// A parameter set.
fn set(parameters: &str) -> String {
    format!("<ssv:ParameterSet {NAMES}><ssv:Parameters>{parameters}</ssv:Parameters></ssv:ParameterSet>")
}

/// A connector of a type.
fn connector(name: &str, kind: &str, value_type: &str) -> String {
    format!("<ssd:Connector name='{name}' kind='{kind}'>{value_type}</ssd:Connector>\n")
}

/// A component with an FMU and connectors.
fn component(name: &str, connectors: &str) -> String {
    format!(
        "<ssd:Component name='{name}' source='resources/a.fmu'><ssd:Connectors>{connectors}</ssd:Connectors></ssd:Component>\n"
    )
}

/// A connection; ends are `element.connector` or `connector`.
fn connection(start: &str, end: &str, inner: &str) -> String {
    let end_of = |prefix: &str, text: &str| match text.split_once('.') {
        Some((element, connector)) => format!("{prefix}Element='{element}' {prefix}Connector='{connector}'"),
        None => format!("{prefix}Connector='{text}'"),
    };
    format!("<ssd:Connection {} {}>{inner}</ssd:Connection>\n", end_of("start", start), end_of("end", end))
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, contents) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(contents).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Opens an archive of these files and an FMU.
fn open(files: &[(&str, &str)]) -> Result<System, SspError> {
    let files: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    open_bytes(&zip(&[&files[..], &[("resources/a.fmu", b"fmu")]].concat()))
}

fn open_bytes(bytes: &[u8]) -> Result<System, SspError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("the.ssp");
    std::fs::write(&path, bytes).unwrap();
    System::open(path)
}

/// Opens a system without other files.
fn open_one(system: &str, after: &str) -> Result<System, SspError> {
    open(&[("SystemStructure.ssd", &description(system, after))])
}

/// The connections as `from > to`, sorted.
fn connections(outline: &Outline) -> Vec<String> {
    let name = |end: &cosimo_fmi::ssp::Endpoint| {
        format!("{}.{}", outline.components[end.component].name, end.connector)
    };
    let all = outline.connections.iter();
    let mut all: Vec<_> = all
        .map(|connection| {
            let how =
                connection.transformation.as_ref().map(|how| format!(" by {how:?}")).unwrap_or_default();
            format!("{} > {}{how}", name(&connection.from), name(&connection.to))
        })
        .collect();
    all.sort();
    all
}

/// The parameters as `component.name = value`.
fn values(outline: &Outline) -> Vec<String> {
    let all = outline.components.iter().flat_map(|component| {
        component.parameters.iter().map(move |parameter| {
            let unit = parameter.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
            format!("{}.{} = {:?}{unit}", component.name, parameter.name, parameter.value)
        })
    });
    all.collect()
}

/// The findings as one text.
fn findings(system: &System) -> String {
    system.findings.iter().map(|finding| format!("{finding}\n")).collect()
}
