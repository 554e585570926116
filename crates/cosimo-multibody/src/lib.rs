//! Rigid bodies, joints and forces as equations of motion.
//!
//! [`planar`] has rigid bodies that move in a plane: pins, springs with dampers, gravity, and the rows through which
//! ports and contacts observe body points. [`StackedRows`] joins row sets of any origin into one. [`spatial`] has rigid
//! bodies in space, with a step rule of their own because orientations are no vectors.
//!
//! This crate knows neither contact laws nor co-simulation: [`planar`] provides
//! [`EquationsOfMotion`](cosimo_dynamics::EquationsOfMotion) and [`Kinematics`](cosimo_dynamics::Kinematics) only.

pub mod planar;
pub mod spatial;
mod stacked;

pub use stacked::StackedRows;
