//! What is read and done at a communication point.
//!
//! | where | what |
//! |---|---|
//! | `read` | rows, contacts, frames, forces of springs |
//! | `jump` | inverse masses of a velocity jump, and the jump |

pub(crate) mod jump;
pub(crate) mod read;

use cosimo_subsystem::Subsystem;

use crate::condensation::Condensation;
use crate::laws::forces::JointForces;
use crate::linearisation::Linearisation;
use crate::rows::StepRows;
use crate::topology::Topology;
use read::{read_joints, read_rows};

/// Reads all that there is at the present communication point.
pub(crate) fn read_communication_point(
    topology: &Topology,
    subsystems: &[Box<dyn Subsystem>],
    rows: &mut StepRows,
    linearisation: &mut Linearisation,
    condensation: &mut Condensation,
    joints: &mut JointForces,
) {
    read_rows(topology, subsystems, rows);
    read_joints(topology, subsystems, rows, linearisation, condensation, joints);
}
