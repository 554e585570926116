//! The tests of this crate, in one binary: it is linked once.

mod ahead;
mod common;
mod constraints;
mod impulses;
mod ledger;
mod response;
