//! Joints between two frames that may turn by any angle.
//!
//! The rows of a frame are its point and a rotation increment since the communication point, in world axes; its
//! orientation `R` at the communication point is told apart. With the position of the points `p`, their distance
//! `d = p_a − p_b` and the orientation `R₀` of frame a seen from frame b at rest, the gap in world axes is
//!
//! ```text
//!   g = (d, log(R_a R₀ᵀ R_bᵀ))        ġ = (ṗ_a − ṗ_b, ω_a − ω_b)        at g = 0
//! ```
//!
//! A rigid or Tikhonov joint needs the gap at the start of the step only and the rates at its end, so that nothing is
//! approximated: the orientations never drift apart. A compliant joint is a [`bushing`]; Newton's iteration of the step
//! takes its force from the true ends, with the tangent of the start.

mod bushing;
mod newton;

use cosimo_subsystem::Subsystem;
use nalgebra::{Matrix6, UnitQuaternion, Vector3, Vector6};

use crate::interface_rows::InterfaceRow;
use crate::layout::Side;
use crate::{Interface, InterfaceLaw};
use bushing::{Bushing, FramePair};

/// What a joint between frames knows besides a joint between plain ports.
#[derive(Debug, Clone)]
pub(crate) struct FrameJoint {
    /// Place of each side among the orientations of its subsystem, and its first row in the master's vectors.
    places: [usize; 2],
    rows: [usize; 2],
    subsystems: [usize; 2],
    bushing: Bushing,
    is_compliant: bool,
    orientations: [UnitQuaternion<f64>; 2],
    /// Gap at the communication point in world axes (m, rad).
    pub(crate) gap: Vector6<f64>,
    /// Force and moment of the bushing at the communication point, on side b in world axes (N, N m).
    pub(crate) force: Vector6<f64>,
    /// Tangents of the bushing at the communication point in world axes.
    stiffness: Matrix6<f64>,
    damping: Matrix6<f64>,
    /// Force of the bushing beyond that of the tangents, at the ends of the last iterate (N, N m).
    excess: Vector6<f64>,
    /// What the force does on side b because it acts at the point of side a (N m): at the start and the end.
    couples: [Vector3<f64>; 2],
    /// Whether it was told that the bushing is turned too far.
    is_warned: bool,
}

/// Angle (rad) beyond which a bushing is turned too far: at half a turn its moment changes sign.
const TOO_FAR: f64 = 0.95 * std::f64::consts::PI;

impl FrameJoint {
    /// The joint of an interface between two frames, each by its place among the orientations of its subsystem.
    ///
    /// # Errors
    /// A rigid joint of points that do not coincide, or a rotation at rest of half a turn and more.
    pub(crate) fn new(
        interface: &Interface,
        offset: &[f64],
        sides: [(&Side, usize); 2],
    ) -> Result<Self, String> {
        let part = |first: usize| Vector3::new(offset[first], offset[first + 1], offset[first + 2]);
        let (distance, turned) = (part(0), part(3));
        let zero = Matrix6::zeros();
        let (stiffness, damping) = match &interface.law {
            InterfaceLaw::Compliant { stiffness, damping } => (
                stiffness.fixed_view::<6, 6>(0, 0).into_owned(),
                damping.fixed_view::<6, 6>(0, 0).into_owned(),
            ),
            _ if distance != Vector3::zeros() => {
                return Err(
                    "the points of two frames joined rigidly coincide; put a port where the joint is \
                            instead of an offset"
                        .to_owned(),
                );
            }
            _ => (zero, zero),
        };
        if turned.norm() >= std::f64::consts::PI {
            return Err(
                "the rotation at rest, the last three entries of the offset, must be less than half a turn"
                    .to_owned(),
            );
        }
        let rest = UnitQuaternion::from_scaled_axis(turned);
        Ok(Self {
            places: sides.map(|(_, place)| place),
            rows: sides.map(|(side, _)| side.global_row),
            subsystems: sides.map(|(side, _)| side.subsystem),
            bushing: Bushing { stiffness, damping, rest, offset: distance },
            is_compliant: matches!(interface.law, InterfaceLaw::Compliant { .. }),
            orientations: [UnitQuaternion::identity(); 2],
            gap: Vector6::zeros(),
            force: Vector6::zeros(),
            stiffness: zero,
            damping: zero,
            excess: Vector6::zeros(),
            couples: [Vector3::zeros(); 2],
            is_warned: false,
        })
    }

