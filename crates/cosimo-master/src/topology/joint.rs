//! An interface with everything looked up.

use std::ops::Range;

use crate::InterfaceLaw;
use crate::motion::Motion;
use crate::topology::frame::FrameJoint;

/// One side of a joint.
#[derive(Debug, Clone)]
pub(crate) struct Side {
    /// Index of the subsystem.
    pub(crate) subsystem: usize,
    /// First row within the subsystem.
    pub(crate) row: usize,
    /// First row in the master's vectors.
    pub(crate) global_row: usize,
    /// +1 for side `a`, −1 for side `b`: the gap is `Σ sign · z`, the load `−sign · λ`.
    pub(crate) sign: f64,
    /// `subsystem.port`.
    pub(crate) label: String,
}

/// Most coordinates of a joint whose gap is closed by itself.
pub(crate) const MOST_CLOSED: usize = 6;

/// What closes the gap of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    /// Nothing: a compliant joint, whose gap is its force; or one between subsystems that are joined to others too, whose gap is
    /// bounded, of the order of the rules.
    Nothing,
    /// Both sides integrate alike: what there is of a gap is of rows that turn, and round-off.
    Alike,
    /// This side alone: no force depends on its position.
    Free(usize),
    /// Moves of these sides that their stages see, found with the rates.
    Seen([bool; 2]),
}

impl Closing {
    /// Whether there is a gap to close, in a cluster that is affine or not. Where all is affine and both sides integrate alike there is
    /// round-off alone, which stays: moved in the metric of the inverse masses, which is not that of the moves of stiff sides, it would grow.
    pub(crate) fn is_due(self, is_affine: bool) -> bool {
        match self {
            Self::Nothing => false,
            Self::Free(_) | Self::Seen(_) => true,
            Self::Alike => !is_affine,
        }
    }

    /// Whether the stage of this side sees moves.
    pub(crate) fn is_seen_by(self, side: usize) -> bool {
        matches!(self, Self::Seen(sides) if sides[side])
    }
}

/// An interface with everything looked up.
#[derive(Debug, Clone)]
pub(crate) struct Joint {
    pub(crate) name: String,
    pub(crate) law: InterfaceLaw,
    pub(crate) offset: Vec<f64>,
    pub(crate) size: usize,
    /// First unknown; unknowns are numbered cluster by cluster.
    pub(crate) first: usize,
    /// First of its coordinates among those of all joints, which are numbered joint by joint.
    pub(crate) first_coordinate: usize,
    pub(crate) sides: [Side; 2],
    /// Whether other joints share one of its ports.
    pub(crate) shares_port: bool,
    /// What closes its gap.
    pub(crate) closing: Closing,
    /// What there is besides if the ports are frames.
    pub(crate) frame: Option<Box<FrameJoint>>,
}

impl Joint {
    pub(crate) fn unknowns(&self) -> Range<usize> {
        self.first..self.first + self.size
    }

    /// Its coordinates among those of all joints.
    pub(crate) fn coordinates(&self) -> Range<usize> {
        self.first_coordinate..self.first_coordinate + self.size
    }

    /// Its own coordinates, split in displacements (m) and, of frames, rotations (rad).
    pub(crate) fn coordinates_by_unit(&self) -> (Range<usize>, Range<usize>) {
        let linear = if self.frame.is_some() { 3 } else { self.size };
        (0..linear, linear..self.size)
    }

    /// The subsystems of both sides.
    pub(crate) fn subsystems(&self) -> (usize, usize) {
        (self.sides[0].subsystem, self.sides[1].subsystem)
    }

    /// Gap or gap rate in coordinate `k` from the rows' positions or velocities; without the offset.
    pub(crate) fn difference(&self, k: usize, rows: &[f64]) -> f64 {
        rows[self.sides[0].global_row + k] - rows[self.sides[1].global_row + k]
    }

    /// Gap in coordinate `k`; of frames without offset, and without the orientations at the communication point.
    pub(crate) fn gap(&self, k: usize, positions: &[f64]) -> f64 {
        self.difference(k, positions) - self.offset[k]
    }

    /// Force of a compliant joint between plain ports in coordinate `k`, `k g + d ġ` (N); `None` of others.
    pub(crate) fn spring_force(&self, k: usize, Motion { positions, velocities }: Motion<'_>) -> Option<f64> {
        let InterfaceLaw::Compliant { stiffness, damping } = &self.law else { return None };
        let rows = stiffness.row(k).into_iter().zip(damping.row(k));
        let of = |(l, (k, d)): (usize, (&f64, &f64))| {
            k * self.gap(l, positions) + d * self.difference(l, velocities)
        };
        Some(rows.enumerate().map(of).sum())
    }
}
