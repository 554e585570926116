//! Ports: where a subsystem can be joined to others.

use serde::{Deserialize, Serialize};

/// A port: kinematic coordinates at which the subsystem can be joined to others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortSpec {
    /// Name, unique among the subsystem's ports.
    pub name: String,
    /// Number of coordinates: 1, 3 (a point in space) or 6 (a point and an orientation).
    pub size: usize,
    /// Whether the six coordinates are those of a frame that may turn by any angle: see [`PortSpec::frame`].
    pub is_frame: bool,
}

impl PortSpec {
    /// A port whose coordinates are plain numbers. The last three of six are then small rotations.
    #[must_use]
    pub fn new(name: impl Into<String>, size: usize) -> Self {
        Self { name: name.into(), size, is_frame: false }
    }

    /// A port that is a frame: a point and an orientation without bounds.
    ///
    /// Its rows are the position of the point (m) and a **rotation increment** (rad), both along the axes of space.
    /// The increment is the rotation vector from the orientation at the present communication point, which
    /// [`RowState::orientations`](crate::RowState::orientations) holds: zero in the rows, the rotation of the step in a
    /// response. The rates of the last three rows are the angular velocity (rad/s), their loads moments (N m).
    #[must_use]
    pub fn frame(name: impl Into<String>) -> Self {
        Self { name: name.into(), size: 6, is_frame: true }
    }

    /// The first rule that it breaks.
    pub(super) fn broken_rule(&self) -> Option<String> {
        let Self { name, size, is_frame } = self;
        match size {
            1 | 3 | 6 if *is_frame && *size != 6 => {
                Some(format!("port `{name}` is a frame with {size} coordinates, not 6"))
            }
            1 | 3 | 6 => None,
            _ => Some(format!("port `{name}` has {size} coordinates; must be 1, 3 or 6")),
        }
    }
}
