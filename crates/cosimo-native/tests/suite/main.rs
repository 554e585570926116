//! The tests of this crate, in one binary: it is linked once.

mod conformance;
mod force_laws;
mod joints;
mod multibody;
mod nonsmooth;
mod rows;
