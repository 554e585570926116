//! What the monitor knows.

use cosimo_mechanics::EnergyBalance;

use super::{JointEnergies, Monitor};
use crate::topology::Topology;

impl Monitor {
    /// The energy balance so far.
    pub(crate) fn balance(&self) -> EnergyBalance {
        let interfaces: f64 = self.joint_created.iter().sum();
        let subsystems = self.numerical.iter().sum::<f64>() + self.by_impulses();
        EnergyBalance {
            start: self.start,
            end: self.total(),
            contact: self.contact,
            external: self.external,
            dissipated: self.dissipated,
            interfaces,
            subsystems,
            monitor_sum: interfaces + subsystems,
        }
    }

    /// Work of the contacts that the master sees (J).
    pub(crate) fn contact_work(&self) -> f64 {
        self.contact - self.inner_contact_work
    }

    /// What the contacts that the master does not see have taken out (J).
    pub(crate) fn taken_out_by_inner_contacts(&self) -> f64 {
        -self.inner_contact_work
    }

    /// Energy stored in the interfaces (J).
    pub(crate) fn stored(&self) -> f64 {
        self.joint_energy.iter().sum()
    }

    /// What a joint has done so far.
    pub(crate) fn joint(&self, index: usize) -> JointEnergies {
        JointEnergies { created: self.joint_created[index], dissipated: self.joint_dissipated[index] }
    }

    /// Energy that a joint created in the last macro step (J).
    pub(crate) fn created_in_step(&self, joint: usize) -> f64 {
        self.step_created[joint]
    }

    /// Work that a joint did on its two sides in the last macro step, without sign (J).
    pub(crate) fn passed_in_step(&self, joint: usize) -> f64 {
        self.step_passed[joint]
    }

    /// The most that a joint created in one macro step (J).
    pub(crate) fn most_created(&self, joint: usize) -> f64 {
        self.most_created[joint]
    }

    /// What a subsystem's time integration has created so far (J).
    pub(crate) fn subsystem(&self, index: usize) -> f64 {
        self.numerical[index]
    }

    /// What each joint has created so far (J).
    pub(crate) fn created_by_joints(&self) -> &[f64] {
        &self.joint_created
    }

    /// What the time integration of each subsystem has created so far (J).
    pub(crate) fn created_by_integrations(&self) -> &[f64] {
        &self.numerical
    }

    /// Work that each subsystem's own contacts have done so far (J), if any has.
    pub(crate) fn inner_contacts(&self) -> Option<&[f64]> {
        self.has_inner_contacts.then_some(self.inner_contacts.as_slice())
    }

    /// Whether these sums belong to this topology.
    pub(crate) fn fits(&self, topology: &Topology) -> bool {
        let joints = [
            &self.joint_energy,
            &self.joint_created,
            &self.joint_dissipated,
            &self.step_created,
            &self.step_passed,
            &self.most_created,
        ];
        let members = [&self.numerical, &self.inner_contacts, &self.subsystem_energy];
        joints.iter().all(|sums| sums.len() == topology.interfaces())
            && members.iter().all(|sums| sums.len() == topology.subsystems.len())
    }
}
