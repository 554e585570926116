//! A rotor: blades in one flow, with the inflow that their loads induce.
//!
//! ```text
//!   loads of the frames   L(z, ż, f)            field f(y, h)          h: flow through the disk, by the hub
//!   forcing               C(L, z) = (T, Σ T_i x_i/R, Σ T_i y_i/R)
//!   unknowns y            R(y, h, C) = 0        quasi-static, or
//!                         y₁ = y₀ + Δt/2 (g(y₀, …) + g(y₁, h, C))      states, trapezoidal rule
//! ```
//!
//! The unknowns of the inflow, three at most, are found by Newton's method; tangents of the loads count how they follow the motion
//! (implicit function theorem). Nothing here knows of co-simulation.
//!
//! | file | what |
//! |---|---|
//! | `rotor` | what a rotor is made of |
//! | `forcing` | thrust and first moments of the loads |
//! | `loads` | loads at an instant, and the equations of the inflow there |
//! | `solve` | the unknowns of the inflow |
//! | `state` | what is remembered from step to step |
//! | `tangents` | tangents of all loads |
//! | `totals` | thrust, torque, power |
//! | `quantities` | what is recorded |
//! | `course` | loads within a step whose end is not known yet |

mod course;
mod forcing;
mod loads;
mod quantities;
#[expect(clippy::module_inception, reason = "the rotor itself among what is computed of it")]
mod rotor;
mod solve;
mod state;
mod tangents;
mod totals;

pub use course::RotorCourse;
pub use loads::RotorLoads;
pub use quantities::RotorQuantity;
pub use rotor::Rotor;
pub use solve::RotorStep;
pub use state::RotorState;
pub use tangents::RotorTangents;
pub use totals::RotorTotals;
