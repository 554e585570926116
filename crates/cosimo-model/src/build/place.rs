//! Subsystems where the model wants them: in the thread of the master, in threads, in processes, on other machines.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use cosimo_master::InitialState;
use cosimo_subsystem::{Subsystem, SubsystemError};
use cosimo_transport::{Key, Pending, ProcessChannel, Remote, ThreadedSubsystem};

use super::network::Networks;
use crate::build_error::BuildError;
use crate::kinds::coupled_model::CoupledModel;
use crate::kinds::fmu::Isolation;
use crate::kinds::{Frame, SubsystemKind};
use crate::model::{ModelSpec, SubsystemSpec};
use crate::spec::{Execution, PlacementSpec, RemoteSpec};

/// Makes the command of a process that serves a subsystem.
type Server<'a> = &'a dyn Fn() -> Command;

/// Has greeted the subsystem of a name, or has not.
pub type Elsewhere<'a> = dyn FnMut(&str) -> Option<Box<dyn Pending>> + 'a;

/// Where one subsystem runs.
enum Place<'m> {
    InThread,
    Thread,
    Process,
    Elsewhere(&'m RemoteSpec),
}

impl ModelSpec {
    /// Builds the subsystems alone, each where [`Execution`] says.
    ///
    /// # Errors
    /// A subsystem contradicts itself, or its thread cannot be started. [`BuildError::NoServer`]: the model wants
    /// processes. [`BuildError::Remote`]: one that is served elsewhere cannot be had.
    pub fn build_subsystems(&self) -> Result<Vec<Box<dyn Subsystem>>, BuildError> {
        self.build_placed(None, &mut |_| None)
    }

    /// The same where subsystems may run in processes, see [`build_served`](Self::build_served).
    ///
    /// # Errors
    /// As [`build_subsystems`](Self::build_subsystems), and what befalls the processes.
    pub fn build_subsystems_served(
        &self,
        command: &dyn Fn() -> Command,
    ) -> Result<Vec<Box<dyn Subsystem>>, BuildError> {
        self.build_placed(Some(command), &mut |_| None)
    }

    /// The same where `elsewhere` has greeted some of those that [are movable](Self::movable).
    ///
    /// # Errors
    /// As [`build_subsystems_served`](Self::build_subsystems_served), and those of the ones elsewhere.
    pub fn build_subsystems_placed(
        &self,
        command: &dyn Fn() -> Command,
        elsewhere: &mut Elsewhere<'_>,
    ) -> Result<Vec<Box<dyn Subsystem>>, BuildError> {
        self.build_placed(Some(command), elsewhere)
    }

    /// Those elsewhere are all greeted before any of them is awaited, and meanwhile the others are built: they start side by side.
    fn build_placed(
        &self,
        server: Option<Server<'_>>,
        elsewhere: &mut Elsewhere<'_>,
    ) -> Result<Vec<Box<dyn Subsystem>>, BuildError> {
        let places = self.places();
        let all = || self.subsystems.iter().zip(&places);
        let mut networks = Networks::default();
        let begin = |(subsystem, place): (&SubsystemSpec, &Place<'_>)| match elsewhere(&subsystem.name) {
            None => self.begin(subsystem, place, (server, &mut networks)),
            greeted => Ok(greeted),
        };
        let mut begun = all().map(begin).collect::<Result<Vec<_>, _>>()?;
        for pending in begun.iter_mut().flatten() {
            pending.send().map_err(BuildError::Remote)?;
        }
        let mut built = Vec::with_capacity(begun.len());
        for ((subsystem, place), pending) in all().zip(begun) {
            built.push(match (place, pending) {
                (_, Some(pending)) => Built::Pending(pending),
                (Place::Thread, None) => Built::Here(self.build_threaded(subsystem)?),
                (_, None) => Built::Here(self.build_nearby(subsystem)?),
            });
        }
        let all = self.subsystems.iter().zip(built);
        all.map(|(subsystem, built)| built.finish().and_then(|built| check_served(subsystem, built)))
            .collect()
    }

