//! Bushings in Newton's iteration of a step.

use nalgebra::Vector6;

use super::FrameJoint;
use crate::Master;
use crate::layout::Joint;
use crate::schemes::Mismatch;

impl FrameJoint {
    /// Takes excess and couple from these end rows; returns the force.
    fn take_end(&mut self, positions: &[f64], velocities: &[f64]) -> Vector6<f64> {
        let (force, couple) = self.bushing.load(&self.pair(positions, velocities));
        let difference = |of: &[f64], k: usize| of[self.rows[0] + k] - of[self.rows[1] + k];
        let gap = Vector6::from_fn(|k, _| difference(positions, k));
        let rate = Vector6::from_fn(|k, _| difference(velocities, k));
        self.excess = force - self.stiffness * gap - self.damping * rate;
        self.couples[1] = couple;
        force
    }
}

impl Master {
    /// Begins Newton's iteration with the bushings as they are at the start of the step.
    pub(crate) fn begin_bushings(&mut self) {
        let rows = &self.rows;
        for frame in self.layout.joints.iter_mut().filter_map(Joint::bushing_mut) {
            frame.take_end(&rows.start_positions, &rows.start_velocities);
        }
    }

    /// Takes the loads of the bushings from the end rows found. The difference from the loads that led there is given
    /// as the velocity that it would cause at the ports.
    pub(crate) fn reevaluate_bushings(&mut self) -> Mismatch {
        let mut mismatch = Mismatch::default();
        let (rows, members) = (&self.rows, &self.layout.members);
        for (joint, row) in self.layout.joints.iter_mut().zip(&self.condensation.rows) {
            let unknowns = joint.unknowns();
            let Joint { sides, frame, .. } = joint;
            let Some(frame) = frame.as_deref_mut().filter(|frame| frame.is_compliant) else { continue };
            let couple = frame.couples[1];
            let force = frame.take_end(&rows.end_positions, &rows.end_velocities);
            for (k, unknown) in unknowns.enumerate() {
                let mut wrong = force[k] - rows.unknowns[unknown] / row.load_weight;
                if k >= 3 {
                    wrong = wrong.abs() + (frame.couples[1][k - 3] - couple[k - 3]).abs();
                }
                for side in sides.iter() {
                    let member = &members[side.subsystem];
                    let compliance = member.compliance[(side.row + k, side.row + k)];
                    mismatch.note(wrong.abs() * member.weights.end * compliance.abs(), side.global_row + k);
                }
            }
        }
        mismatch
    }
}
