//! Shapes as primitives.

use cosimo_scene::{Geometry, Pose, Shape};
use nalgebra::{UnitQuaternion, Vector3};

use super::foxglove::{
    ArrowPrimitive, Color, CylinderPrimitive, LinePrimitive, SceneEntity, SizedPrimitive,
    TriangleListPrimitive,
};
use crate::scene::{Drawing, drawing};

/// Width of lines (pixels).
const LINE_WIDTH: f64 = 2.0;

/// Adds a shape to an entity; what cannot be seen adds nothing.
pub(super) fn add(entity: &mut SceneEntity, shape: &Shape, color: [f32; 3]) {
    let place = Pose { position: shape.position, orientation: shape.orientation };
    let Some(drawn) = drawing(&shape.geometry) else { return };
    match &shape.geometry {
        Geometry::Sphere { radius } => entity.spheres.push(ball(place, *radius, color)),
        Geometry::Box { size } => entity.cubes.push(SizedPrimitive {
            pose: Some(place.into()),
            size: Some((*size).into()),
            color: Some(color.into()),
        }),
        Geometry::Cylinder { radius, length } => {
            entity.cylinders.push(cylinder(place, *radius, *length, color));
        }
        Geometry::Capsule { radius, length } => {
            entity.cylinders.push(cylinder(place, *radius, *length, color));
            for side in [-0.5, 0.5] {
                let position = place.point(&Vector3::new(0.0, 0.0, side * length));
                entity.spheres.push(ball(Pose { position, ..place }, *radius, color));
            }
        }
        Geometry::Arrow { vector, radius } => {
            entity.arrows.push(arrow(place.position, place.orientation * vector, *radius, color));
        }
        _ => add_drawing(entity, drawn, place, color),
    }
}

/// A cylinder along its own `z`.
pub(super) fn cylinder(place: Pose, radius: f64, length: f64, color: [f32; 3]) -> CylinderPrimitive {
    CylinderPrimitive {
        pose: Some(place.into()),
        size: Some([2.0 * radius, 2.0 * radius, length].into()),
        bottom_scale: 1.0,
        top_scale: 1.0,
        color: Some(color.into()),
    }
}

/// An arrow from a point; those of Foxglove are along `x`.
pub(super) fn arrow(
    tail: Vector3<f64>,
    vector: Vector3<f64>,
    radius: f64,
    color: [f32; 3],
) -> ArrowPrimitive {
    let flip = || UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI);
    let orientation = UnitQuaternion::rotation_between(&Vector3::x(), &vector).unwrap_or_else(flip);
    let length = vector.norm();
    let head = (6.0 * radius).min(0.5 * length);
    ArrowPrimitive {
        pose: Some(Pose { position: tail, orientation }.into()),
        shaft_length: length - head,
        shaft_diameter: 2.0 * radius,
        head_length: head,
        head_diameter: 4.0 * radius,
        color: Some(color.into()),
    }
}

fn ball(place: Pose, radius: f64, color: [f32; 3]) -> SizedPrimitive {
    let size = Some([2.0 * radius; 3].into());
    SizedPrimitive { pose: Some(place.into()), size, color: Some(color.into()) }
}

fn add_drawing(entity: &mut SceneEntity, drawing: Drawing, place: Pose, color: [f32; 3]) {
    let (pose, color) = (Some(place.into()), Some(Color::from(color)));
    match drawing {
        Drawing::Surface(surface) => entity.triangles.push(TriangleListPrimitive {
            pose,
            points: surface.points.into_iter().map(Into::into).collect(),
            color,
            indices: surface.triangles.into_iter().flatten().collect(),
        }),
        Drawing::Line(points) => entity.lines.push(LinePrimitive {
            pose,
            thickness: LINE_WIDTH,
            scale_invariant: true,
            points: points.into_iter().map(Into::into).collect(),
            color,
        }),
    }
}
