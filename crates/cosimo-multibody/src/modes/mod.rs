//! Equilibria of a constrained system, at rest or turning steadily, and small vibrations about them.
//!
//! A system that turns with the angular velocity `Ω` about an axis through `p` stands still in axes that turn with it. There
//! every body has `ẋ = Ω × (x − p)`, `ẍ = Ω × ẋ` and an angular velocity that is constant in body axes. With increments `y`
//! of the position in these axes, the balance `r(q, v, a, μ)` of forces of the system has the derivatives
//!
//! ```text
//!   δv = ẏ + S y        δa = ÿ + G ẏ + Z y        S = diag(Ω×, w×)   G = diag(2 Ω×, w×)   Z = diag(Ω× Ω×, 0)
//!   M ÿ + (C + M G) ẏ + (K + C S + M Z) y + Φᵀ δμ = 0        Φ y = 0        C = ∂r/∂v,  K = ∂r/∂q,  w = R(q)ᵀ Ω
//! ```
//!
//! which hold centrifugal stiffening, Coriolis and gyroscopic forces. [`Equilibrium::find`] solves `r = 0`, `φ = 0` by Newton's
//! method with the same matrix; [`modes`] solves for `y = x exp(λ t)` in Krylov spaces of `(A − σ)⁻¹`, of which every product is the
//! solution of the saddle point of `σ² M + σ C + K` and `Φ`. Matrices are sparse: the cost of both grows nearly linearly with the
//! number of bodies of chains and trees. Forces that depend on a direction of space, such as gravity across the axis, are no steady ones: the
//! caller leaves them out.
//!
//! What nothing holds, such as a shaft that turns freely, stays where it is if no force drives it: forces balance in all other
//! directions, and the equilibrium is one of many. [`Equilibrium::free_motions`] names such motions; they are modes with `λ = 0`.
//!
//! Coordinates of vector spaces on whose positions nothing depends are states of first order, such as those of elements: `y` is
//! their rate, which the equilibrium finds too.
//!
//! An equilibrium is a way to start a run: its `q` and `v` are what [`SpatialSystem::initial_position`] and
//! [`SpatialSystem::initial_velocity`] are else.
//!
//! | file | subject |
//! |---|---|
//! | `turning.rs` | velocities, accelerations and their derivatives of a steady turn |
//! | `matrices.rs` | sparse matrices of a system |
//! | `constraints.rs` | what constraints leave free |
//! | `saddle.rs` | factors of a dynamic stiffness with the constraints |
//! | `free.rs` | motions that nothing holds |
//! | `equilibrium.rs` | Newton's method |
//! | `vibration.rs` | eigenvalues and shapes |
//!
//! [`SpatialSystem::initial_position`]: crate::spatial::SpatialSystem::initial_position
//! [`SpatialSystem::initial_velocity`]: crate::spatial::SpatialSystem::initial_velocity

mod constraints;
mod equilibrium;
mod error;
mod free;
mod matrices;
mod saddle;
mod turning;
mod vibration;

pub use equilibrium::Equilibrium;
pub use error::ModesError;
pub use free::FreeMotion;
pub use turning::Turning;
pub use vibration::{Mode, modes};
