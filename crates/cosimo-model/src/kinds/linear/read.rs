//! Reads a linear system.

use super::tangents::read_tangents;
use super::{
    EliminationSpec, LinearBodySpec, LinearConstraintSpec, LinearContactSpec, LinearLoadSpec, LinearPortSpec,
    LinearSpec, LinearSpringSpec, SpringEnds,
};
use crate::kinds::contact_law::read_law;
use crate::kinds::shape::read_shapes;
use crate::kinds::{ParsedModel, Start};
use crate::spec::{Coordinates, MatrixSpec, RowSpec, check_mass, check_not_negative, read_size};
use crate::toml::{Names, Reader, Value, every, is_name};

/// Reads the keys of a linear system.
pub(crate) fn read(reader: &Reader<'_>, _start: &Start) -> ParsedModel<LinearSpec> {
    let names = read_coordinate_names(reader);
    let has_names = names.is_some();
    let coordinates = names.unwrap_or_else(|| Coordinates::indexed(count_of_mass(reader)));
    let angles = read_angles(reader, &coordinates);
    let linear = LinearSpec {
        mass: read_mass(reader, &coordinates, has_names),
        stiffness: read_matrix(reader, "stiffness", &coordinates),
        damping: read_matrix(reader, "damping", &coordinates),
        force: read_vector(reader, "force", &coordinates),
        gravity: reader.number("gravity").or(0.0),
        position: read_vector(reader, "position", &coordinates),
        velocity: read_vector(reader, "velocity", &coordinates),
        elimination: read_elimination(reader),
        springs: reader.tables("spring", |spring| read_spring(spring, &coordinates)),
        loads: reader.tables("load", |load| LinearLoadSpec {
            direction: read_direction(load, &coordinates),
            size: read_size(load),
        }),
        constraints: read_constraints(reader, &coordinates),
        contacts: read_contacts(reader, (&coordinates, &angles)),
        ports: read_ports(reader, &coordinates),
        bodies: read_bodies(reader, &coordinates),
        angles,
        coordinates: coordinates.into_names(),
    };
    let has_all_names = !linear.coordinates.is_empty()
        && linear.constraints.iter().all(|constraint| !constraint.name.is_empty())
        && linear.contacts.iter().all(has_all_quantities)
        && linear.ports.iter().all(|port| !port.name.is_empty());
    ParsedModel { kind: linear, has_all_names }
}

/// Reads every `[[subsystem.body]]`.
fn read_bodies(reader: &Reader<'_>, coordinates: &Coordinates) -> Vec<LinearBodySpec> {
    let mut names = Names::new();
    reader.tables("body", |body| {
        let own = LinearBodySpec {
            name: body.name(&mut names),
            coordinate: body.entry("coordinate", "a coordinate", |value| coordinates.index(value)).required(),
            position: body.vector("position").or([0.0; 3]),
            direction: body.vector("direction").nonzero().or([0.0, 0.0, 1.0]),
            shapes: read_shapes(body),
        };
        if !body.has("shape") {
            let help = "add [[subsystem.body.shape]], such as type = \"sphere\" and radius = 0.1";
            body.log().error_with_help(&body.header(), format!("{} has no shape", body.what()), help);
        }
        own
    })
}

/// Whether the quantities of a contact are known in spite of mistakes.
fn has_all_quantities(contact: &LinearContactSpec) -> bool {
    !contact.name.is_empty() && (contact.law.friction == 0.0 || !contact.tangents.is_empty())
}

/// The coordinates if the file names them.
fn read_coordinate_names(reader: &Reader<'_>) -> Option<Coordinates> {
    let value = reader.value("coordinates")?;
    Some(Coordinates::named(names_in(&value)))
}

fn names_in(value: &Value<'_>) -> Option<Vec<String>> {
    let items = value.items("a list of names")?;
    let mut names = Names::new();
    let read = every(items.iter().map(|item| {
        let name = item.text()?;
        if !is_name(name) {
            let rule = "must be made of letters, digits, `_` and `-`, and not of digits alone";
            item.error(format_args!("is \"{name}\", {rule}"));
            return None;
        }
        names.claim(item.log, name, &item.span());
        Some(name.to_owned())
    }))?;
    if read.is_empty() {
        value.error("is empty, must have at least one entry");
        return None;
    }
    refuse_velocities(&items, &read);
    Some(read)
}

