//! Sparse matrices of small dense blocks, whose pattern is symmetric and fixed.

mod elimination;
mod kernels;
mod lu;
mod pattern;

pub use lu::BlockLu;
pub use pattern::{BlockPattern, BlockPosition};
