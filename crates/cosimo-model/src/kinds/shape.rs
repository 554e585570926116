//! Shapes that are seen only: `[[subsystem.shape]]` and `[[subsystem.body.shape]]`.

use std::path::PathBuf;
use std::sync::Arc;

use cosimo_subsystem::scene::{Geometry, Mesh, Shape};
use serde::{Deserialize, Serialize};

use super::orientation::read_orientation_in_body;
use crate::kinds::rotation;
use crate::toml::Reader;

/// A shape of a body, in the body's frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShapeSpec {
    /// The geometry in its own frame.
    #[serde(flatten)]
    pub geometry: GeometrySpec,
    /// Origin of that frame in the body's frame (m). Default: zero.
    pub position: [f64; 3],
    /// Turns vectors of that frame into vectors of the body, a unit quaternion. Default: `[1, 0, 0, 0]`.
    pub orientation: [f64; 4],
    /// Red, green and blue in \[0, 1\]. Default: left to the viewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<[f64; 3]>,
}

/// A geometry; lengths in m.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "type")]
pub enum GeometrySpec {
    /// A ball about the origin.
    Sphere {
        /// Radius, positive.
        radius: f64,
    },
    /// A box about the origin.
    Box {
        /// Whole lengths of the edges, positive.
        size: [f64; 3],
    },
    /// A cylinder about the origin, along `z`.
    Cylinder {
        /// Radius, positive.
        radius: f64,
        /// Length, positive.
        length: f64,
    },
    /// A cylinder with half balls at its ends, about the origin, along `z`.
    Capsule {
        /// Radius, positive.
        radius: f64,
        /// Length without the half balls, positive.
        length: f64,
    },
    /// Triangles of an STL or OBJ file.
    Mesh {
        /// The file, absolute.
        file: PathBuf,
        /// Metres per unit of the file. Default: 1.
        scale: f64,
        /// The triangles; none after a mistake.
        #[serde(skip)]
        mesh: Arc<Mesh>,
    },
    /// An arrow from the origin.
    Arrow {
        /// From the tail to the tip.
        vector: [f64; 3],
        /// Radius of the shaft, positive.
        radius: f64,
    },
    /// Straight lines from point to point.
    Line {
        /// The points, at least two.
        points: Vec<[f64; 3]>,
    },
}

/// The geometries by name.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum GeometryKind {
    Sphere,
    Box,
    Cylinder,
    Capsule,
    Mesh,
    Arrow,
    Line,
}

/// Reads every `shape` of a body.
pub(crate) fn read_shapes(reader: &Reader<'_>) -> Vec<ShapeSpec> {
    let is_share = |color: &[f64; 3]| color.iter().all(|x| (0.0..=1.0).contains(x));
    let shapes = reader.tables("shape", |shape| {
        Some(ShapeSpec {
            position: shape.in_body("position").or([0.0; 3]),
            orientation: read_orientation_in_body(shape),
            color: shape.vector("color").check("three numbers from 0 to 1", is_share).optional(),
            geometry: read_geometry(shape)?,
        })
    });
    shapes.into_iter().flatten().collect()
}

fn read_geometry(shape: &Reader<'_>) -> Option<GeometrySpec> {
    let kind = shape.choice::<GeometryKind>("type").required_option();
    let radius = || shape.number("radius").positive().required();
    let length = || shape.number("length").positive().required();
    let is_positive = |size: &[f64; 3]| size.iter().all(|x| *x > 0.0);
    let Some(kind) = kind else {
        shape.abandon();
        return None;
    };
    Some(match kind {
        GeometryKind::Sphere => GeometrySpec::Sphere { radius: radius() },
        GeometryKind::Box => GeometrySpec::Box {
            size: shape.vector("size").check("three positive lengths", is_positive).required(),
        },
        GeometryKind::Cylinder => GeometrySpec::Cylinder { radius: radius(), length: length() },
        GeometryKind::Capsule => GeometrySpec::Capsule { radius: radius(), length: length() },
        GeometryKind::Mesh => read_mesh(shape)?,
        GeometryKind::Arrow => {
            GeometrySpec::Arrow { vector: shape.in_body("vector").nonzero().required(), radius: radius() }
        }
        GeometryKind::Line => {
            let points = shape.data::<Vec<[f64; 3]>>("points", "a list of points, [[x, y, z], …]");
            let is_line =
                |points: &Vec<[f64; 3]>| points.len() > 1 && points.iter().flatten().all(|x| x.is_finite());
            GeometrySpec::Line { points: points.check("two or more points", is_line).required() }
        }
    })
}

fn read_mesh(shape: &Reader<'_>) -> Option<GeometrySpec> {
    let scale = shape.number("scale").positive().or(1.0);
    let file =
        shape.text("file").required_option().map(|file| shape.log().beside(&shape.span("file"), &file))?;
    let opened = Mesh::open(&file, scale);
    let mesh = opened.map_err(|error| shape.log().error(&shape.span("file"), error.to_string())).ok()?;
    Some(GeometrySpec::Mesh { file, scale, mesh: Arc::new(mesh) })
}

impl ShapeSpec {
    /// The shape.
    pub(crate) fn build(&self) -> Shape {
        let geometry = match &self.geometry {
            GeometrySpec::Sphere { radius } => Geometry::Sphere { radius: *radius },
            GeometrySpec::Box { size } => Geometry::Box { size: *size },
            GeometrySpec::Cylinder { radius, length } => {
                Geometry::Cylinder { radius: *radius, length: *length }
            }
            GeometrySpec::Capsule { radius, length } => {
                Geometry::Capsule { radius: *radius, length: *length }
            }
            GeometrySpec::Mesh { mesh, .. } => Geometry::Mesh { mesh: Arc::clone(mesh) },
            GeometrySpec::Arrow { vector, radius } => {
                Geometry::Arrow { vector: (*vector).into(), radius: *radius }
            }
            GeometrySpec::Line { points } => Geometry::Line { points: points.clone() },
        };
        let shape = Shape::new(geometry).at(self.position).with_orientation(rotation(self.orientation));
        Shape { color: self.color.map(|color| color.map(|x| x as f32)), ..shape }
    }
}