/// Refuses names that velocities of others have.
fn refuse_velocities(items: &[Value<'_>], names: &[String]) {
    for item in items {
        if let Some(of) = item.as_text().and_then(|name| name.strip_prefix("v_"))
            && names.iter().any(|name| name == of)
        {
            item.error(format_args!("is `v_{of}`, which is the name of the velocity of `{of}`"));
        }
    }
}

/// The coordinates that are angles, in increasing order.
fn read_angles(reader: &Reader<'_>, coordinates: &Coordinates) -> Vec<usize> {
    let read = |value: &Value<'_>| {
        let items = value.items("a list of coordinates")?;
        let mut found = every(items.iter().map(|item| coordinates.index(item)))?;
        found.sort_unstable();
        found.dedup();
        Some(found)
    };
    reader.entry("angles", "a list of coordinates", read).or(Vec::new())
}

/// How many coordinates the mass is written for, without checking it.
fn count_of_mass(reader: &Reader<'_>) -> Option<usize> {
    let mass = reader.value("mass")?;
    let count = match mass.member("count") {
        Some(count) => count.as_count()? as usize,
        None => mass.as_list()?.len(),
    };
    (1..=MOST_COORDINATES).contains(&count).then_some(count)
}

/// Where a number of coordinates is taken for a slip rather than a model: its dense matrices fill the memory.
const MOST_COORDINATES: usize = 20_000;

fn read_mass(reader: &Reader<'_>, coordinates: &Coordinates, has_names: bool) -> MatrixSpec {
    let expected = "a list (the diagonal), a list of rows, or { count = …, uniform = … }";
    let read = |value: &Value<'_>| {
        if coordinates.count().is_none() && !has_names {
            explain_unknown_count(value);
        }
        coordinates.checked_matrix(value, check_mass)
    };
    reader.entry("mass", expected, read).required_option().unwrap_or(MatrixSpec::Diagonal(Vec::new()))
}

/// Records why the mass does not give the number of coordinates, unless that is recorded on the way.
fn explain_unknown_count(value: &Value<'_>) {
    let count = value.member("count").and_then(|count| count.as_count());
    if value.as_list().is_some_and(|list| list.is_empty()) {
        value.error("is empty, must have at least one entry");
    } else if value.is_number() {
        value.error(
            "is one number, but the number of coordinates is not known: give `coordinates`, or a list",
        );
    } else if value.as_list().is_some() || count.is_some_and(|count| count > 0) {
        value.error(format_args!("is for too many coordinates, at most {MOST_COORDINATES} are possible"));
    } else if value.as_table().is_some() && value.member("count").is_none() {
        value.error("has no `count`, and there are no `coordinates`: give one of them");
    }
}

fn read_matrix(reader: &Reader<'_>, key: &'static str, coordinates: &Coordinates) -> MatrixSpec {
    let read = |value: &Value<'_>| coordinates.checked_matrix(value, check_not_negative);
    let zero = MatrixSpec::Diagonal(vec![0.0; coordinates.count().unwrap_or(0)]);
    reader.entry(key, "a matrix", read).or(zero)
}

fn read_vector(reader: &Reader<'_>, key: &'static str, coordinates: &Coordinates) -> Vec<f64> {
    let zero = vec![0.0; coordinates.count().unwrap_or(0)];
    reader.entry(key, "a vector", |value| coordinates.vector(value)).or(zero)
}

fn read_elimination(reader: &Reader<'_>) -> Option<EliminationSpec> {
    let elimination = reader.section("elimination", |table| EliminationSpec {
        alpha: table.number("alpha").not_negative().or(5.0),
        beta: table.number("beta").not_negative().or(5.0),
        project_impulses: table.truth("project_impulses").or(true),
    })?;
    if !reader.has("constraint") {
        let message = "elimination has no effect: there is no [[subsystem.constraint]]";
        reader.log().warning(&reader.span("elimination"), message, "remove it, or add a constraint");
    }
    Some(elimination)
}

