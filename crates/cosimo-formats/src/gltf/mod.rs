//! glTF 2.0 with animation, in one binary file.
//!
//! A node stands for each body and each link; shapes hang on them. The root turns the world so that up is `y`. Times of the animation
//! count from the first frame. Impacts stand in the `extras` of the animation.
//!
//! Reference: Khronos Group, *glTF 2.0 Specification*, sections 3 and 4.

mod animation;
mod bodies;
mod buffer;
mod links;
mod meshes;

use std::fs;
use std::path::Path;

use cosimo_results::Results;
use nalgebra::Vector3;
use serde_json::{Map, Value, json};

use crate::scene::Film;
use crate::{Format, FormatError};
use animation::Animation;
use buffer::Buffer;
use meshes::Meshes;

/// Writes `scene.glb` into a folder.
pub(crate) fn write(results: &Results, folder: &Path) -> Result<(), FormatError> {
    let film = Film::required(results, Format::Gltf)?;
    let path = folder.join("scene.glb");
    let bytes = container(film, results);
    if u32::try_from(bytes.len()).is_err() {
        return Err(FormatError::encode(Format::Gltf)("it would be larger than 4 GiB: record fewer frames"));
    }
    fs::write(&path, bytes).map_err(FormatError::write(&path))
}

/// The parts of a document that refer to each other by number.
struct Document<'a> {
    film: Film<'a>,
    buffer: Buffer,
    meshes: Meshes<'a>,
    animation: Animation,
    nodes: Vec<Value>,
}

impl Document<'_> {
    /// Appends a node and returns its number.
    fn add_node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

fn container(film: Film<'_>, results: &Results) -> Vec<u8> {
    let mut buffer = Buffer::default();
    let animation = Animation::of(film, &mut buffer);
    let mut document =
        Document { film, buffer, meshes: Meshes::of(film.scene), animation, nodes: Vec::new() };
    let mut children = bodies::add(&mut document);
    children.extend(links::add(&mut document));
    let turn = film.upright(&Vector3::y()).coords.map(|x| x as f32);
    let root = json!({ "name": "world", "rotation": turn.as_slice(), "children": children });
    let root = document.add_node(root);
    let Document { buffer, meshes, animation, nodes, .. } = document;
    let text = |key: &str| results.summary.get(key).and_then(Value::as_str).unwrap_or_default();
    let units = json!({ "length": "m", "time": "s", "impulse": "N s" });
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put(
        "asset",
        json!({
            "version": "2.0",
            "generator": format!("cosimo {}", env!("CARGO_PKG_VERSION")),
            "extras": { "title": text("title"), "outcome": text("outcome"), "units": units },
        }),
    );
    put("scene", json!(0));
    put("scenes", json!([{ "nodes": [root] }]));
    put("nodes", Value::Array(nodes));
    if let Some(animation) = animation.into_value(&impacts(results)) {
        put("animations", json!([animation]));
    }
    // Lists without entries are not allowed.
    for (key, list) in [
        ("meshes", meshes.meshes),
        ("materials", meshes.materials),
        ("accessors", buffer.accessors),
        ("bufferViews", buffer.views),
    ] {
        if !list.is_empty() {
            put(key, Value::Array(list));
        }
    }
    if !buffer.bytes.is_empty() {
        put("buffers", json!([{ "byteLength": buffer.bytes.len() }]));
    }
    binary(&Value::Object(object), buffer.bytes)
}

/// Time (s of the run), contact and impulse (N s) of every impact.
fn impacts(results: &Results) -> Vec<(f64, Value)> {
    let impacts = results.events.iter().filter(|event| event.is_impact());
    impacts.map(|event| (event.time, json!({ "contact": event.contact, "impulse": event.impulse }))).collect()
}

/// The chunks of a file: JSON and numbers.
fn binary(json: &Value, mut numbers: Vec<u8>) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    numbers.resize(numbers.len().next_multiple_of(4), 0);
    let mut chunks = Vec::new();
    for (kind, content) in
        [(b"JSON", text), (b"BIN\0", numbers)].into_iter().filter(|(_, content)| !content.is_empty())
    {
        chunks.extend((content.len() as u32).to_le_bytes());
        chunks.extend(kind);
        chunks.extend(content);
    }
    let mut file = b"glTF".to_vec();
    file.extend(2_u32.to_le_bytes());
    file.extend((12 + chunks.len() as u32).to_le_bytes());
    file.extend(chunks);
    file
}
