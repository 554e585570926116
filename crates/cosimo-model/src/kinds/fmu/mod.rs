//! `kind = "fmu"`: a unit of another tool, or of ours, by FMI.

pub(crate) mod read;

use std::path::PathBuf;

use cosimo_fmi::Fmu;
use cosimo_fmi::unit::{CouplingMode, FaceKind, PortMap, PortOptions, Start, UnitError, UnitOptions};
use cosimo_subsystem::Subsystem;
use serde::{Deserialize, Serialize};

use super::{Kind, Rejection};
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::kinds::contact_law::contact_quantities;
use crate::spec::{PortShape, QuantityName, QuantityRole, SignalShape, SolverSpec, quantity};

/// Name of the kind in the file.
pub(crate) const NAME: &str = "fmu";

/// Where a unit runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Isolation {
    /// Where the model says that its subsystems run.
    #[default]
    None,
    /// In a process of its own, which it can crash, leave or hang.
    Process,
}

/// Who carries the contacts of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Carrier {
    /// The master, as those of native subsystems.
    #[default]
    Master,
    /// The unit itself.
    Unit,
}

impl Carrier {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A unit of an FMU.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FmuSpec {
    /// The file, absolute.
    pub file: PathBuf,
    /// The face that it takes part with.
    pub face: FaceKind,
    /// Where it runs. Default: with the others.
    pub isolation: Isolation,
    /// Values that are set before the start.
    pub parameters: std::collections::BTreeMap<String, cosimo_fmi::unit::Value>,
    /// Further variables that can be recorded, as patterns.
    pub quantities: Vec<String>,
    /// The variable that is its kinetic energy (J), if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kinetic_energy: Option<String>,
    /// The variable that is its potential energy (J), if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub potential_energy: Option<String>,
    /// Whether its terminals are ports where none are named. Default: true.
    pub terminals: bool,
    /// Who carries the contacts that it could leave to others. Default: the master.
    #[serde(skip_serializing_if = "Carrier::is_default")]
    pub contacts: Carrier,
    /// Its mechanical ports, where they are not those of its terminals.
    #[serde(rename = "port", skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<PortOptions>,
    /// What the description makes of all this.
    #[serde(skip)]
    pub shape: FmuShape,
}

/// What a unit is to the master, by its description.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FmuShape {
    ports: Vec<PortShape>,
    inputs: Vec<SignalShape>,
    outputs: Vec<SignalShape>,
    quantities: Vec<QuantityName>,
    /// Whether the master carries contacts of it.
    pub has_contacts: bool,
    /// How the master can couple it; none where the file could not be read.
    pub mode: Option<CouplingMode>,
    /// Whether a run with it can be resumed in another process.
    pub can_resume: bool,
    /// Whether a process can hold one instance only.
    pub is_single: bool,
}

impl FmuSpec {
    /// What is asked of the unit.
    #[must_use]
    pub fn options(&self) -> UnitOptions {
        UnitOptions {
            face: Some(self.face),
            parameters: self.parameters.clone(),
            ports: self.ports.clone(),
            ignores_terminals: !self.terminals,
            keeps_contacts: self.contacts == Carrier::Unit,
            quantities: self.quantities.clone(),
            energy: [self.kinetic_energy.clone(), self.potential_energy.clone()],
        }
    }

    /// What the description of an FMU that is open makes of it.
    fn read_shape(&self, fmu: &Fmu) -> Result<FmuShape, UnitError> {
        let options = self.options();
        let map = fmu.port_map(&options)?;
        let (_, face) = fmu.face(&options)?;
        let kept_impacts = fmu.description().inner_impacts.filter(|_| map.contacts.is_empty());
        let motion = map.motion_ports.iter().map(|port| {
            let size = if port.rotation.is_some() { 6 } else { port.positions.len() };
            let shape = PortShape::new(&port.name, size);
            PortShape { is_frame: port.rotation.is_some(), kept_impacts, ..shape }
        });
        let loads = map.load_ports.iter().map(|port| {
            let size = if port.rotation.is_some() { 6 } else { port.loads.len() };
            let shape = PortShape::new(&port.name, size);
            PortShape { is_frame: port.rotation.is_some(), is_load: true, ..shape }
        });
        Ok(FmuShape {
            ports: motion.chain(loads).collect(),
            inputs: map.inputs.iter().map(|(input, _)| input_shape(input)).collect(),
            outputs: map
                .outputs
                .iter()
                .map(|(output, _)| SignalShape::output(&output.name, &output.unit))
                .collect(),
            quantities: shown_quantities(&map),
            has_contacts: !map.contacts.is_empty(),
            mode: Some(fmu.coupling_mode(&options)?),
            can_resume: face.can_get_and_set_state && face.can_serialize_state,
            is_single: face.can_be_instantiated_only_once_per_process,
        })
    }
}

/// What it shows itself, and what of its contacts.
fn shown_quantities(map: &PortMap) -> Vec<QuantityName> {
    let contacts: Vec<QuantityName> = map
        .contacts
        .iter()
        .flat_map(|contact| contact_quantities(&contact.spec.name, contact.slip_rates.len()))
        .collect();
    let own =
        map.quantities.iter().map(|(shown, _)| quantity(&shown.name, &shown.unit, QuantityRole::Signal));
    let own = own.filter(|shown| contacts.iter().all(|other| other.name != shown.name));
    own.chain(contacts.iter().cloned()).collect()
}

fn input_shape(input: &cosimo_subsystem::SignalInput) -> SignalShape {
    SignalShape { name: input.name.clone(), unit: input.unit.clone(), is_required: input.default.is_none() }
}

impl Kind for FmuSpec {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ports(&self) -> Vec<PortShape> {
        self.shape.ports.clone()
    }

    fn has_contacts(&self) -> bool {
        self.shape.has_contacts
    }

    fn own_rule(&self) -> Option<&'static str> {
        (self.face == FaceKind::CoSimulation)
            .then_some("brings its own solver: it takes part in co-simulation")
    }

    fn refuses(&self, solver: &SolverSpec) -> Option<Rejection> {
        let is_general = matches!(
            solver,
            SolverSpec::Theta { .. } | SolverSpec::Multistep { .. } | SolverSpec::GeneralizedAlpha { .. }
        );
        (!is_general).then_some(Rejection {
            key: "solver",
            help: "first-order equations are stepped by \"theta\", \"multistep\" or \"generalized-alpha\"",
        })
    }

    fn inputs(&self) -> Vec<SignalShape> {
        self.shape.inputs.clone()
    }

    fn outputs(&self) -> Vec<SignalShape> {
        self.shape.outputs.clone()
    }

    fn quantities(&self) -> Vec<QuantityName> {
        self.shape.quantities.clone()
    }

    fn is_isolated(&self) -> bool {
        self.isolation == Isolation::Process
    }

    fn single_units(&self) -> Vec<PathBuf> {
        self.shape.is_single.then(|| self.file.clone()).into_iter().collect()
    }

    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError> {
        let failed = BuildError::part(frame.name);
        let mut fmu = Fmu::open(&self.file).map_err(failed)?;
        let start = Start { time: frame.start_time, stop: None, step: Some(frame.longest_step) };
        Ok(match self.face {
            FaceKind::CoSimulation => {
                Box::new(fmu.co_simulation(frame.name, &self.options(), start).map_err(failed)?)
            }
            FaceKind::ModelExchange => {
                let rule = frame.rule()?;
                Box::new(fmu.model_exchange(frame.name, rule, &self.options(), start).map_err(failed)?)
            }
        })
    }
}
