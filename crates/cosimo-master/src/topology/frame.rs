//! Joints between two frames that may turn by any angle.
//!
//! The rows of a frame are its point and a rotation increment since the communication point, in world axes; its
//! orientation `R` at the communication point is distinguished. With the position of the points `p`, their distance
//! `d = p_a − p_b` and the orientation `R₀` of frame a seen from frame b at rest, the gap in world axes is
//!
//! ```text
//!   g = (d, log(R_a R₀ᵀ R_bᵀ))        ġ = (ṗ_a − ṗ_b, ω_a − ω_b)        at g = 0
//! ```
//!
//! A rigid or Tikhonov joint needs the gap at the start of the step only and the rates at its end, so that nothing is
//! approximated: the orientations never drift apart. A compliant joint is a [`bushing`]; Newton's iteration of the step
//! takes its force from the true ends, with the tangent of the start.

use nalgebra::{Matrix6, UnitQuaternion, Vector3};

use super::bushing::Bushing;
use crate::InterfaceLaw;

/// Where a frame stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FramePort {
    pub(crate) subsystem: usize,
    /// Place among the orientations of its subsystem.
    pub(crate) place: usize,
    /// First row in the master's vectors.
    pub(crate) row: usize,
}

/// What a joint between frames is besides a joint between plain ports.
#[derive(Debug, Clone)]
pub(crate) struct FrameJoint {
    /// Number among the joints between frames.
    pub(crate) index: usize,
    pub(crate) sides: [FramePort; 2],
    pub(crate) bushing: Bushing,
    /// Whether it is a bushing, whose force is no linear function of the rows.
    pub(crate) is_compliant: bool,
}

impl FrameJoint {
    /// The joint of an interface between two frames, numbered zero.
    ///
    /// # Errors
    /// A rigid joint of points that do not coincide, or a rotation at rest of half a turn and more.
    pub(crate) fn new(law: &InterfaceLaw, offset: &[f64], sides: [FramePort; 2]) -> Result<Self, String> {
        let part = |first: usize| Vector3::new(offset[first], offset[first + 1], offset[first + 2]);
        let (distance, turned) = (part(0), part(3));
        let (stiffness, damping) = matrices(law, distance)?;
        if turned.norm() >= std::f64::consts::PI {
            return Err(
                "the rotation at rest, the last three entries of the offset, must be less than half a turn"
                    .to_owned(),
            );
        }
        let rest = UnitQuaternion::from_scaled_axis(turned);
        let is_compliant = matches!(law, InterfaceLaw::Compliant { .. });
        let bushing = Bushing { stiffness, damping, rest, offset: distance };
        Ok(Self { index: 0, sides, bushing, is_compliant })
    }

    /// The same with this number among the joints between frames.
    pub(crate) fn numbered(self, index: usize) -> Self {
        Self { index, ..self }
    }

    /// The subsystem of side b, which carries a bushing.
    pub(crate) fn carrier(&self) -> usize {
        self.sides[1].subsystem
    }

    /// The rows of the rotation of side b.
    pub(crate) fn couple_row(&self) -> usize {
        self.sides[1].row + 3
    }
}

/// Stiffness and damping of a joint between frames, zero where it is rigid.
fn matrices(law: &InterfaceLaw, distance: Vector3<f64>) -> Result<(Matrix6<f64>, Matrix6<f64>), String> {
    let zero = Matrix6::zeros();
    match law {
        InterfaceLaw::Compliant { stiffness, damping } => Ok((
            stiffness.fixed_view::<6, 6>(0, 0).into_owned(),
            damping.fixed_view::<6, 6>(0, 0).into_owned(),
        )),
        _ if distance != Vector3::zeros() => {
            Err("the points of two frames joined rigidly coincide; put a port where the joint is \
                        instead of an offset"
                .to_owned())
        }
        _ => Ok((zero, zero)),
    }
}
