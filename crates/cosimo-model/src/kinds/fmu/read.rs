//! Reads a unit: what its description does not allow is a mistake of the file, at its place.

use std::collections::BTreeMap;
use std::path::PathBuf;

use cosimo_fmi::Fmu;
use cosimo_fmi::unit::{FaceKind, PortOptions, UnitError, UnitOptions, Value as Given};

use super::{Carrier, FmuShape, FmuSpec, Isolation};
use crate::kinds::{ParsedModel, Start};
use crate::toml::{Names, Reader, Value};

/// Reads the keys of a unit.
pub(crate) fn read(reader: &Reader<'_>, start: &Start) -> ParsedModel<FmuSpec> {
    let mistakes = reader.log().error_count();
    let file =
        reader.text("file").required_option().map(|file| reader.log().beside(&reader.span("file"), &file));
    let wanted = reader.choice::<FaceKind>("face").optional();
    let fmu = file.as_ref().and_then(|file| open(reader, file));
    let face = fmu.as_ref().and_then(|fmu| find_face(reader, fmu, wanted));
    let mut spec = FmuSpec {
        file: file.unwrap_or_default(),
        face: face.or(wanted).unwrap_or(FaceKind::CoSimulation),
        isolation: reader.choice("isolation").or(Isolation::default()),
        parameters: read_parameters(reader, fmu.as_ref()),
        quantities: reader.texts("quantities").or(Vec::new()),
        kinetic_energy: reader.text("kinetic_energy").optional(),
        potential_energy: reader.text("potential_energy").optional(),
        terminals: reader.truth("terminals").or(true),
        contacts: reader.choice("contacts").or(Carrier::default()),
        ports: read_ports(reader),
        shape: FmuShape::default(),
    };
    if let Some(fmu) = fmu.filter(|_| reader.log().error_count() == mistakes) {
        match spec.read_shape(&fmu) {
            Ok(shape) => {
                check_carried(reader, &fmu, &spec, &shape);
                if spec.face == FaceKind::CoSimulation {
                    check_steps(reader, &fmu, start);
                }
                spec.shape = shape;
            }
            Err(error) => record(reader, &spec, &error),
        }
    }
    let has_all_names = reader.log().error_count() == mistakes;
    ParsedModel { kind: spec, has_all_names }
}

/// Contacts that the file wants the master to carry, and that cannot be had so.
fn check_carried(reader: &Reader<'_>, fmu: &Fmu, spec: &FmuSpec, shape: &FmuShape) {
    let is_wanted = reader.has("contacts") && spec.contacts == Carrier::Master;
    if is_wanted && !shape.has_contacts && fmu.description().inner_impacts.is_some() {
        let message = "the master cannot carry the contacts of this FMU: that takes FMI 3, terminals of the contacts, and ports by terminals";
        let help = "leave out the ports of the file, or export the FMU anew; contacts = \"unit\" leaves them with it";
        reader.log().error_with_help(&reader.span("contacts"), message.to_owned(), help);
    }
}

/// Relative difference to a whole number that is round-off.
const ROUND_OFF: f64 = 1e-9;

fn is_whole(ratio: f64) -> bool {
    (ratio - ratio.round()).abs() <= ROUND_OFF * ratio.max(1.0) && ratio.round() >= 1.0
}

/// Steps that a unit cannot take: parts of its own, and a last one that is shorter than the others where they have one size.
fn check_steps(reader: &Reader<'_>, fmu: &Fmu, start: &Start) {
    let (Some(face), step) = (&fmu.description().co_simulation, start.longest_step) else { return };
    // Of steps that were not understood nothing more is reported.
    if face.can_handle_variable_step || step <= 0.0 || start.follows_error {
        return;
    }
    let span = reader.span("file");
    let micro = reader.value("micro_steps").filter(Value::is_number).and_then(|value| value.number());
    let own = step / micro.unwrap_or(1.0).max(1.0);
    if let Some(inner) = face.fixed_internal_step_size.filter(|inner| *inner > 0.0 && !is_whole(own / inner))
    {
        let message = format!("the unit takes whole steps of {inner} s, and is to take steps of {own} s");
        reader.log().error_with_help(&span, message, "choose a `step` in [time] that is a multiple of them");
    } else if start.end > start.time && !is_whole((start.end - start.time) / step) {
        let message = format!(
            "the unit takes steps of one size, and the last one, up to {} s, is shorter than {step} s",
            start.end
        );
        let help = "choose an `end` in [time] that whole steps reach, or a unit that can take other steps";
        reader.log().error_with_help(&span, message, help);
    }
}

