//! What a planar system looks like: sticks between centres of mass, pins and contact points, springs, and the lines of contacts.

use cosimo_scene::{Anchor, Appearance, Body as SeenBody, Geometry, Link, Role, Shape, equivalent_box};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::attachment::Attachment;
use super::rows::{PlaneContact, PointRow};
use super::system::PlanarSystem;

/// Radius of a pin as a share of the size of the system; sticks and springs are thinner.
const PIN: f64 = 0.012;
const STICK: f64 = 0.006;
const SPRING: f64 = 0.004;

/// Edge of the square that stands for a boundary as a share of the size of the system.
const PLANE: f64 = 2.0;

impl PlanarSystem {
    /// What it looks like with these contacts in the plane of `x` and `y`: a body for every body of the system, in its order, then one for
    /// what stands still, if there is any. Contacts whose bodies do not exist are left out.
    #[must_use]
    pub fn appearance(&self, contacts: &[PlaneContact]) -> Appearance {
        let size = self.size();
        let mut bodies: Vec<SeenBody> = self.bodies().iter().map(|body| SeenBody::new(&body.name)).collect();
        for (seen, body) in bodies.iter_mut().zip(self.bodies()) {
            body.shapes.iter().cloned().for_each(|shape| seen.add(shape));
        }
        let mut ground = SeenBody::new("ground");
        let mut stick = |at: &Attachment, radius: f64| {
            let Some(body) = at.body.filter(|body| self.bodies()[*body].shapes.is_empty()) else { return };
            let arm = at.point.push(0.0);
            if arm.norm() > radius {
                bodies[body].add(Shape::between(&Vector3::zeros(), &arm, radius));
            }
        };
        let rows: Vec<(&PlaneContact, PointRow)> = contacts
            .iter()
            .filter_map(|contact| {
                Some((contact, *PointRow::gaps(self, std::slice::from_ref(contact)).ok()?.first()?))
            })
            .collect();
        self.pins().iter().flat_map(|pin| [&pin.first, &pin.second]).for_each(|at| stick(at, STICK * size));
        rows.iter().for_each(|(_, row)| stick(row.attachment(), STICK * size));
        for pin in self.pins() {
            let radius = PIN * size;
            let cylinder = Shape::new(Geometry::Cylinder { radius, length: 3.0 * radius });
            let cylinder = cylinder.at(pin.first.point.push(0.0)).standing_for(Role::Joint);
            pin.first.body.map_or(&mut ground, |body| &mut bodies[body]).add(cylinder);
        }
        for (contact, row) in &rows {
            let sphere =
                Shape::new(Geometry::Sphere { radius: PIN * size }).at(row.attachment().point.push(0.0));
            if let Some(body) = row.attachment().body {
                bodies[body].add(sphere.standing_for(Role::Contact));
            }
            let plane = Shape::new(Geometry::Plane { size: PLANE * size }).along(&row.axis().push(0.0));
            ground.add(plane.at([contact.plane[0], contact.plane[1], 0.0]).standing_for(Role::Ground));
        }
        for (seen, body) in bodies.iter_mut().zip(self.bodies()).filter(|(seen, _)| seen.shapes.is_empty()) {
            let inertia = Vector3::new(0.5 * body.inertia, 0.5 * body.inertia, body.inertia);
            let shape = equivalent_box(body.mass, &Matrix3::from_diagonal(&inertia));
            shape.into_iter().for_each(|shape| seen.add(shape.with_orientation(UnitQuaternion::identity())));
        }
        if !ground.shapes.is_empty() {
            bodies.push(ground);
        }
        let gravity = self.gravity().push(0.0);
        Appearance {
            bodies,
            links: self.spring_links(SPRING * size),
            contacts: contacts.iter().map(|contact| contact.name.clone()).collect(),
            up: (gravity.norm() > 0.0).then(|| -gravity.normalize()),
        }
    }

    fn spring_links(&self, radius: f64) -> Vec<Link> {
        let anchor = |end: &Attachment| Anchor { body: end.body, point: end.point.push(0.0) };
        let link = |(number, spring): (usize, &super::spring::Spring)| {
            let [from, to] = spring.ends.each_ref().map(anchor);
            Link { name: format!("spring {number}"), from, to, radius, role: Role::Force }
        };
        self.springs().iter().enumerate().map(link).collect()
    }

    /// Diagonal of the box about all bodies, pins and ends of springs at the start (m); of a system of one point the size of its masses.
    fn size(&self) -> f64 {
        let q = self.initial_position();
        let bodies = self.bodies().iter().map(|body| body.position.into());
        let pins = self.pins().iter().flat_map(|pin| [pin.first.position(q), pin.second.position(q)]);
        let springs =
            self.springs().iter().flat_map(|spring| spring.ends.each_ref().map(|end| end.position(q)));
        let points: Vec<nalgebra::Vector2<f64>> = bodies.chain(pins).chain(springs).collect();
        let low = points.iter().fold(points[0], |low, point| low.inf(point));
        let high = points.iter().fold(points[0], |high, point| high.sup(point));
        let diagonal = (high - low).norm();
        if diagonal > 0.0 {
            return diagonal;
        }
        let of_mass = |body: &super::Body| (12.0 * body.inertia / body.mass).sqrt();
        self.bodies().iter().map(of_mass).fold(0.0, f64::max)
    }
}
