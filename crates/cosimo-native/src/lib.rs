//! Cosimo's own solvers behind the subsystem contract.
//!
//! A [`Constrained`] system is nonlinear: a [`Multibody`] system, a [`Planar`] one, or a user's with its [`ConstrainedRows`]. A [`Mechanism`]
//! is a linear system with a step rule, ports and contacts, which is stepped without iterations: its solver is swapped by giving
//! the [`MechanismBuilder`] another rule.
//!
//! ```
//! use cosimo_dynamics::{LinearRow, LinearSystem};
//! use cosimo_native::MechanismBuilder;
//! use cosimo_subsystem::Subsystem;
//! use nalgebra::dmatrix;
//! let system = LinearSystem::new(dmatrix![2.0])?.with_force([-20.0])?;
//! let mass = MechanismBuilder::new("mass", system)
//!     .with_port("end", [LinearRow::coordinate(0)])
//!     .with_initial_state([1.0], [0.0])
//!     .build()?;
//! assert_eq!(mass.rows().positions, [1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attachment;
mod builder;
mod channel;
mod constrained;
mod contact_spec;
mod error;
mod force_law;
mod free_body;
mod mechanism;
mod multibody;
mod node;
mod nonsmooth;
mod planar;
mod seen;

pub use builder::{MechanismBuilder, NativeContact};
pub use channel::Channel;
pub use constrained::{Constrained, ConstrainedMotion, ConstrainedRows, ContactPools};
pub use error::MechanismError;
pub use force_law::{
    BoucWen, ForceElement, ForceLaw, LawDerivatives, LawInstant, QuadraticDrag, SpringDamper,
};
pub use free_body::{BodyPort, FreeBody, FreeBodyBuilder, RigidMotion};
pub use mechanism::{LinearMotion, Mechanism};
pub use multibody::{Multibody, MultibodyBuilder, MultibodyPort, SpatialRows};
pub use node::{PointMassBuilder, PointMassPort};
pub use nonsmooth::{
    LinearConstrained, LinearGaps, LinearMechanism, LinearMechanismContact, NonsmoothMechanism,
    NonsmoothMotion, SpatialContacts, SpatialMechanism, SpatialMechanismContact,
};
pub use planar::{Planar, PlanarBuilder, PlanarPort, PlanarRows};
pub use seen::{Seen, SlidingBody};
