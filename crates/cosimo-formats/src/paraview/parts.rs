//! Origins of bodies, and forces of contacts.

use cosimo_scene::{Frame, Scene, SceneBody};
use nalgebra::Vector3;

use super::poly_data::{Cells, PolyData};
use super::xml::{Array, Numbers};

/// A point for each body, also for those of which no pose is known.
pub(super) fn bodies(scene: &Scene, frame: &Frame) -> PolyData {
    let poses = frame.poses();
    let turns = poses.iter().flat_map(|pose| {
        let q = pose.orientation;
        [q.w, q.i, q.j, q.k]
    });
    let numbers = (0..poses.len() as i32).collect();
    let arrays = vec![
        Array { name: "body", components: 1, numbers: Numbers::Int32(numbers) },
        Array { name: "orientation w x y z", components: 4, numbers: Numbers::Float64(turns.collect()) },
    ];
    let names = scene.bodies.iter().map(SceneBody::full_name).collect();
    points(poses.iter().map(|pose| pose.position), arrays, ("names of bodies", names))
}

/// A point with a force for each contact that carries load.
pub(super) fn contacts(scene: &Scene, frame: &Frame) -> PolyData {
    let forces = frame.forces();
    let vectors = forces.iter().flat_map(|own| <[f64; 3]>::from(own.force)).collect();
    let numbers = forces.iter().map(|own| own.contact as i32).collect();
    let arrays = vec![
        Array { name: "contact", components: 1, numbers: Numbers::Int32(numbers) },
        Array { name: "force [N]", components: 3, numbers: Numbers::Float64(vectors) },
    ];
    points(forces.iter().map(|own| own.point), arrays, ("names of contacts", scene.contacts.clone()))
}

fn points(
    points: impl ExactSizeIterator<Item = Vector3<f64>>,
    arrays: Vec<Array>,
    names: (&'static str, Vec<String>),
) -> PolyData {
    let count = points.len();
    PolyData {
        points: Numbers::Float64(points.flat_map(<[f64; 3]>::from).collect()),
        count,
        vertices: Cells::vertices(count),
        lines: Cells::default(),
        polygons: Cells::default(),
        arrays,
        names,
    }
}
