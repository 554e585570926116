//! The step with one acceleration and one jump: Newton's method with the contact problem inside.
//!
//! ```text
//!   M a + g − f + Φᵀ μ = 0        M w + Φᵀ Λ = Gᵀ P,  Φ w = 0        law( P, F )
//! ```
//!
//! `a` and `w` give the two points of the [`PlannedStep`](crate::planned_step::PlannedStep). An iteration linearises the balance about the present point,
//! with `z` for what contacts are imposed on, its weight `d_z` and the jump's answer `B = M⁻¹ Gᵀ` to unit impulses:
//!
//! ```text
//!   a ← a + δa₀ − A B P        w ← B P        z ← z + d_z δa₀ − w₀ + (1 − d_z A) B P
//!   J δa₀ = −r + D w₀          A = J⁻¹ D      D = e_v C + e_q K        Ŵ = G (1 − d_z A) B
//! ```
//!
//! on the constraints throughout. The contact problem has the exact answer `Ŵ` of the end to impulses.

mod answers;
mod condition;
mod iteration;

pub(crate) use iteration::{ActiveContacts, StageSolver};
