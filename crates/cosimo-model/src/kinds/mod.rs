//! The kinds of subsystems: one folder each, with what it is, how it is read, written and built.

mod contact_law;
pub(crate) mod controller;
pub(crate) mod force_law;
mod inertia;
pub(crate) mod linear;
pub(crate) mod multibody;
pub(crate) mod node;
pub(crate) mod planar;
pub(crate) mod rigid_body;

use cosimo_subsystem::Subsystem;

use crate::build::{BuildError, Frame};
use crate::read::Reader;
use crate::spec::{PortShape, QuantityName, QuantityRole, SignalShape, SolverSpec, TimeTable, quantity};
use crate::write::Writer;
use contact_law::{contact_quantities, forbid_facets_on_a_line, read_law, write_law};
use controller::ControllerSpec;
use force_law::ForceLawSpec;
use inertia::{inertia, read_inertia};
use linear::LinearSpec;
use multibody::MultibodySpec;
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
    /// Rigid bodies in space with joints and forces.
    Multibody(Box<MultibodySpec>),
    /// A force law: motion in, loads out.
    ForceLaw(ForceLawSpec),
    /// A control law between signals.
    Controller(Box<ControllerSpec>),
}

/// What every kind of subsystem answers.
pub(crate) trait Kind {
    /// Name of the kind in the file.
    fn name(&self) -> &'static str;
    /// Ports in the order of the file.
    fn ports(&self) -> Vec<PortShape>;
    /// Whether there are contacts, which not every solver can treat.
    fn has_contacts(&self) -> bool;
    /// The solver used where the file names none.
    fn default_solver(&self) -> SolverSpec {
        SolverSpec::default_for(self.has_contacts())
    }
    /// Why a solver cannot step it, with the way out; none if it can. Default: any can that is not of multibody systems alone.
    fn refuses(&self, solver: &SolverSpec) -> Option<Refusal> {
        solver.is_for_multibody_only().then_some(Refusal {
            key: "solver",
            help: "this solver is for kind = \"multibody\"; use \"theta\", \"multistep\" or \"generalized-alpha\"",
        })
    }
    /// Signals that it takes. Default: none.
    fn inputs(&self) -> Vec<SignalShape> {
        Vec::new()
    }
    /// Signals that it gives; they can be recorded, too. Default: none.
    fn outputs(&self) -> Vec<SignalShape> {
        Vec::new()
    }
    /// Quantities that can be recorded, named within the subsystem, besides outputs of other names.
    fn quantities(&self) -> Vec<QuantityName>;
    /// The tables over time that its steps sample. Default: none.
    fn tables(&self) -> Vec<Course<'_>> {
        Vec::new()
    }
    /// What the complete subsystem shows before anything runs.
    fn findings(&self, _start: &Start) -> Vec<Finding> {
        Vec::new()
    }
    /// Writes everything but name, kind and solver.
    fn write(&self, writer: &mut Writer);
    /// Builds the subsystem.
    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError>;
}

/// A table over time of one part of a subsystem.
pub(crate) struct Course<'a> {
    /// Key of the array of tables of the part.
    pub(crate) key: &'static str,
    /// Index in the array.
    pub(crate) index: usize,
    /// Name of the part in messages.
    pub(crate) name: String,
    /// The values.
    pub(crate) table: &'a TimeTable,
}

impl<'a> Course<'a> {
    /// The table of the load of this index.
    pub(crate) fn of_load((index, table): (usize, &'a TimeTable)) -> Self {
        Self { key: "load", index, name: index.to_string(), table }
    }
}

/// What a run asks of its start.
pub(crate) struct Start {
    /// Time (s).
    pub(crate) time: f64,
    /// Time at which the run ends (s).
    pub(crate) end: f64,
    /// By how much constraints may be violated (m, m/s; rad, rad/s).
    pub(crate) tolerance: f64,
    /// Whether a state that violates them is projected instead of refused.
    pub(crate) is_projected: bool,
    /// Smallest macro step that the run may take (s).
    pub(crate) smallest_step: f64,
    /// Whether the steps of the run follow their error.
    pub(crate) follows_error: bool,
}

/// Why a solver cannot step a subsystem.
pub(crate) struct Refusal {
    /// The key at fault where the solver is the default.
    pub(crate) key: &'static str,
    /// What to change.
    pub(crate) help: &'static str,
}

/// A mistake or warning about one part of a subsystem.
pub(crate) struct Finding {
    /// Key of the array of tables of the part.
    pub(crate) key: &'static str,
    /// Index in the array.
    pub(crate) index: usize,
    /// Name of the part.
    pub(crate) name: String,
    /// What is wrong, a sentence that starts with the name.
    pub(crate) message: String,
    /// What to change.
    pub(crate) help: String,
    /// Whether the run goes on.
    pub(crate) is_warning: bool,
}

/// How messages tell that a constraint is violated, by `distance` (m) and `speed` (m/s).
pub(crate) fn violated(distance: f64, speed: f64) -> String {
    format!("is violated at the start, by {distance:.3e} m and {speed:.3e} m/s")
}

/// What to do about it where nothing projects the start.
pub(crate) fn correct_start(tolerance: f64) -> String {
    format!("correct positions and velocities; initial_tolerance is {tolerance:e}")
}

/// A kind as read, possibly with mistakes.
pub(crate) struct KindDraft {
    /// What could be read.
    pub(crate) kind: SubsystemKind,
    /// Whether the names of its ports and quantities are right in spite of mistakes.
    pub(crate) has_all_names: bool,
}

/// Reads the keys of one kind from the table of a subsystem.
pub(crate) type ReadKind = fn(&Reader<'_>, &Start) -> KindDraft;

/// Every kind by its name in the file.
pub(crate) const KINDS: [(&str, ReadKind); 7] = [
    (node::NAME, node::read),
    (linear::NAME, linear::read),
    (planar::NAME, planar::read),
    (rigid_body::NAME, rigid_body::read),
    (multibody::NAME, multibody::read),
    (force_law::NAME, force_law::read),
    (controller::NAME, controller::read),
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
        }
    }
}
