//! Reads beams, and makes bodies of their nodes.

use std::collections::BTreeMap;

use cosimo_multibody::spatial::{Beam, SectionQuantity, SectionStiffness, TableSections};

use crate::kinds::multibody::beam::{beam, negative, node, with_table};
use crate::kinds::multibody::spec::{
    BeamSpec, PortPlaceSpec, SectionSpec, SectionTablesSpec, SectionsSpec, SpatialBodySpec, SpatialPortSpec,
};
use crate::kinds::orientation::{UPRIGHT, orientation};
use crate::kinds::rigid_body::BodyPortShape;
use crate::toml::{Choice, Mirror, Names, Placement, Reader, Value, find};

/// Quantities that sections need.
const NEEDED: [&str; 6] = ["mass", "second_moment_y", "axial", "torsion", "bending_y", "bending_z"];

/// How many elements a beam may have: each node is a body.
const ELEMENTS: &str = "at least 1 and at most 10000";

/// Beams as read.
pub(super) struct Beams {
    pub(super) list: Vec<BeamSpec>,
    /// How each is mirrored.
    mirrors: Vec<Mirror>,
    /// Frame ports at the nodes of those that have them.
    pub(super) ports: Vec<SpatialPortSpec>,
}

/// Reads every `[[subsystem.beam]]`; its nodes are added to the bodies.
pub(super) fn read_beams(
    reader: &Reader<'_>,
    (bodies, mirrors): (&mut Vec<SpatialBodySpec>, &mut Vec<Mirror>),
    names: &mut Names,
) -> Beams {
    let mut beams = Beams { list: Vec::new(), mirrors: Vec::new(), ports: Vec::new() };
    reader.tables("beam", |entry| {
        let mistakes = entry.log().error_count();
        let spec = read_beam(entry, names, (&beams.list, &beams.mirrors));
        let has_ports = entry.truth("ports").or(false);
        let first = bodies.len();
        if entry.log().error_count() == mistakes {
            add_nodes(entry, &spec, bodies);
        } else {
            bodies.push(unreadable());
        }
        mirrors.resize(bodies.len(), entry.placement().mirror().of_beam());
        if has_ports {
            beams.ports.extend((first..bodies.len()).map(|body| node_port(&spec.name, body, body - first)));
        }
        beams.list.push(spec);
        beams.mirrors.push(entry.placement().mirror());
    });
    beams
}

/// The frame of a node as a port.
fn node_port(beam: &str, body: usize, node: usize) -> SpatialPortSpec {
    let place = PortPlaceSpec::Body { body, point: [0.0; 3], shape: BodyPortShape::Frame(UPRIGHT) };
    SpatialPortSpec { name: format!("{beam}_{node}"), place }
}

fn read_beam(reader: &Reader<'_>, names: &mut Names, earlier: (&[BeamSpec], &[Mirror])) -> BeamSpec {
    let name = reader.name(names);
    let model = read_like(reader, earlier);
    let damping = reader.number("damping").not_negative();
    let (stations, sections, damping) = match model {
        Some(model) => {
            for key in ["stations", "length", "elements", "section", "tables"] {
                reader.forbid(key, "does not go with `like`, which takes it from the other beam");
            }
            (model.stations.clone(), model.sections.clone(), damping.or(model.damping))
        }
        None if reader.has("like") => (Vec::new(), SectionsSpec::Uniform(SectionSpec::default()), 0.0),
        None => (read_stations(reader), read_sections(reader), damping.or(0.0)),
    };
    BeamSpec {
        name,
        origin: reader.point("origin"),
        orientation: read_beam_orientation(reader),
        stations,
        sections,
        damping,
        velocity: reader.direction("velocity").or([0.0; 3]),
        angular_velocity: reader.axis("angular_velocity").or([0.0; 3]),
    }
}

/// The orientation of a beam, which is mirrored across its own `y` axis.
fn read_beam_orientation(reader: &Reader<'_>) -> [f64; 4] {
    let turned = |placement: Placement, turn| placement.orientation(turn, placement.mirror().of_beam());
    orientation(reader).placed(turned).or(turned(reader.placement(), UPRIGHT))
}

/// The beam above whose stations, sections and damping are taken.
fn read_like<'b>(
    reader: &Reader<'_>,
    (earlier, mirrors): (&'b [BeamSpec], &[Mirror]),
) -> Option<&'b BeamSpec> {
    let named = |value: &Value<'_>| {
        let names: Vec<&str> = earlier.iter().map(|beam| beam.name.as_str()).collect();
        let name = value.text()?;
        let known = names.iter().position(|own| *own == name);
        known.or_else(|| find(value.log, &value.span(), "beam above named", name, &names))
    };
    let index = reader.entry("like", "the name of a beam above", named).optional()?;
    if mirrors[index].is_some() != reader.placement().mirror().is_some() {
        let message =
            format!("beam `{}` is no model for its mirror image, whose sections differ", earlier[index].name);
        reader.log().error_with_help(&reader.span("like"), message, "give the sections in the template");
    }
    earlier.get(index)
}

