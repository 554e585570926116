//! What descriptions and interfaces must agree on.

use cosimo_subsystem::{Capabilities, Description};
use nalgebra::DMatrix;

use super::Topology;
use super::components::components;
use super::joint::Joint;
use crate::{Interface, InterfaceLaw, SetupError, StepControl};

/// The owner of the quantities of all contacts together.
pub(crate) const CONTACTS: &str = "contacts";

impl Topology {
    pub(super) fn check_capabilities(&self, descriptions: &[&Description]) -> Result<(), SetupError> {
        let config = &self.config;
        self.check_momenta(descriptions)?;
        self.check_kept_impacts(descriptions)?;
        self.check_micro_steps()?;
        if config.impacts.are_plain() {
            return Ok(());
        }
        let rigid = self.joints.iter().filter(|joint| joint.law.passes_impulses());
        let labels = components(self.subsystems.len(), rigid.clone().map(Joint::subsystems));
        // Of every rigid cluster: whether it has contacts, and its first subsystem that takes no impulses.
        let mut clusters = vec![(false, None); self.subsystems.len()];
        for (i, (description, &label)) in descriptions.iter().zip(&labels).enumerate() {
            clusters[label].0 |= !description.contacts.is_empty();
            // Micro steps and steps that capture impacts have the plain problem, which asks for none.
            let is_plain = description.capabilities.captures_impacts || self.takes_micro_steps(i);
            let Capabilities { takes_impulses, takes_jumps, is_affine, .. } = description.capabilities;
            if !(takes_impulses || (takes_jumps && !is_affine) || is_plain) {
                clusters[label].1 = clusters[label].1.or(Some(i));
            }
        }
        for joint in rigid {
            if let (true, Some(i)) = clusters[labels[joint.sides[0].subsystem]] {
                return Err(SetupError::Incapable {
                    interface: joint.name.clone(),
                    need: "passes the impulses of contacts",
                    subsystem: descriptions[i].name.clone(),
                    lack: "takes no impulses inside a step",
                    remedy: "give it the solver `theta`, join it by a compliant interface, or use impacts = \"plain\"",
                });
            }
        }
        Ok(())
    }

    /// Mean rates of micro steps leave an alternating part in the rates at the ends of steps, which steps of changing sizes excite.
    fn check_micro_steps(&self) -> Result<(), SetupError> {
        if self.config.step_control != StepControl::Error {
            return Ok(());
        }
        for joint in self.joints.iter().filter(|joint| joint.law.passes_impulses()) {
            let mut sides = joint.sides.iter();
            if let Some(side) = sides.find(|side| self.takes_micro_steps(side.subsystem)) {
                return Err(SetupError::Incapable {
                    interface: joint.name.clone(),
                    need: "holds rates in steps chosen by their error",
                    subsystem: self.subsystems[side.subsystem].name.clone(),
                    lack: "takes micro steps, whose rates it holds in the mean",
                    remedy: "leave out its micro_steps, join it by a compliant interface, or use step_control = \"fixed\"",
                });
            }
        }
        Ok(())
    }
}

impl Topology {
    /// Refuses joints that would have to pass on impacts that a subsystem keeps to itself.
    fn check_kept_impacts(&self, descriptions: &[&Description]) -> Result<(), SetupError> {
        for joint in self.joints.iter().filter(|joint| joint.law.passes_impulses()) {
            let mut sides = joint.sides.iter().map(|side| descriptions[side.subsystem]);
            if let Some(description) = sides.find(|description| description.capabilities.keeps_impacts) {
                return Err(SetupError::Incapable {
                    interface: joint.name.clone(),
                    need: "passes on impacts",
                    subsystem: description.name.clone(),
                    lack: "has impacts inside its steps that nobody else sees",
                    remedy: "let its model take impacts over whole steps, impacts = \"plain\", or join it by a compliant interface",
                });
            }
        }
        Ok(())
    }

    /// Refuses joints that pass momenta to a rule that cannot pass them on.
    fn check_momenta(&self, descriptions: &[&Description]) -> Result<(), SetupError> {
        for joint in self.joints.iter().filter(|joint| joint.law.passes_impulses()) {
            let mut sides = joint.sides.iter().map(|side| descriptions[side.subsystem]);
            if let Some(description) = sides.find(|description| description.capabilities.lacks_momenta) {
                return Err(SetupError::Incapable {
                    interface: joint.name.clone(),
                    need: "passes momenta",
                    subsystem: description.name.clone(),
                    lack: "integrates by a rule that keeps no past of loads, as backward differentiation of an order above 1",
                    remedy: "use `multistep` with spectral radius 0, which is of order 2, or join it by a compliant interface",
                });
            }
        }
        Ok(())
    }
}

pub(super) fn check_names(descriptions: &[&Description], interfaces: &[Interface]) -> Result<(), SetupError> {
    let mut names: Vec<&str> = descriptions.iter().map(|d| d.name.as_str()).collect();
    names.extend(interfaces.iter().map(|i| i.name.as_str()));
    names.sort_unstable();
    if names.binary_search(&CONTACTS).is_ok() {
        return Err(SetupError::ReservedName { name: CONTACTS.to_owned() });
    }
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(SetupError::DuplicateName { name: pair[0].to_owned() }),
        None => Ok(()),
    }
}

pub(super) fn check_law(interface: &Interface, size: usize) -> Result<(), SetupError> {
    let bad = |reason: String| Err(SetupError::BadInterface { interface: interface.name.clone(), reason });
    match &interface.law {
        InterfaceLaw::Rigid | InterfaceLaw::Load => Ok(()),
        InterfaceLaw::Tikhonov { constant } if *constant > 0.0 && constant.is_finite() => Ok(()),
        InterfaceLaw::Tikhonov { constant } => {
            bad(format!("the Tikhonov constant is {constant}, must be positive"))
        }
        InterfaceLaw::Compliant { stiffness, damping } => {
            for (name, matrix) in [("stiffness", stiffness), ("damping", damping)] {
                if matrix.shape() != (size, size) || matrix.iter().any(|x| !x.is_finite()) {
                    return bad(format!("the {name} must be a finite {size} × {size} matrix"));
                }
                let smallest = matrix.symmetric_eigenvalues().min();
                if (matrix - matrix.transpose()).amax() > 1e-12 * matrix.amax()
                    || smallest < -1e-12 * matrix.amax()
                {
                    return bad(format!("the {name} must be symmetric and positive semidefinite"));
                }
            }
            if *stiffness == DMatrix::zeros(size, size) && *damping == DMatrix::zeros(size, size) {
                return bad("stiffness and damping are both zero".to_owned());
            }
            Ok(())
        }
    }
}
