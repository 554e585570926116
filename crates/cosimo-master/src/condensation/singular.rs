//! Interfaces whose equations have no solution.

use crate::StepError;
use crate::topology::Topology;

/// The error of a singular interface matrix in the step from `time` (s), by the unknown at which it is singular.
pub(crate) fn singular_interface(topology: &Topology, unknown: usize, time: f64) -> StepError {
    let joint = topology.joints.iter().find(|joint| joint.unknowns().contains(&unknown));
    StepError::SingularInterface {
        time,
        interface: joint.map_or_else(String::new, |joint| joint.name.clone()),
        coordinate: joint.map_or(0, |joint| unknown - joint.first),
    }
}
