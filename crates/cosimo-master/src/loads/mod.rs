//! Load ports: motion goes to a subsystem, loads come back.
//!
//! A load `λ` acts on the rows of a body as the impulse `X_L = end λ₁ + start λ₀`, weighed by the body's own step rule. It
//! is known at the motion of the last pass, or at a predicted one, where the body has the end velocities `v̄`. Between there
//! and the end of the step it is linear,
//!
//! ```text
//!   X_L = X̄ + B (ż₁ − v̄)        B = end (χ ∂λ₁/∂z₁ + ∂λ₁/∂ż₁)
//! ```
//!
//! with `B = 0` where tangents do not enter. With the body's own affine model `ż₁ = ż_f + W (X + X_L)` this is another
//! affine model in the impulses `X` of joints and contacts,
//!
//! ```text
//!   ż₁ = ż_f' + W' X        W' = (I − W B)⁻¹ W        ż_f' = ż_f + W' (X̄ + B (ż_f − v̄))
//! ```
//!
//! which all schemes, laws and contacts work with: none of them knows of loads. A pass is
//!
//! ```text
//!   solve for X  →  bodies: ż₁ at X + X_L  →  load ports: λ₁ at that motion  →  v̄ = ż₁,  ż_f' = ż₁ + W' (X̄ − X_L) − W' X
//! ```
//!
//! and the step is accepted when the loads that were used and those that came back differ by less than the tolerance, as
//! velocities `W' (X̄ − X_L)`. Without tangents the error shrinks by the spectral radius of `W B` a pass; with them it
//! falls quadratically, or in one pass where the loads are affine. `∂λ/∂z` between different bodies is left out of `B`.
//!
//! | where | what |
//! |---|---|
//! | `history` | loads at communication points, and whether tangents enter: a part of the state |
//! | `contraction` | how fast an error of the loads shrinks by itself, and whose tangents enter therefore |
//! | `exchange` | the storage of motions and loads, and the calls |
//! | `evaluated` | bodies that report no response of rows on which loads act |
//! | `body_rows` | what the loads of a body do to its rows |
//! | `responses` | which rows need a response, and which sources tangents of their loads |
//! | `pass` | what a pass does: prediction, loads applied, answer |

mod body_rows;
pub(crate) mod contraction;
pub(crate) mod evaluated;
pub(crate) mod exchange;
pub(crate) mod history;
pub(crate) mod pass;
pub(crate) mod responses;

use crate::topology::Topology;
use exchange::LoadExchange;
use history::LoadHistory;

/// The loads of all load ports: what is known of them, and the exchange of the current step.
#[derive(Debug)]
pub(crate) struct Loads {
    pub(crate) history: LoadHistory,
    pub(crate) exchange: LoadExchange,
}

impl Loads {
    /// Those of a model before its first step.
    pub(crate) fn new(topology: &Topology) -> Self {
        Self { history: LoadHistory::new(topology), exchange: LoadExchange::new(topology) }
    }
}
