//! Bodies and shapes as the page reads them; poses and forces as arrays.

use cosimo_results::{RecordedFrame, RecordedScene};
use cosimo_scene::{Anchor, ContactForce, Geometry, Mesh, Pose, Scene, Shape};
use nalgebra::{UnitQuaternion, Vector3};
use serde_json::{Value, json};
use std::sync::Arc;

use crate::arrays::Arrays;
use crate::ground;

/// Poses, and forces of contacts, that the page may hold; of more, frames are left out, and contacts of some frames.
const POSES: usize = 150_000;
const FORCES: usize = 60_000;

/// Positions are rounded to this share of the size of the motion: a power of two below 1e-5.
const GRID: f64 = 1.0 / 131_072.0;

/// Bits of a force that are kept of its 24.
const KEPT: u32 = 12;

/// What the page is told of the scene, and poses and forces as text.
pub(crate) fn encode(recorded: &RecordedScene) -> (Value, String) {
    let RecordedScene { scene, frames } = recorded;
    let stride = (frames.len() * scene.bodies.len()).div_ceil(POSES).max(1);
    let last = frames.len() - 1;
    let is_kept = |(number, _): &(usize, &RecordedFrame)| number % stride == 0 || *number == last;
    let shown: Vec<&RecordedFrame> =
        frames.iter().enumerate().filter(is_kept).map(|(_, frame)| frame).collect();
    let (center, size) = bounds(&shown, scene);
    let grid = (size * GRID).max(f64::MIN_POSITIVE);
    let mut arrays = Arrays::default();
    arrays.doubles(shown.iter().map(|frame| frame.frame.time));
    for body in 0..scene.bodies.len() {
        let poses = || shown.iter().map(|frame| &frame.frame.poses()[body]);
        for axis in 0..3 {
            arrays.singles(poses().map(|pose| ((pose.position[axis] / grid).round() * grid) as f32));
        }
        let numbers = |pose: &Pose| quaternion(&pose.orientation).map(|x| (x * 32767.0).round() as i16);
        arrays.shorts(poses().flat_map(numbers));
    }
    let (force_stride, forces) = chosen_forces(&shown);
    arrays.counts(forces.iter().map(|own| own.len() as u32));
    let all = || forces.iter().flat_map(|own| own.iter());
    arrays.counts(all().map(|own| own.contact));
    arrays.singles(all().flat_map(|own| rounded(&own.point)));
    arrays.singles(all().flat_map(|own| rounded(&own.force)));
    let up = scene.up.unwrap_or_else(Vector3::z);
    let (bodies, meshes) = bodies(scene, &ground::hidden(scene, shown[0].frame.poses()));
    let described = json!({
        "frames": shown.len(),
        "recorded_frames": frames.len(),
        "size": size,
        "center": numbers(&center),
        "up": numbers(&up),
        "bodies": bodies,
        "links": links(scene),
        "meshes": meshes,
        "contacts": scene.contacts,
        "contact_samples": all().count(),
        "force_stride": force_stride,
    });
    (described, arrays.to_text())
}

/// The forces of every frame, or of every n-th with this number, so that there are not too many.
fn chosen_forces<'a>(frames: &[&'a RecordedFrame]) -> (usize, Vec<&'a [ContactForce]>) {
    let count: usize = frames.iter().map(|frame| frame.frame.forces().len()).sum();
    let stride = count.div_ceil(FORCES).max(1);
    let own = |(number, frame): (usize, &&'a RecordedFrame)| {
        if number % stride == 0 { frame.frame.forces() } else { &[] }
    };
    (stride, frames.iter().enumerate().map(own).collect())
}

fn rounded(vector: &Vector3<f64>) -> [f32; 3] {
    [vector.x, vector.y, vector.z].map(|x| {
        let bits = (x as f32).to_bits();
        f32::from_bits(bits & (u32::MAX << (24 - KEPT)))
    })
}

fn numbers(vector: &Vector3<f64>) -> [f64; 3] {
    [vector.x, vector.y, vector.z]
}

/// `w, x, y, z`.
fn quaternion(turn: &UnitQuaternion<f64>) -> [f64; 4] {
    [turn.w, turn.i, turn.j, turn.k]
}

