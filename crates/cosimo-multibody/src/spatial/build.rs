//! Builds a system of bodies, joints and forces from a model.

use std::collections::BTreeMap;

use nalgebra::{UnitQuaternion, Vector3};

use super::SpatialModelError;
use super::force::{Force, ForceKind, needs_a_line};
use super::geometry::Geometry;
use super::joint::{Frame, Joint, JointKind, Marker};
use super::model::{Body, SpatialModel};
use super::placed_joint::PlacedJoint;
use super::pose::Pair;
use super::sensor::{PlacedSensor, Sensor, SensorKind};
use super::system::{PlacedForce, SpatialSystem, initial_position};

/// Deviation from unit length that a quaternion may have.
const UNIT_TOLERANCE: f64 = 1e-9;

impl SpatialModel {
    /// Checks the data and builds the system.
    ///
    /// # Errors
    /// See [`SpatialModelError`].
    pub fn build(self) -> Result<SpatialSystem, SpatialModelError> {
        if self.bodies.is_empty() {
            return Err(SpatialModelError::NoBodies);
        }
        check_finite("the model", "gravity", &self.gravity)?;
        let mut places = BTreeMap::new();
        for (index, body) in self.bodies.iter().enumerate() {
            check_body(body)?;
            if places.insert(body.name.as_str(), index).is_some() {
                return Err(SpatialModelError::DuplicateName { kind: "bodies", name: body.name.clone() });
            }
        }
        check_names("joints", self.joints.iter().map(|joint| &joint.name))?;
        check_names("forces", self.forces.iter().map(|force| &force.name))?;
        let mut joints = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            joints.push(self.place_joint(joint, &places)?);
        }
        let mut forces = Vec::with_capacity(self.forces.len());
        for force in &self.forces {
            forces.push(self.place_force(force, &places)?);
        }
        check_names("sensors", self.sensors.iter().map(|sensor| &sensor.name))?;
        let sensors = self.place_sensors(&places)?;
        Ok(SpatialSystem::assemble(self.gravity, self.bodies, joints, forces).with_sensors(sensors))
    }

    fn place_joint(
        &self,
        joint: &Joint,
        places: &BTreeMap<&str, usize>,
    ) -> Result<PlacedJoint, SpatialModelError> {
        let owner = format!("joint `{}`", joint.name);
        let markers = self.markers(&owner, [&joint.first, &joint.second], places)?;
        if let JointKind::Distance(_) = joint.kind {
            self.check_line(&owner, &markers)?;
        }
        if let JointKind::Coordinate { direction, .. } = &joint.kind {
            check_direction(&owner, &Vector3::from(*direction))?;
        }
        let rows = joint.kind.rows(&markers[0], &markers[1]);
        if !(1..=6).contains(&rows.len()) {
            return Err(SpatialModelError::RowCount { owner, rows: rows.len() });
        }
        Ok(PlacedJoint {
            name: joint.name.clone(),
            bodies: markers.map(|marker| marker.body),
            arm: markers[1].arm,
            rows,
            meant: None,
            alignment: joint.kind.alignment(&markers[0], &markers[1]),
            first: 0,
        })
    }

    fn place_force(
        &self,
        force: &Force,
        places: &BTreeMap<&str, usize>,
    ) -> Result<PlacedForce, SpatialModelError> {
        let owner = format!("force `{}`", force.name);
        force.kind.check().map_err(|(quantity, found, rule)| SpatialModelError::OutOfRange {
            owner: owner.clone(),
            quantity,
            found,
            rule,
        })?;
        let markers = self.markers(&owner, [&force.first, &force.second], places)?;
        if needs_a_line(&force.kind) {
            self.check_line(&owner, &markers)?;
        }
        if matches!(force.kind, ForceKind::OnBody(_)) && markers[1].body.is_none() {
            return Err(SpatialModelError::SameOwner { owner });
        }
        let element = force.element(&markers[0], &markers[1]);
        Ok(PlacedForce { name: force.name.clone(), bodies: markers.map(|marker| marker.body), element })
    }

    fn markers(
        &self,
        owner: &str,
        frames: [&Frame; 2],
        places: &BTreeMap<&str, usize>,
    ) -> Result<[Marker; 2], SpatialModelError> {
        let [first, second] = frames;
        let markers = [self.marker(owner, first, places)?, self.marker(owner, second, places)?];
        if markers[0].body == markers[1].body {
            return Err(SpatialModelError::SameOwner { owner: owner.to_owned() });
        }
        Ok(markers)
    }

    fn marker(
        &self,
        owner: &str,
        frame: &Frame,
        places: &BTreeMap<&str, usize>,
    ) -> Result<Marker, SpatialModelError> {
        check_finite(owner, "point", &frame.point)?;
        check_unit(owner, &frame.orientation)?;
        let body = match &frame.body {
            None => None,
            Some(name) => Some(*places.get(name.as_str()).ok_or_else(|| self.unknown_body(owner, name))?),
        };
        let centre = body.map_or_else(Vector3::zeros, |body| self.bodies[body].centre_of_mass);
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| frame.orientation * axis);
        Ok(Marker { body, arm: frame.point - centre, axes })
    }

    fn unknown_body(&self, owner: &str, name: &str) -> SpatialModelError {
        let known: Vec<&str> = self.bodies.iter().map(|body| body.name.as_str()).collect();
        SpatialModelError::UnknownBody {
            owner: owner.to_owned(),
            body: name.to_owned(),
            known: known.join(", "),
        }
    }

    /// Refuses two points that coincide at the start.
    fn check_line(&self, owner: &str, markers: &[Marker; 2]) -> Result<(), SpatialModelError> {
        let q = initial_position(&self.bodies);
        let pair = Pair::read(&q, &[], [markers[0].body, markers[1].body]);
        let distance = Geometry::Distance { arms: [markers[0].arm, markers[1].arm] }.value(&pair);
        if distance > 0.0 { Ok(()) } else { Err(SpatialModelError::NoLine { owner: owner.to_owned() }) }
    }

    fn place_sensors(&self, places: &BTreeMap<&str, usize>) -> Result<Vec<PlacedSensor>, SpatialModelError> {
        let place = |sensor: &Sensor| {
            let owner = format!("sensor `{}`", sensor.name);
            let markers = self.markers(&owner, [&sensor.first, &sensor.second], places)?;
            if sensor.kind == SensorKind::Distance {
                self.check_line(&owner, &markers)?;
            }
            Ok(sensor.placed(&markers))
        };
        self.sensors.iter().map(place).collect()
    }
}

