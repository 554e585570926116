//! A model as plain data: what a model file says, with every default filled in and every rule checked.

mod acceleration;
mod interface;
mod matrix;
mod quantity;
mod settings;
mod signal;
mod solver;

use crate::kinds::SubsystemKind;

pub use acceleration::AccelerationSpec;
pub use interface::{InterfaceSpec, LawSpec, PortRef};
pub use matrix::{MatrixSpec, RowSpec, TimeTable};
pub use quantity::{QuantityName, QuantityRole};
pub use settings::{
    CheckpointSpec, Coupling, Discretisation, EnergyAction, Execution, Impacts, InitialState, MasterSpec,
    RecordSpec, Scheme, SignalLoops, StepControl, Tangent, TimeSpec,
};
pub use signal::{ConnectionSpec, SignalShape};
pub use solver::SolverSpec;
pub(crate) use solver::{ParameterRange, SolverParameter};

pub(crate) use quantity::{KnownNames, quantity};
pub(crate) use settings::{Choice, PLOT_LIMIT};

/// A complete model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSpec {
    /// Title for the summary and the plot; may be empty.
    pub title: String,
    /// Time span and macro step.
    pub time: TimeSpec,
    /// How the master joins the subsystems.
    pub master: MasterSpec,
    /// What is recorded and plotted.
    pub record: RecordSpec,
    /// When the state of the run is saved.
    pub checkpoint: CheckpointSpec,
    /// Subsystems in the order of the file; at least one.
    pub subsystems: Vec<SubsystemSpec>,
    /// Interfaces in the order of the file.
    pub interfaces: Vec<InterfaceSpec>,
    /// Connections between signals in the order of the file.
    pub connections: Vec<ConnectionSpec>,
}

/// One subsystem.
#[derive(Debug, Clone, PartialEq)]
pub struct SubsystemSpec {
    /// Name, unique among subsystems and interfaces.
    pub name: String,
    /// What solves it.
    pub solver: SolverSpec,
    /// How the master couples it. Default: auto.
    pub coupling: Coupling,
    /// Micro steps per macro step, at least 1. Default: 1.
    pub micro_steps: u32,
    /// What it is.
    pub kind: SubsystemKind,
}

/// Name and size of a port, the same for every kind of subsystem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortShape {
    /// Name, unique in the subsystem.
    pub name: String,
    /// Number of coordinates: 1, 3 or 6.
    pub size: usize,
    /// Whether the third coordinate is always zero, as that of a point which cannot leave its plane.
    pub is_flat: bool,
    /// Whether the six coordinates are those of a frame that may turn by any angle.
    pub is_frame: bool,
    /// Whether it is a load port: it takes motion and answers with loads.
    pub is_load: bool,
}
