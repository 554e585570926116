//! Drift of rigid joints between nonlinear subsystems, taken out of the end of the step.
//!
//! A rigid joint of impulse rows closes the gap rate at the end of the step. Where rows are linear the gap is then closed
//! too; where they turn it opens by `O(h³)` a step. As bilateral constraints within a subsystem do, the positions at the
//! end are moved by the least, in the metric of the iteration matrices, that closes it:
//!
//! ```text
//!   A y = g₁        Δz = W m,  m = ∓ρ y        Δż = 0
//! ```
//!
//! The moves are given as moments of impulses inside the step, which subsystems take whose rule acts by mean loads.

use crate::Master;
use crate::layout::{Cluster, Joint};
use crate::monitor::takes_means;
use crate::{Discretisation, InterfaceLaw};

/// Units of round-off of a position in a gap that is closed.
const ROUND_OFF: f64 = 8.0;

impl Master {
    /// Adds what closes the gaps of rigid joints to the loads of the step to be committed; says whether there is any.
    pub(crate) fn close_gaps(&mut self, h: f64) -> bool {
        if self.all_affine || self.config.discretisation == Discretisation::Position {
            return false;
        }
        let mut has_moved = false;
        for index in 0..self.layout.clusters.len() {
            let cluster = &self.layout.clusters[index];
            if self.can_move(cluster, h) && self.read_end_gaps(index) {
                self.move_ends(index);
                has_moved = true;
            }
        }
        has_moved
    }

    /// Whether all rigid joints of a cluster with a nonlinear member hold subsystems that can be moved.
    fn can_move(&self, cluster: &Cluster, h: f64) -> bool {
        let members = &self.layout.members;
        let moves = |joint: &Joint| {
            joint.sides.iter().all(|side| {
                let takes_impulses =
                    self.subsystems[side.subsystem].description().capabilities.takes_impulses;
                takes_impulses && takes_means(members[side.subsystem].weights, h)
            })
        };
        let mut rigid = cluster.joints.iter().map(|&j| &self.layout.joints[j]);
        cluster.members.iter().any(|&i| !members[i].is_affine)
            && rigid.all(|joint| !joint.law.passes_impulses() || moves(joint))
    }

    /// Writes the end gaps of a cluster's rigid joints; says whether any is more than round-off.
    fn read_end_gaps(&mut self, cluster: usize) -> bool {
        let rows = &mut self.rows;
        let mut is_open = false;
        for &j in &self.layout.clusters[cluster].joints {
            let joint = &self.layout.joints[j];
            for (k, unknown) in joint.unknowns().enumerate() {
                rows.end_gaps_of_joints[unknown] = 0.0;
                if joint.law != InterfaceLaw::Rigid {
                    continue;
                }
                let gap = joint.end_gap(k, &rows.end_positions);
                let position = rows.end_positions[joint.sides[0].global_row + k].abs();
                is_open |= gap.abs() > ROUND_OFF * f64::EPSILON * position.max(1.0);
                rows.end_gaps_of_joints[unknown] = gap;
            }
        }
        is_open
    }

    fn move_ends(&mut self, index: usize) {
        let cluster = &self.layout.clusters[index];
        let weights = &mut self.rows.end_gaps_of_joints;
        self.condensation.solve_cluster(index, &mut weights[cluster.unknowns.clone()]);
        for &j in &cluster.joints {
            let (joint, row) = (&self.layout.joints[j], &self.condensation.rows[j]);
            if !joint.law.passes_impulses() {
                continue;
            }
            for (own, share) in joint.sides.iter().zip(row.share) {
                let loads = &mut self.seats[own.subsystem].loads;
                for (k, unknown) in joint.unknowns().enumerate() {
                    loads.moments.position[own.row + k] -= own.sign * share * weights[unknown];
                }
                loads.has_moments = true;
                self.has_moments = true;
            }
        }
    }
}
