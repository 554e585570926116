//! The tests of this crate, in one binary: it is linked once.

mod answers;
mod changing_steps;
#[path = "../../../cosimo-dynamics/tests/suite/common/mod.rs"]
mod common;
mod contract;
mod dae_pendulum;
mod order;
mod pendulum_dae;
mod spectra;
