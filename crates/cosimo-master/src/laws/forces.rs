//! Forces and impulses of the joints: a part of the state.

use crate::topology::Topology;

/// Forces and impulses of all joints, by unknown.
#[derive(Debug)]
pub(crate) struct JointForces {
    /// Impulses in the current macro step, in all its parts (N s).
    pub(crate) impulses: Vec<f64>,
    /// Forces at the present communication point (N).
    pub(crate) end: Vec<f64>,
    /// Those by which Tikhonov joints are open.
    pub(crate) relaxed: Vec<f64>,
    /// Whether the forces balance the motion at this instant, as at the start and after a velocity jump: rules that begin anew
    /// take them for their accelerations.
    pub(crate) are_of_instant: bool,
}

impl JointForces {
    /// No forces.
    pub(crate) fn zeros(topology: &Topology) -> Self {
        let zero = vec![0.0; topology.unknowns];
        Self { impulses: zero.clone(), end: zero.clone(), relaxed: zero, are_of_instant: false }
    }

    /// Takes the forces at an instant that impulses of the joints over a tiny step of this size (s) stand for.
    pub(crate) fn take_instant(&mut self, topology: &Topology, unknowns: &[f64], tiny: f64) {
        for joint in topology.joints.iter().filter(|joint| joint.law.passes_impulses()) {
            for unknown in joint.unknowns() {
                self.end[unknown] = unknowns[unknown] / tiny;
            }
        }
        self.are_of_instant = true;
    }
}
