//! One sweep: every subsystem solves its own problem once.
//!
//! The subsystems are ranked, those with contacts first, and taken in groups. At a joint the subsystem of lower rank
//! takes the force and gives its motion, the other takes the motion and gives the force. A group sees the forces of the
//! iterate, the motions that the groups before it have just found, and those of its own members as the iterate has them.
//! **Gauss-Seidel** has groups of one, so that forces alone are iterated; **Jacobi** has one group, and iterates forces
//! and motions.
//!
//! Per sweep the error of a single joint is multiplied by the ratio of the two sides' inverse masses,
//!
//! ```text
//!   − (Q χ_a + V) W_a ρ_a / ((Q χ_b + V) W_b ρ_b + C)
//! ```
//!
//! of a rigid or Tikhonov joint `−W_a / (W_b + c/h²)`, by Gauss-Seidel; Jacobi needs two sweeps for the same.
//!
//! Reference: M. Fancello, *A Co-StepContext Approach for Mixed Smooth and Nonsmooth Dynamics in Multibody
//! Problems*, Politecnico di Milano 2012, chapter 4.

use super::local_matrix::JointEquations;
use super::sweep::Sweep;
use crate::linearisation::end_rows::set_end_rows;
use crate::rows::StepRows;

impl Sweep {
    /// Brings the subsystems' problems up to date.
    pub(crate) fn refresh(&mut self, joints: JointEquations<'_>) {
        if self.revision == joints.condensation.revision {
            return;
        }
        for local in &mut self.local {
            local.passes_rigidly = false;
            local.factorize(joints);
            for (force, &inverse_mass) in local.found.iter().zip(&local.inverse_masses) {
                // The motion of what cannot move is zero, in whatever unit.
                self.inverse_masses[force.unknown] = if inverse_mass == 0.0 { 1.0 } else { inverse_mass };
            }
        }
        self.revision = joints.condensation.revision;
    }

    /// Makes the Tikhonov joints of these clusters rigid until the problems are brought up to date the next time: what contacts add to the
    /// forces found without them are impacts, which pass rigidly.
    pub(crate) fn pass_impacts(&mut self, joints: JointEquations<'_>, clusters: &[bool]) {
        for local in &mut self.local {
            local.passes_rigidly = clusters[joints.model.topology.subsystems[local.subsystem].cluster];
            if local.passes_rigidly {
                local.factorize(joints);
            }
        }
        self.revision = 0;
    }

    /// Completes an iterate whose forces are given by the motions that they cause without contact impulses.
    pub(crate) fn guess_motions(
        &mut self,
        joints: JointEquations<'_>,
        rows: &mut StepRows,
        iterate: &mut [f64],
    ) {
        if !self.iterates_motions() {
            return;
        }
        for (local, model) in self.local.iter().zip(joints.model.models) {
            local.set_given_loads(joints, rows, iterate, true);
            set_end_rows(model, rows);
        }
        for i in 0..self.local.len() {
            self.give_motions(joints, rows, i);
        }
        self.write_motions(iterate);
    }

    /// Motions of subsystem `i` at the joints where it takes the force.
    pub(crate) fn give_motions(&mut self, joints: JointEquations<'_>, rows: &StepRows, i: usize) {
        let Self { local, motions, .. } = self;
        for port in local[i].given() {
            motions[joints.condensation.coordinates[port.coordinate].unknown()] =
                joints.motion(rows, port.coordinate, port.side);
        }
    }
}
