//! Bodies and links of one system.

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use crate::{Role, Shape};

/// A body that can be seen. Its frame has the origin at the point that its [`Pose`](crate::Pose) gives: the centre of mass, of a
/// rigid body.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Body {
    /// Name, unique among the bodies.
    pub name: String,
    /// Its shapes.
    pub shapes: Vec<Shape>,
}

impl Body {
    /// A body without shapes.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), shapes: Vec::new() }
    }

    /// Adds a shape; one that it has already is not added again.
    pub fn add(&mut self, shape: Shape) {
        let is_same = |own: &Shape| {
            (&own.geometry, own.position, own.orientation)
                == (&shape.geometry, shape.position, shape.orientation)
        };
        if !self.shapes.iter().any(is_same) {
            self.shapes.push(shape);
        }
    }

    /// The same with a shape more.
    #[must_use]
    pub fn with_shape(mut self, shape: Shape) -> Self {
        self.add(shape);
        self
    }
}

/// A point on a body, or of the world.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// Number of the body; `None` is the world.
    pub body: Option<usize>,
    /// The point in the body's frame (m).
    pub point: Vector3<f64>,
}

/// A straight tube between two points that move: an element of a beam, a spring.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Name.
    pub name: String,
    /// One end.
    pub from: Anchor,
    /// The other.
    pub to: Anchor,
    /// Radius (m).
    pub radius: f64,
    /// What it stands for.
    pub role: Role,
}

/// What a system looks like: what does not change of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Appearance {
    /// The bodies, in the order of [`Sight::poses`](crate::Sight::poses).
    pub bodies: Vec<Body>,
    /// The links.
    pub links: Vec<Link>,
    /// Names of the contacts that [`ContactForce::contact`](crate::ContactForce::contact) counts.
    pub contacts: Vec<String>,
    /// The direction against gravity in world axes, of unit length; `None` where there is none.
    pub up: Option<Vector3<f64>>,
}

impl Appearance {
    /// Whether there is nothing to see.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The first rule that it breaks: names are unique, links join bodies that exist, numbers are finite, meshes are whole.
    #[must_use]
    pub fn broken_rule(&self) -> Option<String> {
        let mut names: Vec<&str> = self.bodies.iter().map(|body| body.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Some(format!("body `{}` is there twice", pair[0]));
        }
        let is_whole = |shape: &Shape| match &shape.geometry {
            crate::Geometry::Mesh { mesh } => mesh.is_valid(),
            geometry => geometry.extent().is_finite(),
        };
        let is_sound = |shape: &Shape| shape.position.iter().all(|x| x.is_finite()) && is_whole(shape);
        if let Some(body) = self.bodies.iter().find(|body| !body.shapes.iter().all(is_sound)) {
            return Some(format!("a shape of body `{}` is not finite, or its mesh is not whole", body.name));
        }
        let exists = |anchor: &Anchor| anchor.body.is_none_or(|body| body < self.bodies.len());
        let link = self.links.iter().find(|link| !(exists(&link.from) && exists(&link.to)));
        link.map(|link| format!("link `{}` is of a body that does not exist", link.name))
    }
}