fn read_spring(spring: &Reader<'_>, coordinates: &Coordinates) -> LinearSpringSpec {
    LinearSpringSpec {
        ends: read_spring_ends(spring, coordinates).unwrap_or(SpringEnds::Ground(0)),
        stiffness: spring.number("stiffness").not_negative().required(),
        damping: spring.number("damping").not_negative().or(0.0),
        rest: spring.number("rest").or(0.0),
    }
}

fn read_spring_ends(spring: &Reader<'_>, coordinates: &Coordinates) -> Option<SpringEnds> {
    let ends = spring.exactly_one_of(["between", "ground", "chain"])?;
    if ends.label == "ground" {
        return coordinates.index(&ends).map(SpringEnds::Ground);
    }
    let [first, second] = coordinates.indices(&ends)?;
    if ends.label == "chain" {
        if first >= second {
            ends.error("runs backwards, must be [first, last] with first before last");
        }
        return Some(SpringEnds::Chain(first, second));
    }
    if first == second {
        ends.error("joins a coordinate to itself");
    }
    Some(SpringEnds::Between(first, second))
}

/// The direction of a load, given by `coordinate` or by `direction`.
fn read_direction(load: &Reader<'_>, coordinates: &Coordinates) -> RowSpec {
    let direction = load.exactly_one_of(["coordinate", "direction"]).and_then(|direction| {
        let is_row = direction.label == "direction";
        if is_row { coordinates.row(&direction) } else { coordinates.index(&direction).map(RowSpec::unit) }
    });
    direction.unwrap_or_default()
}

fn read_row(reader: &Reader<'_>, coordinates: &Coordinates) -> RowSpec {
    let expected = "weights by coordinate, as { 0 = -1.0, 1 = 1.0 } or a list of one per coordinate";
    reader.entry("row", expected, |value| coordinates.row(value)).required()
}

fn read_constraints(reader: &Reader<'_>, coordinates: &Coordinates) -> Vec<LinearConstraintSpec> {
    let mut names = Names::new();
    reader.tables("constraint", |constraint| LinearConstraintSpec {
        name: constraint.name(&mut names),
        row: read_row(constraint, coordinates),
        value: constraint.number("value").or(0.0),
    })
}

fn read_contacts(reader: &Reader<'_>, known: (&Coordinates, &[usize])) -> Vec<LinearContactSpec> {
    let mut names = Names::new();
    reader.tables("contact", |contact| {
        let law = read_law(contact);
        let row = read_row(contact, known.0);
        LinearContactSpec {
            name: contact.name(&mut names),
            tangents: read_tangents(contact, known, (&row, &law)),
            row,
            offset: contact.number("offset").or(0.0),
            law,
        }
    })
}

fn read_ports(reader: &Reader<'_>, coordinates: &Coordinates) -> Vec<LinearPortSpec> {
    let mut names = Names::new();
    reader.tables("port", |port| LinearPortSpec {
        name: port.name(&mut names),
        rows: read_port_rows(port, coordinates),
    })
}

/// The rows of a port, of which unreadable ones are empty so that the size of the port is known; none if it is not.
fn read_port_rows(port: &Reader<'_>, coordinates: &Coordinates) -> Vec<RowSpec> {
    let Some(value) = port.exactly_one_of(["coordinates", "rows"]) else { return Vec::new() };
    let are_rows = value.label == "rows";
    let expected = if are_rows { "a list of rows" } else { "a list of coordinates" };
    let row = |item: &Value<'_>| {
        if are_rows { coordinates.row(item) } else { coordinates.index(item).map(RowSpec::unit) }
    };
    let items = value.items(expected).unwrap_or_default();
    let rows: Vec<RowSpec> = items.iter().map(|item| row(item).unwrap_or_default()).collect();
    if value.as_list().is_some() && !matches!(rows.len(), 1 | 3 | 6) {
        value.wrong_length(rows.len(), 1, ", 3 or 6");
        return Vec::new();
    }
    rows
}
