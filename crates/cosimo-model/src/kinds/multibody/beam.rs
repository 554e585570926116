//! A beam as the multibody library takes it.

use cosimo_multibody::spatial::{
    Beam, Body, Section, SectionInertia, SectionQuantity, SectionTableError, SpanTable, TableSections,
};
use nalgebra::{DMatrix, Matrix2, Vector3};

use super::spec::{BeamSpec, SectionSpec, SectionTablesSpec, SectionsSpec, SpatialBodySpec};
use crate::kinds::rotation;
use crate::spec::MatrixSpec;
use crate::toml::Choice;

/// The beam.
pub(super) fn beam(spec: &BeamSpec) -> Result<Beam, SectionTableError> {
    let frame = (spec.origin, rotation(spec.orientation));
    let beam = match &spec.sections {
        SectionsSpec::Uniform(uniform) => Beam::straight(&spec.name, frame, &spec.stations, section(uniform)),
        SectionsSpec::Tables(tables) => {
            Beam::straight(&spec.name, frame, &spec.stations, table_sections(tables)?)
        }
    };
    let spin = Vector3::from(spec.angular_velocity);
    let at_world_origin = Vector3::from(spec.velocity) - spin.cross(&Vector3::from(spec.origin));
    Ok(beam.with_damping(spec.damping).moving(at_world_origin.into(), spec.angular_velocity))
}

fn section(spec: &SectionSpec) -> Section {
    let [yy, zz, yz] = spec.second_moment;
    let second_moment = Matrix2::new(yy, yz, yz, zz);
    let inertia = SectionInertia { mass: spec.mass, centre: spec.centre.into(), second_moment };
    Section { stiffness: spec.stiffness.matrix(), inertia, twist: 0.0 }
}

fn table_sections(spec: &SectionTablesSpec) -> Result<TableSections, SectionTableError> {
    let start = TableSections::new().with_inertia_floor(spec.inertia_floor);
    let start = spec.chord.map_or_else(|| start.clone(), |chord| start.clone().with_chord(chord));
    spec.tables.iter().try_fold(start, with_table)
}

/// With one table more.
pub(super) fn with_table(
    sections: TableSections,
    (quantity, text): (&SectionQuantity, &String),
) -> Result<TableSections, SectionTableError> {
    sections.with_table(*quantity, &SpanTable::read(&quantity.name(), text)?, "")
}

/// A table of stations with the values of the other sign.
pub(super) fn negative(text: &str) -> String {
    let line = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let numbers: Option<Vec<f64>> = fields.iter().map(|field| field.trim().parse().ok()).collect();
        match numbers.as_deref() {
            Some([from, to, values @ ..]) => {
                let values: Vec<_> = values.iter().map(|value| format!("{:?}", 0.0 - value)).collect();
                format!("{from:?},{to:?},{}", values.join(","))
            }
            _ => line.to_owned(),
        }
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

/// A node of a beam as a body among others.
pub(super) fn node(body: &Body) -> SpatialBodySpec {
    let (inertia, q) = (body.properties.inertia(), body.orientation);
    let spin = q * body.angular_velocity;
    SpatialBodySpec {
        name: body.name.clone(),
        mass: body.properties.mass(),
        inertia: MatrixSpec::Full(DMatrix::from_fn(3, 3, |i, j| inertia[(i, j)])),
        centre_of_mass: body.centre_of_mass.into(),
        position: body.position.into(),
        orientation: [q.w, q.i, q.j, q.k],
        velocity: body.velocity.into(),
        angular_velocity: spin.into(),
        shapes: Vec::new(),
    }
}
