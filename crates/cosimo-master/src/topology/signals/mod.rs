//! Signals between subsystems: what feeds what, and in which order outputs are evaluated.
//!
//! | where | what |
//! |---|---|
//! | `wiring` | signals of all subsystems by number |
//! | `order` | the order of evaluation, and its loops |
//! | `graph` | both together |

pub(crate) mod graph;
pub(crate) mod order;
pub(crate) mod wiring;
