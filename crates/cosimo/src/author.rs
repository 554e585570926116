//! What those need who write a subsystem, a force law, an airfoil or a wind of their own: `use cosimo::author::*;`.
//!
//! The contract with its types, and the suite that checks it; the traits behind ready-made subsystems; what runs a subsystem elsewhere.
//! It goes together with the [prelude](crate::prelude), which has the contact law of a [`ContactSpec`].

pub use cosimo_aerodynamics::airfoil::{Airfoil, Coefficient, Coefficients};
pub use cosimo_aerodynamics::wind::Wind;
pub use cosimo_dynamics::{LinearRow, LinearRows, RowMap, StepRule};
pub use cosimo_mechanics::{Energy, ImpulseMoments, StepEnergy};
pub use cosimo_native::{Channel, ForceElement, ForceLaw, LawDerivatives, LawInstant};
pub use cosimo_subsystem::conformance::Conformance;
pub use cosimo_subsystem::{
    Begun, Call, Capabilities, ContactPool, ContactScale, ContactSpec, Description, Excitation,
    ExpectedLoads, Hold, InverseMass, LoadResponse, LoadWeights, MacroStep, PortAttachment, PortMotion,
    PortSpec, PortState, Quantity, RowMatrix, RowState, Signal, SignalInput, SignalOutput, Snapshot,
    Statistics, StepLoads, StepResponse, Subsystem, SubsystemError, codec, pass_on,
};
pub use cosimo_transport::{ProcessSubsystem, RemoteSubsystem, ThreadedSubsystem, serve, serve_assigned};
pub use nalgebra::{DMatrix, DVector, Matrix3, UnitQuaternion, Vector3};
