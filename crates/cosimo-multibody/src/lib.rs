//! Rigid bodies, joints and forces as equations of motion.
//!
//! [`planar`] has rigid bodies that move in a plane: pins, springs with dampers, gravity, and the rows through which
//! ports and contacts observe body points. [`spatial`] has rigid bodies in space with joints, forces, beams and other elements,
//! and a single free body with a step rule of its own. [`modes`] finds equilibria of constrained systems, at rest or turning
//! steadily, and their small vibrations.
//!
//! This crate knows neither unilateral contacts nor co-simulation: [`planar`] and [`spatial`] provide a
//! [`ConstrainedSystem`](cosimo_dynamics::ConstrainedSystem).

pub mod modes;
pub mod planar;
pub mod spatial;

/// Runs the code of the guide to spatial systems.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/theory/multibody.md")]
struct Guide;

/// Runs the code of the guide to beams.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/theory/beams.md")]
struct BeamGuide;
