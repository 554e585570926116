//! Rotors in plain words: descriptions that can be written to and read from files, checked when a rotor is built of them.
//!
//! Lengths are in m, angles in rad, speeds in rad/s and m/s.

mod airfoil;
mod blade;
mod error;
mod rotor;
mod wind;

pub use airfoil::AirfoilSpec;
pub use blade::{AirfoilRangeSpec, BladeSpec};
pub use error::SpecError;
pub use rotor::{GroundSpec, RotorSpec};
pub use wind::{FrontSpec, WindSpec};
