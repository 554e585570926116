//! Unilateral contacts between two bodies: where surfaces touch, and the rows of gap and slip.
//!
//! A [`Contact`] is part of a model. It says what must not become negative, and along which directions the bodies slide over
//! each other; what a contact does when it closes, restitution and friction, is no part of the equations of motion. A
//! [`PlacedContact`] gives the rows, whose velocities and forces are
//!
//! ```text
//!   ẏ = n · (v_j(c) − v_i(c))      U_k = t_k · (v_j(c) − v_i(c))      F = n ℓ₀ + t₁ ℓ₁ + t₂ ℓ₂  on j at c, −F on i at c
//! ```
//!
//! with the first body `i`, the second `j`, the point of contact `c` and the axes `n, t₁, t₂`, which all move: see [`Touch`].
//! The rate is that of the gap at any distance, and a force along the axes keeps momentum and angular momentum.
//!
//! | file | subject |
//! |---|---|
//! | `shape.rs` | what touches, as it stands in a model |
//! | `touch.rs` | point and axes of two surfaces, and how they move |
//! | `number.rs` | gaps that are one number: stops, functions of the user |
//! | `placed.rs` | rows of a contact whose bodies are found |
//! | `sweep.rs` | whether surfaces meet on the way of a step |
//! | `scale.rs` | what gaps and their rates are differences of |
//! | `pool` | contacts of many bodies, of which few are near at a time |

mod number;
mod placed;
mod pool;
mod scale;
mod shape;
mod sweep;
mod touch;

pub use number::GapFunction;
pub(super) use placed::NamedContact;
pub use placed::PlacedContact;
pub(super) use pool::PlacedPool;
pub use pool::{ContactPool, Exhausted, PoolSlots};
pub(super) use shape::placed_stop;
pub use shape::{Contact, ContactShape};
