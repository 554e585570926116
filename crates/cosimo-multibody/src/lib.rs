//! Rigid bodies, joints and forces as equations of motion.
//!
//! [`planar`] has rigid bodies that move in a plane: pins, springs with dampers, gravity, and the rows through which
//! ports and contacts observe body points. [`StackedRows`] joins row sets of any origin into one.
//!
//! This crate knows neither step rules, contact laws nor co-simulation: it only provides
//! [`EquationsOfMotion`](cosimo_dynamics::EquationsOfMotion) and [`Kinematics`](cosimo_dynamics::Kinematics).

pub mod planar;
mod stacked;

pub use stacked::StackedRows;
