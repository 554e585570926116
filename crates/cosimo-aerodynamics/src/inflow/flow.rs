//! The flow through the disk of a rotor.

use crate::number::Dual;

/// The flow through a disk, along its axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiskFlow<T> {
    /// Velocity of the hub through the air along the two axes in the disk (m/s).
    pub along: [T; 2],
    /// The same along the rotor axis (m/s): `W`.
    pub climb: T,
    /// Speed of the rotor (rad/s), in its direction of rotation.
    pub speed: T,
    /// Height of the hub over the ground (m); infinite without ground.
    pub height: T,
}

impl DiskFlow<f64> {
    /// Velocity across the axis (m/s): `U`.
    pub(crate) fn edgewise(&self) -> f64 {
        self.along[0].hypot(self.along[1])
    }

    /// The same with the five entries the first variables.
    pub(crate) fn variables<const N: usize>(&self) -> DiskFlow<Dual<N>> {
        DiskFlow {
            along: [Dual::variable(self.along[0], 0), Dual::variable(self.along[1], 1)],
            climb: Dual::variable(self.climb, 2),
            speed: Dual::variable(self.speed, 3),
            height: Dual::variable(self.height, 4),
        }
    }
}
