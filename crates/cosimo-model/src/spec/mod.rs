//! The parts of a model as plain data, whatever the kinds of subsystems.

mod acceleration;
mod interface;
mod matrix;
mod port;
mod quantity;
mod settings;
mod signal;
mod solver;

pub use acceleration::AccelerationSpec;
pub use interface::{InterfaceSpec, LawSpec, PortRef};
pub use matrix::{MatrixSpec, RowSpec, TimeTable};
pub use port::PortShape;
pub use quantity::{QuantityName, QuantityRole};
pub use settings::{
    CheckpointSpec, Coupling, Discretisation, EnergyAction, Execution, Impacts, InitialState, MasterSpec,
    RecordSpec, Scheme, SignalLoops, StepControl, Tangent, TimeSpec,
};
pub use signal::{ConnectionSpec, SignalShape};
pub use solver::SolverSpec;
pub(crate) use solver::{ParameterRange, SolverParameter};

pub(crate) use quantity::quantity;
pub(crate) use settings::{Choice, PLOT_LIMIT};
