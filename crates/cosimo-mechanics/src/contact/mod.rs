//! Contact laws: what a contact asks of rates and impulses.
//!
//! Every contact has a gap rate `U_N` and, with friction, one (in the plane) or two (in space) **slip** rates `U_T` along
//! its tangents. At an impact, rates `U⁻` before and `U⁺` after,
//!
//! ```text
//!   Signorini and Coulomb on  u = U⁺ + e(U⁻):   0 ≤ P_N ⟂ u_N ≥ 0,   ‖P_T‖ ≤ μ P_N,   P_T = −μ P_N u_T/‖u_T‖ if u_T ≠ 0
//!
//!   Newton   e(U⁻) = (e min(U⁻_N, 0), e_T U⁻_T)
//!   Moreau   e(U⁻) = e U⁻, in all directions
//! ```
//!
//! Newton's law with friction can create energy where the effective mass couples normal and tangent. Moreau's cannot: with
//! one `e` for all contacts of the impact, `P·u ≤ 0` gives
//!
//! ```text
//!   ΔT = P·u/(1 + e) − ½ (1 − e)/(1 + e) Pᵀ W P ≤ 0
//! ```
//!
//! A contact that carries a load over time obeys the same with `e = 0`.
//!
//! | module | what |
//! |---|---|
//! | `law` | [`ContactLaw`]: restitution and friction of a contact, its check, and the keys by which it is written |
//! | `static_friction` | friction of a contact that sticks, Stribeck's curve |
//! | `activation` | how a contact enters a step that captures impacts |
//! | `rules` | what is asked of the numbers, for checks and for readers of files |
//!
//! Reference: J. J. Moreau, *Unilateral contact and dry friction in finite freedom dynamics*, Springer 1988.

mod activation;
mod law;
pub mod rules;
mod static_friction;
#[cfg(test)]
mod tests;

pub use activation::{Activation, Restitution};
pub use law::{ContactLaw, FACETS, ImpactLaw};
pub use rules::{ContactLawError, NumberRule};
pub use static_friction::{StaticFriction, Stribeck};
