//! Rigid bodies that move in space.
//!
//! World frame W. The frame B of a body has its origin at the centre of mass; its orientation is a unit quaternion `Λ`
//! that turns body vectors into world vectors and changes by rotation vectors only, so that there are no singular
//! positions. Velocities are that of the centre of mass in world axes, `v`, and the angular velocity in body axes, `w`;
//! `ω = Λ w` is the same in world axes.
//!
//! Bodies with joints and forces are a [`SpatialModel`], which builds a [`SpatialSystem`]: a
//! [`ConstrainedSystem`](cosimo_dynamics::ConstrainedSystem) whose derivatives are exact. What follows is about a single free
//! body. Its step keeps momentum, angular momentum and energy of a free body exactly, and the work of impulses on body points
//! is exactly that on their way: see [`FreeStep`].
//!
//! ```
//! use cosimo_multibody::spatial::{BodyState, RigidBody};
//! use nalgebra::{Matrix3, Vector3};
//!
//! // A tennis racket: it tumbles about its middle axis.
//! let racket = RigidBody::new(0.3, Matrix3::from_diagonal(&Vector3::new(2e-3, 1.2e-2, 1.4e-2)))?;
//! let start = BodyState { angular_velocity: Vector3::new(0.01, 10.0, 0.0), ..BodyState::default() };
//! let mut state = start;
//! for _ in 0..1000 {
//!     state = *racket.step(&state, 1e-3, &[])?.end();
//! }
//! let drift = racket.angular_momentum(&state) - racket.angular_momentum(&start);
//! assert!(drift.norm() < 1e-13 && (racket.kinetic_energy(&state) - racket.kinetic_energy(&start)).abs() < 1e-13);
//! # Ok::<(), cosimo_multibody::spatial::SpatialError>(())
//! ```

mod accelerometer;
mod angle_wrap;
mod appearance;
mod beam;
mod blocks;
mod body;
mod branch;
mod build;
mod constraint;
mod contact;
mod coordinate;
mod element;
mod equations;
mod error;
mod force;
mod gear;
mod gear_rows;
mod geometry;
mod joint;
mod model;
mod model_error;
mod motion;
mod observe;
mod place_pool;
mod placed_joint;
mod pose;
mod rope;
mod rows;
mod sensor;
mod step;
mod system;
mod turns;
mod violation;

pub use beam::{
    Beam, BeamElement, BeamError, BeamStation, ColumnUnit, Section, SectionInertia, SectionLaw,
    SectionQuantity, SectionStiffness, SectionTableError, SpanTable, TableSections,
};
pub use body::{BodyState, PointImpulse, RigidBody};
pub use constraint::BasicConstraint;
pub use contact::{Contact, ContactPool, ContactShape, Exhausted, GapFunction, PlacedContact, PoolSlots};
pub use coordinate::Coordinate;
pub use element::{
    Element, ElementKind, ElementQuantity, Loads, Memory, Nodes, Overturned, Part, SpatialInertia,
    TangentBlocks,
};
pub use error::SpatialError;
pub use force::{
    Bearing, BodyFunction, BodyLoad, FilmStation, Force, ForceKind, Onset, PenaltyLaw, ScalarFunction,
};
pub use gear::{Gear, GearMesh, Transfer};
pub use geometry::Geometry;
pub use joint::{Frame, Joint, JointKind, Marker};
pub use model::{Body, ModelElement, SpatialModel};
pub use model_error::SpatialModelError;
pub use pose::{Gradient, Hessian, Pair, Pose, Twist};
pub use rope::Rope;
pub use sensor::{Sensor, SensorKind};
pub use step::{BodyChange, FreeStep};
pub use system::SpatialSystem;
pub use violation::JointViolation;
