//! Links at an instant.

use cosimo_scene::{Anchor, Link, Pose};
use nalgebra::{UnitQuaternion, Vector3};

use super::film::is_known;

/// A straight tube along its own `z` about its own origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tube {
    pub(crate) pose: Pose,
    pub(crate) length: f64,
}

impl Tube {
    /// The tube of a link; `None` where a body that it joins is not known.
    pub(crate) fn of(link: &Link, poses: &[Pose]) -> Option<Self> {
        let end = |anchor: &Anchor| match anchor.body {
            None => Some(anchor.point),
            Some(body) => poses.get(body).filter(|pose| is_known(pose)).map(|pose| pose.point(&anchor.point)),
        };
        let (from, to) = (end(&link.from)?, end(&link.to)?);
        let displacement = to - from;
        let flip = || UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
        let length = displacement.norm();
        let orientation = if length > 0.0 {
            UnitQuaternion::rotation_between(&Vector3::z(), &displacement).unwrap_or_else(flip)
        } else {
            UnitQuaternion::identity()
        };
        Some(Self { pose: Pose { position: 0.5 * (from + to), orientation }, length })
    }
}
