//! Reads forces between bodies, and loads over time.

use cosimo_multibody::spatial::PenaltyLaw;
use serde::{Deserialize, Serialize};

use super::bodies::Bodies;
use super::joint::{check_angle, check_line, nowhere};
use super::place::{Axes, Sense, read_place};
use super::signal::read_signal;
use crate::kinds::Start;
use crate::kinds::multibody::geometry::Geometry;
use crate::kinds::multibody::spec::{
    FilmSpec, ForceLaw, ForceSpec, LoadActionSpec, LoadAxes, LoadSizeSpec, PlaceSpec, Side, SpatialLoadSpec,
};
use crate::kinds::multibody::turns::{counted, settle_stops};
use crate::spec::{Coordinates, MatrixSpec, check_semidefinite, read_size};
use crate::toml::{Choice, Names, Placement, Reader};

/// Type of a force.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ForceType {
    #[default]
    Spring,
    TorsionSpring,
    Bushing,
    NonSymmetricBushing,
    Bearing,
    SpherePlane,
    SphereSphere,
    Stop,
    LinearActuator,
    RotaryActuator,
}

impl ForceType {
    fn axes(self) -> Axes {
        match self {
            Self::Spring | Self::SphereSphere | Self::LinearActuator => Axes::None,
            Self::SpherePlane => Axes::FirstAxis,
            Self::TorsionSpring | Self::Stop | Self::RotaryActuator => Axes::AxisAndX,
            Self::Bushing | Self::NonSymmetricBushing | Self::Bearing => Axes::Optional,
        }
    }
}

impl ForceType {
    fn sense(self) -> Sense {
        let turns = matches!(self, Self::TorsionSpring | Self::Stop | Self::RotaryActuator);
        if turns { Sense::Turn } else { Sense::Slide }
    }
}

/// Sign of a force (k < 3) or moment along an axis of a frame whose `y` axis a mirror turns round.
fn in_mirrored_frame(k: usize) -> f64 {
    [1.0, -1.0, 1.0, -1.0, 1.0, -1.0][k]
}

/// Name of a penalty law.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LawName {
    #[default]
    KelvinVoigt,
    Hertz,
    HuntCrossley,
    LankaraniNikravesh,
    Flores,
}

/// Reads every `[[subsystem.force]]`; after a mistake it may have gaps.
pub(super) fn read_forces(
    reader: &Reader<'_>,
    bodies: &Bodies<'_>,
    names: &mut Names,
    start: &Start,
) -> Vec<ForceSpec> {
    let mut given = Vec::new();
    let forces = reader.tables("force", |force| {
        let name = force.name(names);
        let Some(kind) = force.choice::<ForceType>("type").required_option() else {
            force.abandon();
            return None;
        };
        let place = read_place(force, bodies, (kind.axes(), kind.sense()));
        if let Some(place) = &place {
            match kind.axes() {
                Axes::None => check_line(force, bodies, place),
                Axes::AxisAndX => check_angle(force, bodies, place),
                _ => {}
            }
        }
        let law = match kind {
            ForceType::LinearActuator => ForceLaw::LinearActuator(read_signal(force, names)),
            ForceType::RotaryActuator => ForceLaw::RotaryActuator(read_signal(force, names)),
            _ => read_force_law(force, bodies, kind, place.as_ref(), start)?,
        };
        given.push(force.has("turns"));
        Some(ForceSpec { name, law, place: place.unwrap_or_else(nowhere) })
    });
    let mut forces: Vec<ForceSpec> = forces.into_iter().flatten().collect();
    settle_stops(&mut forces, &given, bodies.list);
    forces
}