fn open(reader: &Reader<'_>, file: &PathBuf) -> Option<Fmu> {
    let opened = Fmu::open(file);
    opened.map_err(|error| reader.log().error(&reader.span("file"), error.to_string())).ok()
}

fn find_face(reader: &Reader<'_>, fmu: &Fmu, wanted: Option<FaceKind>) -> Option<FaceKind> {
    let options = UnitOptions { face: wanted, ..UnitOptions::default() };
    let key = if wanted.is_some() { "face" } else { "file" };
    let found = fmu.face(&options).map(|(kind, _)| kind);
    found.map_err(|error| reader.log().error(&reader.span(key), error.to_string())).ok()
}

/// Values by the names of variables, each checked against the description.
fn read_parameters(reader: &Reader<'_>, fmu: Option<&Fmu>) -> BTreeMap<String, Given> {
    const EXPECTED: &str = "a table of values by the names of variables";
    let Some(pairs) = reader.value("parameters").and_then(|table| table.pairs(EXPECTED)) else {
        return BTreeMap::new();
    };
    let mut found = BTreeMap::new();
    for (name, span, value) in pairs {
        let Some(given) = value.data::<Given>() else { continue };
        if let Some(Err(error)) = fmu.map(|fmu| fmu.check_parameter(name, &given)) {
            let is_of_name = matches!(error, UnitError::UnknownVariable { .. });
            let place = if is_of_name { span } else { value.span() };
            reader.log().error(&place, error.to_string());
        }
        found.insert(name.to_owned(), given);
    }
    found
}

fn read_ports(reader: &Reader<'_>) -> Vec<PortOptions> {
    let mut names = Names::new();
    let variables = |port: &Reader<'_>, key: &'static str| {
        let read = |value: &Value<'_>| match value.as_text() {
            Some(name) => Some(vec![name.to_owned()]),
            None => value.texts(),
        };
        port.entry(key, "the name of a variable, or a list of names", read).or(Vec::new())
    };
    reader.tables("port", |port| PortOptions {
        // Terminals and variables of other tools have dots in their names, and so have those of Cosimo.
        name: port.dotted_name(&mut names),
        position: variables(port, "position"),
        velocity: variables(port, "velocity"),
        force: variables(port, "force"),
        orientation: variables(port, "orientation"),
        angular_velocity: variables(port, "angular_velocity"),
        moment: variables(port, "moment"),
    })
}

/// Records what the description does not allow, at the port or key that it is about.
fn record(reader: &Reader<'_>, spec: &FmuSpec, error: &UnitError) {
    let is_energy = |name: &str| {
        [("kinetic_energy", &spec.kinetic_energy), ("potential_energy", &spec.potential_energy)]
            .into_iter()
            .find_map(|(key, own)| (own.as_deref() == Some(name)).then_some(key))
    };
    let key = match error {
        UnitError::UnknownVariable { name, .. } | UnitError::BadVariable { name, .. } => {
            let in_quantities = spec.quantities.contains(name).then_some("quantities");
            is_energy(name).or(in_quantities).unwrap_or("port")
        }
        UnitError::BadPort { .. } | UnitError::Map(_) => "port",
        _ => "file",
    };
    let place = if reader.has(key) { reader.span(key) } else { reader.header() };
    reader.log().error(&place, error.to_string());
}
