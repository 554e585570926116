//! The parts of a model as plain data, whatever the kinds of subsystems.

mod coordinates;
mod interface;
mod matrix;
mod placement;
mod port;
mod quantity;
mod remote;
mod settings;
mod signal;
mod size_over_time;
mod solver;
mod time_function;
mod time_table;

pub use interface::{InterfaceSpec, LawSpec, PortRef};
pub use matrix::{MatrixSpec, RowSpec};
pub use placement::{Execution, LossAction, PlacementSpec};
pub use port::PortShape;
pub use quantity::{QuantityName, QuantityRole};
pub use remote::RemoteSpec;
pub use settings::{CheckpointSpec, ExportSpec, RESULT_FORMATS, RecordSpec, TimeSpec};
pub use signal::{ConnectionSpec, SignalShape};
pub use size_over_time::SizeOverTime;
pub use solver::SolverSpec;

pub(crate) use coordinates::{Coordinates, check_mass, check_not_negative, check_semidefinite};
pub(crate) use quantity::{Group, grouped, quantity};
pub(crate) use settings::PLOT_LIMIT;
pub(crate) use size_over_time::read_size;
pub(crate) use time_function::{TIME_FUNCTION, read_time_function};
pub(crate) use time_table::read_time_table;
