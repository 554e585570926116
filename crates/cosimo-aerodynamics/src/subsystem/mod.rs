//! A rotor as a subsystem with load ports.

mod describe;
mod motion;
mod rotor_aerodynamics;

pub use rotor_aerodynamics::RotorAerodynamics;
