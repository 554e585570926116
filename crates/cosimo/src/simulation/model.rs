//! A model: a file, parts, and what joins them.

use std::num::NonZeroU64;
use std::path::Path;
use std::process::Command;

use cosimo_master::{Connection, Interface, InterfaceLaw, MasterConfig};
use cosimo_model::{ModelSpec, hint};
use cosimo_results::Selection;
use cosimo_subsystem::Subsystem;
use serde::Serialize;

use super::document::Document;
use super::part::OwnPart;
use super::{ModelError, Part};

/// How messages call a text that is of no file.
const NAMELESS: &str = "model";

/// What is to be recorded, where the program says so.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) quantities: Option<Selection>,
    pub(super) every: Option<NonZeroU64>,
}

/// A command that serves a subsystem in a process.
type Server = Box<dyn Fn() -> Command + Send + Sync>;

/// A model that runs: of a file, of parts, or of a file to which parts are added.
///
/// Of a file, everything is as with the command: `cosimo run` is [`open`](Self::open) and [`run`](Self::run), with the same bits.
///
/// ```no_run
/// use cosimo::Model;
///
/// let mut model = Model::open("model.toml")?;
/// for stiffness in [1e3, 2e3, 4e3] {
///     model.set("interface.spring.stiffness", stiffness)?;
///     println!("{stiffness} N/m: {} m", model.run()?.last("upper.z")?);
/// }
/// # Ok::<(), cosimo::ModelError>(())
/// ```
///
/// Of parts, what is added gives a handle that names its ports and quantities:
///
/// ```
/// use cosimo::prelude::*;
///
/// let mut model = Model::new();
/// let stone = |name, height| {
///     NodeBuilder::new(name, 1.0)
///         .with_gravity([0.0, 0.0, -10.0])
///         .with_initial_state([0.0, 0.0, height], [0.0; 3])
///         .with_port("centre", NodePort::Centre)
///         .build()
/// };
/// let upper = model.add(stone("upper", 1.0)?)?;
/// let lower = model.add(stone("lower", 0.0)?)?;
/// let rope = model.spring("rope", upper.port("centre"), lower.port("centre"), 1e3)?;
///
/// let trajectory = model.simulate(0.01, 1e-4)?;
/// let fall = trajectory.series(upper.quantity("vz"))?;
/// // Together they fall freely: what the rope takes from one it gives the other.
/// assert!((fall.last() + trajectory.last(lower.quantity("vz"))? + 0.2).abs() < 1e-12);
/// assert!(trajectory.last(rope.quantity("force_2"))? > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Model {
    pub(super) document: Option<Document>,
    pub(super) parts: Vec<OwnPart>,
    pub(super) interfaces: Vec<Interface>,
    pub(super) connections: Vec<Connection>,
    pub(super) config: MasterConfig,
    pub(super) start_time: f64,
    pub(super) record: Record,
    pub(super) server: Option<Server>,
}

