//! Time: communication points, and the steps between them.
//!
//! | where | what |
//! |---|---|
//! | `clock` | communication points |
//! | `part` | a macro step and its parts |
//! | `position` | where a run stands on its grid of communication points |

pub(crate) mod clock;
pub(crate) mod part;
pub(crate) mod position;
