//! Rotor aerodynamics: blade-element loads in any direction of the flow, inflow models, wind.
//!
//! | room | what |
//! |---|---|
//! | [`airfoil`] | coefficients by angle of attack and Mach number: tables (C81, CSV), formula, thin airfoil |
//! | `section` | loads of a blade section in its own plane |
//! | [`inflow`] | induced velocity: uniform, linear, Pitt and Peters, annular |
//! | [`wind`] | velocity of the air by place and time |
//! | [`blade`] | loads of a blade on frames along it, with exact tangents |
//! | [`rotor`] | blades, inflow and wind together, with exact tangents |
//! | [`spec`] | descriptions that files may hold, checked |
//! | `element` | [`RotorElement`], a rotor in the equations of a multibody system |
//! | `subsystem` | [`RotorAerodynamics`], a rotor behind the contract of subsystems |
//!
//! Everything but the last knows nothing of co-simulation. Units are SI; vectors are along the axes of space unless said otherwise.
//! Equations, signs and sources: `docs/theory/aerodynamics.md`.

pub mod airfoil;
pub mod blade;
mod element;
mod error;
mod frame;
pub mod inflow;
mod number;
pub mod rotor;
mod section;
pub mod spec;
mod subsystem;
pub mod wind;

pub use element::RotorElement;
pub use error::AerodynamicError;
pub use frame::{FrameMotion, rotation_tangent};
pub use section::{Air, Lags, TipLoss, Unsteady};
pub use subsystem::RotorAerodynamics;
