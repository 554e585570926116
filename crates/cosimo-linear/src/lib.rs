//! Direct linear solvers with reusable storage, and matrices that know their structure.
//!
//! The matrices of one subsystem are small or narrow: a point mass is diagonal, a chain of springs is banded,
//! a constrained mechanism is a small dense saddle point. [`StructuredMatrix`] finds the cheapest form once,
//! [`Factorization`] factorises in that form and reuses its storage, so that neither a product, a numeric
//! factorisation nor a solve allocates after the first time.
//!
//! The matrices of many subsystems or bodies together are sparse: [`BlockLu`] factorises small dense blocks in a pattern
//! that is found once. Chains and trees it eliminates block by block; what is left of meshes goes to the crate `faer`, which
//! allocates at every factorisation where that is large. [`SparseLu`] takes any sparse matrix once.
//!
//! This crate knows nothing about mechanics or time.

mod banded;
mod block;
mod dense_lu;
mod eigenvalues;
mod error;
mod factorization;
mod inline_vector;
mod sparse;
mod square;
mod structured;

pub use banded::{BandedLdlt, SymmetricBanded};
pub use block::{BlockLu, BlockPattern, BlockPosition};
pub use dense_lu::DenseLu;
pub use eigenvalues::{Operator, eigenvalues, largest_eigenvalues, needs_whole};
pub use error::FactorizationError;
pub use factorization::Factorization;
pub use inline_vector::InlineVector;
pub use sparse::{SparseLu, SparseNumber};
pub use square::set_square_zeros;
pub use structured::StructuredMatrix;