fn read_force_law(
    force: &Reader<'_>,
    bodies: &Bodies<'_>,
    kind: ForceType,
    place: Option<&PlaceSpec>,
    start: &Start,
) -> Option<ForceLaw> {
    let guess = place.map(|place| Geometry::of(bodies.list, place));
    // What is projected starts elsewhere.
    let at_start =
        |number: fn(&Geometry) -> f64| (!start.is_projected).then(|| guess.as_ref().map_or(0.0, number));
    if !matches!(kind, ForceType::TorsionSpring | ForceType::Stop) {
        force.forbid("turns", "belongs to forces of type \"torsion-spring\" and \"stop\"");
    }
    let turns = force.integer("turns").or(0);
    Some(match kind {
        ForceType::LinearActuator | ForceType::RotaryActuator => return None,
        ForceType::Spring => ForceLaw::Spring {
            stiffness: force.number("stiffness").not_negative().required(),
            damping: force.number("damping").not_negative().or(0.0),
            length: force.number("length").not_negative().optional().or(at_start(|start| start.distance)),
            preload: force.number("preload").or(0.0),
        },
        ForceType::TorsionSpring => ForceLaw::TorsionSpring {
            stiffness: force.number("stiffness").not_negative().required(),
            damping: force.number("damping").not_negative().or(0.0),
            angle: {
                let ahead = |angle| counted(angle, turns);
                force.number("angle").optional().or(at_start(|start| start.angle).map(ahead))
            },
            turns,
        },
        ForceType::Bushing => ForceLaw::Bushing {
            stiffness: read_matrix(force, "stiffness").required_option().unwrap_or_else(zero),
            damping: read_matrix(force, "damping").or(zero()),
        },
        ForceType::NonSymmetricBushing => ForceLaw::NonSymmetricBushing {
            stiffness: read_any_matrix(force, "stiffness", 6).required_option().unwrap_or_else(zero),
            damping: read_any_matrix(force, "damping", 6).or(zero()),
        },
        ForceType::Bearing => {
            if force.placement().mirror().is_some() {
                let message = format!(
                    "{} is in a mirrored instance, where its shaft would turn backwards",
                    force.what()
                );
                force.log().error_with_help(
                    &force.header(),
                    message,
                    "place the instance by `orientation` alone",
                );
            }
            ForceLaw::Bearing { film: read_film(force) }
        }
        ForceType::SpherePlane => ForceLaw::SpherePlane {
            radius: force.number("radius").not_negative().or(0.0),
            law: read_penalty(force)?,
        },
        ForceType::SphereSphere => {
            ForceLaw::SphereSphere { radii: read_radii(force), law: read_penalty(force)? }
        }
        ForceType::Stop => ForceLaw::Stop {
            limit: force.number("limit").required(),
            side: force.choice("side").or(Side::Upper),
            law: read_penalty(force)?,
            turns,
        },
    })
}

/// Reads the radii of two spheres.
pub(super) fn read_radii(reader: &Reader<'_>) -> [f64; 2] {
    let are_right = |radii: &[f64; 2]| radii.iter().all(|r| *r >= 0.0);
    reader.vector("radii").check("two radii that are zero or positive", are_right).required()
}

fn zero() -> MatrixSpec {
    MatrixSpec::Diagonal(vec![0.0; 6])
}

fn read_matrix<'r, 'a>(force: &'r Reader<'a>, key: &'static str) -> crate::toml::Entry<'r, 'a, MatrixSpec> {
    force
        .entry(key, "a list of six numbers, or of six rows", |value| {
            Coordinates::indexed(Some(6)).checked_matrix(value, check_semidefinite)
        })
        .placed(mirrored)
}

/// A matrix over the axes of a frame, of a mirrored instance.
fn mirrored(placement: Placement, matrix: MatrixSpec) -> MatrixSpec {
    if placement.mirror().is_some() {
        return matrix.mirrored(|i, j| in_mirrored_frame(i) * in_mirrored_frame(j));
    }
    matrix
}

fn read_any_matrix<'r, 'a>(
    reader: &'r Reader<'a>,
    key: &'static str,
    size: usize,
) -> crate::toml::Entry<'r, 'a, MatrixSpec> {
    let expected = if size == 6 {
        "a list of six numbers, or of six rows"
    } else {
        "a list of three numbers, or of three rows"
    };
    reader
        .entry(key, expected, |value| Coordinates::indexed(Some(size)).checked_matrix(value, |_, _| {}))
        .placed(mirrored)
}

