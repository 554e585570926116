//! Triangles of shapes.

use cosimo_scene::{Geometry, Mesh};
use nalgebra::{UnitQuaternion, Vector3};

use super::lathe;
use super::triangles::Surface;

/// What a geometry is drawn as, in its own frame.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Drawing {
    /// Triangles.
    Surface(Surface),
    /// A line from point to point (m), of at least two.
    Line(Vec<[f64; 3]>),
}

/// Draws a geometry; `None` where there is nothing to be drawn.
pub(crate) fn drawing(geometry: &Geometry) -> Option<Drawing> {
    if !geometry.extent().is_finite() {
        return None;
    }
    let surface = match geometry {
        Geometry::Sphere { radius } => lathe::ball(*radius),
        Geometry::Box { size } => cuboid(*size),
        Geometry::Cylinder { radius, length } => lathe::cylinder(*radius, *length),
        Geometry::Capsule { radius, length } => lathe::capsule(*radius, *length),
        Geometry::Mesh { mesh } => facets(mesh),
        Geometry::Arrow { vector, radius } => arrow(vector, *radius),
        Geometry::Plane { size } if size.is_finite() => square(*size),
        Geometry::Line { points } => {
            return (points.len() > 1).then(|| Drawing::Line(points.clone()));
        }
        _ => return None,
    };
    (!surface.triangles.is_empty()).then_some(Drawing::Surface(surface))
}

/// A tube along `z` about the origin.
pub(crate) fn tube_surface(radius: f64, length: f64) -> Surface {
    lathe::cylinder(radius, length)
}

fn cuboid(size: [f64; 3]) -> Surface {
    let mut surface = Surface::default();
    for axis in 0..3 {
        for side in [-0.5, 0.5] {
            let unit = |k: usize| Vector3::from_fn(|row, _| if row == k % 3 { size[row] } else { 0.0 });
            let (middle, u, v) = (unit(axis) * side, unit(axis + 1) * side, unit(axis + 2) * 0.5);
            let corners = [middle - u - v, middle + u - v, middle + u + v, middle - u + v];
            let normal = Vector3::from_fn(|row, _| if row == axis { 2.0 * side } else { 0.0 });
            surface.add_square(corners, normal);
        }
    }
    surface
}

fn square(size: f64) -> Surface {
    let mut surface = Surface::default();
    let h = 0.5 * size;
    let corners = [(-h, -h), (h, -h), (h, h), (-h, h)].map(|(x, y)| Vector3::new(x, y, 0.0));
    surface.add_square(corners, Vector3::z());
    surface
}

fn arrow(vector: &Vector3<f64>, radius: f64) -> Surface {
    let flip = || UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
    let turn = UnitQuaternion::rotation_between(&Vector3::z(), vector).unwrap_or_else(flip);
    lathe::arrow(radius, vector.norm()).turned(&turn)
}

/// The triangles of a mesh, each flat.
fn facets(mesh: &Mesh) -> Surface {
    let mut surface = Surface::default();
    for triangle in &mesh.triangles {
        let Some([a, b, c]) = corners(mesh, triangle) else { continue };
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0);
        let first = surface.points.len() as u32;
        // What has no area is not seen.
        let Some(normal) = normal else { continue };
        surface.points.extend([a, b, c].map(<[f64; 3]>::from));
        surface.normals.extend([<[f64; 3]>::from(normal); 3]);
        surface.triangles.push([first, first + 1, first + 2]);
    }
    surface
}

fn corners(mesh: &Mesh, triangle: &[u32; 3]) -> Option<[Vector3<f64>; 3]> {
    let corner = |k: usize| mesh.vertices.get(triangle[k] as usize).map(|p| Vector3::from(*p));
    Some([corner(0)?, corner(1)?, corner(2)?])
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;
    use std::sync::Arc;

    use super::*;

    fn surface(geometry: Geometry) -> Surface {
        match drawing(&geometry) {
            Some(Drawing::Surface(surface)) => surface,
            other => panic!("{other:?}"),
        }
    }

    /// Volume by Gauss' theorem, which is negative where triangles look inwards.
    fn volume(surface: &Surface) -> f64 {
        let at = |k: u32| Vector3::from(surface.points[k as usize]);
        surface.triangles.iter().map(|&[a, b, c]| at(a).dot(&at(b).cross(&at(c))) / 6.0).sum()
    }

    #[test]
    fn volumes_are_those_of_the_shapes() {
        let (r, l) = (0.5, 2.0);
        let tetrahedron = Mesh {
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        };
        let cases = [
            (Geometry::Sphere { radius: r }, 4.0 / 3.0 * PI * r.powi(3), 0.05),
            (Geometry::Box { size: [1.0, 2.0, 3.0] }, 6.0, 1e-12),
            (Geometry::Cylinder { radius: r, length: l }, PI * r * r * l, 0.02),
            (Geometry::Capsule { radius: r, length: l }, PI * r * r * (l + 4.0 / 3.0 * r), 0.03),
            (Geometry::Mesh { mesh: Arc::new(tetrahedron) }, 1.0 / 6.0, 1e-12),
            // A shaft of 1.4 and a cone of 0.6 with twice the radius.
            (
                Geometry::Arrow { vector: Vector3::new(0.0, -2.0, 0.0), radius: 0.1 },
                0.01 * PI * (1.4 + 0.8),
                0.02,
            ),
        ];
        for (geometry, expected, tolerance) in cases {
            let found = volume(&surface(geometry.clone()));
            assert!((found / expected - 1.0).abs() < tolerance, "{geometry:?}: {found}, {expected}");
        }
    }

    #[test]
    fn normals_have_unit_length_and_look_outwards() {
        for geometry in [
            Geometry::Sphere { radius: 0.1 },
            Geometry::Box { size: [1.0, 2.0, 3.0] },
            Geometry::Cylinder { radius: 0.2, length: 1.0 },
            Geometry::Capsule { radius: 0.2, length: 0.0 },
            Geometry::Arrow { vector: Vector3::new(1.0, 1.0, -3.0), radius: 0.01 },
            Geometry::Plane { size: 2.0 },
        ] {
            let surface = surface(geometry);
            assert_eq!(surface.points.len(), surface.normals.len());
            for [a, b, c] in &surface.triangles {
                let at = |k: &u32| Vector3::from(surface.points[*k as usize]);
                let outwards = (at(b) - at(a)).cross(&(at(c) - at(a)));
                assert!(outwards.norm() > 0.0);
                for k in [a, b, c] {
                    let normal = Vector3::from(surface.normals[*k as usize]);
                    assert!((normal.norm() - 1.0).abs() < 1e-12 && normal.dot(&outwards) > 0.0);
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_seen_is_not_drawn() {
        assert_eq!(drawing(&Geometry::Sphere { radius: f64::NAN }), None);
        assert_eq!(drawing(&Geometry::Line { points: vec![[0.0; 3]] }), None);
        assert_eq!(drawing(&Geometry::Mesh { mesh: Arc::default() }), None);
    }
}
