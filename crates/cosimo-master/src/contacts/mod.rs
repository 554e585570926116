//! Contacts and impacts inside steps.
//!
//! The contacts of a cluster see its subsystems and joints through the effective mass `W_c` (see `condensation`):
//!
//! ```text
//!   0 ≤ P ⟂ W_c P + b ≥ 0        b = U_b + e min(U₀, 0)
//! ```
//!
//! | where | what |
//! |---|---|
//! | `problems` | the problems of all clusters, and their solutions together |
//! | `rows` | what the contacts of a cluster see of a step |
//! | `solve` | the contact impulses of a part of a step |
//! | `apply` | what they do to joints and subsystems |
//! | `locked` | what contacts see of impacts at Tikhonov joints, which are rigid to them |
//! | `meeting` | what such joints pass where they meet inside a step, and how they give way anew |
//! | `impact` | the impact law at a communication point |
//! | `near` | contacts that may close in a step, to which its problems are limited |
//! | `near_rows` | which clusters that is done in, and what their near contacts see of a step |
//! | `absent` | contacts that vanish |
//! | `names` | what contacts are called |
//! | `unsolved` | what steps are left with on which contacts and bodies do not agree |
//! | `clamped` | contacts that have no solution because bodies are clamped |
//! | `apart` | penetrated contacts of an initial state |

pub(crate) mod absent;
pub(crate) mod apart;
pub(crate) mod apply;
mod clamped;
pub(crate) mod impact;
pub(crate) mod locked;
pub(crate) mod meeting;
pub(crate) mod names;
pub(crate) mod near;
pub(crate) mod near_rows;
pub(crate) mod problems;
pub(crate) mod rows;
pub(crate) mod solve;
pub(crate) mod unsolved;
