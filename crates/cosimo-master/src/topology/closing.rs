//! What closes the gap of a joint that passes impulses.
//!
//! Its row makes the rates of both sides agree at the end of every step. Two rules integrate equal rates to positions `O(h²)` apart,
//! and rows that turn open a gap of `O(h³)` a step: the ends are moved together, see `step/moves`. A move must be seen by every
//! force that depends on the position moved, so that a subsystem moves for a joint only if nothing else is joined to it.

use cosimo_nonsmooth::ImpactResolution;
use cosimo_subsystem::Description;

use super::Topology;
use super::joint::{Closing, Joint, MOST_CLOSED};
use crate::InterfaceLaw;

impl Topology {
    /// Decides what closes the gaps of all joints.
    pub(super) fn choose_closings(&mut self, descriptions: &[&Description]) {
        let closings: Vec<Closing> =
            self.joints.iter().map(|joint| self.closing(joint, descriptions)).collect();
        self.closes_gaps = closings.iter().any(|closing| *closing != Closing::Nothing);
        self.choose_momenta_of_contacts(descriptions);
        self.passes_impulses = self.joints.iter().any(|joint| joint.law.passes_impulses());
        for (joint, closing) in self.joints.iter_mut().zip(closings) {
            joint.closing = closing;
            for (number, side) in joint.sides.iter().enumerate() {
                let layout = &mut self.subsystems[side.subsystem];
                layout.sees_moves |= closing.is_seen_by(number);
                layout.passes_momenta |= joint.law.passes_impulses();
            }
        }
    }

    /// Contacts pass on momenta where the plain problem solves them: by the settings, or where a cluster that is not affine has no other
    /// way through a step.
    fn choose_momenta_of_contacts(&mut self, descriptions: &[&Description]) {
        for cluster in &self.clusters {
            let is_affine = cluster
                .members
                .iter()
                .all(|&i| self.subsystems[i].is_declared_affine && !self.subsystems[i].is_load_source);
            let is_plain = cluster.impacts == ImpactResolution::Plain || !is_affine;
            for &i in cluster.members.iter().filter(|&&i| is_plain && !descriptions[i].contacts.is_empty()) {
                self.subsystems[i].passes_momenta = true;
            }
        }
    }

    pub(crate) fn takes_micro_steps(&self, subsystem: usize) -> bool {
        self.config.micro_steps.get(&self.subsystems[subsystem].name).is_some_and(|count| *count > 1)
    }

    fn closing(&self, joint: &Joint, descriptions: &[&Description]) -> Closing {
        let is_relaxed = match joint.law {
            InterfaceLaw::Rigid => false,
            InterfaceLaw::Tikhonov { .. } => true,
            InterfaceLaw::Compliant { .. } | InterfaceLaw::Load => return Closing::Nothing,
        };
        let own = |side: usize| descriptions[joint.sides[side].subsystem];
        let is_alike = !own(0).rule.is_empty() && own(0).rule == own(1).rule;
        if is_alike && !is_relaxed {
            return Closing::Alike;
        }
        if joint.size > MOST_CLOSED {
            return Closing::Nothing;
        }
        let is_end = |side: usize| {
            let layout = &self.subsystems[joint.sides[side].subsystem];
            layout.joints.len() == 1 && !layout.is_loaded() && own(side).capabilities.takes_moves
        };
        // A contact sees the rates without moves: rather the side without.
        let [a, b] = [0, 1].map(|side: usize| (is_end(side), own(side).contacts.is_empty()));
        let sides = if b.1 && !a.1 { [1, 0] } else { [0, 1] };
        let is_free = |side: &&usize| is_end(**side) && own(**side).capabilities.is_strain_free;
        if let Some(side) = sides.iter().find(is_free) {
            return Closing::Free(*side);
        }
        // Mean rates of micro steps are no answer to a move of the other side: the gap is bounded, and stays.
        if joint.sides.iter().any(|side| self.takes_micro_steps(side.subsystem)) {
            return Closing::Nothing;
        }
        match [a.0, b.0] {
            // The force of a Tikhonov joint is shared by both sides; its gap is closed by both, or bounded.
            [true, true] if is_relaxed || a.1 == b.1 => Closing::Seen([true; 2]),
            [true, true] => Closing::Seen([a.1, b.1]),
            ends if !is_relaxed && ends.contains(&true) => Closing::Seen(ends),
            // Of redundant joints that turn, gaps left open would be forces without end.
            _ if is_alike => Closing::Alike,
            _ => Closing::Nothing,
        }
    }
}
