//! The functions of FMI 2.0 for co-simulation.
//!
//! | file | functions |
//! |---|---|
//! | `life` | making and ending instances, messages |
//! | `simulation` | initialisation, steps, status |
//! | `variables` | values and derivatives |
//! | `states` | kept states |
//! | `absent` | those that these FMUs do not have |

mod absent;
mod life;
mod simulation;
mod states;
mod variables;

use std::ffi::{c_int, c_uint};

/// Value reference.
type Reference = c_uint;

/// Boolean, 0 or 1.
type Boolean = c_int;
