//! One sweep: every subsystem solves its own problem once.
//!
//! The subsystems are ranked, those with contacts first, and taken in groups. At a joint the subsystem of lower rank
//! takes the force and gives its motion, the other takes the motion and gives the force. A group sees the forces of the
//! iterate, the motions that the groups before it have just found, and those of its own members as the iterate has them.
//! **Gauss-Seidel** has groups of one, so that forces alone are iterated; **Jacobi** has one group, and iterates forces
//! and motions.
//!
//! Per sweep the error of a single joint is multiplied by the ratio of the two sides' compliances,
//!
//! ```text
//!   − (Q χ_a + V) W_a ρ_a / ((Q χ_b + V) W_b ρ_b + C)
//! ```
//!
//! in position rows `−θ²h² / m_a / (b₁² W_b + c)`, by Gauss-Seidel; Jacobi needs two sweeps for the same.
//!
//! Reference: M. Fancello, *A Co-Simulation Approach for Mixed Smooth and Nonsmooth Dynamics in Multibody
//! Problems*, Politecnico di Milano 2012, chapter 4.

use super::local::{LocalProblem, Surroundings};
use super::response::{Mismatch, set_end_rows};
use crate::layout::Layout;
use crate::{Master, Scheme, StepError};

/// The order of a sweep, and the subsystems' problems.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// Subsystems by rank.
    order: Vec<usize>,
    /// Number of subsystems in a group.
    group: usize,
    /// The subsystems' problems, by subsystem.
    pub(crate) local: Vec<LocalProblem>,
    /// Motions of the sides that take forces, by unknown.
    motions: Vec<f64>,
    /// Compliances of the sides that find forces, by unknown (1/kg): what a motion is worth as a force.
    compliances: Vec<f64>,
    /// Revision of the interface equations that the problems were made of.
    revision: u64,
}

impl Sweep {
    pub(crate) fn new(layout: &Layout, scheme: Scheme) -> Self {
        let count = layout.members.len();
        let has_contacts = |i: &usize| layout.contacts.iter().any(|contact| contact.subsystem == *i);
        let mut order: Vec<usize> = (0..count).filter(has_contacts).collect();
        order.extend((0..count).filter(|i| !has_contacts(i)));
        let mut rank = vec![0; count];
        order.iter().enumerate().for_each(|(position, &i)| rank[i] = position);
        Self {
            group: if scheme == Scheme::Jacobi { count.max(1) } else { 1 },
            local: (0..count).map(|i| LocalProblem::new(layout, i, &rank)).collect(),
            order,
            motions: vec![0.0; layout.unknowns],
            compliances: vec![1.0; layout.unknowns],
            revision: 0,
        }
    }

    /// Whether motions are part of the iterate.
    fn iterates_motions(&self) -> bool {
        self.group > 1
    }

    /// Length of the iterate: forces, and motions in units of forces where they are iterated.
    pub(crate) fn size(&self) -> usize {
        self.motions.len() * if self.iterates_motions() { 2 } else { 1 }
    }

    /// The velocity (m/s) that entry `k` of an iterate stands for as a motion; `None` for forces.
    pub(crate) fn motion_compliance(&self, k: usize) -> Option<f64> {
        k.checked_sub(self.motions.len()).map(|unknown| self.compliances[unknown])
    }

    fn write_motions(&self, iterate: &mut [f64]) {
        if self.iterates_motions() {
            let motions = &mut iterate[self.motions.len()..];
            for (entry, (motion, compliance)) in
                motions.iter_mut().zip(self.motions.iter().zip(&self.compliances))
            {
                *entry = motion / compliance;
            }
        }
    }

    fn read_motions(&mut self, iterate: &[f64]) {
        if self.iterates_motions() {
            let entries = &iterate[self.motions.len()..];
            for (motion, (entry, compliance)) in
                self.motions.iter_mut().zip(entries.iter().zip(&self.compliances))
            {
                *motion = entry * compliance;
            }
        }
    }
}

impl Master {
    /// Brings the subsystems' problems up to date.
    pub(crate) fn refresh_sweep(&self, sweep: &mut Sweep) {
        if sweep.revision == self.condensation.revision {
            return;
        }
        for local in &mut sweep.local {
            self.factorize_local(local);
            for (force, &compliance) in local.found.iter().zip(&local.compliances) {
                // The motion of what cannot move is zero, in whatever unit.
                sweep.compliances[force.unknown] = if compliance == 0.0 { 1.0 } else { compliance };
            }
        }
        sweep.revision = self.condensation.revision;
    }

    /// Completes an iterate whose forces are given by the motions that they cause without contact impulses.
    pub(crate) fn guess_motions(&mut self, sweep: &mut Sweep, iterate: &mut [f64]) {
        if !sweep.iterates_motions() {
            return;
        }
        for i in 0..sweep.local.len() {
            self.set_given_loads(&sweep.local[i], iterate, true);
            set_end_rows(&self.layout.members[i], &mut self.rows);
        }
        for i in 0..sweep.local.len() {
            self.give_motions(sweep, i);
        }
        sweep.write_motions(iterate);
    }

    /// The subsystems' answer to an iterate. Loads and end rows are left in the master's rows.
    pub(crate) fn sweep(
        &mut self,
        sweep: &mut Sweep,
        (iterate, answer): (&[f64], &mut [f64]),
        (candidates, h): (Option<&[bool]>, f64),
    ) -> Result<Mismatch, StepError> {
        let mut mismatch = Mismatch::default();
        sweep.read_motions(iterate);
        let mut begin = 0;
        while begin < sweep.order.len() {
            let end = (begin + sweep.group).min(sweep.order.len());
            for position in begin..end {
                let i = sweep.order[position];
                let Sweep { local, motions, .. } = &mut *sweep;
                let told = Surroundings { forces: iterate, motions, candidates, step: h };
                self.solve_local(&mut local[i], &told, answer)?;
            }
            if !self.all_affine {
                let first = sweep.order[begin];
                let group = if sweep.iterates_motions() { 0..sweep.order.len() } else { first..first + 1 };
                mismatch = mismatch.and(self.reevaluate_group(group)?);
            }
            for position in begin..end {
                self.give_motions(sweep, sweep.order[position]);
            }
            begin = end;
        }
        sweep.write_motions(answer);
        Ok(mismatch)
    }

    /// Motions of subsystem `i` at the joints where it takes the force.
    fn give_motions(&self, sweep: &mut Sweep, i: usize) {
        let Sweep { local, motions, .. } = sweep;
        for (wire, side) in local[i].told() {
            motions[self.condensation.wires[wire].unknown()] = self.motion(wire, side);
        }
    }
}
