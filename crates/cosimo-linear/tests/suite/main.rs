//! Integration tests.

mod eigenvalues;
mod sparse;
