//! What every kind of subsystem answers, and what it is asked with.

use cosimo_mechanics::{Activation, ContactLaw, TimeTable};
use cosimo_subsystem::{Description, Subsystem};
use toml::Table;

use std::path::PathBuf;

use super::coupled_model::OpenModel;
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::spec::{PortShape, QuantityName, SignalShape, SolverSpec};

/// What every kind of subsystem answers.
pub(crate) trait Kind {
    /// Name of the kind in the file.
    fn name(&self) -> &'static str;
    /// Ports in the order of the file.
    fn ports(&self) -> Vec<PortShape>;
    /// Whether there are contacts, which not every solver can treat.
    fn has_contacts(&self) -> bool;
    /// Why a solver cannot step it, with the way out; none if it can. Default: any can that is not of multibody systems alone.
    fn refuses(&self, solver: &SolverSpec) -> Option<Rejection> {
        solver.is_for_multibody_only().then_some(Rejection {
            key: "solver",
            help: "this solver is for kind = \"multibody\"; use \"theta\", \"multistep\" or \"generalized-alpha\"",
        })
    }
    /// By which rule of its own it steps, if neither `solver` nor `micro_steps` belong to it. Default: none.
    fn own_rule(&self) -> Option<&'static str> {
        None
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

    /// Laws of its contacts, in the order of the file.
    fn contact_laws(&self) -> Vec<ContactLaw> {
        Vec::new()
    }

    /// What steps it: the solver, or the step rule that a scheme is where the master solves for the contacts, since joints to others
    /// have to see their friction; and how contacts enter then.
    fn stepped_by(&self, solver: &SolverSpec) -> (SolverSpec, Option<Activation>) {
        let has_friction = self.contact_laws().iter().any(|law| law.friction > 0.0);
        match solver.rule_of_scheme() {
            Some((rule, activation)) if has_friction && !self.ports().is_empty() => (rule, Some(activation)),
            _ => (*solver, None),
        }
    }

    /// What a nonsmooth integrator shows beside these.
    fn nonsmooth_quantities(&self) -> Vec<QuantityName> {
        Vec::new()
    }

    /// The tables over time that its steps sample. Default: none.
    fn tables(&self) -> Vec<NamedTable<'_>> {
        Vec::new()
    }
    /// What the complete subsystem shows before anything runs.
    fn findings(&self, _start: &Start) -> Vec<Diagnostic> {
        Vec::new()
    }
    /// Whether it runs in a process of its own, wherever the others do. Default: it does not.
    fn is_isolated(&self) -> bool {
        false
    }
    /// Files of the units in it of which a process can hold one instance only, those in nested models among them. Default: none.
    fn single_units(&self) -> Vec<PathBuf> {
        Vec::new()
    }
    /// What of it another one has, that somebody else serves, in words. Default: nothing, for kinds of which both ends have the same model.
    fn check_served(&self, _found: &Description) -> Option<String> {
        None
    }
    /// Puts what only the whole subsystem knows into the table that is written of it. Default: nothing.
    fn complete(&self, _table: &mut Table) {}
    /// Builds the subsystem.
    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError>;
}

/// A table over time of one part of a subsystem.
pub(crate) struct NamedTable<'a> {
    /// Key of the array of tables of the part.
    pub(crate) key: &'static str,
    /// Index in the array.
    pub(crate) index: usize,
    /// Name of the part in messages.
    pub(crate) name: String,
    /// The values.
    pub(crate) table: &'a TimeTable,
}

impl<'a> NamedTable<'a> {
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
    /// Longest macro step that the run may take (s).
    pub(crate) longest_step: f64,
    /// Smallest one (s).
    pub(crate) smallest_step: f64,
    /// Whether the steps of the run follow their error.
    pub(crate) follows_error: bool,
    /// The file that is read, after those that it is nested in.
    pub(crate) files: Vec<PathBuf>,
    /// Opens a nested model.
    pub(crate) open_model: OpenModel,
}

/// Why a solver cannot step a subsystem.
pub(crate) struct Rejection {
    /// The key at fault where the solver is the default.
    pub(crate) key: &'static str,
    /// What to change.
    pub(crate) help: &'static str,
}

/// A mistake or warning about one part of a subsystem.
pub(crate) struct Diagnostic {
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

/// Message that a constraint is violated, by `distance` (m) and `speed` (m/s).
pub(crate) fn violated(distance: f64, speed: f64) -> String {
    format!("is violated at the start, by {distance:.3e} m and {speed:.3e} m/s")
}

/// What to do about it where nothing projects the start.
pub(crate) fn correct_start(tolerance: f64) -> String {
    format!("correct positions and velocities; initial_tolerance is {tolerance:e}")
}

/// A kind as read, possibly with mistakes.
pub(crate) struct ParsedModel<K> {
    /// What could be read.
    pub(crate) kind: K,
    /// Whether the names of its ports and quantities are right in spite of mistakes.
    pub(crate) has_all_names: bool,
}

impl<K> ParsedModel<K> {
    /// The same as a kind among others.
    pub(crate) fn map<T>(self, into: impl FnOnce(K) -> T) -> ParsedModel<T> {
        ParsedModel { kind: into(self.kind), has_all_names: self.has_all_names }
    }
}
