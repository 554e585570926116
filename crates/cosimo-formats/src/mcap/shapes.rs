//! Shapes of bodies, which move with their frames.

use mcap::McapResult;
use prost::Message;

use super::Output;
use super::foxglove::{KeyValuePair, SCENE_UPDATE, SceneEntity, SceneUpdate, Timestamp};
use super::primitives;
use crate::scene::{Film, Palette};

/// The channel of shapes.
pub(super) struct Channel<'a> {
    id: u16,
    film: Film<'a>,
}

impl<'a> Channel<'a> {
    pub(super) fn add(output: &mut Output, film: Film<'a>) -> McapResult<Self> {
        let schema = output.add_schema("foxglove.SceneUpdate", "protobuf", SCENE_UPDATE)?;
        let units = [("length".to_owned(), "m".to_owned())].into();
        Ok(Self { id: output.add_channel(schema, "/scene/bodies", "protobuf", &units)?, film })
    }

    /// Writes an entity for each body.
    pub(super) fn write(
        &self,
        time: Timestamp,
        message: &mut impl FnMut(u16, &[u8]) -> McapResult<()>,
    ) -> McapResult<()> {
        let palette = Palette::of(self.film.scene);
        let entities = self.film.scene.bodies.iter().map(|body| {
            let name = body.full_name();
            let about = KeyValuePair { key: "subsystem".to_owned(), value: body.subsystem.clone() };
            let mut entity = SceneEntity {
                timestamp: Some(time),
                frame_id: name.clone(),
                id: name,
                frame_locked: true,
                metadata: vec![about],
                ..SceneEntity::default()
            };
            for shape in &body.shapes {
                primitives::add(&mut entity, shape, palette.shape(&body.subsystem, shape));
            }
            entity
        });
        message(self.id, &SceneUpdate { entities: entities.collect() }.encode_to_vec())
    }
}
