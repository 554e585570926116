//! The kinds of subsystems: one folder each, with what it is, how it is read and built.

pub(crate) mod body_ref;
mod contact_law;
pub(crate) mod controller;
pub(crate) mod coupled_model;
mod direction;
pub(crate) mod fmu;
pub(crate) mod force_law;
mod frame;
mod inertia;
mod kind;
pub(crate) mod linear;
pub(crate) mod multibody;
pub(crate) mod nested;
pub(crate) mod node;
pub(crate) mod orientation;
pub(crate) mod planar;
pub(crate) mod remote;
pub(crate) mod rigid_body;
pub(crate) mod rotor_aerodynamics;
pub(crate) mod shape;
pub(crate) mod source;

pub(crate) use direction::{rotation, unit};
pub(crate) use frame::Frame;
pub(crate) use kind::{Diagnostic, Kind, NamedTable, ParsedModel, Rejection, Start, correct_start, violated};

use serde::Serialize;

use crate::spec::{PortShape, QuantityName, QuantityRole, SignalShape, quantity};
use crate::toml::Reader;
use controller::ControllerSpec;
use fmu::FmuSpec;
use force_law::ForceLawSpec;
use linear::LinearSpec;
use multibody::MultibodySpec;
use nested::NestedSpec;
use node::NodeSpec;
use planar::PlanarSpec;
use remote::RemoteKindSpec;
use rigid_body::RigidBodySpec;
use rotor_aerodynamics::RotorAerodynamicsSpec;
use source::SourceSpec;

/// What a subsystem is, with its parameters, loads, contacts, ports and initial state.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum SubsystemKind {
    /// A point mass in space, with moving planes.
    Node(NodeSpec),
    /// A linear system with constraints and contacts.
    Linear(Box<LinearSpec>),
    /// Rigid bodies in a plane.
    Planar(PlanarSpec),
    /// A rigid body in space.
    RigidBody(Box<RigidBodySpec>),
    /// Rigid bodies in space with joints and forces.
    Multibody(Box<MultibodySpec>),
    /// A force law: motion in, loads out.
    ForceLaw(ForceLawSpec),
    /// A control law between signals.
    Controller(Box<ControllerSpec>),
    /// Signals that are functions of time.
    Source(SourceSpec),
    /// The air on a rotor: motion in, loads out.
    RotorAerodynamics(Box<RotorAerodynamicsSpec>),
    /// A unit by FMI.
    Fmu(Box<FmuSpec>),
    /// Another model.
    Model(Box<NestedSpec>),
    /// One of another make.
    Remote(Box<RemoteKindSpec>),
}

/// A subsystem of some kind as read, possibly with mistakes.
pub(crate) type KindDraft = ParsedModel<SubsystemKind>;

/// Reads the keys of one kind from the table of a subsystem.
pub(crate) type ReadKind = fn(&Reader<'_>, &Start) -> KindDraft;

/// Every kind by its name in the file.
pub(crate) const KINDS: [(&str, ReadKind); 12] = [
    (node::NAME, |reader, start| node::read::read(reader, start).map(SubsystemKind::Node)),
    (linear::NAME, |reader, start| {
        linear::read::read(reader, start).map(|linear| SubsystemKind::Linear(Box::new(linear)))
    }),
    (planar::NAME, |reader, start| planar::read::read(reader, start).map(SubsystemKind::Planar)),
    (rigid_body::NAME, |reader, start| {
        rigid_body::read::read(reader, start).map(|body| SubsystemKind::RigidBody(Box::new(body)))
    }),
    (multibody::NAME, |reader, start| {
        multibody::read::read(reader, start).map(|system| SubsystemKind::Multibody(Box::new(system)))
    }),
    (force_law::NAME, |reader, start| force_law::read::read(reader, start).map(SubsystemKind::ForceLaw)),
    (controller::NAME, |reader, start| {
        controller::read::read(reader, start)
            .map(|controller| SubsystemKind::Controller(Box::new(controller)))
    }),
    (source::NAME, |reader, start| source::read::read(reader, start).map(SubsystemKind::Source)),
    (rotor_aerodynamics::NAME, |reader, start| {
        rotor_aerodynamics::read::read(reader, start)
            .map(|rotor| SubsystemKind::RotorAerodynamics(Box::new(rotor)))
    }),
    (fmu::NAME, |reader, start| {
        fmu::read::read(reader, start).map(|unit| SubsystemKind::Fmu(Box::new(unit)))
    }),
    (nested::NAME, |reader, start| {
        nested::read::read(reader, start).map(|model| SubsystemKind::Model(Box::new(model)))
    }),
    (remote::NAME, |reader, start| {
        remote::read::read(reader, start).map(|own| SubsystemKind::Remote(Box::new(own)))
    }),
];

impl SubsystemKind {
    /// Name of the kind in the file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.as_kind().name()
    }

    /// Name and size of the ports in the order of the file.
    #[must_use]
    pub fn ports(&self) -> Vec<PortShape> {
        self.as_kind().ports()
    }

    /// Whether there are contacts.
    #[must_use]
    pub fn has_contacts(&self) -> bool {
        self.as_kind().has_contacts()
    }

    /// Quantities named within the subsystem, such as `floor.gap`, and outputs.
    #[must_use]
    pub fn quantities(&self) -> Vec<QuantityName> {
        let mut quantities = self.as_kind().quantities();
        for SignalShape { name, unit, .. } in self.as_kind().outputs() {
            if quantities.iter().all(|quantity| quantity.name != name) {
                quantities.push(quantity(name, unit, QuantityRole::Signal));
            }
        }
        quantities
    }

    /// Signals that it takes.
    #[must_use]
    pub fn inputs(&self) -> Vec<SignalShape> {
        self.as_kind().inputs()
    }

    /// Signals that it gives.
    #[must_use]
    pub fn outputs(&self) -> Vec<SignalShape> {
        self.as_kind().outputs()
    }

    /// The answers of the kind.
    pub(crate) fn as_kind(&self) -> &dyn Kind {
        match self {
            Self::Node(node) => node,
            Self::Linear(linear) => linear.as_ref(),
            Self::Planar(planar) => planar,
            Self::RigidBody(body) => body.as_ref(),
            Self::Multibody(system) => system.as_ref(),
            Self::ForceLaw(law) => law,
            Self::Controller(controller) => controller.as_ref(),
            Self::Source(source) => source,
            Self::RotorAerodynamics(rotor) => rotor.as_ref(),
            Self::Fmu(unit) => unit.as_ref(),
            Self::Model(model) => model.as_ref(),
            Self::Remote(own) => own.as_ref(),
        }
    }
}
