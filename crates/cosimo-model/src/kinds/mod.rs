//! The kinds of subsystems: one folder each, with what it is, how it is read, written and built.

mod contact_law;
pub(crate) mod linear;
pub(crate) mod node;
pub(crate) mod planar;
pub(crate) mod rigid_body;

use cosimo_subsystem::Subsystem;

use crate::build::{BuildError, Frame};
use crate::read::Reader;
use crate::spec::{PortShape, QuantityName, SolverSpec};
use crate::write::Writer;
use contact_law::{contact_quantities, read_law, write_law};
use linear::LinearSpec;
use node::NodeSpec;
use planar::PlanarSpec;
use rigid_body::RigidBodySpec;

/// What a subsystem is, with its parameters, loads, contacts, ports and initial state.
#[derive(Debug, Clone, PartialEq)]
pub enum SubsystemKind {
    /// A point mass in space, with moving planes.
    Node(NodeSpec),
    /// A linear system with constraints and contacts.
    Linear(Box<LinearSpec>),
    /// Rigid bodies in a plane.
    Planar(PlanarSpec),
    /// A rigid body in space.
    RigidBody(Box<RigidBodySpec>),
}

/// What every kind of subsystem answers.
pub(crate) trait Kind {
    /// Name of the kind in the file.
    fn name(&self) -> &'static str;
    /// Ports in the order of the file.
    fn ports(&self) -> Vec<PortShape>;
    /// Whether there are contacts, which not every solver can treat.
    fn has_contacts(&self) -> bool;
    /// Why a solver cannot step it, with the way out; none if it can. Default: any can.
    fn refuses(&self, _solver: &SolverSpec) -> Option<&'static str> {
        None
    }
    /// Quantities that can be recorded, named within the subsystem.
    fn quantities(&self) -> Vec<QuantityName>;
    /// Constraints within the subsystem that the initial state violates by more than `tolerance` (m, m/s).
    fn initial_violations(&self, _tolerance: f64) -> Vec<InitialViolation> {
        Vec::new()
    }
    /// Writes everything but name, kind and solver.
    fn write(&self, writer: &mut Writer);
    /// Builds the subsystem.
    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError>;
}

/// A constraint within a subsystem that the initial state violates.
pub(crate) struct InitialViolation {
    /// Key of its array of tables.
    pub(crate) key: &'static str,
    /// Index in the array.
    pub(crate) index: usize,
    /// Its name.
    pub(crate) name: String,
    /// By how much (m).
    pub(crate) distance: f64,
    /// How fast that changes (m/s).
    pub(crate) speed: f64,
    /// Whether the run brings it back to zero.
    pub(crate) is_stabilised: bool,
}

/// A kind as read, possibly with mistakes.
pub(crate) struct KindDraft {
    /// What could be read.
    pub(crate) kind: SubsystemKind,
    /// Whether the names of its ports and quantities are right in spite of mistakes.
    pub(crate) has_all_names: bool,
}

/// Reads the keys of one kind from the table of a subsystem.
pub(crate) type ReadKind = fn(&Reader<'_>) -> KindDraft;

/// Every kind by its name in the file.
pub(crate) const KINDS: [(&str, ReadKind); 4] = [
    (node::NAME, node::read),
    (linear::NAME, linear::read),
    (planar::NAME, planar::read),
    (rigid_body::NAME, rigid_body::read),
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

    /// Quantities named within the subsystem, such as `floor.gap`.
    #[must_use]
    pub fn quantities(&self) -> Vec<QuantityName> {
        self.as_kind().quantities()
    }

    /// The answers of the kind.
    pub(crate) fn as_kind(&self) -> &dyn Kind {
        match self {
            Self::Node(node) => node,
            Self::Linear(linear) => linear.as_ref(),
            Self::Planar(planar) => planar,
            Self::RigidBody(body) => body.as_ref(),
        }
    }
}
