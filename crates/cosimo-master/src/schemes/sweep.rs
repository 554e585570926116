//! The order of a sweep, and the problems of the subsystems.

use super::local_problem::LocalProblem;
use crate::Scheme;
use crate::topology::Topology;

/// The order of a sweep, and the subsystems' problems.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// Subsystems by rank.
    pub(crate) order: Vec<usize>,
    /// Number of subsystems in a group.
    pub(crate) group: usize,
    /// The subsystems' problems, by subsystem.
    pub(crate) local: Vec<LocalProblem>,
    /// Motions of the sides that take forces, by unknown.
    pub(crate) motions: Vec<f64>,
    /// Inverse masses of the sides that find forces, by unknown (1/kg): what a motion is worth as a force.
    pub(crate) inverse_masses: Vec<f64>,
    /// Revision of the interface equations that the problems were made of.
    pub(crate) revision: u64,
}

impl Sweep {
    pub(crate) fn new(topology: &Topology, scheme: Scheme) -> Self {
        let count = topology.subsystems.len();
        let has_contacts = |i: &usize| topology.contacts.iter().any(|contact| contact.subsystem == *i);
        let mut order: Vec<usize> = (0..count).filter(has_contacts).collect();
        order.extend((0..count).filter(|i| !has_contacts(i)));
        let mut rank = vec![0; count];
        order.iter().enumerate().for_each(|(position, &i)| rank[i] = position);
        Self {
            group: if scheme == Scheme::Jacobi { count.max(1) } else { 1 },
            local: (0..count).map(|i| LocalProblem::new(topology, i, &rank)).collect(),
            order,
            motions: vec![0.0; topology.unknowns],
            inverse_masses: vec![1.0; topology.unknowns],
            revision: 0,
        }
    }

    /// Whether motions are part of the iterate.
    pub(crate) fn iterates_motions(&self) -> bool {
        self.group > 1
    }

    /// Length of the iterate: forces, and motions in units of forces where they are iterated.
    pub(crate) fn size(&self) -> usize {
        self.motions.len() * if self.iterates_motions() { 2 } else { 1 }
    }

    /// The velocity (m/s) that entry `k` of an iterate stands for as a motion; `None` for forces.
    pub(crate) fn motion_inverse_mass(&self, k: usize) -> Option<f64> {
        k.checked_sub(self.motions.len()).map(|unknown| self.inverse_masses[unknown])
    }

    /// Inverse mass of the side that finds a force (1/kg).
    pub(crate) fn found_by(&self, unknown: usize) -> f64 {
        self.inverse_masses[unknown]
    }

    /// The contacts and the impulses that they have carried in the last sweep (N s).
    pub(crate) fn impulses(&self) -> impl Iterator<Item = (usize, f64)> {
        self.local.iter().flat_map(|local| {
            local.contacts.iter().copied().zip(local.problem.solution().sustained.iter().copied())
        })
    }

    pub(crate) fn write_motions(&self, iterate: &mut [f64]) {
        if self.iterates_motions() {
            let motions = &mut iterate[self.motions.len()..];
            for (entry, (motion, inverse_mass)) in
                motions.iter_mut().zip(self.motions.iter().zip(&self.inverse_masses))
            {
                *entry = motion / inverse_mass;
            }
        }
    }

    pub(crate) fn read_motions(&mut self, iterate: &[f64]) {
        if self.iterates_motions() {
            let entries = &iterate[self.motions.len()..];
            for (motion, (entry, inverse_mass)) in
                self.motions.iter_mut().zip(entries.iter().zip(&self.inverse_masses))
            {
                *motion = entry * inverse_mass;
            }
        }
    }
}
