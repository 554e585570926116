//! Decorators for subsystems of which the master needs more than they offer.
//!
//! The condensed scheme wants the inverse mass of every subsystem. This crate is the ladder for those that do not report it
//! it; each rung is a [`Subsystem`](cosimo_subsystem::Subsystem) around another one, so that the master stays as it is.
//!
//! | the subsystem | rung |
//! |---|---|
//! | reports its inverse mass, and [`verify`] confirms it | itself |
//! | re-evaluates steps, few rows | [`DifferencedInverseMass`], [`Refresh::Columns`] |
//! | re-evaluates steps, many rows | [`DifferencedInverseMass`], [`Refresh::QuasiNewton`] |
//! | neither reports nor re-evaluates | [`Explicit`], on compliant joints |
//!
//! [`SubCycled`] lets a subsystem take several micro steps per macro step; its inverse mass is found by differences.
//!
//! The choice is the master's; the measures taken for it are here.

mod differenced;
mod differences;
mod error;
mod explicit;
mod saved;
mod secant;
mod sub_cycled;
mod tangent;
mod verify;

pub use differenced::{DifferencedInverseMass, Refresh};
pub use error::BlackBoxError;
pub use explicit::Explicit;
pub use sub_cycled::{LoadHistory, SubCycled};
pub use verify::{FalseClaim, Verdict, verify};
