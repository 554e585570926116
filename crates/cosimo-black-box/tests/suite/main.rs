//! The tests of this crate, in one binary: it is linked once.

mod allocation;
mod conformance;
mod differenced;
mod explicit;
mod models;
mod sub_cycled;