/// Middle and diagonal of the box about the motion (m), planes excepted.
fn bounds(frames: &[&RecordedFrame], scene: &Scene) -> (Vector3<f64>, f64) {
    let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    let extent = |shape: &Shape| match &shape.geometry {
        Geometry::Plane { .. } => None,
        geometry => Some(shape.position.norm() + geometry.extent()),
    };
    let radii = scene.bodies.iter().map(|body| body.shapes.iter().filter_map(extent).reduce(f64::max));
    let radii: Vec<Option<f64>> = radii.collect();
    let is_linked = |body: usize| {
        scene.links.iter().any(|link| [&link.from, &link.to].into_iter().any(|end| end.body == Some(body)))
    };
    for (body, radius) in radii.iter().enumerate() {
        let Some(radius) = radius.or_else(|| is_linked(body).then_some(0.0)) else { continue };
        for pose in frames.iter().map(|frame| &frame.frame.poses()[body].position) {
            if pose.iter().all(|x| x.is_finite()) {
                low = low.inf(&pose.add_scalar(-radius));
                high = high.sup(&pose.add_scalar(radius));
            }
        }
    }
    let diagonal = (high - low).norm();
    if diagonal.is_finite() && diagonal > 0.0 {
        (0.5 * (low + high), diagonal)
    } else {
        (Vector3::zeros(), 1.0)
    }
}

/// The bodies without the shapes that are hidden, and the meshes that they share.
fn bodies(scene: &Scene, hidden: &[(usize, usize)]) -> (Vec<Value>, Vec<Value>) {
    let mut meshes: Vec<Arc<Mesh>> = Vec::new();
    let bodies = scene.bodies.iter().enumerate().map(|(number, body)| {
        let is_shown = |(index, _): &(usize, &Shape)| !hidden.contains(&(number, *index));
        let shapes = body.shapes.iter().enumerate().filter(is_shown);
        let shapes: Vec<Value> = shapes.map(|(_, own)| shape(own, &mut meshes)).collect();
        json!({ "subsystem": body.subsystem, "name": body.name, "shapes": shapes })
    });
    let bodies = bodies.collect();
    let flat = |mesh: &Arc<Mesh>| {
        let vertices: Vec<f32> = mesh.vertices.iter().flatten().map(|x| *x as f32).collect();
        json!({ "vertices": vertices, "triangles": mesh.triangles.concat() })
    };
    (bodies, meshes.iter().map(flat).collect())
}

fn shape(own: &Shape, meshes: &mut Vec<Arc<Mesh>>) -> Value {
    let mut described = match &own.geometry {
        Geometry::Sphere { radius } => json!({ "kind": "sphere", "radius": radius }),
        Geometry::Box { size } => json!({ "kind": "box", "size": size }),
        Geometry::Cylinder { radius, length } => {
            json!({ "kind": "cylinder", "radius": radius, "length": length })
        }
        Geometry::Capsule { radius, length } => {
            json!({ "kind": "capsule", "radius": radius, "length": length })
        }
        Geometry::Arrow { vector, radius } => {
            json!({ "kind": "arrow", "vector": numbers(vector), "radius": radius })
        }
        Geometry::Line { points } => json!({ "kind": "line", "points": points }),
        Geometry::Plane { size } => json!({ "kind": "plane", "size": size }),
        Geometry::Mesh { mesh } => {
            let index = meshes.iter().position(|own| own == mesh).unwrap_or_else(|| {
                meshes.push(Arc::clone(mesh));
                meshes.len() - 1
            });
            json!({ "kind": "mesh", "mesh": index, "scale": 1.0 })
        }
        // A geometry that the page does not know is not shown.
        _ => json!({ "kind": "line", "points": [] }),
    };
    described["position"] = json!(numbers(&own.position));
    described["orientation"] = json!(quaternion(&own.orientation));
    described["color"] = json!(own.color);
    described["role"] = json!(own.role);
    described
}

fn links(scene: &Scene) -> Vec<Value> {
    let end = |anchor: &Anchor| json!({ "body": anchor.body, "point": numbers(&anchor.point) });
    let link = |own: &cosimo_scene::Link| json!({ "name": own.name, "from": end(&own.from), "to": end(&own.to), "radius": own.radius, "role": own.role });
    scene.links.iter().map(link).collect()
}
