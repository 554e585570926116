//! Force laws as subsystems with load ports: motion in, loads out, with states of their own.
//!
//! A law gives loads and the rates of its states at an instant,
//!
//! ```text
//!   λ = f(t, z, ż, s)        ṡ = g(t, z, ż, s)
//! ```
//!
//! and [`ForceElement`] makes a subsystem of it. The states follow the trapezoidal rule over the step,
//! `s₁ = s₀ + h/2 (g₀ + g₁)`, order two, with Newton's method; the tangents of the loads count what the states do within
//! the step.

mod bouc_wen;
mod drag;
mod element;
mod law;
mod spring_damper;
mod trapezoidal;

pub use bouc_wen::BoucWen;
pub use drag::QuadraticDrag;
pub use element::ForceElement;
pub use law::{ForceLaw, LawDerivatives, LawInstant};
pub use spring_damper::SpringDamper;
