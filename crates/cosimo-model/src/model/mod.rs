//! A model as plain data: what a model file says, with every default filled in and every rule checked.

mod entry_units;
mod multibody;
mod open_ends;
mod patterns;
pub(crate) mod quantities;

use cosimo_master::{Coupling, MasterConfig};
use serde::Serialize;

use crate::kinds::SubsystemKind;
use crate::spec::{
    CheckpointSpec, ConnectionSpec, ExportSpec, InterfaceSpec, PlacementSpec, PortRef, PortShape, RecordSpec,
    RemoteSpec, SolverSpec, TimeSpec,
};

pub(crate) use patterns::KnownNames;

/// A complete model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSpec {
    /// Title for the summary and the plot; may be empty.
    pub title: String,
    /// Time span and macro step.
    pub time: TimeSpec,
    /// How the master joins the subsystems; what it holds by subsystem is empty.
    pub master: MasterConfig,
    /// Where the subsystems run.
    pub placement: PlacementSpec,
    /// What is recorded and plotted.
    pub record: RecordSpec,
    /// When the state of the run is saved.
    pub checkpoint: CheckpointSpec,
    /// What is shown of it as a unit for other tools, where the file says so: inputs that nothing is connected to then come from outside.
    pub export: Option<ExportSpec>,
    /// Subsystems in the order of the file; at least one.
    pub subsystems: Vec<SubsystemSpec>,
    /// Interfaces in the order of the file.
    pub interfaces: Vec<InterfaceSpec>,
    /// Connections between signals in the order of the file.
    pub connections: Vec<ConnectionSpec>,
}

/// One subsystem.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SubsystemSpec {
    /// Name, unique among subsystems and interfaces.
    pub name: String,
    /// What solves it.
    pub solver: SolverSpec,
    /// How the master couples it. Default: auto.
    pub coupling: Coupling,
    /// Micro steps per macro step, at least 1. Default: 1.
    pub micro_steps: u32,
    /// Where it is served, if somebody else does. Default: nowhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote: Option<RemoteSpec>,
    /// What it is.
    #[serde(skip)]
    pub kind: SubsystemKind,
}

impl ModelSpec {
    /// The subsystem of a port and the name and size of the port; none if there is no such port.
    #[must_use]
    pub fn port(&self, port: PortRef) -> Option<(&SubsystemSpec, PortShape)> {
        let subsystem = self.subsystems.get(port.subsystem)?;
        let shape = subsystem.kind.ports().into_iter().nth(port.port)?;
        Some((subsystem, shape))
    }
}
