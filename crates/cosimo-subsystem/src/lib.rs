//! The contract between a subsystem and the master.
//!
//! A [`Subsystem`] is a black box with named ports of 1, 3 or 6 kinematic coordinates and, if it is nonsmooth, with
//! contacts. Everything the master sees of it are **rows**: the port coordinates in the order of the ports, then one
//! row per contact (its gap). A row has a position, a velocity, and takes impulses.
//!
//! One macro step, from the master's side:
//!
//! 1. [`begin`](Subsystem::begin): the free response of the rows at the end of the step, and the **inverse mass**
//!    `W`: by how much a unit impulse on a row changes the end velocities. The state is untouched.
//! 2. [`evaluate`](Subsystem::evaluate), if the answer is not affine: the same at given impulses.
//! 3. [`commit`](Subsystem::commit): the step is taken with these loads; or [`discard`](Subsystem::discard).
//!
//! A velocity jump at a communication point is [`prepare_jump`](Subsystem::prepare_jump) and
//! [`jump`](Subsystem::jump). [`save`](Subsystem::save) and [`restore`](Subsystem::restore) carry everything that
//! influences the future, the integrator's history included.
//!
//! A transport is a decorator: a remote subsystem is a [`Subsystem`] too, and the master cannot tell. The
//! [`conformance`] suite puts any subsystem, near or remote, through the rules stated here.

pub mod codec;
pub mod conformance;
pub mod cost;
mod description;
mod error;
mod excitation;
mod load_port;
mod loads;
mod macro_step;
mod pass_on;
mod pattern;
mod response;
mod row_matrix;
mod signal;
mod snapshot;
mod stepped;
mod subsystem;

pub use cosimo_mechanics as mechanics;
pub use cosimo_scene as scene;
pub use description::{
    Capabilities, ContactPool, ContactSpec, Description, Hold, InverseMass, PortAttachment, PortSpec,
    Quantity, SignalInput, SignalOutput,
};
pub use error::SubsystemError;
pub use excitation::Excitation;
pub use load_port::{LoadResponse, PortMotion, PortState};
pub use loads::StepLoads;
pub use macro_step::MacroStep;
#[doc(hidden)]
pub use nalgebra;
pub use pattern::is_like;
pub use response::{ContactScale, LoadWeights, RowState, StepResponse};
pub use row_matrix::{BadBlocks, RowBlock, RowBlocks, RowMatrix, SparseRows};
pub use signal::Signal;
pub use snapshot::{Saved, Snapshot};
pub use stepped::{Failure, Kind, Stepped, TrialLoads, Wanted};
pub use subsystem::{Begun, Call, ExpectedLoads, Statistics, Subsystem};
