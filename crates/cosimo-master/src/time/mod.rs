//! Time: communication points, and the steps between them.
//!
//! | where | what |
//! |---|---|
//! | `clock` | communication points |
//! | `part` | a part of a macro step |
//! | `progress` | how far the macro step at hand has come |
//! | `position` | where a run stands on its grid of communication points |

pub(crate) mod clock;
pub(crate) mod part;
pub(crate) mod position;
pub(crate) mod progress;
