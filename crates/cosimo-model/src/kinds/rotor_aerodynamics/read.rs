//! Reads the air on a rotor: the fields of [`RotorSpec`] are the keys, each read by serde.

use cosimo_aerodynamics::Air;
use cosimo_aerodynamics::inflow::{InflowModel, Rotation};
use cosimo_aerodynamics::spec::{AirfoilSpec, BladeSpec, GroundSpec, RotorSpec, SpecError, WindSpec};

use super::{RotorAerodynamicsSpec, complete};
use crate::kinds::{ParsedModel, Start};
use crate::toml::Reader;

/// How many blades a rotor may have.
const BLADES: &str = "at least 1 and at most 100";

/// Reads the air on a rotor.
pub(crate) fn read(reader: &Reader<'_>, _start: &Start) -> ParsedModel<RotorAerodynamicsSpec> {
    let mistakes = reader.log().error_count();
    let rotor = read_rotor(reader);
    if reader.log().error_count() > mistakes {
        return ParsedModel { kind: RotorAerodynamicsSpec::broken(rotor), has_all_names: false };
    }
    match RotorAerodynamicsSpec::new(rotor.clone()) {
        Ok(kind) => ParsedModel { kind, has_all_names: true },
        Err(error) => {
            let key = if rotor.wind.build().is_err() { "wind" } else { key_of(&error) };
            reader.log().error(&reader.span(key), format!("{}: {error}", reader.what()));
            ParsedModel { kind: RotorAerodynamicsSpec::broken(rotor), has_all_names: false }
        }
    }
}

/// Reads the keys of a rotor.
pub(crate) fn read_rotor(reader: &Reader<'_>) -> RotorSpec {
    let placeholder = || BladeSpec::straight(vec![0.0, 1.0], [0.0, 1.0], 1.0, AirfoilSpec::Formula);
    let blade = reader.entry("blade", "a table: stations, span, chord, airfoils, …", complete::blade);
    RotorSpec {
        blades: reader.count("blades").check(BLADES, |count| (1..=100).contains(count)).required() as usize,
        blade: blade.required_option().unwrap_or_else(placeholder),
        radius: reader.number("radius").positive().required(),
        nominal_speed: reader.number("nominal_speed").positive().required(),
        rotation: reader.choice("rotation").or(Rotation::default()),
        axis: reader.vector("axis").nonzero().or([0.0, 0.0, 1.0]),
        reference: reader.vector("reference").nonzero().optional(),
        air: reader.data("air", "{ density = …, sound_speed = … }").or(Air::default()),
        inflow: reader.choice("inflow").or(InflowModel::default()),
        tip_loss: reader.truth("tip_loss").or(false),
        stall_time_constant: reader.number("stall_time_constant").positive().optional(),
        wagner: reader.truth("wagner").or(false),
        ground: reader.data::<GroundSpec>("ground", "{ up = …, height = … }").optional(),
        wind: reader.entry("wind", "{ kind = …, … }", complete::wind).or(WindSpec::default()),
        records_sections: reader.truth("records_sections").or(false),
    }
}

/// The key that a mistake is about; one that is no key stands for the whole subsystem.
fn key_of(error: &SpecError) -> &'static str {
    match error {
        SpecError::OutOfRange { parameter, .. } | SpecError::Direction { parameter } => parameter,
        SpecError::Blade(_) | SpecError::Airfoil { .. } => "blade",
        SpecError::GroundOfAnnuli => "ground",
        SpecError::WindTable(_) => "wind",
        _ => "kind",
    }
}
