//! The coordinates of all joints, one by one.
//!
//! Where the matrices of a joint are diagonal, as those of scalar joints, of rigid ones and of springs without coupling are,
//! its coordinates do not know of one another: a step takes them from one flat table, and never looks at the joint. The
//! other joints, bushings among them, have their coordinates in the table too, for what is done coordinate by coordinate
//! in any case; their equations are those of `equation`.

use super::coordinate_law::{CoordinateLaw, CoordinateLaws, JointWeights};
use super::equation::{InterfaceRow, is_diagonal};
use crate::InterfaceLaw;
use crate::motion::Motion;
use crate::topology::joint::Closing;
use crate::topology::joint::Joint;

/// One coordinate of a joint.
///
/// Every step goes through all of them several times: they hold no more than is read there.
#[derive(Debug, Clone)]
pub(crate) struct JointCoordinate {
    joint: u32,
    unknown: u32,
    rows: [u32; 2],
    /// Index of its law.
    law: u32,
    coordinate: u8,
    pub(crate) passes_impulses: bool,
    /// Whether the equation of this coordinate asks for no other.
    pub(crate) is_single: bool,
    offset: f64,
}

/// An index of a joint coordinate: there is no storage for more rows than it can count.
fn index(wide: usize) -> u32 {
    u32::try_from(wide).unwrap_or(u32::MAX)
}

impl JointCoordinate {
    /// The coordinates of a joint.
    pub(crate) fn of_joint<'a>(
        j: usize,
        joint: &'a Joint,
        laws: &'a mut CoordinateLaws,
    ) -> impl Iterator<Item = Self> + 'a {
        let is_single = has_single_coordinates(joint);
        (0..joint.size).map(move |k| {
            let (stiffness, damping) = match &joint.law {
                InterfaceLaw::Compliant { stiffness, damping } => (stiffness[(k, k)], damping[(k, k)]),
                _ => (0.0, 0.0),
            };
            Self {
                joint: index(j),
                unknown: index(joint.first + k),
                rows: [0, 1].map(|side: usize| index(joint.sides[side].global_row + k)),
                law: laws.index_of(CoordinateLaw::new(stiffness, damping)),
                coordinate: u8::try_from(k).unwrap_or(u8::MAX),
                passes_impulses: joint.law.passes_impulses(),
                is_single,
                offset: joint.offset[k],
            }
        })
    }

    /// Takes over its coordinate of the equation of its joint, which has these weights.
    pub(crate) fn set(&mut self, row: &InterfaceRow, weights: JointWeights, laws: &mut CoordinateLaws) {
        let (k, known) = (self.coordinate(), *laws.at(self.law));
        let (position, velocity, relaxation) =
            (row.position[(k, k)], row.velocity[(k, k)], row.relaxation[(k, k)]);
        let law = CoordinateLaw { position, velocity, relaxation, weights, ..known };
        if !law.has_bits_of(&known) {
            self.law = laws.index_of(law);
        }
    }

    /// Index of its law.
    #[inline]
    pub(crate) fn law(&self) -> u32 {
        self.law
    }

    /// The same, to be changed.
    pub(crate) fn law_mut(&mut self) -> &mut u32 {
        &mut self.law
    }

    /// The joint.
    #[inline]
    pub(crate) fn joint(&self) -> usize {
        self.joint as usize
    }

    /// Which of the coordinates of the joint this is.
    pub(crate) fn coordinate(&self) -> usize {
        usize::from(self.coordinate)
    }

    #[inline]
    pub(crate) fn unknown(&self) -> usize {
        self.unknown as usize
    }

    /// The row of a side in the master's vectors.
    #[inline]
    pub(crate) fn row(&self, side: usize) -> usize {
        self.rows[side] as usize
    }

    /// Gap (m).
    #[inline]
    pub(crate) fn gap(&self, positions: &[f64]) -> f64 {
        positions[self.row(0)] - positions[self.row(1)] - self.offset
    }

    /// Gap rate (m/s).
    #[inline]
    pub(crate) fn rate(&self, velocities: &[f64]) -> f64 {
        velocities[self.row(0)] - velocities[self.row(1)]
    }

    /// Force of a compliant joint `k g + d ġ` (N).
    #[inline]
    pub(crate) fn spring_force(
        &self,
        law: &CoordinateLaw,
        Motion { positions, velocities }: Motion<'_>,
    ) -> f64 {
        law.stiffness * self.gap(positions) + law.damping * self.rate(velocities)
    }

    /// Energy in the spring (J).
    #[inline]
    pub(crate) fn spring_energy(&self, law: &CoordinateLaw, positions: &[f64]) -> f64 {
        let gap = self.gap(positions);
        0.5 * law.stiffness * gap * gap
    }

    /// Energy taken out by the dashpot in a step of size `h` (s) between these positions (J).
    #[inline]
    pub(crate) fn dashpot_loss(&self, law: &CoordinateLaw, start: &[f64], end: &[f64], h: f64) -> f64 {
        let moved = self.gap(end) - self.gap(start);
        law.damping * moved * moved / h
    }

    /// What the equation leaves without its unknown, of a single coordinate; `forces` are those by which Tikhonov joints are open at the start.
    #[inline]
    pub(crate) fn residual(
        &self,
        law: &CoordinateLaw,
        forces: &[f64],
        Motion { positions, velocities }: Motion<'_>,
    ) -> f64 {
        let force = forces[self.unknown()];
        law.weights.lag * force
            + law.position * (self.gap(positions) - law.weights.known_gap(force))
            + law.velocity * self.rate(velocities)
    }

    /// What the equation leaves where both sides stay at their start positions, without their velocities.
    #[inline]
    pub(crate) fn start_term(&self, law: &CoordinateLaw, start: &[f64], forces: &[f64]) -> f64 {
        let force = forces[self.unknown()];
        law.weights.lag * force + law.position * (self.gap(start) - law.weights.known_gap(force))
    }

    /// What the motion of one side adds to that.
    #[inline]
    pub(crate) fn motion(
        &self,
        side: usize,
        law: &CoordinateLaw,
        start: &[f64],
        Motion { positions, velocities }: Motion<'_>,
    ) -> f64 {
        let row = self.row(side);
        let motion = law.position * (positions[row] - start[row]) + law.velocity * velocities[row];
        if side == 0 { motion } else { -motion }
    }
}

/// Whether no coordinate of a joint is coupled to another.
fn has_single_coordinates(joint: &Joint) -> bool {
    let InterfaceLaw::Compliant { stiffness, damping } = &joint.law else {
        return joint.size == 1 || (joint.frame.is_none() && !matches!(joint.closing, Closing::Seen(_)));
    };
    joint.frame.is_none() && is_diagonal(stiffness) && is_diagonal(damping)
}