    /// Starts what runs elsewhere; none of the others.
    fn begin(
        &self,
        subsystem: &SubsystemSpec,
        place: &Place<'_>,
        (server, networks): (Option<Server<'_>>, &mut Networks),
    ) -> Result<Option<Box<dyn Pending>>, BuildError> {
        match (place, server) {
            (Place::InThread | Place::Thread, _) => Ok(None),
            (Place::Process, None) => Err(BuildError::NoServer { subsystem: subsystem.name.clone() }),
            (Place::Process, Some(server)) => self.start_process(subsystem, server).map(Some),
            (Place::Elsewhere(RemoteSpec::Tcp { tcp, key }), _) => {
                self.reach(subsystem, (tcp, key.as_ref())).map(Some)
            }
            (Place::Elsewhere(remote), _) => networks.reach(self, subsystem, remote).map(Some),
        }
    }

    /// Starts a process for a subsystem. Where it is lost, and the run is to go on, another one is started.
    fn start_process(
        &self,
        subsystem: &SubsystemSpec,
        server: Server<'_>,
    ) -> Result<Box<dyn Pending>, BuildError> {
        let (name, deadline) = (subsystem.name.clone(), self.placement.deadline());
        let assignment = self.assignment(subsystem).map_err(BuildError::Remote)?;
        let greeting =
            ProcessChannel::greet(&name, server(), assignment, deadline).map_err(BuildError::Remote)?;
        let like = server();
        let again = move |_| ProcessChannel::spawn(&name, copy(&like));
        Ok(Box::new(greeting.on_loss(self.placement.on_loss(), again)))
    }

    /// Connects to whoever serves a subsystem at an address.
    fn reach(
        &self,
        subsystem: &SubsystemSpec,
        (address, key): (&str, Option<&PathBuf>),
    ) -> Result<Box<dyn Pending>, BuildError> {
        let name = &subsystem.name;
        let remote = Remote::new(name, address)
            .key(read_key(name, key).map_err(BuildError::Remote)?)
            .assignment(self.assignment_elsewhere(subsystem).map_err(BuildError::Remote)?)
            .deadline(self.placement.deadline())
            .on_loss(self.placement.on_loss());
        Ok(Box::new(remote.greet().map_err(BuildError::Remote)?))
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

    /// The model with all subsystems on this machine, for runs that others must not be asked for: of checks, studies and exported units.
    /// It cannot be built where one is of another make.
    #[must_use]
    pub fn nearby(mut self) -> Self {
        self.subsystems.iter_mut().for_each(|subsystem| subsystem.remote = None);
        self
    }

    /// Where the subsystems run: elsewhere or in a process where they ask for that, in a process too where this one can hold no other unit of a
    /// file in it.
    fn places(&self) -> Vec<Place<'_>> {
        let mut near: BTreeSet<PathBuf> = BTreeSet::new();
        let mut place = |subsystem: &SubsystemSpec| {
            let kind = subsystem.kind.as_kind();
            if kind.is_isolated() {
                return Place::Process;
            }
            let units = kind.single_units();
            if units.iter().any(|file| near.contains(file)) {
                return Place::Process;
            }
            near.extend(units);
            match self.placement.execution {
                Execution::InThread => Place::InThread,
                Execution::Threads => Place::Thread,
                Execution::Processes => Place::Process,
            }
        };
        let all = self.subsystems.iter();
        all.map(|subsystem| subsystem.remote.as_ref().map_or_else(|| place(subsystem), Place::Elsewhere))
            .collect()
    }

    /// Which subsystems may run in a process with others, wherever that is: not those that need one of their own or are served elsewhere.
    #[must_use]
    pub fn movable(&self) -> Vec<bool> {
        let own = Self { placement: PlacementSpec::default(), ..self.clone() };
        own.places().iter().map(|place| matches!(place, Place::InThread)).collect()
    }

    /// Builds one subsystem in the thread of the caller, wherever the model wants it.
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
        Ok(Box::new(threaded.map_err(BuildError::Remote)?.with_deadline(self.placement.deadline())))
    }
}

/// A subsystem that is there, or is about to be.
enum Built {
    Here(Box<dyn Subsystem>),
    Pending(Box<dyn Pending>),
}

impl Built {
    fn finish(self) -> Result<Box<dyn Subsystem>, BuildError> {
        match self {
            Self::Here(subsystem) => Ok(subsystem),
            Self::Pending(pending) => pending.finish().map_err(BuildError::Remote),
        }
    }
}

/// Refuses a subsystem that is not the one that the model has.
fn check_served(spec: &SubsystemSpec, built: Box<dyn Subsystem>) -> Result<Box<dyn Subsystem>, BuildError> {
    let found = built.description();
    let is_other = spec.remote.is_some() && found.name != spec.name;
    let other = is_other.then(|| format!("what is served there calls itself `{}`", found.name));
    match other.or_else(|| spec.kind.as_kind().check_served(found)) {
        None => Ok(built),
        Some(reason) => {
            let subsystem = spec.name.clone();
            Err(BuildError::Remote(SubsystemError::BadDescription { subsystem, reason }))
        }
    }
}

/// Another command like this one.
fn copy(like: &Command) -> Command {
    let mut command = Command::new(like.get_program());
    command.args(like.get_args());
    for (name, value) in like.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    if let Some(folder) = like.get_current_dir() {
        command.current_dir(folder);
    }
    command
}

/// The key in a file, or none.
fn read_key(subsystem: &str, file: Option<&PathBuf>) -> Result<Key, SubsystemError> {
    let Some(file) = file else { return Ok(Key::NONE) };
    Key::read(file).map_err(|error| SubsystemError::Protocol {
        subsystem: subsystem.to_owned(),
        reason: format!("its key `{}` cannot be read: {error}", file.display()),
    })
}
