//! What a model looks like: shapes that are given, and those that contacts, joints, beams and masses give by themselves.

use cosimo_scene::{
    Anchor, Appearance, Body as SeenBody, Geometry as Shown, Link, Role, Shape, equivalent_box,
};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};

use super::contact::{Contact, ContactShape};
use super::force::needs_a_line;
use super::joint::{Frame, JointKind, Marker};
use super::model::{Body, Places, SpatialModel};

/// Radius of a joint as a share of the size of the model; sticks, beams and springs are thinner.
const JOINT: f64 = 0.012;
const STICK: f64 = 0.006;
const BEAM: f64 = 0.008;
const SPRING: f64 = 0.004;

/// Edge of the square that stands for a plane as a share of the size of the model.
const PLANE: f64 = 2.0;

/// Name of what stands still, if no body has it.
const GROUND: &str = "ground";

impl Body {
    /// The centre of mass at the start in world axes (m).
    fn start(&self) -> Vector3<f64> {
        self.position + self.orientation * self.centre_of_mass
    }
}

/// What a model looks like whose frames name bodies that exist.
pub(super) fn appearance(model: &SpatialModel, places: &Places<'_>) -> Appearance {
    let mut outline = Outline::new(model, places);
    outline.add_given();
    outline.add_contacts();
    outline.add_joints();
    outline.add_elements();
    outline.add_masses();
    outline.finish()
}

/// An appearance in the making.
struct Outline<'a> {
    model: &'a SpatialModel,
    places: &'a Places<'a>,
    /// Largest distance in the model at the start (m).
    size: f64,
    bodies: Vec<SeenBody>,
    ground: SeenBody,
    links: Vec<Link>,
    /// Whether a body has a shape of its own that shows where it is.
    is_shown: Vec<bool>,
}

impl<'a> Outline<'a> {
    fn new(model: &'a SpatialModel, places: &'a Places<'a>) -> Self {
        let is_taken = model.bodies.iter().any(|body| body.name == GROUND);
        Self {
            model,
            places,
            size: size(model, places),
            bodies: model.bodies.iter().map(|body| SeenBody::new(&body.name)).collect(),
            ground: SeenBody::new(if is_taken { "world" } else { GROUND }),
            links: Vec::new(),
            is_shown: model.bodies.iter().map(|body| !body.shapes.is_empty()).collect(),
        }
    }

    /// The number of a frame's body, and its arm and axes there.
    fn marker(&self, frame: &Frame) -> Marker {
        marker(self.model, self.places, frame)
    }

    fn add(&mut self, body: Option<usize>, shape: Shape) {
        match body {
            Some(body) => self.bodies[body].add(shape),
            None => self.ground.add(shape),
        }
    }

    /// The shapes that were given.
    fn add_given(&mut self) {
        for (seen, body) in self.bodies.iter_mut().zip(&self.model.bodies) {
            for shape in &body.shapes {
                seen.add(Shape { position: shape.position - body.centre_of_mass, ..shape.clone() });
            }
        }
    }

    fn add_contacts(&mut self) {
        let mut surfaces: Vec<(&ContactShape, &[Frame], &[Frame])> = Vec::new();
        for contact in &self.model.contacts {
            if let Contact::Between { shape, first, second, .. } = contact {
                surfaces.push((shape, std::slice::from_ref(first), std::slice::from_ref(second)));
            }
        }
        surfaces
            .extend(self.model.pools.iter().map(|pool| (&pool.shape, &pool.firsts[..], &pool.seconds[..])));
        for (shape, firsts, seconds) in surfaces {
            match shape {
                ContactShape::SpherePlane { radius } => {
                    firsts.iter().for_each(|frame| self.add_plane(frame));
                    seconds.iter().for_each(|frame| self.add_sphere(frame, *radius));
                }
                ContactShape::SphereSphere { radii } => {
                    firsts.iter().for_each(|frame| self.add_sphere(frame, radii[0]));
                    seconds.iter().for_each(|frame| self.add_sphere(frame, radii[1]));
                }
                ContactShape::Custom(_) => {}
            }
        }
    }

