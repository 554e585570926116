//! What is done once, before the first step.
//!
//! A subsystem is coupled by the best that it can: by its own inverse mass where it knows it, by differences of its answers
//! where it can re-evaluate a step, else explicitly. The initial state closes rigid joints and opens contacts.
//!
//! | where | what |
//! |---|---|
//! | `verify` | claims of subsystems, verified before the first step |
//! | `initial` | initial states, checked or projected |

pub(crate) mod initial;
pub(crate) mod verify;
