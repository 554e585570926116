//! The bodies of a run over time.

use cosimo_results::{RecordedFrame, Results};
use cosimo_scene::{Frame, Pose, Scene};
use nalgebra::{UnitQuaternion, Vector3};

use crate::{Format, FormatError};

/// Length of the arrow of the largest force, relative to the model's size.
const LONGEST_ARROW: f64 = 0.25;

/// A scene and at least one frame of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Film<'a> {
    pub(crate) scene: &'a Scene,
    frames: &'a [RecordedFrame],
}

impl<'a> Film<'a> {
    /// What was to be seen of a run.
    pub(crate) fn of(results: &'a Results) -> Option<Self> {
        let recorded = results.scene.as_ref()?;
        let film = Self { scene: &recorded.scene, frames: &recorded.frames };
        (!film.scene.is_empty() && !film.frames.is_empty()).then_some(film)
    }

    /// The same for a format that is of no use without.
    pub(crate) fn required(results: &'a Results, format: Format) -> Result<Self, FormatError> {
        Self::of(results).ok_or(FormatError::NoBodies { format })
    }

    pub(crate) fn frames(&self) -> impl ExactSizeIterator<Item = &'a Frame> + Clone + use<'a> {
        self.frames.iter().map(|recorded| &recorded.frame)
    }

    /// The poses of one body over the frames; where it is not known, that of the frame before.
    pub(crate) fn path(&self, body: usize) -> Vec<Pose> {
        let mut last = self.frames().map(|frame| frame.poses()[body]).find(is_known).unwrap_or_default();
        let pose = |frame: &Frame| {
            let pose = frame.poses()[body];
            if is_known(&pose) {
                last = pose;
            }
            last
        };
        self.frames().map(pose).collect()
    }

    /// Diagonal of the box that holds the origins of all bodies at all times and their shapes (m); positive.
    pub(crate) fn size(&self) -> f64 {
        let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        for frame in self.frames() {
            for (pose, body) in
                frame.poses().iter().zip(&self.scene.bodies).filter(|(pose, _)| is_known(pose))
            {
                let reach = |own: &cosimo_scene::Shape| own.position.norm() + own.geometry.extent();
                let reach = body.shapes.iter().map(reach).fold(0.0, f64::max);
                low = low.inf(&pose.position.add_scalar(-reach));
                high = high.sup(&pose.position.add_scalar(reach));
            }
        }
        let size = (high - low).norm();
        if size > 0.0 && size.is_finite() { size } else { 1.0 }
    }

    /// Length of the arrow of a force (m/N).
    pub(crate) fn arrow_scale(&self) -> f64 {
        let forces = self.frames().flat_map(Frame::forces).map(|own| own.force.norm());
        let largest = forces.filter(|force| force.is_finite()).fold(0.0, f64::max);
        if largest > 0.0 { LONGEST_ARROW * self.size() / largest } else { 1.0 }
    }

    /// Turns the world so that its upward direction, `z` where there is none, becomes another axis.
    pub(crate) fn upright(&self, axis: &Vector3<f64>) -> UnitQuaternion<f64> {
        let up = self.scene.up.unwrap_or_else(Vector3::z);
        let flip = || UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
        UnitQuaternion::rotation_between(&up, axis).unwrap_or_else(flip)
    }
}

/// Whether all numbers of a pose are.
pub(super) fn is_known(pose: &Pose) -> bool {
    pose.position.iter().chain(pose.orientation.coords.iter()).all(|x| x.is_finite())
}
