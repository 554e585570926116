//! Interfaces as the master takes them.

use cosimo_master::{Interface, InterfaceLaw};

use crate::model::ModelSpec;
use crate::spec::{InterfaceSpec, LawSpec, PortRef};

/// Looks up the ports of an interface and writes its law with dense matrices.
pub(super) fn build(model: &ModelSpec, interface: &InterfaceSpec) -> Interface {
    let [a, b] = interface.between.map(|port| names(model, port));
    Interface {
        name: interface.name.clone(),
        a,
        b,
        law: match &interface.law {
            LawSpec::Compliant { stiffness, damping } => {
                InterfaceLaw::Compliant { stiffness: stiffness.to_dense(), damping: damping.to_dense() }
            }
            LawSpec::Rigid => InterfaceLaw::Rigid,
            LawSpec::Load => InterfaceLaw::Load,
            LawSpec::Tikhonov { constant } => InterfaceLaw::Tikhonov { constant: *constant },
        },
        offset: interface.offset.clone(),
    }
}

/// Subsystem and port by name; the master refuses empty ones.
fn names(model: &ModelSpec, port: PortRef) -> (String, String) {
    model.port(port).map(|(subsystem, shape)| (subsystem.name.clone(), shape.name)).unwrap_or_default()
}
