//! The tests of this crate, in one binary: it is linked once.

mod allocations;
mod faults;
mod frames;
mod halving;
mod ladder;
mod loops;
mod many;
mod models;
mod multibody;
mod parallel;
mod schemes;
mod setup;
mod statistics;
mod steps;
