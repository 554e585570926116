//! Nodes of bodies.

use cosimo_scene::{Pose, SceneBody};
use nalgebra::{UnitQuaternion, Vector3};
use serde_json::{Value, json};

use super::Document;

/// Adds a node for each body and returns their numbers.
pub(super) fn add(document: &mut Document<'_>) -> Vec<usize> {
    let scene = document.film.scene;
    scene.bodies.iter().enumerate().map(|(number, body)| add_body(document, number, body)).collect()
}

fn add_body<'a>(document: &mut Document<'a>, number: usize, body: &'a SceneBody) -> usize {
    let mut children = Vec::new();
    for shape in &body.shapes {
        let mesh = document.meshes.shape(&body.subsystem, shape, &mut document.buffer);
        if let Some(mesh) = mesh {
            let mut node = placed(&Pose { position: shape.position, orientation: shape.orientation });
            node["mesh"] = json!(mesh);
            children.push(document.add_node(node));
        }
    }
    let path = document.film.path(number);
    let mut node = placed(&path[0]);
    node["name"] = json!(body.full_name());
    if !children.is_empty() {
        node["children"] = json!(children);
    }
    let node = document.add_node(node);
    let positions: Vec<Vector3<f64>> = path.iter().map(|pose| pose.position).collect();
    let turns: Vec<UnitQuaternion<f64>> = path.iter().map(|pose| pose.orientation).collect();
    document.animation.move_node(node, "translation", &positions, &mut document.buffer);
    document.animation.turn_node(node, &turns, &mut document.buffer);
    node
}

/// A node at this place.
pub(super) fn placed(pose: &Pose) -> Value {
    let translation = pose.position.map(|x| x as f32);
    let rotation = pose.orientation.coords.map(|x| x as f32);
    json!({ "translation": translation.as_slice(), "rotation": rotation.as_slice() })
}
