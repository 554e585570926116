//! The tests of this crate, in one binary: it is linked once.

mod checkpoints;
mod plot;
mod reading;
mod recording;
mod summary_table;
