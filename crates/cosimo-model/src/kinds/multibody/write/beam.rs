//! Writes beams.

use crate::kinds::multibody::spec::{BeamSpec, QUANTITIES, SectionSpec, SectionTablesSpec, SectionsSpec};
use crate::write::Writer;

pub(super) fn write_beam(beam: &BeamSpec, writer: &mut Writer) {
    writer.section("[[subsystem.beam]]");
    writer.entry("name", &beam.name);
    writer.entry("origin", beam.origin);
    writer.entry("orientation", beam.orientation);
    writer.entry("stations", beam.stations.clone());
    writer.entry("damping", beam.damping);
    writer.entry("velocity", beam.velocity);
    writer.entry("angular_velocity", beam.angular_velocity);
    match &beam.sections {
        SectionsSpec::Uniform(section) => write_section(section, writer),
        SectionsSpec::Tables(tables) => write_tables(tables, writer),
    }
}

fn write_section(section: &SectionSpec, writer: &mut Writer) {
    writer.section("[subsystem.beam.section]");
    writer.entry("mass", section.mass);
    writer.entry("centre", section.centre);
    writer.entry("second_moment", section.second_moment);
    writer.entry("axial", section.axial);
    writer.entry("shear", section.shear);
    writer.entry("torsion", section.torsion);
    writer.entry("bending", section.bending);
    writer.entry("principal_angle", section.principal_angle);
    writer.entry("tension_centre", section.tension_centre);
    writer.entry("shear_centre", section.shear_centre);
}

fn write_tables(tables: &SectionTablesSpec, writer: &mut Writer) {
    writer.section("[subsystem.beam.tables]");
    if let Some(chord) = tables.chord {
        writer.entry("chord", chord);
    }
    writer.entry("inertia_floor", tables.inertia_floor);
    for table in &tables.tables {
        let key = QUANTITIES.iter().find(|(_, own, _)| *own == table.quantity);
        if let Some((key, ..)) = key {
            writer.entry(key, &table.text);
        }
    }
}
