//! A whole model that can be seen.

use serde::{Deserialize, Serialize};

use crate::{Appearance, ContactForce, Link, Pose, Shape, Sight};

/// A body of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SceneBody {
    /// Name of its subsystem.
    pub subsystem: String,
    /// Name among the bodies of the subsystem.
    pub name: String,
    /// Its shapes.
    pub shapes: Vec<Shape>,
}

impl SceneBody {
    /// `subsystem.name`.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.subsystem, self.name)
    }
}

/// What a model looks like: the appearances of its subsystems, one behind the other.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Scene {
    /// The bodies, in the order of [`Frame::sight`].
    pub bodies: Vec<SceneBody>,
    /// The links; names are `subsystem.link`.
    pub links: Vec<Link>,
    /// Names of the contacts, `subsystem.contact`.
    pub contacts: Vec<String>,
    /// The direction against gravity, that of the first subsystem that has one.
    pub up: Option<nalgebra::Vector3<f64>>,
}

impl Scene {
    /// Appends a subsystem.
    pub fn add(&mut self, subsystem: &str, appearance: &Appearance) {
        let first = self.bodies.len();
        let body = |body: &crate::Body| SceneBody {
            subsystem: subsystem.to_owned(),
            name: body.name.clone(),
            shapes: body.shapes.clone(),
        };
        self.bodies.extend(appearance.bodies.iter().map(body));
        for link in &appearance.links {
            let mut link = Link { name: format!("{subsystem}.{}", link.name), ..link.clone() };
            for anchor in [&mut link.from, &mut link.to] {
                anchor.body = anchor.body.map(|body| first + body);
            }
            self.links.push(link);
        }
        self.up = self.up.or(appearance.up);
        self.contacts.extend(appearance.contacts.iter().map(|contact| format!("{subsystem}.{contact}")));
    }

    /// Whether there is nothing to see.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }
}

/// A scene at one instant.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Frame {
    /// Time (s).
    pub time: f64,
    /// Poses and forces.
    pub sight: Sight,
}

impl Frame {
    /// The poses, in the order of [`Scene::bodies`].
    #[must_use]
    pub fn poses(&self) -> &[Pose] {
        &self.sight.poses
    }

    /// The forces that are not zero; numbers of contacts are those of [`Scene::contacts`].
    #[must_use]
    pub fn forces(&self) -> &[ContactForce] {
        &self.sight.forces
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;
    use crate::{Anchor, Body, Role};

    #[test]
    fn subsystems_stand_one_behind_the_other() {
        let anchor = |body| Anchor { body, point: Vector3::zeros() };
        let link = Link {
            name: "spring".into(),
            from: anchor(None),
            to: anchor(Some(1)),
            radius: 0.01,
            role: Role::Force,
        };
        let part = Appearance {
            bodies: vec![Body::new("a"), Body::new("b")],
            links: vec![link],
            contacts: vec!["floor".into()],
            up: None,
        };
        let mut scene = Scene::default();
        scene.add("one", &part);
        scene.add("two", &part);
        assert_eq!(scene.bodies[3].full_name(), "two.b");
        assert_eq!((scene.links[1].from.body, scene.links[1].to.body), (None, Some(3)));
        assert_eq!(scene.contacts, ["one.floor", "two.floor"]);
    }
}
