//! Nodes of links: tubes of unit size, scaled to the distance of their ends.

use cosimo_scene::{Frame, Link};
use nalgebra::{UnitQuaternion, Vector3};
use serde_json::json;

use super::Document;
use super::bodies::placed;
use crate::scene::{Tube, tube_surface};

/// Adds a node for each link and returns their numbers.
pub(super) fn add(document: &mut Document<'_>) -> Vec<usize> {
    let scene = document.film.scene;
    scene.links.iter().filter_map(|link| add_link(document, link)).collect()
}

fn add_link(document: &mut Document<'_>, link: &Link) -> Option<usize> {
    let tubes = tubes(document, link)?;
    let owner = link.name.split('.').next().unwrap_or_default();
    let unit = tube_surface(1.0, 1.0);
    let mesh = document.meshes.tube(owner, link.role, &unit, &mut document.buffer);
    let scale = |tube: &Tube| Vector3::new(link.radius, link.radius, tube.length);
    let mut node = placed(&tubes[0].pose);
    node["name"] = json!(link.name);
    node["mesh"] = json!(mesh);
    node["scale"] = json!(scale(&tubes[0]).map(|x| x as f32).as_slice());
    let node = document.add_node(node);
    let middles: Vec<Vector3<f64>> = tubes.iter().map(|tube| tube.pose.position).collect();
    let turns: Vec<UnitQuaternion<f64>> = tubes.iter().map(|tube| tube.pose.orientation).collect();
    let scales: Vec<Vector3<f64>> = tubes.iter().map(scale).collect();
    document.animation.move_node(node, "translation", &middles, &mut document.buffer);
    document.animation.turn_node(node, &turns, &mut document.buffer);
    document.animation.move_node(node, "scale", &scales, &mut document.buffer);
    Some(node)
}

/// The tube at every frame; where it is not known, that of the frame before. `None` where it never is.
fn tubes(document: &Document<'_>, link: &Link) -> Option<Vec<Tube>> {
    let tube = |frame: &Frame| Tube::of(link, frame.poses());
    let mut last = document.film.frames().find_map(tube)?;
    let all = document.film.frames().map(|frame| {
        last = tube(frame).unwrap_or(last);
        last
    });
    Some(all.collect())
}
