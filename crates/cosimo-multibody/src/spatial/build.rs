//! Builds a system of bodies, joints and forces from a model.

use nalgebra::{UnitQuaternion, Vector3};

use super::SpatialModelError;
use super::appearance::appearance;
use super::contact::{Contact, ContactShape, NamedContact, placed_stop};
use super::coordinate::Coordinate;
use super::element::PlacedElement;
use super::force::{Force, is_on_one_body, needs_a_line};
use super::gear::PlacedGear;
use super::geometry::Geometry;
use super::joint::{Frame, Joint, JointKind, Marker};
use super::model::{Body, ModelElement, Places, SpatialModel};
use super::placed_joint::PlacedJoint;
use super::pose::Pair;
use super::sensor::{PlacedSensor, Sensor, SensorKind};
use super::system::{SpatialSystem, initial_position};

/// Deviation from unit length that a quaternion may have.
const UNIT_TOLERANCE: f64 = 1e-9;

impl SpatialModel {
    /// Checks the data and builds the system.
    ///
    /// # Errors
    /// See [`SpatialModelError`].
    pub fn build(mut self) -> Result<SpatialSystem, SpatialModelError> {
        if self.bodies.is_empty() {
            return Err(SpatialModelError::NoBodies);
        }
        check_finite("the model", "gravity", &self.gravity)?;
        check_names("bodies", self.bodies.iter().map(|body| &body.name))?;
        let names = self.joints.iter().map(|joint| &joint.name);
        check_names("joints", names.chain(self.gears.iter().map(|gear| &gear.name)))?;
        let names = self.forces.iter().map(|force| &force.name);
        check_names("forces", names.chain(self.elements.iter().map(|element| &element.name)))?;
        self.bodies.iter().try_for_each(check_body)?;
        self.add_inertia()?;
        let names: Vec<String> = self.bodies.iter().map(|body| body.name.clone()).collect();
        let places: Places<'_> =
            names.iter().enumerate().map(|(index, name)| (name.as_str(), index)).collect();
        let joints = self.joints.iter().map(|joint| self.place_joint(joint, &places));
        let joints = joints.collect::<Result<Vec<_>, _>>()?;
        let forces = self.forces.iter().map(|force| self.place_force(force, &places));
        let elements = self.elements.iter().map(|element| self.place_element(element, &places));
        let elements = forces.chain(elements).collect::<Result<Vec<_>, _>>()?;
        check_names("sensors", self.sensors.iter().map(|sensor| &sensor.name))?;
        let sensors = self.place_sensors(&places)?;
        let gears = self.place_gears(&sensors)?;
        let names = self.contacts.iter().map(Contact::name);
        check_names("contacts", names.chain(self.pools.iter().map(|pool| pool.name.as_str())))?;
        let contact = |contact: &Contact| self.place_contact(contact, &places, &sensors);
        let contacts = self.contacts.iter().map(contact).collect::<Result<Vec<_>, _>>()?;
        let pools = self.pools.iter().map(|pool| self.place_pool(pool, &places));
        let pools = pools.collect::<Result<Vec<_>, _>>()?;
        let appearance = appearance(&self, &places);
        Ok(SpatialSystem::assemble(self.gravity, self.bodies, joints, (elements, self.forces.len()))
            .with_sensors(sensors)
            .with_gears(gears)
            .with_contacts(contacts)
            .with_pools(pools)
            .with_appearance(appearance))
    }