impl Model {
    /// A model without parts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The model of a file, see `docs/reference/model-file.md`. Mistakes in it are told by [`check`](Self::check) and by runs: what is
    /// [set](Self::set) may be what is missing.
    ///
    /// # Errors
    /// [`ModelError::Read`]: the file cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ModelError> {
        Ok(Self { document: Some(Document::open(path.as_ref())?), ..Self::default() })
    }

    /// The model of a text that is that of a model file. Files that it names are looked for in the working directory.
    ///
    /// # Errors
    /// None yet: mistakes are told as with [`open`](Self::open).
    pub fn parse(text: impl Into<String>) -> Result<Self, ModelError> {
        Ok(Self { document: Some(Document::new(NAMELESS, text)), ..Self::default() })
    }

    /// The model of a value with the tables of a model file: a [`toml::Table`], a map, a struct of your own, the dictionary of another
    /// language.
    ///
    /// # Errors
    /// [`ModelError::Value`]: TOML cannot hold the value. Other mistakes are told as with [`open`](Self::open), positions being those in
    /// the value as TOML.
    pub fn from_value(value: &impl Serialize) -> Result<Self, ModelError> {
        Self::parse(toml::to_string(value).map_err(|source| ModelError::Value { source })?)
    }

    /// Sets an entry of the model file, as `--set` of the command does: `subsystem.lower.mass`, `master.scheme`. A value set there before
    /// counts no more.
    ///
    /// # Errors
    /// The path leads nowhere, or the value cannot be that of the entry; nothing is set then. [`ModelError::NoFile`].
    pub fn set(&mut self, path: &str, value: impl Serialize) -> Result<&mut Self, ModelError> {
        self.file(path)?.set(path, &value)?;
        Ok(self)
    }

    /// Removes an entry of the model file, as `--unset` of the command does; its default counts.
    ///
    /// # Errors
    /// There is no such entry, or the model cannot be without. [`ModelError::NoFile`].
    pub fn unset(&mut self, path: &str) -> Result<&mut Self, ModelError> {
        self.file(path)?.unset(path)?;
        Ok(self)
    }

    /// The model file as data, with every default filled in and what was set in it; none of a model of parts.
    ///
    /// # Errors
    /// All its mistakes.
    pub fn spec(&self) -> Result<Option<ModelSpec>, ModelError> {
        let read = self.document.as_ref().map(|document| document.read(None)).transpose()?;
        Ok(read.map(|(spec, _)| spec))
    }

    fn file(&mut self, path: &str) -> Result<&mut Document, ModelError> {
        self.document.as_mut().ok_or_else(|| ModelError::NoFile { path: path.to_owned() })
    }

    /// Adds a subsystem: of a builder, of your own. Every run begins with the state that it has now, to which it is
    /// [set back](Subsystem::restore); one that cannot be [saved](Subsystem::save) runs once.
    ///
    /// # Errors
    /// [`ModelError::NameTaken`], or the description contradicts itself.
    pub fn add(&mut self, part: impl Subsystem + 'static) -> Result<Part, ModelError> {
        part.description().validate()?;
        let name = part.description().name.clone();
        self.check_name(&name)?;
        self.parts.push(OwnPart::new(Box::new(part)));
        Ok(Part::new(name))
    }

    /// Puts a subsystem in the place of the one of the same name, which the file describes or was added: what is joined or connected to it
    /// stays so, by the names of ports and signals. A file still describes the one replaced, with the same ports.
    ///
    /// # Errors
    /// [`ModelError::Unknown`]: there is no subsystem of this name; or the description contradicts itself.
    pub fn replace(&mut self, part: impl Subsystem + 'static) -> Result<Part, ModelError> {
        part.description().validate()?;
        let name = part.description().name.clone();
        let file = self.spec()?.map(|spec| spec.subsystems).unwrap_or_default();
        let own = self.parts.iter().map(|part| part.description().name.as_str());
        known("part", &name, &name, own.chain(file.iter().map(|own| own.name.as_str())))?;
        self.parts.retain(|own| own.description().name != name);
        self.parts.push(OwnPart::new(Box::new(part)));
        Ok(Part::new(name))
    }

    /// The handle of a subsystem or an interface by its name, such as one of the file.
    #[must_use]
    pub fn part(&self, name: &str) -> Part {
        Part::new(name)
    }

    /// Joins two ports by a law; `Interface` says at what offset.
    ///
    /// # Errors
    /// [`ModelError::Unknown`]: no such port, with those there are. [`ModelError::NameTaken`].
    pub fn join(&mut self, interface: Interface) -> Result<Part, ModelError> {
        self.check_name(&interface.name)?;
        for (subsystem, port) in [&interface.a, &interface.b] {
            self.port_size(&format!("{subsystem}.{port}"))?;
        }
        let part = Part::new(interface.name.clone());
        self.interfaces.push(interface);
        Ok(part)
    }

    /// Joins two ports by a spring of this stiffness (N/m) in every coordinate, unstretched where the ports meet.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    pub fn spring(
        &mut self,
        name: impl Into<String>,
        a: impl AsRef<str>,
        b: impl AsRef<str>,
        stiffness: f64,
    ) -> Result<Part, ModelError> {
        self.spring_damper(name, a, b, (stiffness, 0.0))
    }

    /// Joins two ports by a spring (N/m) and a dashpot (N s/m) in every coordinate.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    pub fn spring_damper(
        &mut self,
        name: impl Into<String>,
        a: impl AsRef<str>,
        b: impl AsRef<str>,
        (stiffness, damping): (f64, f64),
    ) -> Result<Part, ModelError> {
        let size = self.port_size(a.as_ref())?;
        self.join(Interface::new(name, a, b, InterfaceLaw::spring(stiffness, damping, size)))
    }

    /// Joins two ports rigidly: impulses pass.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    pub fn rigid(
        &mut self,
        name: impl Into<String>,
        a: impl AsRef<str>,
        b: impl AsRef<str>,
    ) -> Result<Part, ModelError> {
        self.join(Interface::new(name, a, b, InterfaceLaw::Rigid))
    }

    /// Lets a load port act on a port: it takes its motion and answers with loads on it.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    pub fn load(
        &mut self,
        name: impl Into<String>,
        a: impl AsRef<str>,
        b: impl AsRef<str>,
    ) -> Result<Part, ModelError> {
        self.join(Interface::new(name, a, b, InterfaceLaw::Load))
    }

    /// Feeds an output to an input.
    ///
    /// # Errors
    /// [`ModelError::Unknown`]: no such signal of a part, with those there are. Signals of the file are looked up when a run starts.
    pub fn connect(
        &mut self,
        output: impl AsRef<str>,
        input: impl AsRef<str>,
    ) -> Result<&mut Self, ModelError> {
        let connection = Connection::new(output.as_ref(), input.as_ref());
        if let Some(part) = self.own_part(&connection.from.0) {
            let outputs = part.description().outputs.iter().map(|own| own.name.as_str());
            known("output", output.as_ref(), &connection.from.1, outputs)?;
        }
        if let Some(part) = self.own_part(&connection.to.0) {
            let inputs = part.description().inputs.iter().map(|own| own.name.as_str());
            known("input", input.as_ref(), &connection.to.1, inputs)?;
        }
        self.connections.push(connection);
        Ok(self)
    }

    /// Sets how the master couples the parts.
    ///
    /// # Errors
    /// [`ModelError::HasFile`]: the file says so.
    pub fn configure(&mut self, config: MasterConfig) -> Result<&mut Self, ModelError> {
        self.no_file("master")?;
        self.config = config;
        Ok(self)
    }

    /// Sets the time of the start (s), default 0; the parts start then too.
    ///
    /// # Errors
    /// [`ModelError::HasFile`]: the file says so.
    pub fn start_at(&mut self, time: f64) -> Result<&mut Self, ModelError> {
        self.no_file("time")?;
        self.start_time = time;
        Ok(self)
    }

    /// Chooses what is recorded: names of quantities, `name.*` for all that begin so, `*` for everything. Default: what the file says of
    /// its own, everything else. A pattern that matches nothing is refused when a run starts.
    pub fn record<P: Into<String>>(&mut self, quantities: impl IntoIterator<Item = P>) -> &mut Self {
        self.record.quantities = Some(Selection::new(quantities));
        self
    }

    /// Records every n-th macro step, the first and the last always. Default: what the file says, or every one.
    pub fn record_every(&mut self, steps: NonZeroU64) -> &mut Self {
        self.record.every = Some(steps);
        self
    }

    /// Sets the command that serves subsystems of a file which run in processes, such as `cosimo serve`: a program that calls
    /// [`serve_model`](cosimo_model::serve_model).
    pub fn serve_by(&mut self, command: impl Fn() -> Command + Send + Sync + 'static) -> &mut Self {
        self.server = Some(Box::new(command));
        self
    }

    fn no_file(&self, table: &'static str) -> Result<(), ModelError> {
        if self.document.is_some() { Err(ModelError::HasFile { table }) } else { Ok(()) }
    }

    fn own_part(&self, name: &str) -> Option<&OwnPart> {
        self.parts.iter().find(|part| part.description().name == name)
    }

    fn check_name(&self, name: &str) -> Result<(), ModelError> {
        let is_interface = self.interfaces.iter().any(|own| own.name == name);
        let file = if is_interface { None } else { self.spec().ok().flatten() };
        let is_of_file = file.is_some_and(|spec| {
            let subsystems = spec.subsystems.iter().map(|own| &own.name);
            subsystems.chain(spec.interfaces.iter().map(|own| &own.name)).any(|own| own == name)
        });
        if is_interface || is_of_file || self.own_part(name).is_some() {
            return Err(ModelError::NameTaken { name: name.to_owned() });
        }
        Ok(())
    }

    /// Number of coordinates of a port, `subsystem.port`; zero of a file that cannot be read yet.
    ///
    /// # Errors
    /// [`ModelError::Unknown`]: no such port, with those there are.
    pub fn port_size(&self, full: &str) -> Result<usize, ModelError> {
        let (subsystem, port) = full.split_once('.').unwrap_or((full, ""));
        let ports = match self.own_part(subsystem) {
            Some(part) => {
                let description = part.description();
                let all = description.ports.iter().chain(&description.load_ports);
                all.map(|own| (own.name.clone(), own.size)).collect::<Vec<_>>()
            }
            None => {
                let Ok(file) = self.spec() else { return Ok(0) };
                let subsystems = file.map(|spec| spec.subsystems).unwrap_or_default();
                let own = self.parts.iter().map(|part| part.description().name.as_str());
                let names = own.chain(subsystems.iter().map(|own| own.name.as_str()));
                known("part", subsystem, subsystem, names)?;
                let found = subsystems.iter().find(|own| own.name == subsystem);
                let ports = found.map(|own| own.kind.ports()).unwrap_or_default();
                ports.into_iter().map(|own| (own.name, own.size)).collect()
            }
        };
        known("port", full, port, ports.iter().map(|(name, _)| name.as_str()))?;
        Ok(ports.iter().find(|(name, _)| name == port).map_or(0, |(_, size)| *size))
    }
}

/// Refuses a name that is not among those there are; `full` is how it was given.
fn known<'n>(
    what: &'static str,
    full: &str,
    name: &str,
    names: impl Iterator<Item = &'n str>,
) -> Result<(), ModelError> {
    let names: Vec<&str> = names.collect();
    if names.contains(&name) {
        return Ok(());
    }
    let help = hint(name, names.iter().copied());
    Err(ModelError::Unknown { what, name: full.to_owned(), help })
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts: Vec<_> = self.parts.iter().map(|part| &part.description().name).collect();
        let file = self.document.as_ref().map(|document| &document.name);
        f.debug_struct("Model").field("file", &file).field("parts", &parts).finish_non_exhaustive()
    }
}
