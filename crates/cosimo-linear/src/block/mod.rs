//! Sparse matrices of small dense blocks, whose pattern is symmetric and fixed.

mod column_room;
mod columns;
mod condensation;
mod fronts;
mod kernels;
mod lu;
mod pattern;
mod scalars;
mod sparse_lu;

pub use lu::BlockLu;
pub use pattern::{BlockPattern, BlockPosition};
