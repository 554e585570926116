//! Which size the next step has: controls that learn of the steps before. Nothing here knows of a model.
//!
//! | where | what |
//! |---|---|
//! | `control` | the control at work in a run |
//! | `pi` | the PI control and the grid of sizes |
//! | `energy`, `error` | the two controls |
//! | `estimate` | error of a step from the velocities behind it |
//! | `impact` | error of an impact inside a step |

pub(crate) mod control;
pub(crate) mod energy;
pub(crate) mod error;
mod estimate;
pub(crate) mod impact;
pub(crate) mod pi;
