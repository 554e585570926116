//! Joints between two frames as they stand.

use cosimo_subsystem::Subsystem;
use nalgebra::{DMatrix, Matrix6, UnitQuaternion, Vector3, Vector6};

use crate::motion::Motion;
use crate::topology::bushing::FramePair;
use crate::topology::frame::FrameJoint;

/// A joint between frames as it stands: at the communication point, and in the current iterate.
#[derive(Debug, Clone)]
pub(crate) struct FrameState {
    orientations: [UnitQuaternion<f64>; 2],
    /// Gap at the communication point in world axes (m, rad).
    pub(crate) gap: Vector6<f64>,
    /// Force and moment of the bushing at the communication point, on side b in world axes (N, N m).
    pub(crate) force: Vector6<f64>,
    /// Tangents of the bushing at the communication point in world axes.
    pub(crate) stiffness: Matrix6<f64>,
    pub(crate) damping: Matrix6<f64>,
    /// Force of the bushing beyond that of the tangents, at the ends of the last iterate (N, N m).
    excess: Vector6<f64>,
    /// What the force does on side b because it acts at the point of side a (N m): at the start and the end.
    pub(crate) couples: [Vector3<f64>; 2],
}

impl Default for FrameState {
    fn default() -> Self {
        Self {
            orientations: [UnitQuaternion::identity(); 2],
            gap: Vector6::zeros(),
            force: Vector6::zeros(),
            stiffness: Matrix6::zeros(),
            damping: Matrix6::zeros(),
            excess: Vector6::zeros(),
            couples: [Vector3::zeros(); 2],
        }
    }
}

/// A joint between frames with its state.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub(crate) joint: &'a FrameJoint,
    pub(crate) state: &'a FrameState,
}

/// Angle (rad) beyond which a bushing is turned too far: at half a turn its moment changes sign.
const TOO_FAR: f64 = 0.95 * std::f64::consts::PI;

impl FrameJoint {
    /// The joint with its state.
    pub(crate) fn with<'a>(&'a self, state: &'a FrameState) -> Frame<'a> {
        Frame { joint: self, state }
    }
}

impl FrameState {
    /// Whether the bushing is turned further than its law serves.
    pub(crate) fn is_turned_too_far(&self, joint: &FrameJoint) -> bool {
        joint.is_compliant && self.gap.fixed_rows::<3>(3).norm() > TOO_FAR
    }

    /// Takes over orientations and rows at a communication point.
    pub(crate) fn read(
        &mut self,
        joint: &FrameJoint,
        subsystems: &[Box<dyn Subsystem>],
        Motion { positions, velocities }: Motion<'_>,
    ) {
        for (own, side) in self.orientations.iter_mut().zip(joint.sides) {
            let known = &subsystems[side.subsystem].rows().orientations;
            *own = known.get(side.place).copied().unwrap_or_default();
        }
        let pair = joint.with(self).pair(positions, velocities);
        self.gap = joint.bushing.world_gap(&pair);
        if joint.is_compliant {
            (self.force, self.couples[0]) = joint.bushing.load(&pair);
            (self.stiffness, self.damping) = joint.bushing.tangents(&pair);
        }
    }

    /// Takes excess and couple from these end rows; returns the force.
    pub(crate) fn take_end(
        &mut self,
        joint: &FrameJoint,
        Motion { positions, velocities }: Motion<'_>,
    ) -> Vector6<f64> {
        let pair = joint.with(self).pair(positions, velocities);
        let (force, couple) = joint.bushing.load(&pair);
        let [a, b] = joint.sides.map(|side| side.row);
        let difference = |of: &[f64], k: usize| of[a + k] - of[b + k];
        let gap = Vector6::from_fn(|k, _| difference(positions, k));
        let rate = Vector6::from_fn(|k, _| difference(velocities, k));
        self.excess = force - self.stiffness * gap - self.damping * rate;
        self.couples[1] = couple;
        force
    }
}

impl Frame<'_> {
    /// The frames where these rows have them.
    fn pair(&self, positions: &[f64], velocities: &[f64]) -> FramePair {
        let vector = |of: &[f64], side: usize, k: usize| {
            let row = self.joint.sides[side].row + k;
            Vector3::new(of[row], of[row + 1], of[row + 2])
        };
        let orientation = |side: usize| {
            UnitQuaternion::from_scaled_axis(vector(positions, side, 3)) * self.state.orientations[side]
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
        self.joint.bushing.world_gap(&self.pair(positions, positions))
    }

    /// Energy stored where these positions of the rows have the frames (J).
    pub(crate) fn energy(&self, positions: &[f64]) -> f64 {
        if self.joint.is_compliant {
            self.joint.bushing.energy(&self.pair(positions, positions))
        } else {
            0.0
        }
    }

    /// Energy that the dashpot took out over a step of size `h` between these positions of the rows (J).
    pub(crate) fn dashpot_loss(&self, start: &[f64], end: &[f64], h: f64) -> f64 {
        if !self.joint.is_compliant {
            return 0.0;
        }
        let bushing = &self.joint.bushing;
        let gap = |positions: &[f64]| bushing.gap(&self.pair(positions, positions));
        let moved = gap(end) - gap(start);
        moved.dot(&(bushing.damping * moved)) / h
    }

    /// Force beyond that of the tangents in the equation of coordinate `k`, whose `N` is `scaling`.
    pub(crate) fn excess(&self, scaling: &DMatrix<f64>, k: usize) -> f64 {
        if self.joint.is_compliant {
            (0..6).map(|l| scaling[(k, l)] * self.state.excess[l]).sum()
        } else {
            0.0
        }
    }
}
