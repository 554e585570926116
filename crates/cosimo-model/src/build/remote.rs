//! Subsystems where the model wants them: in the thread of the master, in threads, in processes.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use cosimo_master::InitialState;
use cosimo_subsystem::{Subsystem, SubsystemError, codec};
use cosimo_transport::{ProcessSubsystem, ThreadedSubsystem, TransportError, serve_assigned};

use crate::build_error::BuildError;
use crate::document::read_model;
use crate::kinds::coupled_model::CoupledModel;
use crate::kinds::fmu::Isolation;
use crate::kinds::{Frame, SubsystemKind};
use crate::model::{ModelSpec, SubsystemSpec};
use crate::spec::Execution;

/// Gives a subsystem of this name if it has that.
pub type Elsewhere<'e> = dyn FnMut(&str) -> Option<Result<Box<dyn Subsystem>, SubsystemError>> + 'e;

impl ModelSpec {
    /// Builds the subsystems alone, each where [`Execution`] says.
    ///
    /// # Errors
    /// A subsystem contradicts itself, or its thread cannot be started. [`BuildError::NoServer`]: the model wants
    /// processes.
    pub fn build_subsystems(&self) -> Result<Vec<Box<dyn Subsystem>>, BuildError> {
        let place = |subsystem: &SubsystemSpec| match self.execution_of(subsystem) {
            Execution::InThread => self.build_nearby(subsystem),
            Execution::Threads => self.build_threaded(subsystem),
            Execution::Processes => Err(BuildError::NoServer { subsystem: subsystem.name.clone() }),
        };
        self.subsystems.iter().map(place).collect()
    }

    /// The same where subsystems may run in processes, see [`build_served`](Self::build_served).
    ///
    /// # Errors
    /// As [`build_subsystems`](Self::build_subsystems), and what befalls the processes.
    pub fn build_subsystems_served(
        &self,
        command: &dyn Fn() -> Command,
    ) -> Result<Vec<Box<dyn Subsystem>>, BuildError> {
        self.build_subsystems_placed(command, &mut |_| None)
    }

    /// The same where `elsewhere` has some of those that [are movable](Self::movable), by their names.
    ///
    /// # Errors
    /// As [`build_subsystems_served`](Self::build_subsystems_served), and those of `elsewhere`.
    pub fn build_subsystems_placed(
        &self,
        command: &dyn Fn() -> Command,
        elsewhere: &mut Elsewhere<'_>,
    ) -> Result<Vec<Box<dyn Subsystem>>, BuildError> {
        let mut text = None;
        let mut start = |subsystem: &SubsystemSpec| match (elsewhere(&subsystem.name), self.execution_of(subsystem)) {
            (Some(built), _) => built.map_err(BuildError::Remote),
            (None, Execution::InThread) => self.build_nearby(subsystem),
            (None, Execution::Threads) => self.build_threaded(subsystem),
            (None, Execution::Processes) => {
                let name = &subsystem.name;
                let model = text.get_or_insert_with(|| self.to_toml());
                let started = assignment(model, name).and_then(|assignment| {
                    ProcessSubsystem::spawn_assigned(name, command(), assignment, self.deadline())
                });
                Ok(Box::new(started.map_err(BuildError::Remote)?) as Box<dyn Subsystem>)
            }
        };
        self.subsystems.iter().map(&mut start).collect()
    }

    /// Whether units are in it, or in models nested in it, of which a process can hold one instance only.
    #[must_use]
    pub fn has_single_units(&self) -> bool {
        !self.single_units().is_empty()
    }

    /// Puts subsystems with [such units](Self::has_single_units) into processes of their own: others of this process may have theirs.
    pub fn isolate_single_units(&mut self) {
        for subsystem in &mut self.subsystems {
            if subsystem.kind.as_kind().single_units().is_empty() {
                continue;
            }
            match &mut subsystem.kind {
                SubsystemKind::Fmu(unit) => unit.isolation = Isolation::Process,
                SubsystemKind::Model(nested) => nested.isolation = Isolation::Process,
                _ => {}
            }
        }
    }

