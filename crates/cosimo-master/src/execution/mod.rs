//! How subsystems are called: by which threads, and what is done about those that fail.
//!
//! | where | what |
//! |---|---|
//! | `subsystems` | the subsystems, and what a call leaves behind |
//! | `extrapolated` | ends of subsystems whose motion is extrapolated |
//! | `executor` | calls side by side, by several threads |
//! | `calls`, `shares`, `team` | a round of calls; how threads share it; the threads |
//! | `faults` | subsystems that panic or answer numbers that are not finite |
//! | `coupling_mode` | how each subsystem is coupled, from what it can |
//! | `spans` | what is shown to `tracing` |
//! | `cost`, `meter` | processor time spent, and that of the calls of a round |

pub(crate) mod calls;
pub(crate) mod cost;
pub(crate) mod coupling_mode;
pub(crate) mod executor;
pub(crate) mod extrapolated;
pub(crate) mod faults;
pub(crate) mod meter;
pub(crate) mod shares;
pub(crate) mod slot;
pub(crate) mod spans;
pub(crate) mod subsystems;
pub(crate) mod team;
