//! The nonsmooth generalized-α method with constraints and contacts at the levels of positions, velocities and accelerations.
//!
//! ```text
//!   M a + g − f + Φᵀ μ = G_Cᵀ λ      φ̈ = 0 (PVA), or φ̇ = 0 of the smooth motion (PVV)      g̈_C = 0
//!   M U + Φᵀ ν_b = G_Aᵀ ν            φ(q₁) = 0                                             g_A(q₁) = 0
//!   M W + Φᵀ Λ_b = G_Bᵀ Λ            φ̇(q₁, v₁) = 0                                         U_B + e U⁻_B = 0
//!
//!   v₁ = v̂ + c_v a + W        x₁ = x̂ + c_q a + U        with the v̂, x̂ of generalized-α
//! ```
//!
//! | file | what |
//! |---|---|
//! | `sets` | the sets A, B, C of active contacts |
//! | `part` | one of the three saddle points, with the multipliers of its active contacts |
//! | `solver` | Newton's method on the three |
//!
//! Source: O. Brüls, V. Acary, A. Cardona, *On the Constraints Formulation in the Nonsmooth Generalized-α Method*, 2018, eqs. 55 to
//! 65, with `½ − β` for the `1 − β` of eqs. 59, 63, 65j and 65n.

mod part;
mod sets;
mod solver;

pub(crate) use solver::AlphaSolver;
