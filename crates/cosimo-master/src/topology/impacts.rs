//! How the impacts of a cluster's contacts are resolved.
//!
//! By the settings, but for three cases: contacts that are captured in the steps of their subsystem have the plain problem; a subsystem that takes micro steps knows no instants between them, and hands mean rates to its joints;
//! one that captures impacts in steps of its own knows no instants inside them. Where a joint passes impulses of contacts to such a one, the
//! plain problem takes the impacts of the cluster.

use cosimo_nonsmooth::ImpactResolution;
use cosimo_subsystem::Description;

use super::Topology;
use super::components::components;
use super::joint::Joint;
use crate::Impacts;

impl Topology {
    /// Chooses how the impacts of each cluster are resolved.
    pub(super) fn choose_impacts(&mut self, descriptions: &[&Description]) {
        let plain = self.joints_without_instants(descriptions);
        let by_settings = match self.config.impacts {
            Impacts::SubStep => ImpactResolution::SubStep,
            Impacts::Plain { .. } => ImpactResolution::Plain,
        };
        for cluster in &mut self.clusters {
            let is_captured = |i: &usize| descriptions[*i].contacts.iter().any(|own| own.law.is_captured());
            let is_other = |i: &usize| descriptions[*i].contacts.iter().any(|own| !own.law.is_captured());
            let captures = cluster.members.iter().any(is_captured);
            let found = cluster.joints.iter().find(|j| plain.contains(j));
            let found = found.filter(|_| !captures || cluster.members.iter().any(is_other));
            let is_plain = captures || found.is_some();
            cluster.impacts = if is_plain { ImpactResolution::Plain } else { by_settings };
            cluster.plain_because_of = found.copied().filter(|_| !self.config.impacts.are_plain());
        }
    }

    /// Whether the plain problem takes the impacts of a subsystem.
    pub(crate) fn has_plain_impacts(&self, subsystem: usize) -> bool {
        self.clusters[self.subsystems[subsystem].cluster].impacts == ImpactResolution::Plain
    }

    /// Whether the rows of a subsystem have no finite loads at the start of a step, and nothing else is to be told of before it begins: all that
    /// acts on them are momenta.
    pub(crate) fn begins_without_loads(&self, subsystem: usize) -> bool {
        let layout = &self.subsystems[subsystem];
        let has_momenta = layout.joints.iter().all(|port| self.joints[port.joint].law.passes_impulses());
        let has_no_contacts = layout.contacts.is_empty() || self.has_plain_impacts(subsystem);
        let is_free = layout.open.is_empty() && !layout.is_loaded() && !layout.is_load_source;
        has_momenta && has_no_contacts && is_free && !layout.takes_signals
    }

    /// Joints that pass impulses of contacts to subsystems that know no instants inside a step.
    fn joints_without_instants(&self, descriptions: &[&Description]) -> Vec<usize> {
        let passes = |joint: &&Joint| joint.law.passes_impulses();
        let labels =
            components(self.subsystems.len(), self.joints.iter().filter(passes).map(Joint::subsystems));
        let has_contacts = |label: usize| {
            (0..labels.len()).any(|i| labels[i] == label && !descriptions[i].contacts.is_empty())
        };
        let is_found = |joint: &Joint| {
            joint.law.passes_impulses()
                && joint.sides.iter().any(|side| {
                    let layout = &self.subsystems[side.subsystem];
                    layout.captures_impacts
                        || layout.captures_contacts
                        || self.takes_micro_steps(side.subsystem)
                })
                && has_contacts(labels[joint.sides[0].subsystem])
        };
        (0..self.joints.len()).filter(|j| is_found(&self.joints[*j])).collect()
    }
}