    fn add_plane(&mut self, frame: &Frame) {
        let marker = self.marker(frame);
        let shape = Shape::new(Shown::Plane { size: PLANE * self.size })
            .at(marker.arm)
            .with_orientation(turn(&marker));
        let role = if marker.body.is_none() { Role::Ground } else { Role::Contact };
        self.add(marker.body, shape.standing_for(role));
    }

    fn add_sphere(&mut self, frame: &Frame, radius: f64) {
        let marker = self.marker(frame);
        let seen = if radius > 0.0 { radius } else { JOINT * self.size };
        let sphere = Shape::new(Shown::Sphere { radius: seen }).at(marker.arm);
        self.add(marker.body, sphere.standing_for(Role::Contact));
        if let Some(body) = marker.body {
            self.is_shown[body] |= marker.arm.norm() <= radius;
        }
    }

    fn add_joints(&mut self) {
        for joint in &self.model.joints {
            let [first, second] = [&joint.first, &joint.second].map(|frame| self.marker(frame));
            let Some(role) = joint_geometry(&joint.kind, JOINT * self.size) else {
                if matches!(joint.kind, JointKind::Distance(_)) {
                    self.add_link(&joint.name, [&first, &second], (STICK, Role::Joint));
                }
                continue;
            };
            if let Some(geometry) = role {
                let shape = Shape::new(geometry).at(first.arm).with_orientation(turn(&first));
                self.add(first.body, shape.standing_for(Role::Joint));
            }
            [first, second].iter().for_each(|marker| self.add_stick(marker));
        }
    }

    /// A stick from the centre of mass to a joint, of a body without a shape that was given.
    fn add_stick(&mut self, marker: &Marker) {
        let Some(body) = marker.body.filter(|body| self.model.bodies[*body].shapes.is_empty()) else {
            return;
        };
        if marker.arm.norm() > STICK * self.size {
            let stick = Shape::between(&Vector3::zeros(), &marker.arm, STICK * self.size);
            self.add(Some(body), stick.standing_for(Role::Body));
            self.is_shown[body] = true;
        }
    }

    fn add_elements(&mut self) {
        for force in self.model.forces.iter().filter(|force| needs_a_line(&force.kind)) {
            let ends = [&force.first, &force.second].map(|frame| self.marker(frame));
            self.add_link(&force.name, [&ends[0], &ends[1]], (SPRING, Role::Force));
        }
        for element in &self.model.elements {
            let nodes: Vec<Marker> = element.nodes.iter().map(|frame| self.marker(frame)).collect();
            for pair in nodes.windows(2) {
                self.add_link(&element.name, [&pair[0], &pair[1]], (BEAM, Role::Beam));
            }
            nodes.iter().filter_map(|node| node.body).for_each(|body| self.is_shown[body] = true);
        }
    }

    fn add_link(&mut self, name: &str, ends: [&Marker; 2], (share, role): (f64, Role)) {
        let [from, to] = ends.map(|marker| Anchor { body: marker.body, point: marker.arm });
        self.links.push(Link { name: name.to_owned(), from, to, radius: share * self.size, role });
    }

    /// Bodies of which nothing is to be seen yet show the box of their mass and inertia.
    fn add_masses(&mut self) {
        for (number, body) in
            self.model.bodies.iter().enumerate().filter(|(number, _)| !self.is_shown[*number])
        {
            let shape = equivalent_box(body.properties.mass(), body.properties.inertia());
            shape.into_iter().for_each(|shape| self.bodies[number].add(shape));
        }
    }

    fn finish(self) -> Appearance {
        let Self { model, mut bodies, ground, links, .. } = self;
        if !ground.shapes.is_empty() {
            bodies.push(ground);
        }
        let gravity = model.gravity;
        let up = (gravity.norm() > 0.0).then(|| -gravity.normalize());
        Appearance { bodies, links, contacts: Vec::new(), up }
    }
}

