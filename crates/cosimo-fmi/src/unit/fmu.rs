//! An FMU that is open.

use std::path::Path;
use std::sync::{Arc, Weak};

use cosimo_dynamics::StepRule;
use cosimo_first_order::FirstOrderSubsystem;
use cosimo_subsystem::MacroStep;
use cosimo_subsystem::Stepped;

use super::layout::Layout;
use super::names::Names;
use super::parameters::{Setting, settings};
use super::running::{Running, set};
use super::{CoSimulationUnit, CouplingMode, FaceKind, ModelExchangeUnit, UnitError, UnitOptions, Value};
use crate::archive::{Archive, Unpacked};
use crate::binary::{BinaryError, Instance, Kind, Library, Options, Version};
use crate::convention::{CLOCK, CONTACT, MECHANICAL};
use crate::description::{Causality, Face, FmiVersion, ModelDescription, VariableKind};

/// Size of a step (s) of which nothing is known.
const STEP: f64 = 1e-3;

/// When a simulation starts, and when it ends if that is known (s).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Start {
    /// Start (s).
    pub time: f64,
    /// End (s).
    pub stop: Option<f64>,
    /// Size of the communication steps (s), where it is known.
    pub step: Option<f64>,
}

/// An FMU that is open: its description, and from the first instance on its files in a folder of their own, which disappears with the last
/// instance.
#[derive(Debug)]
pub struct Fmu {
    archive: Archive,
    description: ModelDescription,
    unpacked: Weak<Unpacked>,
}

