//! Reads a subsystem of another make.

use super::{NamedUnit, RemoteKindSpec, RemotePortSpec};
use crate::kinds::{ParsedModel, Start};
use crate::toml::{Names, Reader};

/// Reads what the model knows of it.
pub(crate) fn read(reader: &Reader<'_>, _start: &Start) -> ParsedModel<RemoteKindSpec> {
    let mistakes = reader.log().error_count();
    if !reader.has("remote") {
        let message = format!("{} is of another make, and nothing says who serves it", reader.what());
        let help = "add [subsystem.remote] with its address, as in tcp = \"127.0.0.1:7400\"";
        reader.log().error_with_help(&reader.header(), message, help);
    }
    let mut signals = Names::new();
    let spec = RemoteKindSpec {
        inputs: read_names(reader, "input", &mut signals),
        outputs: read_names(reader, "output", &mut signals),
        quantities: read_names(reader, "quantity", &mut Names::new()),
        ports: read_ports(reader),
    };
    ParsedModel { kind: spec, has_all_names: reader.log().error_count() == mistakes }
}

fn read_names(reader: &Reader<'_>, key: &'static str, names: &mut Names) -> Vec<NamedUnit> {
    reader.tables(key, |own| NamedUnit { name: own.name(names), unit: own.text("unit").or(String::new()) })
}

fn read_ports(reader: &Reader<'_>) -> Vec<RemotePortSpec> {
    let mut names = Names::new();
    reader.tables("port", |port| {
        let coordinates = port.count("coordinates").check("1, 3 or 6", |count| [1, 3, 6].contains(count));
        let coordinates = coordinates.required_option().unwrap_or(1);
        let frame = port.truth("frame").or(false);
        if frame && coordinates != 6 {
            let message = format!("a frame has 6 coordinates, not {coordinates}");
            port.log().error(&port.span("frame"), message);
        }
        RemotePortSpec { name: port.name(&mut names), coordinates, frame, load: port.truth("load").or(false) }
    })
}
