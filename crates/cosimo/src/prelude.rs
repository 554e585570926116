//! What a program needs that builds models and runs them: `use cosimo::prelude::*;`.
//!
//! Models and trajectories; parts with their laws and step rules: bodies in space and in a plane (under their module, [`planar`]), nodes, linear
//! mechanisms, force laws, controllers, rotors in the air; interfaces and the master. Those who write a subsystem take
//! [`author`](crate::author) too.

pub use cosimo_aerodynamics::spec::{
    AirfoilRangeSpec, AirfoilSpec, BladeSpec, FrontSpec, GroundSpec, RotorSpec, WindSpec,
};
pub use cosimo_aerodynamics::{RotorAerodynamics, RotorElement};
pub use cosimo_control::{ControllerBuilder, Limiter, Pid, SourceBuilder, StateSpace, TransferFunction};
pub use cosimo_dynamics::{GeneralizedAlpha, Multistep};
pub use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, StepRule, Theta, TimeLoad};
pub use cosimo_master::{
    Acceleration, Assembly, Connection, ContactEvent, ContactEventKind, Coupling, Impacts, InitialState,
    Interface, InterfaceLaw, Master, MasterConfig, NoObserver, Observer, Outcome, QuantityLabel, RunReport,
    Scheme, StepControl, StepRecord,
};
pub use cosimo_mechanics::{ContactLaw, EnergyBalance, ImpactLaw, StaticFriction, TimeFunction};
pub use cosimo_model::{ModelSpec, Override, read_model};
pub use cosimo_multibody::planar;
pub use cosimo_multibody::spatial::{
    Beam, Body, BodyState, Contact, ContactPool, ContactShape, Force, ForceKind, Frame, Joint, JointKind,
    RigidBody, Section, Sensor, SensorKind, SpatialModel,
};
pub use cosimo_native::{
    BodyPort, BoucWen, Channel, ForceElement, FreeBodyBuilder, Mechanism, MechanismBuilder, MultibodyBuilder,
    MultibodyPort, PlanarBuilder, PointMassBuilder, PointMassPort, QuadraticDrag, SpringDamper,
};
pub use cosimo_nonsmooth::{MovingPlane, PlaneMotion};
pub use cosimo_results::{Overwrite, RecordConfig, Recorder, ResultDirectory, SummaryTable};
pub use cosimo_smooth::dae::{Formulation, Method};
pub use cosimo_subsystem::{Hold, Subsystem};
pub use cosimo_transport::{ProcessSubsystem, ThreadedSubsystem};
pub use nalgebra::{DMatrix, DVector, Matrix3, UnitQuaternion, Vector3};

pub use crate::{
    Event, Finding, Findings, Model, ModelError, Part, Run, Samples, Series, Trajectory, TrajectoryError,
};