impl Fmu {
    /// Opens a file, or a folder into which one was unpacked, and reads the description. Nothing of it is loaded.
    ///
    /// # Errors
    /// It cannot be read, or is no FMU.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, UnitError> {
        let mut archive = Archive::open(path)?;
        let description = archive.read_description()?;
        Ok(Self { archive, description, unpacked: Weak::new() })
    }

    /// What it says of itself.
    #[must_use]
    pub fn description(&self) -> &ModelDescription {
        &self.description
    }

    /// The machines that it has binaries for.
    #[must_use]
    pub fn platforms(&self) -> Vec<String> {
        self.archive.platforms()
    }

    /// Whether this machine is one of them.
    #[must_use]
    pub fn runs_here(&self) -> bool {
        self.archive.runs_here(self.description.version)
    }

    /// The face that it takes part with.
    ///
    /// # Errors
    /// It has no such face, or needs what is not supported.
    pub fn face(&self, options: &UnitOptions) -> Result<(FaceKind, &Face), UnitError> {
        let ModelDescription { co_simulation, model_exchange, model_name, .. } = &self.description;
        self.check_support()?;
        let has = [
            (FaceKind::ModelExchange, model_exchange.as_ref()),
            (FaceKind::CoSimulation, co_simulation.as_ref()),
        ];
        let mut fitting =
            has.into_iter().filter(|(kind, _)| options.face.is_none_or(|wanted| wanted == *kind));
        let found = fitting.find_map(|(kind, face)| Some((kind, face?)));
        found.ok_or_else(|| {
            let known = has.into_iter().filter(|(_, face)| face.is_some()).map(|(kind, _)| kind.name());
            let known = known.collect::<Vec<_>>().join(" and ");
            let known = if known.is_empty() { "scheduled execution only".to_owned() } else { known };
            let face = options.face.unwrap_or(FaceKind::CoSimulation);
            UnitError::NoFace { unit: model_name.clone(), face, known }
        })
    }

    /// What no unit may need.
    fn check_support(&self) -> Result<(), UnitError> {
        let refuse =
            |what: String| Err(UnitError::Unsupported { unit: self.description.model_name.clone(), what });
        let ModelDescription { co_simulation, model_exchange, variables, .. } = &self.description;
        if co_simulation.is_none() && model_exchange.is_none() {
            return refuse("has scheduled execution only".to_owned());
        }
        for (index, variable) in variables.iter().enumerate() {
            let is_driven = matches!(variable.causality, Causality::Input | Causality::Output);
            if variable.kind == VariableKind::Clock && is_driven && !self.is_clock_of_impulses(index) {
                return refuse(format!("has the clock `{}`", variable.name));
            }
            let stream = variable.mime_type.as_deref().filter(|kind| kind.contains("fmi-ls"));
            if let Some(stream) = stream.filter(|_| is_driven) {
                return refuse(format!(
                    "has the binary stream `{}` of the layered standard {stream}",
                    variable.name
                ));
            }
        }
        Ok(())
    }

    /// Whether a clock is that of the impulses at mechanical ports and contacts.
    fn is_clock_of_impulses(&self, index: usize) -> bool {
        let is_own = |kind: &str| kind == MECHANICAL || kind == CONTACT;
        let mut terminals = self.description.terminals.iter();
        terminals.any(|own| {
            own.kind.as_deref().is_some_and(is_own) && super::ports::member(own, CLOCK) == Some(index)
        })
    }

    /// How the master can couple it if it is used like this, and why.
    ///
    /// # Errors
    /// As [`face`](Self::face), and what is wrong with the options.
    pub fn coupling_mode(&self, options: &UnitOptions) -> Result<CouplingMode, UnitError> {
        let (kind, face) = self.face(options)?;
        let layout = Layout::new(&self.description, options)?;
        settings(&Names::new(&self.description), &options.parameters)?;
        Ok(CouplingMode::new(kind, face, &layout.map))
    }

    /// Whether a value can be set before the start.
    ///
    /// # Errors
    /// The variable does not exist, is not set by importers, or is of another type or range.
    pub fn check_parameter(&self, name: &str, value: &Value) -> Result<(), UnitError> {
        let one = [(name.to_owned(), value.clone())].into();
        settings(&Names::new(&self.description), &one).map(drop)
    }

    /// Ports, signals and quantities that it has if it is used like this.
    ///
    /// # Errors
    /// What is wrong with the options.
    pub fn port_map(&self, options: &UnitOptions) -> Result<cosimo_first_order::PortMap, UnitError> {
        settings(&Names::new(&self.description), &options.parameters)?;
        Ok(Layout::new(&self.description, options)?.map)
    }

    /// An instance in model exchange under a step rule.
    ///
    /// # Errors
    /// What the unit refuses, and what is wrong with the options.
    pub fn model_exchange(
        &mut self,
        name: &str,
        rule: Box<dyn StepRule>,
        options: &UnitOptions,
        start: Start,
    ) -> Result<Stepped<FirstOrderSubsystem<ModelExchangeUnit>>, UnitError> {
        let options = UnitOptions { face: Some(FaceKind::ModelExchange), ..options.clone() };
        let running = self.start(name, &options, start)?;
        let structure = &self.description;
        let unit =
            ModelExchangeUnit::new(running, structure, start.time).map_err(|source| self.failed(source))?;
        Ok(unit.into_subsystem(name, rule, start.time)?)
    }

    /// An instance in co-simulation.
    ///
    /// # Errors
    /// What the unit refuses, and what is wrong with the options.
    pub fn co_simulation(
        &mut self,
        name: &str,
        options: &UnitOptions,
        start: Start,
    ) -> Result<CoSimulationUnit, UnitError> {
        let options = UnitOptions { face: Some(FaceKind::CoSimulation), ..options.clone() };
        let running = self.start(name, &options, start)?;
        let (_, face) = self.face(&options)?;
        let face = face.clone();
        let size = start.step.or(self.description.default_experiment.step).unwrap_or(STEP);
        CoSimulationUnit::new(name, running, &face, MacroStep { time: start.time, size })
    }

    /// An initialised instance.
    fn start(&mut self, name: &str, options: &UnitOptions, start: Start) -> Result<Running, UnitError> {
        let (kind, face) = self.face(options)?;
        let face = face.clone();
        let layout = Layout::new(&self.description, options)?;
        let settings = settings(&Names::new(&self.description), &options.parameters)?;
        let unpacked = self.unpack()?;
        let path = unpacked.binary_path(&face.model_identifier, self.description.version)?;
        let version = match self.description.version {
            FmiVersion::V2 => Version::Two,
            FmiVersion::V3 => Version::Three,
        };
        let can = (face.can_get_and_set_state, face.can_serialize_state);
        let resources = unpacked.root().join("resources");
        let options = Options {
            name,
            token: &self.description.token,
            resources: &resources,
            kind: self.kind(kind, &face),
            visible: false,
            logging_on: tracing::enabled!(target: "fmu", tracing::Level::DEBUG),
        };
        let tolerance = self.description.default_experiment.tolerance;
        let started = Library::load(&path, version, &face.model_identifier)
            .and_then(|library| library.instantiate(&options))
            .and_then(|instance| initialise(instance, (&settings, layout.carried), start, tolerance));
        let instance = started.map_err(|source| self.failed(source))?;
        let mut running = Running::new(instance, layout, can, unpacked);
        running.warn_of_changes();
        Ok(running)
    }

    fn kind(&self, kind: FaceKind, face: &Face) -> Kind {
        match kind {
            FaceKind::CoSimulation => {
                Kind::CoSimulation { event_mode: face.has_event_mode, early_return: face.might_return_early }
            }
            FaceKind::ModelExchange => Kind::ModelExchange {
                states: self.description.structure.derivatives.len(),
                event_indicators: self.description.number_of_event_indicators,
            },
        }
    }

    fn failed(&self, source: BinaryError) -> UnitError {
        UnitError::Binary { unit: self.description.model_name.clone(), source }
    }

    /// The folder of its files, shared by all instances.
    fn unpack(&mut self) -> Result<Arc<Unpacked>, UnitError> {
        if let Some(unpacked) = self.unpacked.upgrade() {
            return Ok(unpacked);
        }
        let unpacked = Arc::new(self.archive.unpack()?);
        self.unpacked = Arc::downgrade(&unpacked);
        Ok(unpacked)
    }
}

/// Sets what is to be set, and takes the unit through its initialisation.
fn initialise(
    mut instance: Instance,
    (settings, carried): (&[Setting], Option<u32>),
    start: Start,
    tolerance: Option<f64>,
) -> Result<Instance, BinaryError> {
    let (structural, others) = settings.split_at(settings.partition_point(|setting| setting.is_structural));
    if !structural.is_empty() {
        instance.enter_configuration()?;
        structural.iter().try_for_each(|setting| set(&mut instance, setting))?;
        instance.exit_configuration()?;
    }
    others.iter().try_for_each(|setting| set(&mut instance, setting))?;
    if let Some(carried) = carried {
        instance.set_bool(&[carried], &[true])?;
    }
    instance.enter_initialization(start.time, start.stop, tolerance)?;
    instance.exit_initialization()?;
    Ok(instance)
}
