//! The Delassus operator `W`: its forms, and direct solvers of what Newton's methods make of it.
//!
//! | file | subject |
//! |---|---|
//! | `operator.rs` | what every form can do |
//! | `block_matrix.rs`, `block_operator.rs` | `W` by its blocks that are not zero |
//! | `bodies.rs`, `body_operator.rs` | `W = H M⁻¹ Hᵀ` by its factors, never formed |
//! | `scaled.rs` | the systems `(L W R + B) x = b` |
//! | `scaled_matrix.rs`, `scaled_groups.rs`, `scaled_bodies.rs` | their solvers: as many unknowns as rows, as groups of contacts have motions, as bodies have |
//! | `add_block.rs` | blocks of a matrix that is about to be factorised |

mod add_block;
mod block_matrix;
mod block_operator;
mod bodies;
mod body_operator;
mod operator;
mod scaled;
mod scaled_bodies;
mod scaled_groups;
mod scaled_matrix;

pub use block_matrix::BlockMatrix;
pub use bodies::{BodyDelassus, ContactArm};
pub use operator::Delassus;
pub use scaled::{Scaled, ScaledSystem};
