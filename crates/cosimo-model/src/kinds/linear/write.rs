//! Writes a linear system.

use super::{LinearSpec, LinearSpringSpec, SpringEnds};
use crate::kinds::contact_law::write_law;
use crate::spec::RowSpec;
use crate::write::{Literal, Writer, list, matrix, uniform, write_time_table};

/// Writes the keys of a linear system, then its tables.
pub(super) fn write(linear: &LinearSpec, writer: &mut Writer) {
    writer.entry("coordinates", &linear.coordinates);
    let angles: Vec<&str> = linear.angles.iter().map(|&index| name(linear, index)).collect();
    writer.entry("angles", angles);
    writer.raw("mass", &matrix(&linear.mass));
    writer.raw("stiffness", &matrix(&linear.stiffness));
    writer.raw("damping", &matrix(&linear.damping));
    writer.raw("force", &uniform(&linear.force));
    writer.entry("gravity", linear.gravity);
    writer.raw("position", &uniform(&linear.position));
    writer.raw("velocity", &uniform(&linear.velocity));
    if let Some(elimination) = &linear.elimination {
        writer.section("[subsystem.elimination]");
        writer.entry("alpha", elimination.alpha);
        writer.entry("beta", elimination.beta);
        writer.entry("project_impulses", elimination.project_impulses);
    }
    for spring in &linear.springs {
        write_spring(linear, spring, writer);
    }
    for load in &linear.loads {
        writer.section("[[subsystem.load]]");
        match load.direction.as_unit() {
            Some(index) => writer.entry("coordinate", name(linear, index)),
            None => writer.raw("direction", &row(linear, &load.direction)),
        }
        write_time_table(&load.table, writer);
    }
    for constraint in &linear.constraints {
        writer.section("[[subsystem.constraint]]");
        writer.entry("name", &constraint.name);
        writer.raw("row", &row(linear, &constraint.row));
        writer.entry("value", constraint.value);
    }
    for contact in &linear.contacts {
        writer.section("[[subsystem.contact]]");
        writer.entry("name", &contact.name);
        writer.raw("row", &row(linear, &contact.row));
        writer.entry("offset", contact.offset);
        write_law(&contact.law, writer);
        if !contact.tangents.is_empty() {
            writer.raw("tangents", &list(contact.tangents.iter().map(|weights| row(linear, weights))));
        }
    }
    for port in &linear.ports {
        writer.section("[[subsystem.port]]");
        writer.entry("name", &port.name);
        let coordinates: Option<Vec<&str>> =
            port.rows.iter().map(|row| row.as_unit().map(|index| name(linear, index))).collect();
        match coordinates {
            Some(coordinates) => writer.entry("coordinates", coordinates),
            None => writer.raw("rows", &list(port.rows.iter().map(|weights| row(linear, weights)))),
        }
    }
}

fn write_spring(linear: &LinearSpec, spring: &LinearSpringSpec, writer: &mut Writer) {
    writer.section("[[subsystem.spring]]");
    match spring.ends {
        SpringEnds::Between(first, second) => {
            writer.entry("between", [name(linear, first), name(linear, second)])
        }
        SpringEnds::Ground(index) => writer.entry("ground", name(linear, index)),
        SpringEnds::Chain(first, last) => writer.entry("chain", [name(linear, first), name(linear, last)]),
    }
    writer.entry("stiffness", spring.stiffness);
    writer.entry("damping", spring.damping);
    writer.entry("rest", spring.rest);
}

fn name(linear: &LinearSpec, index: usize) -> &str {
    linear.coordinates.get(index).map_or("", String::as_str)
}

fn row(linear: &LinearSpec, row: &RowSpec) -> String {
    let weights = row.entries.iter();
    let entries: Vec<String> =
        weights.map(|(index, weight)| format!("{} = {}", name(linear, *index), weight.literal())).collect();
    format!("{{ {} }}", entries.join(", "))
}
