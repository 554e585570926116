//! Gears, cams and ropes as the multibody library takes them.

use cosimo_mechanics::{TimeFunction, TimeTable};
use cosimo_multibody::spatial::{Frame, Gear, GearMesh, Rope, SensorKind, SpatialModel, Transfer};

use crate::kinds::body_ref::BodyRef;
use crate::kinds::multibody::geometry::{Geometry, frames};
use crate::kinds::multibody::spec::{
    CamSpec, GearLaw, GearSpec, MeasureSpec, MultibodySpec, PlaceSpec, RopePointSpec, RopeSpec,
};
use crate::kinds::multibody::turns::counted;

/// The model with this gear: exact ones join the sensors, those with losses are elements.
pub(super) fn with_gear(model: SpatialModel, system: &MultibodySpec, spec: &GearSpec) -> SpatialModel {
    // An index out of range gives an empty name, which the model refuses.
    let names = spec.sensors.map(|index| system.sensors.get(index).map_or("", |sensor| &sensor.name));
    let exact = |transfer| Gear::new(&spec.name, names, 1.0).with_transfer(transfer);
    match &spec.law {
        GearLaw::Exact { ratio, offset } => {
            model.with_gear(exact(Transfer::Ratio { ratio: *ratio, offset: *offset }))
        }
        GearLaw::Cam { cam } => model.with_gear(exact(Transfer::Curve(curve(cam)))),
        GearLaw::Lossy { .. } => model,
    }
}

/// The model with the element of a gear that has losses.
pub(super) fn with_mesh(model: SpatialModel, system: &MultibodySpec, spec: &GearSpec) -> SpatialModel {
    let GearLaw::Lossy { ratio, offset, efficiency, stiffness, damping, slip_speed } = spec.law else {
        return model;
    };
    let side = |k: usize| Side::of(system, spec.sensors[k]);
    let (Some(first), Some(second)) = (side(0), side(1)) else { return model };
    let nodes = [first.place, second.place].into_iter().flat_map(|place| frames(&system.bodies, place));
    let mesh = GearMesh {
        coordinates: [first.kind, second.kind],
        turns: [first.turns, second.turns],
        ratio,
        offset: offset.unwrap_or(second.at_start - ratio * first.at_start),
        efficiency,
        stiffness,
        damping,
        slip_speed,
    };
    model.with_element(&spec.name, nodes.collect(), mesh)
}

/// A side of a gear.
struct Side<'a> {
    kind: SensorKind,
    place: &'a PlaceSpec,
    turns: i32,
    at_start: f64,
}

impl<'a> Side<'a> {
    fn of(system: &'a MultibodySpec, sensor: usize) -> Option<Self> {
        let (kind, place, turns) = match &system.sensors.get(sensor)?.measure {
            MeasureSpec::Distance(place) => (SensorKind::Distance, place, 0),
            MeasureSpec::Displacement(place) => (SensorKind::Displacement, place, 0),
            MeasureSpec::Angle { place, turns } => (SensorKind::Angle, place, *turns),
            MeasureSpec::Point { .. } | MeasureSpec::Acceleration { .. } => return None,
        };
        let start = Geometry::of(&system.bodies, place);
        let at_start = match kind {
            SensorKind::Distance => start.distance,
            SensorKind::Displacement => start.displacement,
            _ => counted(start.angle, turns),
        };
        Some(Self { kind, place, turns, at_start })
    }
}

/// The curve of a cam; zero where its points are wrong, which is recorded where they are read.
pub(crate) fn curve(cam: &CamSpec) -> TimeFunction {
    let points = TimeTable { time: cam.angle.clone(), value: cam.value.clone() };
    TimeFunction::curve(points, cam.interpolation).unwrap_or(TimeFunction::Constant(0.0))
}

/// The model with this rope.
pub(super) fn with_rope(model: SpatialModel, system: &MultibodySpec, spec: &RopeSpec) -> SpatialModel {
    let frame = |own: &RopePointSpec| match own.body {
        BodyRef::Ground => Frame::ground(own.point),
        BodyRef::Body(index) => {
            Frame::on(system.bodies.get(index).map_or("", |body| body.name.as_str()), own.point)
        }
    };
    let rope = Rope { length: spec.length, stiffness: spec.stiffness, damping: spec.damping };
    model.with_element(&spec.name, spec.points.iter().map(frame).collect(), rope)
}