fn check_body(body: &Body) -> Result<(), SpatialModelError> {
    let owner = format!("body `{}`", body.name);
    check_unit(&owner, &body.orientation)?;
    for (quantity, vector) in [
        ("centre of mass", &body.centre_of_mass),
        ("position", &body.position),
        ("velocity", &body.velocity),
        ("angular velocity", &body.angular_velocity),
    ] {
        check_finite(&owner, quantity, vector)?;
    }
    Ok(())
}

fn check_unit(owner: &str, orientation: &UnitQuaternion<f64>) -> Result<(), SpatialModelError> {
    let (quantity, found) = ("length of the quaternion", orientation.as_ref().norm());
    if (found - 1.0).abs() <= UNIT_TOLERANCE {
        return Ok(());
    }
    Err(SpatialModelError::OutOfRange { owner: owner.to_owned(), quantity, found, rule: "1" })
}

fn check_finite(owner: &str, quantity: &'static str, vector: &Vector3<f64>) -> Result<(), SpatialModelError> {
    match vector.iter().find(|x| !x.is_finite()) {
        None => Ok(()),
        Some(&found) => {
            Err(SpatialModelError::OutOfRange { owner: owner.to_owned(), quantity, found, rule: "finite" })
        }
    }
}

fn check_direction(owner: &str, direction: &Vector3<f64>) -> Result<(), SpatialModelError> {
    let found = direction.norm();
    if found.is_normal() {
        return Ok(());
    }
    let (quantity, rule) = ("length of the direction", "positive and finite");
    Err(SpatialModelError::OutOfRange { owner: owner.to_owned(), quantity, found, rule })
}

fn check_names<'a>(
    kind: &'static str,
    names: impl Iterator<Item = &'a String>,
) -> Result<(), SpatialModelError> {
    let mut sorted: Vec<&String> = names.collect();
    sorted.sort();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => Err(SpatialModelError::DuplicateName { kind, name: pair[0].clone() }),
    }
}