    /// Which subsystems may run in a process with others: not those that need one of their own.
    #[must_use]
    pub fn movable(&self) -> Vec<bool> {
        self.subsystems.iter().map(|subsystem| !self.is_alone(subsystem)).collect()
    }

    /// Where a subsystem runs.
    fn execution_of(&self, subsystem: &SubsystemSpec) -> Execution {
        if self.is_alone(subsystem) { Execution::Processes } else { self.placement.execution }
    }

    /// Whether it needs a process of its own: it asks for that, or this process can hold no other unit of a file in it.
    fn is_alone(&self, subsystem: &SubsystemSpec) -> bool {
        let kind = subsystem.kind.as_kind();
        let before = self.subsystems.iter().take_while(|other| other.name != subsystem.name);
        let before = before.map(|other| other.kind.as_kind()).filter(|other| !other.is_isolated());
        let near: Vec<PathBuf> = before.flat_map(|other| other.single_units()).collect();
        let is_second = || kind.single_units().iter().any(|file| near.contains(file));
        kind.is_isolated() || is_second()
    }

    /// Builds one subsystem in the thread of the caller.
    ///
    /// # Errors
    /// It contradicts itself, or [`BuildError::NoSubsystem`].
    pub fn build_subsystem(&self, name: &str) -> Result<Box<dyn Subsystem>, BuildError> {
        match self.subsystems.iter().find(|subsystem| subsystem.name == name) {
            Some(subsystem) => self.build_nearby(subsystem),
            None => Err(BuildError::NoSubsystem { subsystem: name.to_owned() }),
        }
    }

    fn build_nearby(&self, subsystem: &SubsystemSpec) -> Result<Box<dyn Subsystem>, BuildError> {
        let kind = subsystem.kind.as_kind();
        let (solver, activation) = kind.stepped_by(&subsystem.solver);
        let frame = Frame {
            name: &subsystem.name,
            solver,
            activation,
            start_time: self.time.start,
            end_time: self.time.end,
            longest_step: self.time.step,
            is_projected: self.master.initial_state == InitialState::Project,
            initial_tolerance: self.master.initial_tolerance,
        };
        kind.build(&frame)
    }

    fn build_threaded(&self, subsystem: &SubsystemSpec) -> Result<Box<dyn Subsystem>, BuildError> {
        let threaded = ThreadedSubsystem::spawn(self.build_nearby(subsystem)?);
        Ok(Box::new(threaded.map_err(BuildError::Remote)?.with_deadline(self.deadline())))
    }

    /// How long a subsystem elsewhere may take for one answer.
    #[must_use]
    pub fn deadline(&self) -> Duration {
        Duration::try_from_secs_f64(self.placement.deadline).unwrap_or(Duration::MAX)
    }
}

/// What a process is to serve: a complete model, and the subsystem of this name.
fn assignment(model: &str, name: &str) -> Result<Vec<u8>, SubsystemError> {
    codec::encode(&(model, name))
        .map_err(|error| SubsystemError::Protocol { subsystem: name.to_owned(), reason: error.to_string() })
}

/// Serves the subsystem of a model that the master at the other end of these streams assigns, until it closes them: what
/// a process of [`ModelSpec::build_served`] does with its standard input and output.
///
/// # Errors
/// See [`cosimo_transport::serve`].
pub fn serve_model(reader: impl Read + Send, writer: impl Write + Send) -> Result<(), TransportError> {
    serve_assigned(build_assigned, reader, writer)
}

fn build_assigned(assignment: &[u8]) -> Result<Box<dyn Subsystem>, SubsystemError> {
    let (text, name): (String, String) = codec::decode(assignment).map_err(|error| {
        let reason = format!("its process was assigned no model: {error}");
        SubsystemError::Protocol { subsystem: "assigned".to_owned(), reason }
    })?;
    let bad = |reason: String| SubsystemError::BadDescription { subsystem: name.clone(), reason };
    let (model, _) = read_model("model", &text, &[]).map_err(|mistakes| bad(mistakes.to_string()))?;
    model.build_subsystem(&name).map_err(|error| bad(SubsystemError::chain(&error)))
}
