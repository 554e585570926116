//! What is read and done at a communication point.
//!
//! | where | what |
//! |---|---|
//! | `read` | rows, contacts, frames, forces of springs |
//! | `jump` | inverse masses of a velocity jump, and the jump |

pub(crate) mod jump;
pub(crate) mod read;

use crate::simulation::Simulation;
use read::{read_joints, read_rows, warn_of_turned_bushings};

/// Reads all that there is at the present communication point.
pub(crate) fn read_communication_point(sim: &mut Simulation) {
    let (topology, all) = (&sim.topology, &sim.subsystems.all);
    read_rows(topology, all, &mut sim.rows);
    let (linearisation, condensation) = (&mut sim.linearisation, &mut sim.condensation);
    read_joints(topology, all, &sim.rows, linearisation, condensation, &mut sim.joints);
    warn_of_turned_bushings(sim.linearisation.of(topology), &mut sim.warnings, sim.clock.now);
}