/// Adds a stick to a point of a body (m, in its frame), as thick as its others, unless the body has shapes that were given or none at all.
pub(super) fn add_seen_point(
    appearance: &mut Appearance,
    (number, body): (usize, &Body),
    point: &Vector3<f64>,
) {
    let Some(seen) = appearance.bodies.get_mut(number).filter(|_| body.shapes.is_empty()) else { return };
    let thickness = |shape: &Shape| match shape.geometry {
        Shown::Capsule { radius, .. } => Some(radius),
        _ => None,
    };
    let Some(radius) = seen.shapes.iter().find_map(thickness) else { return };
    let arm = point - body.centre_of_mass;
    if arm.norm() > radius {
        seen.add(Shape::between(&Vector3::zeros(), &arm, radius));
    }
}

/// What a joint looks like; nothing at all of those that only steer or measure, and no geometry where sticks suffice.
#[expect(
    clippy::option_option,
    reason = "two kinds of nothing: no joint to be seen, and one without a geometry"
)]
fn joint_geometry(kind: &JointKind, radius: f64) -> Option<Option<Shown>> {
    match kind {
        JointKind::Revolute | JointKind::Cylindrical => {
            Some(Some(Shown::Cylinder { radius, length: 3.0 * radius }))
        }
        JointKind::Spherical | JointKind::Universal => Some(Some(Shown::Sphere { radius })),
        JointKind::Prismatic => Some(Some(Shown::Box { size: [2.0 * radius, 2.0 * radius, 4.0 * radius] })),
        JointKind::Fixed | JointKind::Planar => Some(None),
        _ => None,
    }
}

fn turn(marker: &Marker) -> UnitQuaternion<f64> {
    let axes = nalgebra::Matrix3::from_columns(&marker.axes);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes))
}

fn marker(model: &SpatialModel, places: &Places<'_>, frame: &Frame) -> Marker {
    let body = frame.body.as_deref().and_then(|name| places.get(name).copied());
    let centre = body.map_or_else(Vector3::zeros, |body| model.bodies[body].centre_of_mass);
    let axes = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| frame.orientation * axis);
    Marker { body, arm: frame.point - centre, axes }
}

/// Diagonal of the box about all bodies, joints and spheres at the start (m); of a model of one point the size of its masses.
fn size(model: &SpatialModel, places: &Places<'_>) -> f64 {
    let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    let mut note = |point: Vector3<f64>, radius: f64| {
        low = low.inf(&point.add_scalar(-radius));
        high = high.sup(&point.add_scalar(radius));
    };
    for body in &model.bodies {
        note(body.start(), 0.0);
        for shape in &body.shapes {
            note(body.position + body.orientation * shape.position, shape.geometry.extent());
        }
    }
    let joints = model.joints.iter().flat_map(|joint| [(&joint.first, 0.0), (&joint.second, 0.0)]);
    let contacts = model.contacts.iter().filter_map(|contact| match contact {
        Contact::Between { shape: ContactShape::SpherePlane { radius }, second, .. } => {
            Some((second, *radius))
        }
        _ => None,
    });
    for (frame, radius) in joints.chain(contacts) {
        let marker = marker(model, places, frame);
        let at = |body: usize| {
            let body = &model.bodies[body];
            body.start() + body.orientation * marker.arm
        };
        note(marker.body.map_or(marker.arm, at), radius);
    }
    let diagonal = (high - low).norm();
    if diagonal > 0.0 && diagonal.is_finite() {
        return diagonal;
    }
    let of_mass = |body: &Body| equivalent_box(body.properties.mass(), body.properties.inertia());
    let extents = model.bodies.iter().filter_map(of_mass).map(|shape| shape.geometry.extent());
    extents.fold(0.0, f64::max).max(f64::MIN_POSITIVE)
}