/// The bodies of the nodes; what is wrong with the beam as a whole is reported at its header.
fn add_nodes(reader: &Reader<'_>, spec: &BeamSpec, bodies: &mut Vec<SpatialBodySpec>) {
    let refuse = |error: String| reader.log().error(&reader.header(), error);
    match beam(spec).map(|beam| beam.bodies()) {
        Ok(Ok(nodes)) => bodies.extend(nodes.iter().map(node)),
        Ok(Err(error)) => {
            refuse(error.to_string());
            bodies.push(unreadable());
        }
        Err(error) => {
            refuse(format!("beam `{}`: {error}", spec.name));
            bodies.push(unreadable());
        }
    }
}

/// A placeholder for nodes that are not known: it may be what a name refers to.
fn unreadable() -> SpatialBodySpec {
    SpatialBodySpec {
        name: String::new(),
        mass: 1.0,
        inertia: crate::spec::MatrixSpec::Diagonal(vec![1.0; 3]),
        centre_of_mass: [0.0; 3],
        position: [0.0; 3],
        orientation: UPRIGHT,
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        shapes: Vec::new(),
    }
}

/// `stations`, or `length` in as many equal parts as `elements` says.
fn read_stations(reader: &Reader<'_>) -> Vec<f64> {
    if reader.has("stations") {
        for key in ["length", "elements"] {
            reader.forbid(key, "does not go with `stations`");
        }
        let expected = "a list of at least two stations that increase";
        return reader.entry("stations", expected, increasing).required();
    }
    let length = reader.number("length").positive().required_option();
    let elements = reader.count("elements").check(ELEMENTS, |count| (1..=10_000).contains(count));
    let elements = elements.required_option();
    match (length, elements) {
        (Some(length), Some(elements)) => Beam::even(0.0, length, elements as usize),
        _ => Vec::new(),
    }
}

fn increasing(value: &Value<'_>) -> Option<Vec<f64>> {
    let stations = value.numbers()?;
    if stations.len() < 2 {
        value.error("needs at least two stations, the ends of the beam");
        return None;
    }
    let items = value.items("a list of stations")?;
    let wrong = stations.windows(2).position(|pair| !(pair[1] > pair[0]));
    if let Some(index) = wrong {
        let (before, found) = (stations[index], stations[index + 1]);
        items[index + 1]
            .error(format_args!("is {found:?}, must be greater than the station before, {before:?}"));
        return None;
    }
    Some(stations)
}

/// `section` or `tables`.
fn read_sections(reader: &Reader<'_>) -> SectionsSpec {
    match (reader.has("section"), reader.has("tables")) {
        (true, false) => SectionsSpec::Uniform(reader.section("section", read_section).unwrap_or_default()),
        (false, true) => SectionsSpec::Tables(reader.section("tables", read_tables).unwrap_or_default()),
        _ => {
            let message = format!("{} must have either a `section` or `tables`", reader.what());
            let help = "[subsystem.beam.section] with mass, second_moment, axial, torsion and bending";
            reader.log().error_with_help(&reader.header(), message, help);
            SectionsSpec::Uniform(SectionSpec::default())
        }
    }
}

fn read_section(reader: &Reader<'_>) -> SectionSpec {
    let sign = if reader.placement().mirror().is_some() { -1.0 } else { 1.0 };
    let along_y = |[y, z]: [f64; 2]| [sign * y, z];
    let [yy, zz, yz]: [f64; 3] = reader.vector("second_moment").required();
    let axial = reader.number("axial").positive().required();
    let both_positive = |key| {
        let entry = reader.vector::<2>(key);
        entry.check("two positive numbers", |both| both.iter().all(|x| *x > 0.0))
    };
    let stiffness = SectionStiffness {
        axial,
        shear: both_positive("shear").or([axial; 2]),
        torsion: reader.number("torsion").positive().required(),
        bending: both_positive("bending").required(),
        principal_angle: sign * reader.number("principal_angle").or(0.0),
        tension_centre: along_y(reader.vector("tension_centre").or([0.0; 2])),
        shear_centre: along_y(reader.vector("shear_centre").or([0.0; 2])),
    };
    SectionSpec {
        mass: reader.number("mass").positive().required(),
        centre: along_y(reader.vector("centre").or([0.0; 2])),
        second_moment: [yy, zz, sign * yz],
        stiffness,
    }
}

fn read_tables(reader: &Reader<'_>) -> SectionTablesSpec {
    let chord = reader.number("chord").positive().optional();
    let inertia_floor = reader.number("inertia_floor").not_negative().or(0.0);
    let own = chord.map_or_else(TableSections::new, |chord| TableSections::new().with_chord(chord));
    let mut tables = BTreeMap::new();
    for (key, quantity) in SectionQuantity::all() {
        let read = |value: &Value<'_>| {
            let given = value.text()?;
            let is_turned = value.log.placement(&value.span()).mirror().is_some() && quantity.is_odd_in_y();
            let text = if is_turned { negative(given) } else { given.to_owned() };
            match with_table(own.clone(), (&quantity, &text)) {
                Ok(_) => Some((quantity, text)),
                Err(error) => {
                    value.error(format_args!("is no table of this quantity: {error}"));
                    None
                }
            }
        };
        let entry = reader.entry(key, "a table as text, `r0_m,r1_m,NAME_UNIT_at_r0,NAME_UNIT_at_r1`", read);
        tables.extend(if NEEDED.contains(&key) { entry.required_option() } else { entry.optional() });
    }
    SectionTablesSpec { chord, inertia_floor, tables }
}
