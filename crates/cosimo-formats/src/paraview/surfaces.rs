//! Surfaces of bodies and links.

use cosimo_scene::{Frame, Pose, Scene, SceneBody};
use nalgebra::Vector3;

use super::poly_data::{Cells, PolyData};
use super::xml::{Array, Numbers};
use crate::scene::{Drawing, Palette, Tube, drawing, tube_surface};

/// Number that stands for no body, as of links.
const NO_BODY: i32 = -1;

/// Drawings of all shapes in the frames of their bodies.
pub(super) struct Surfaces<'a> {
    scene: &'a Scene,
    palette: Palette<'a>,
    /// Number of the body, place on it, colour.
    shapes: Vec<(usize, Pose, [f32; 3], Drawing)>,
}

impl<'a> Surfaces<'a> {
    pub(super) fn of(scene: &'a Scene) -> Self {
        let palette = Palette::of(scene);
        let mut shapes = Vec::new();
        for (number, body) in scene.bodies.iter().enumerate() {
            for shape in &body.shapes {
                let place = Pose { position: shape.position, orientation: shape.orientation };
                let color = palette.shape(&body.subsystem, shape);
                shapes.extend(drawing(&shape.geometry).map(|drawn| (number, place, color, drawn)));
            }
        }
        Self { scene, palette, shapes }
    }

    /// The surfaces at an instant, in world axes.
    pub(super) fn at(&self, frame: &Frame) -> PolyData {
        let mut pile = Pile::default();
        for (body, place, color, drawing) in &self.shapes {
            let pose = frame.poses()[*body];
            if pose.position.iter().all(|x| x.is_finite()) {
                pile.add(drawing, &(pose.isometry() * place.isometry()), *body as i32, *color);
            }
        }
        for link in &self.scene.links {
            if let Some(tube) = Tube::of(link, frame.poses()) {
                let owner = link.name.split('.').next().unwrap_or_default();
                let surface = Drawing::Surface(tube_surface(link.radius, tube.length));
                pile.add(&surface, &tube.pose.isometry(), NO_BODY, self.palette.role(owner, link.role));
            }
        }
        pile.into_poly_data(self.scene)
    }
}

/// What is drawn, in the order of its points.
#[derive(Default)]
struct Pile {
    points: Vec<f32>,
    normals: Vec<f32>,
    bodies: Vec<i32>,
    colors: Vec<u8>,
    lines: Cells,
    polygons: Cells,
}

impl Pile {
    fn add(&mut self, drawing: &Drawing, place: &nalgebra::Isometry3<f64>, body: i32, color: [f32; 3]) {
        let first = self.bodies.len();
        let (points, normals) = match drawing {
            Drawing::Surface(surface) => (&surface.points, Some(&surface.normals)),
            Drawing::Line(points) => (points, None),
        };
        for (number, point) in points.iter().enumerate() {
            let point = place * nalgebra::Point3::from(*point);
            self.points.extend(point.iter().map(|x| *x as f32));
            let normal =
                normals.map_or_else(Vector3::zeros, |own| place.rotation * Vector3::from(own[number]));
            self.normals.extend(normal.iter().map(|x| *x as f32));
            self.bodies.push(body);
            self.colors.extend(color.map(|share| (255.0 * share).round() as u8));
        }
        match drawing {
            Drawing::Surface(surface) => {
                let corners = |triangle: &[u32; 3]| triangle.map(|corner| first + corner as usize);
                surface.triangles.iter().for_each(|triangle| self.polygons.push(corners(triangle)));
            }
            Drawing::Line(_) => self.lines.push(first..first + points.len()),
        }
    }

    fn into_poly_data(self, scene: &Scene) -> PolyData {
        let count = self.bodies.len();
        let arrays = vec![
            Array { name: "body", components: 1, numbers: Numbers::Int32(self.bodies) },
            Array { name: "color", components: 3, numbers: Numbers::UInt8(self.colors) },
            Array { name: "Normals", components: 3, numbers: Numbers::Float32(self.normals) },
        ];
        PolyData {
            count,
            points: Numbers::Float32(self.points),
            vertices: Cells::default(),
            lines: self.lines,
            polygons: self.polygons,
            arrays,
            names: ("names of bodies", scene.bodies.iter().map(SceneBody::full_name).collect()),
        }
    }
}
