//! Frames of bodies.

use cosimo_scene::Frame;
use mcap::McapResult;
use prost::Message;

use super::Output;
use super::foxglove::{FRAME_TRANSFORMS, FrameTransform, FrameTransforms, Timestamp};
use crate::scene::Film;

/// The frame of the world.
pub(super) const WORLD: &str = "world";

/// The channel of poses.
pub(super) struct Channel<'a> {
    id: u16,
    film: Film<'a>,
}

impl<'a> Channel<'a> {
    pub(super) fn add(output: &mut Output, film: Film<'a>) -> McapResult<Self> {
        let schema = output.add_schema("foxglove.FrameTransforms", "protobuf", FRAME_TRANSFORMS)?;
        let units = [("translation".to_owned(), "m".to_owned())].into();
        let id = output.add_channel(schema, "/scene/frames", "protobuf", &units)?;
        Ok(Self { id, film })
    }

    /// Writes the poses of a frame that are known.
    pub(super) fn write(
        &self,
        frame: &Frame,
        time: Timestamp,
        message: &mut impl FnMut(u16, &[u8]) -> McapResult<()>,
    ) -> McapResult<()> {
        let known = frame.poses().iter().zip(&self.film.scene.bodies);
        let known = known.filter(|(pose, _)| pose.position.iter().all(|x| x.is_finite()));
        let transforms = known.map(|(pose, body)| FrameTransform {
            timestamp: Some(time),
            parent_frame_id: WORLD.to_owned(),
            child_frame_id: body.full_name(),
            translation: Some(pose.position.into()),
            rotation: Some(pose.orientation.into()),
        });
        message(self.id, &FrameTransforms { transforms: transforms.collect() }.encode_to_vec())
    }
}
