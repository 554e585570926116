//! Integration tests.

mod eigenvalues;