    fn place_joint(&self, joint: &Joint, places: &Places<'_>) -> Result<PlacedJoint, SpatialModelError> {
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

    fn place_force(&self, force: &Force, places: &Places<'_>) -> Result<PlacedElement, SpatialModelError> {
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
        if is_on_one_body(&force.kind) && markers[1].body.is_none() {
            return Err(SpatialModelError::SameOwner { owner });
        }
        let element = force.element(&markers[0], &markers[1]);
        let bodies = markers.map(|marker| marker.body).to_vec();
        Ok(PlacedElement::new(&force.name, owner, bodies, element))
    }

    fn place_element(
        &self,
        element: &ModelElement,
        places: &Places<'_>,
    ) -> Result<PlacedElement, SpatialModelError> {
        let owner = format!("element `{}`", element.name);
        let markers = element.nodes.iter().map(|frame| self.marker(&owner, frame, places));
        let markers = markers.collect::<Result<Vec<_>, _>>()?;
        let bodies = markers.iter().map(|marker| marker.body).collect();
        let placed = element.kind.place(&owner, &markers)?;
        let states = element.kind.initial_states();
        Ok(PlacedElement::new(&element.name, owner, bodies, placed).with_states(states))
    }

    /// Gives the inertia of elements to the bodies of their nodes.
    fn add_inertia(&mut self) -> Result<(), SpatialModelError> {
        for element in &self.elements {
            for (number, frame) in element.nodes.iter().enumerate() {
                let own = element.kind.inertia(number);
                let Some(name) = frame.body.as_ref().filter(|_| !own.is_zero()) else { continue };
                let Some(body) = self.bodies.iter_mut().find(|body| body.name == *name) else { continue };
                let turn = frame.orientation.to_rotation_matrix();
                body.add_inertia(&own.seen_from(&frame.point, &turn)).map_err(|source| {
                    let owner = format!("element `{}`", element.name);
                    SpatialModelError::Inertia { owner, node: number, source }
                })?;
            }
        }
        Ok(())
    }

    fn markers(
        &self,
        owner: &str,
        frames: [&Frame; 2],
        places: &Places<'_>,
    ) -> Result<[Marker; 2], SpatialModelError> {
        let [first, second] = frames;
        let markers = [self.marker(owner, first, places)?, self.marker(owner, second, places)?];
        if markers[0].body == markers[1].body {
            return Err(SpatialModelError::SameOwner { owner: owner.to_owned() });
        }
        Ok(markers)
    }

    pub(super) fn marker(
        &self,
        owner: &str,
        frame: &Frame,
        places: &Places<'_>,
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

    fn place_sensors(&self, places: &Places<'_>) -> Result<Vec<PlacedSensor>, SpatialModelError> {
        let place = |sensor: &Sensor| {
            let owner = format!("sensor `{}`", sensor.name);
            let markers = self.markers(&owner, [&sensor.first, &sensor.second], places)?;
            if sensor.kind == SensorKind::Distance {
                self.check_line(&owner, &markers)?;
            }
            let own =
                markers[1].body.map_or_else(Vector3::zeros, |body| *self.bodies[body].properties.gravity());
            Ok(sensor.placed(&markers, &(self.gravity + own)))
        };
        self.sensors.iter().map(place).collect()
    }

    fn place_gears(&self, sensors: &[PlacedSensor]) -> Result<Vec<PlacedGear>, SpatialModelError> {
        let q = initial_position(&self.bodies);
        self.gears.iter().map(|gear| gear.placed(sensors, &q)).collect()
    }

    fn place_contact(
        &self,
        contact: &Contact,
        places: &Places<'_>,
        sensors: &[PlacedSensor],
    ) -> Result<NamedContact, SpatialModelError> {
        let owner = format!("contact `{}`", contact.name());
        match contact {
            Contact::Stop { name, sensor, limit, is_upper } => {
                check_limit(&owner, *limit)?;
                let coordinate = Coordinate::of(&owner, sensor, sensors)?;
                Ok(placed_stop(name, coordinate, *limit, *is_upper))
            }
            Contact::Between { name, shape, first, second } => {
                if let Some((quantity, found, rule)) = shape.broken_rule() {
                    return Err(SpatialModelError::OutOfRange { owner, quantity, found, rule });
                }
                let markers = self.markers(&owner, [first, second], places)?;
                if let ContactShape::SphereSphere { .. } = shape {
                    self.check_line(&owner, &markers)?;
                }
                let q = initial_position(&self.bodies);
                let start = Pair::read(&q, &[], [markers[0].body, markers[1].body]);
                Ok(shape.placed(name, &markers, &start))
            }
        }
    }
}

fn check_limit(owner: &str, limit: f64) -> Result<(), SpatialModelError> {
    if limit.is_finite() {
        return Ok(());
    }
    let (owner, quantity, rule) = (owner.to_owned(), "limit", "finite");
    Err(SpatialModelError::OutOfRange { owner, quantity, found: limit, rule })
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

fn check_names<'a, N: AsRef<str> + ?Sized + 'a>(
    kind: &'static str,
    names: impl Iterator<Item = &'a N>,
) -> Result<(), SpatialModelError> {
    let mut sorted: Vec<&str> = names.map(AsRef::as_ref).collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => Err(SpatialModelError::DuplicateName { kind, name: pair[0].to_owned() }),
    }
}
