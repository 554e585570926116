//! The functions of FMI 3.0 for co-simulation.
//!
//! | file | functions |
//! |---|---|
//! | `life` | making and ending instances, messages |
//! | `simulation` | initialisation, steps, events |
//! | `variables` | values and derivatives |
//! | `states` | kept states |
//! | `absent` | those that these FMUs do not have |

mod absent;
mod life;
mod simulation;
mod states;
mod variables;

/// Value reference.
type Reference = u32;
