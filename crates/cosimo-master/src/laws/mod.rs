//! Laws of the interfaces, and their equations in a step.
//!
//! Every law is a row in an impulse-like unknown `x`; see `equation`:
//!
//! ```text
//!   Q g₁ + V ġ₁ + κ − C x = 0
//! ```
//!
//! | where | what |
//! |---|---|
//! | `equation` | the equation of a joint, by law |
//! | `coordinate`, `coordinate_law` | joints coordinate by coordinate, where those do not know of one another |
//! | `closing_moves` | the moves that close the gap of a joint, and what they do to its rates |
//! | `pseudo_inverse` | inverses of inverse masses where a joint holds more than can move |
//! | `forces` | forces and impulses of the joints |

pub(crate) mod closing_moves;
pub(crate) mod coordinate;
pub(crate) mod coordinate_law;
pub(crate) mod equation;
pub(crate) mod forces;
pub(crate) mod pseudo_inverse;
