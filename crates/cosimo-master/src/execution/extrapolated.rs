//! Ends of subsystems whose motion is extrapolated.

use cosimo_subsystem::Subsystem;

use super::coupling_mode::CouplingMode;
use crate::rows::StepRows;
use crate::topology::Topology;

/// The true ends of the step of subsystems that were extrapolated, in place of what was extrapolated.
pub(crate) fn read_explicit_ends(
    topology: &Topology,
    subsystems: &[Box<dyn Subsystem>],
    modes: &[CouplingMode],
    rows: &mut StepRows,
) {
    let all = topology.subsystems.iter().zip(subsystems).zip(modes);
    for ((layout, subsystem), _) in all.filter(|(_, mode)| **mode == CouplingMode::Explicit) {
        let own = subsystem.rows();
        rows.end_positions[layout.rows.clone()].copy_from_slice(&own.positions);
        rows.end_velocities[layout.rows.clone()].copy_from_slice(&own.velocities);
    }
}
