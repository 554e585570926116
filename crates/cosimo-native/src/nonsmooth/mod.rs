//! Systems with contacts that a nonsmooth integrator steps by itself.
//!
//! A [`NonsmoothMechanism`] is a system with its contacts inside: the master sees the rows of its ports and none of its contacts. What its
//! rule does to contacts, constraints and energy are quantities.
//!
//! | file | subject |
//! |---|---|
//! | `shown.rs` | what a system shows of itself |
//! | `linear.rs` | `M a + C v + K q = f(t)`, sparse, and linear gaps |
//! | `sparse_matrix.rs` | stiffness and damping of it |
//! | `spatial.rs` | multibody systems and their contacts |
//! | `ports.rs` | rows on which others act |
//! | `observables.rs` | gaps, impulses, residuals, energies of a step |
//! | `subsystem.rs` | the contract |

mod linear;
mod observables;
mod ports;
mod shown;
mod sparse_matrix;
mod spatial;
mod subsystem;

pub use linear::{LinearConstrained, LinearGaps, LinearMechanism, LinearMechanismContact};
pub use spatial::{SpatialContacts, SpatialMechanism, SpatialMechanismContact};
pub use subsystem::{NonsmoothMechanism, NonsmoothMotion};
