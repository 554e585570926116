//! Links and forces, which are other ones at every frame.

use cosimo_scene::Frame;
use mcap::McapResult;
use prost::Message;

use super::Output;
use super::foxglove::{KeyValuePair, SCENE_UPDATE, SceneEntity, SceneUpdate, Timestamp};
use super::poses::WORLD;
use super::primitives::{arrow, cylinder};
use crate::scene::{FORCE_COLOR, Film, Palette, Tube};

/// Radius of the shaft of an arrow, relative to the length of the longest.
const SLENDERNESS: f64 = 0.02;

/// The channel of links and forces.
pub(super) struct Channel<'a> {
    id: u16,
    film: Film<'a>,
    palette: Palette<'a>,
    /// Length of arrows (m/N).
    scale: f64,
    radius: f64,
}

impl<'a> Channel<'a> {
    pub(super) fn add(output: &mut Output, film: Film<'a>) -> McapResult<Self> {
        let schema = output.add_schema("foxglove.SceneUpdate", "protobuf", SCENE_UPDATE)?;
        let scale = film.arrow_scale();
        let pairs = [("length", "m"), ("metadata of forces", "N"), ("arrows", &format!("{scale} m/N"))];
        let pairs = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        let id = output.add_channel(schema, "/scene/moving", "protobuf", &pairs)?;
        let radius = 0.25 * SLENDERNESS * film.size();
        Ok(Self { id, film, palette: Palette::of(film.scene), scale, radius })
    }

    /// Writes an entity of all links and one of all forces; each takes the place of the one before.
    pub(super) fn write(
        &self,
        frame: &Frame,
        time: Timestamp,
        message: &mut impl FnMut(u16, &[u8]) -> McapResult<()>,
    ) -> McapResult<()> {
        let entities = vec![self.links(frame, time), self.forces(frame, time)];
        message(self.id, &SceneUpdate { entities }.encode_to_vec())
    }

    fn links(&self, frame: &Frame, time: Timestamp) -> SceneEntity {
        let tubes = self.film.scene.links.iter().filter_map(|link| {
            let tube = Tube::of(link, frame.poses())?;
            let owner = link.name.split('.').next().unwrap_or_default();
            Some(cylinder(tube.pose, link.radius, tube.length, self.palette.role(owner, link.role)))
        });
        SceneEntity { cylinders: tubes.collect(), ..entity("links", time) }
    }

    fn forces(&self, frame: &Frame, time: Timestamp) -> SceneEntity {
        let known = || {
            frame
                .forces()
                .iter()
                .filter(|own| own.force.iter().chain(own.point.iter()).all(|x| x.is_finite()))
        };
        let arrows = known().map(|own| arrow(own.point, self.scale * own.force, self.radius, FORCE_COLOR));
        let metadata = known().map(|own| KeyValuePair {
            key: self.film.scene.contacts.get(own.contact as usize).cloned().unwrap_or_default(),
            value: format!("{} {} {}", own.force.x, own.force.y, own.force.z),
        });
        SceneEntity { arrows: arrows.collect(), metadata: metadata.collect(), ..entity("forces", time) }
    }
}

fn entity(id: &str, time: Timestamp) -> SceneEntity {
    SceneEntity {
        timestamp: Some(time),
        frame_id: WORLD.to_owned(),
        id: id.to_owned(),
        ..SceneEntity::default()
    }
}