    /// Whether, since this was last asked, the bushing has been turned further than its law serves.
    pub(crate) fn has_turned_too_far(&mut self) -> bool {
        let angle = self.gap.fixed_rows::<3>(3).norm();
        self.is_compliant && angle > TOO_FAR && !std::mem::replace(&mut self.is_warned, true)
    }

    /// Whether it is a bushing, whose force is no linear function of the rows.
    pub(crate) fn is_compliant(&self) -> bool {
        self.is_compliant
    }

    /// Takes over orientations and rows at a communication point.
    pub(crate) fn read(
        &mut self,
        subsystems: &[Box<dyn Subsystem>],
        (positions, velocities): (&[f64], &[f64]),
    ) {
        for side in 0..2 {
            let known = &subsystems[self.subsystems[side]].rows().orientations;
            self.orientations[side] = known.get(self.places[side]).copied().unwrap_or_default();
        }
        let pair = self.pair(positions, velocities);
        self.gap = self.bushing.world_gap(&pair);
        if self.is_compliant {
            (self.force, self.couples[0]) = self.bushing.load(&pair);
            (self.stiffness, self.damping) = self.bushing.tangents(&pair);
        }
    }

    /// The frames where these rows have them.
    fn pair(&self, positions: &[f64], velocities: &[f64]) -> FramePair {
        let vector = |of: &[f64], side: usize, k: usize| {
            let row = self.rows[side] + k;
            Vector3::new(of[row], of[row + 1], of[row + 2])
        };
        let orientation = |side: usize| {
            UnitQuaternion::from_scaled_axis(vector(positions, side, 3)) * self.orientations[side]
        };
        FramePair {
            points: [0, 1].map(|side| vector(positions, side, 0)),
            orientations: [0, 1].map(orientation),
            velocities: [0, 1].map(|side| vector(velocities, side, 0)),
            spins: [0, 1].map(|side| vector(velocities, side, 3)),
        }
    }

    /// Gap where the rows have these positions at the end of the step, in world axes (m, rad).
    pub(crate) fn end_gap(&self, positions: &[f64]) -> Vector6<f64> {
        self.bushing.world_gap(&self.pair(positions, positions))
    }

    /// Energy stored where these positions of the rows have the frames (J).
    pub(crate) fn energy(&self, positions: &[f64]) -> f64 {
        if self.is_compliant { self.bushing.energy(&self.pair(positions, positions)) } else { 0.0 }
    }

    /// Energy that the dashpot took out over a step of size `h` between these positions of the rows (J).
    pub(crate) fn dashpot_loss(&self, start: &[f64], end: &[f64], h: f64) -> f64 {
        if !self.is_compliant {
            return 0.0;
        }
        let gap = |positions: &[f64]| self.bushing.gap(&self.pair(positions, positions));
        let moved = gap(end) - gap(start);
        moved.dot(&(self.bushing.damping * moved)) / h
    }

    /// The couples on side b at the start and the end of the step (N m), and the rows of its rotation.
    pub(crate) fn couples(&self) -> Option<(&[Vector3<f64>; 2], usize)> {
        self.is_compliant.then_some((&self.couples, self.rows[1] + 3))
    }

    /// Force beyond that of the tangents in the equation of coordinate `k`.
    pub(crate) fn excess(&self, row: &InterfaceRow, k: usize) -> f64 {
        if self.is_compliant { (0..6).map(|l| row.scaling[(k, l)] * self.excess[l]).sum() } else { 0.0 }
    }
}

/// Share of the largest eigenvalue below which there is no stiffness in a direction.
const NO_STIFFNESS: f64 = 1e-13;

impl InterfaceRow {
    /// Sets the equation of a bushing, `N (K g₁ + D ġ₁ + excess) − N x / w̄ = 0`, with a regular `N`: directions without
    /// stiffness and damping transmit what the excess says, nothing.
    pub(crate) fn set_bushing(&mut self, frame: &FrameJoint, chi: f64) {
        let sum = frame.stiffness * chi + frame.damping;
        let mut eigen = (0.5 * (sum + sum.transpose())).symmetric_eigen();
        let largest = eigen.eigenvalues.amax();
        for value in &mut eigen.eigenvalues {
            *value = 1.0 / if *value > NO_STIFFNESS * largest { *value } else { largest };
        }
        let scaling = eigen.recompose();
        self.scaling.copy_from(&scaling);
        self.position.copy_from(&(scaling * frame.stiffness));
        self.velocity.copy_from(&(scaling * frame.damping));
        self.relaxation.copy_from(&(scaling / self.load_weight));
    }
}