/// Reads the matrices of a film: those of every speed, or a table over it, `film`.
fn read_film(force: &Reader<'_>) -> Vec<FilmSpec> {
    let read = |reader: &Reader<'_>, speed: f64| {
        let zero = || MatrixSpec::Diagonal(vec![0.0; 3]);
        let stiffness = read_any_matrix(reader, "stiffness", 3).required_option().unwrap_or_else(zero);
        FilmSpec { speed, stiffness, damping: read_any_matrix(reader, "damping", 3).or(zero()) }
    };
    if !force.has("film") {
        return vec![read(force, 0.0)];
    }
    for key in ["stiffness", "damping"] {
        force.forbid(key, "belongs to the entries of `film`");
    }
    let mut last = f64::NEG_INFINITY;
    let film = force.tables("film", |station| {
        let ascends = |speed: &f64| *speed > last;
        let speed = station.number("speed").check("greater than the one before", ascends).required();
        last = speed;
        read(station, speed)
    });
    if film.is_empty() {
        force.log().error(&force.span("film"), "film is empty, must have an entry or more");
    }
    film
}

/// Reads `law` and its parameters; parameters of other laws are mistakes.
fn read_penalty(force: &Reader<'_>) -> Option<PenaltyLaw> {
    let Some(name) = force.choice::<LawName>("law").required_option() else {
        force.abandon();
        return None;
    };
    let forbid = |key| force.forbid(key, &format!("does not belong to law = \"{}\"", name.name()));
    let stiffness = force.number("stiffness").positive().required();
    if name == LawName::KelvinVoigt {
        forbid("exponent");
        forbid("restitution");
        let damping = force.number("damping").not_negative().required();
        return Some(PenaltyLaw::KelvinVoigt { stiffness, damping });
    }
    forbid("damping");
    let exponent = force.number("exponent").check("at least 1", |exponent| *exponent >= 1.0).or(1.5);
    if name == LawName::Hertz {
        forbid("restitution");
        return Some(PenaltyLaw::Hertz { stiffness, exponent });
    }
    let restitution = force.number("restitution").within(0.0, 1.0);
    let restitution = match name {
        LawName::Flores => restitution
            .check("in (0, 1] with the law of Flores", |e| *e > 0.0)
            .check("2.3e-308 or more with the law of Flores", |e| e.is_normal()),
        _ => restitution,
    };
    let restitution = restitution.required();
    Some(match name {
        LawName::HuntCrossley => PenaltyLaw::HuntCrossley { stiffness, exponent, restitution },
        LawName::LankaraniNikravesh => PenaltyLaw::LankaraniNikravesh { stiffness, exponent, restitution },
        _ => PenaltyLaw::Flores { stiffness, exponent, restitution },
    })
}

/// Reads every `[[subsystem.load]]`.
pub(super) fn read_loads(
    reader: &Reader<'_>,
    bodies: &Bodies<'_>,
    names: &mut Names,
) -> Vec<SpatialLoadSpec> {
    reader.tables("load", |load| {
        let body = bodies.names().moving(load);
        let axes = load.choice("axes").or(LoadAxes::World);
        SpatialLoadSpec {
            body,
            action: read_action(load, bodies, (body, axes)),
            axes,
            size: read_load_size(load, names),
        }
    })
}

/// A function of time, or a signal.
fn read_load_size(load: &Reader<'_>, names: &mut Names) -> LoadSizeSpec {
    if load.has("signal") {
        return LoadSizeSpec::Signal(read_signal(load, names));
    }
    LoadSizeSpec::Known(read_size(load))
}

fn read_action(load: &Reader<'_>, bodies: &Bodies<'_>, (body, axes): (usize, LoadAxes)) -> LoadActionSpec {
    if load.has("moment_axis") {
        load.forbid("point", "has no effect on a moment");
        load.forbid("direction", "is that of a force; give either `direction` or `moment_axis`");
        let placed = |placement: Placement, axis| match axes {
            LoadAxes::World => placement.axis(axis),
            LoadAxes::Body => bodies.mirror(body, &placement).axis(axis),
        };
        return LoadActionSpec::Moment {
            axis: load.vector("moment_axis").nonzero().placed(placed).required(),
        };
    }
    let placed = |placement: Placement, direction| match axes {
        LoadAxes::World => placement.direction(direction),
        LoadAxes::Body => bodies.mirror(body, &placement).direction(direction),
    };
    LoadActionSpec::Force {
        point: bodies.in_body(load, body, "point").unwrap_or_default(),
        direction: load.vector("direction").nonzero().placed(placed).required(),
    }
}
