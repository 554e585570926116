//! The coordinates of all joints, one by one.
//!
//! Where the matrices of a joint are diagonal, as those of scalar joints, of rigid ones and of springs without coupling are,
//! its coordinates do not know of one another: a step takes them from one flat table, and never looks at the joint. The
//! other joints, bushings among them, have their coordinates in the table too, for what is done coordinate by coordinate
//! in any case; their equations are those of `interface_rows`.

use crate::InterfaceLaw;
use crate::interface_rows::{InterfaceRow, Mode, is_diagonal};
use crate::layout::{Joint, Member};
use crate::monitor::takes_means;

/// One coordinate of a joint.
///
/// Every step goes through all of them several times: they hold no more than is read there.
#[derive(Debug, Clone)]
pub(crate) struct Wire {
    joint: u32,
    coordinate: u32,
    unknown: u32,
    rows: [u32; 2],
    pub(crate) passes_impulses: bool,
    /// Whether the equation of this coordinate asks for no other.
    pub(crate) is_single: bool,
    offset: f64,
    stiffness: f64,
    damping: f64,
    /// `Q`, `V` and `C` of a single coordinate, see `interface_rows`.
    position: f64,
    velocity: f64,
    relaxation: f64,
}

/// What the equations of all coordinates of a joint share, see `interface_rows`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointWeights {
    /// Factor of `g₀`.
    start_gap: f64,
    share: [f64; 2],
    start: [f64; 2],
    /// `w̄` (s).
    pub(crate) load_weight: f64,
    /// Factors of the impulse and of the force at the start in the mean force on either side.
    mean: [(f64, f64); 2],
}

impl JointWeights {
    pub(crate) const UNKNOWN: Self =
        Self { start_gap: 0.0, share: [1.0; 2], start: [0.0; 2], load_weight: 1.0, mean: [(0.0, 0.0); 2] };

    /// Takes over those of the equation of a joint.
    pub(crate) fn set(&mut self, row: &InterfaceRow, (joint, members): (&Joint, &[Member]), mode: Mode) {
        (self.start_gap, self.share, self.start) = (row.start_gap, row.share, row.start);
        self.load_weight = row.load_weight;
        let Mode::Step { size, .. } = mode else { return };
        self.mean = [0, 1].map(|side: usize| {
            let weights = members[joint.sides[side].subsystem].weights;
            if takes_means(weights, size) { (1.0 / size, 0.0) } else { (0.5 / weights.end, 0.5) }
        });
    }

    /// Impulse (N s) on a side for the unknown `x` and the force at the start.
    #[inline]
    pub(crate) fn impulse(&self, side: usize, x: f64, start_force: f64) -> f64 {
        self.share[side] * x + self.start[side] * start_force
    }

    /// Mean force (N) on a side over the step that this impulse stands for.
    #[inline]
    pub(crate) fn mean_force(&self, side: usize, impulse: f64, start_force: f64) -> f64 {
        let (of_impulse, of_start) = self.mean[side];
        of_impulse * impulse + of_start * start_force
    }
}

/// An index of a wire: there is no storage for more rows than it can count.
fn index(wide: usize) -> u32 {
    u32::try_from(wide).unwrap_or(u32::MAX)
}

impl Wire {
    /// The coordinates of a joint.
    pub(crate) fn of_joint((j, joint): (usize, &Joint)) -> impl Iterator<Item = Self> + '_ {
        let is_single = has_single_coordinates(joint);
        (0..joint.size).map(move |k| {
            let (stiffness, damping) = match &joint.law {
                InterfaceLaw::Compliant { stiffness, damping } => (stiffness[(k, k)], damping[(k, k)]),
                _ => (0.0, 0.0),
            };
            Self {
                joint: index(j),
                coordinate: index(k),
                unknown: index(joint.first + k),
                rows: [0, 1].map(|side: usize| index(joint.sides[side].global_row + k)),
                passes_impulses: joint.law.passes_impulses(),
                is_single,
                offset: joint.offset[k],
                stiffness,
                damping,
                position: 0.0,
                velocity: 0.0,
                relaxation: 0.0,
            }
        })
    }

    /// Takes over coordinate `k` of the equation of its joint.
    pub(crate) fn set(&mut self, k: usize, row: &InterfaceRow) {
        self.position = row.position[(k, k)];
        self.velocity = row.velocity[(k, k)];
        self.relaxation = row.relaxation[(k, k)];
    }

    /// The joint.
    #[inline]
    pub(crate) fn joint(&self) -> usize {
        self.joint as usize
    }

    /// Which of the coordinates of the joint this is.
    pub(crate) fn coordinate(&self) -> usize {
        self.coordinate as usize
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
    pub(crate) fn spring_force(&self, positions: &[f64], velocities: &[f64]) -> f64 {
        self.stiffness * self.gap(positions) + self.damping * self.rate(velocities)
    }

    /// Energy in the spring (J).
    #[inline]
    pub(crate) fn spring_energy(&self, positions: &[f64]) -> f64 {
        let gap = self.gap(positions);
        0.5 * self.stiffness * gap * gap
    }

    /// Energy taken out by the dashpot in a step of size `h` (s) between these positions (J).
    #[inline]
    pub(crate) fn dashpot_loss(&self, (start, end): (&[f64], &[f64]), h: f64) -> f64 {
        let moved = self.gap(end) - self.gap(start);
        self.damping * moved * moved / h
    }

    /// What the equation leaves without its unknown, of a single coordinate.
    #[inline]
    pub(crate) fn residual(
        &self,
        weights: &JointWeights,
        start: &[f64],
        (positions, velocities): (&[f64], &[f64]),
    ) -> f64 {
        weights.start_gap * self.gap(start)
            + self.position * self.gap(positions)
            + self.velocity * self.rate(velocities)
    }

    /// What the equation leaves where both sides stay at their start positions, without their velocities.
    #[inline]
    pub(crate) fn start_term(&self, weights: &JointWeights, start: &[f64]) -> f64 {
        (weights.start_gap + self.position) * self.gap(start)
    }

    /// What the motion of one side adds to that.
    #[inline]
    pub(crate) fn motion(
        &self,
        side: usize,
        start: &[f64],
        (positions, velocities): (&[f64], &[f64]),
    ) -> f64 {
        let row = self.row(side);
        let motion = self.position * (positions[row] - start[row]) + self.velocity * velocities[row];
        if side == 0 { motion } else { -motion }
    }

    /// `C` (1/kg).
    #[inline]
    pub(crate) fn relaxation(&self) -> f64 {
        self.relaxation
    }
}

/// Whether no coordinate of a joint is coupled to another.
fn has_single_coordinates(joint: &Joint) -> bool {
    let InterfaceLaw::Compliant { stiffness, damping } = &joint.law else { return joint.frame.is_none() };
    joint.frame.is_none() && is_diagonal(stiffness) && is_diagonal(damping)
}
