//! The tests of this crate, in one binary: it is linked once.

mod absent_contacts;
mod allocations;
mod coupling_modes;
mod faults;
mod frames;
mod guards;
mod halving;
mod kept_candidates;
mod load_report;
mod loops;
mod many;
mod models;
mod multibody;
mod parallel;
mod schemes;
mod setup;
mod signals;
mod statistics;
mod steps;
mod told;
