//! Equations of motion of second-order mechanical systems, and one implicit time step of them.
//!
//! ```text
//!   M(q) a = f(t, q, v) − Φ_qᵀ μ + Zᵀ ℓ        φ(t, q) = 0
//! ```
//!
//! A nonlinear system implements [`ConstrainedSystem`]: sparse, with orientations among its coordinates, and with every
//! derivative of its constraints; `cosimo_smooth::dae` solves its steps.
//!
//! [`LinearSystem`] has constant matrices. What is attached to it from outside, ports and contacts, are [`RowMap`]: scalar
//! rows `z(t, q)` that observe the motion and pass loads `ℓ` back through their Jacobian `Z`. A [`StepRule`] turns its equations
//! into one implicit stage per step; [`Stepper`] solves the stage by one back-substitution and reports how the rows would answer to
//! impulses, without moving the state until it is asked to.
//!
//! This crate knows neither contact laws nor co-simulation.

mod columns;
mod constrained;
mod elimination;
mod error;
mod explicit_parts;
mod factors;
mod linear;
mod linear_stage;
mod momenta;
mod products;
mod response;
mod row_map;
mod rows;
pub mod rules;
mod state;
mod stepper;
mod vectors;

pub use constrained::{
    AngleWrap, Configuration, ConstrainedSystem, ConstraintBlock, CoordinateBlock, Coordinates, Level,
    MatrixSink, Motion, PlacedBlock, State, StateChange, Structure, rotation,
};
pub use elimination::{Elimination, eliminate_constraints};
pub use error::{DynamicsError, SystemError};
pub use linear::{LinearSystem, TimeLoad};
pub use momenta::{LoadMemory, LoadQuadrature, Momenta, RememberedLoad};
pub use row_map::{LinearRow, LinearRows, NoRows, RowMap};
pub use rules::{
    Collocation, ConstraintLevel, GeneralizedAlpha, GeneralizedAlphaParameters, Multistep, StatePoint,
    StepFormula, StepRule, Theta,
};
pub use state::MotionState;
pub use stepper::{Stepper, TakenLoads};
pub use vectors::CoordinateVector;
