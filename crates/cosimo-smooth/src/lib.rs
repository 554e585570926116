//! Step rules for smooth dynamics: two-step A/L-stable multistep and generalized-alpha.
//!
//! Both are second-order rules with a chosen spectral radius at infinite frequency, which sets how fast motions
//! too fast for the step die out. They satisfy the equations of motion at the end of the step and bilateral
//! constraints at position level. [`Integrator`] steps one system by itself; in a co-simulation the rules drive a
//! [`cosimo_dynamics::Stepper`].
//!
//! [`dae`] solves multibody systems: constraints at any level, orientations as coordinates, sparse matrices.
//!
//! This crate knows neither contact nor co-simulation.

mod algorithmic;
pub mod dae;
mod generalized_alpha;
mod integrator;
mod multistep;
mod spectral_radius;

pub use generalized_alpha::GeneralizedAlpha;
pub use integrator::Integrator;
pub use multistep::{Multistep, TwoStepCoefficients};

/// Runs the code of the guide to the step rules.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/theory/integrators.md")]
struct Guide;
