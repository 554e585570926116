//! What acts on any number of bodies: its nodes.
//!
//! An [`ElementKind`] is part of a model; [`ElementKind::place`] makes an [`Element`] of it, whose nodes are found. An element
//! gives forces with their derivatives, energy and powers, remembers what it needs from step to step, may have states of
//! first order, and shows named quantities. Springs, bushings, penalty contacts and functions of the user are elements of two
//! nodes ([`Force`](super::Force)), beams of two ([`Beam`](super::Beam)); a user writes others.
//!
//! Elements have no unilateral constraints: gaps that do not become negative are a [`Contact`](super::Contact).
//!
//! | file | subject |
//! |---|---|
//! | `nodes.rs` | where the nodes are and how they move |
//! | `loads.rs` | where an element adds its forces and their derivatives |
//! | `law.rs` | the traits |
//! | `inertia.rs` | inertia that is added to bodies |
//! | `placed.rs` | an element among the bodies of a system |
//! | `pair.rs` | elements of two bodies by one gradient |

mod inertia;
mod law;
mod loads;
mod nodes;
mod pair;
mod placed;

pub use inertia::SpatialInertia;
pub use law::{Element, ElementKind, ElementQuantity, Memory, Overturned};
pub use loads::{Loads, Part, TangentBlocks};
pub use nodes::Nodes;
pub(crate) use pair::{PairElement, PairLaw};
pub(crate) use placed::PlacedElement;
