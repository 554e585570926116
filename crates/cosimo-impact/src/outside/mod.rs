//! What acts from outside on a system: joints to other systems.
//!
//! What a row passes on in a step is an impulse `X`, a force that lasts and an impact alike:
//!
//! ```text
//!   M w + Φᵀ Λ = Zᵀ X        Φ w = 0        Z at the middle of the step
//! ```
//!
//! and the rule takes the jump `w` as it takes that of contacts, `+ w` in the velocity and its share of `h w` in the position. It is a momentum that
//! no rule remembers: systems of any two schemes can be joined by it. The rows `Z` are [`OuterRows`](crate::OuterRows).
//!
//! | file | subject |
//! |---|---|
//! | `jump.rs` | `w` |
//! | `answer.rs` | how the rows answer to `X`, the contacts that are closed included |

mod answer;
mod jump;

pub(crate) use answer::{Answered, Outer, OuterAnswer, StepWeights};
pub(crate) use jump::OuterJump;
