//! A model: a file, parts, and what joins them.

use std::num::NonZeroU64;
use std::path::Path;
use std::process::Command;

use cosimo_master::{Connection, Interface, MasterConfig};
use cosimo_model::ModelSpec;
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
///     PointMassBuilder::new(name, 1.0)
///         .with_gravity([0.0, 0.0, -10.0])
///         .with_initial_state([0.0, 0.0, height], [0.0; 3])
///         .with_port("centre", PointMassPort::Centre)
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

    /// The handle of a subsystem or an interface by its name, such as one of the file.
    #[must_use]
    pub fn part(&self, name: &str) -> Part {
        Part::new(name)
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
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts: Vec<_> = self.parts.iter().map(|part| &part.description().name).collect();
        let file = self.document.as_ref().map(|document| &document.name);
        f.debug_struct("Model").field("file", &file).field("parts", &parts).finish_non_exhaustive()
    }
}
