//! Smooth motions: the constrained stage of the step rules.
//!
//! [`dae`] solves multibody systems under any of the [rules](cosimo_dynamics::rules): constraints at any level, orientations as
//! coordinates, sparse matrices. [`Integrator`] steps one linear system by itself; in a co-simulation a
//! [`cosimo_dynamics::Stepper`] does.
//!
//! This crate knows neither contact nor co-simulation.

pub mod dae;
mod integrator;

pub use integrator::Integrator;

/// Runs the code of the guide to the step rules.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/theory/integrators.md")]
struct Guide;
