//! Eigenvalues: all of a dense matrix, the largest of an operator.
//!
//! | file | subject |
//! |---|---|
//! | `balance.rs` | diagonal scaling, so that rows and columns are of one size |
//! | `dense.rs` | all eigenvalues of a dense matrix |
//! | `francis.rs` | implicit double-shift QR iteration of a Hessenberg matrix |
//! | `reflection.rs` | Householder's reflection of three entries |
//! | `subspace.rs` | Rayleigh and Ritz in block Krylov spaces |

mod balance;
mod dense;
mod francis;
mod reflection;
mod subspace;

pub use dense::eigenvalues;
pub use subspace::{Operator, largest_eigenvalues, needs_whole};
