//! Steps whose interface problem has no solution, named by those who take part.

use crate::simulation::Simulation;
use crate::topology::joint::Side;
use crate::{Acceleration, StepError};

/// Contraction of sweeps below which some more of them would do.
const SLOW: f64 = 0.7;

/// Where an iteration that did not converge was stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unsettled {
    pub(crate) iterations: u32,
    /// The row, or the unknown, that is farthest from agreement.
    pub(crate) worst: usize,
    /// Relative residual there (–).
    pub(crate) residual: f64,
}

/// The error of a singular interface matrix, by the unknown at which it is singular.
pub(crate) fn singular_interface(sim: &Simulation<'_>, unknown: usize) -> StepError {
    let joint = sim.topology.joints.iter().find(|joint| joint.unknowns().contains(&unknown));
    StepError::SingularInterface {
        time: sim.state.clock.now,
        interface: joint.map_or_else(String::new, |joint| joint.name.clone()),
        coordinate: joint.map_or(0, |joint| unknown - joint.first),
    }
}

/// The error of Newton's iteration whose largest mismatch is in this row.
pub(crate) fn row_not_converged(
    sim: &Simulation<'_>,
    h: f64,
    Unsettled { iterations, worst: row, residual }: Unsettled,
) -> StepError {
    let is_at = |side: &&Side, size: usize| (side.global_row..side.global_row + size).contains(&row);
    let found =
        sim.topology.joints.iter().find_map(|joint| {
            joint.sides.iter().find(|side| is_at(side, joint.size)).map(|side| (joint, side))
        });
    let load = sim.topology.load_joints.iter().find(|joint| joint.rows().contains(&row));
    let member = sim.topology.subsystems.iter().position(|member| member.rows.contains(&row));
    let name = |i: usize| sim.subsystems.all[i].description().name.clone();
    StepError::NotConverged {
        time: sim.state.clock.now,
        size: h,
        iterations,
        interface: match (found, load) {
            (Some((joint, _)), _) => joint.name.clone(),
            (None, load) => load.map_or_else(String::new, |load| load.name.clone()),
        },
        subsystem: found
            .map_or_else(|| member.map_or_else(String::new, name), |(_, side)| side.label.clone()),
        residual,
        contraction: String::new(),
        remedy: if load.is_some() {
            "use a smaller step, or allow max_halvings; loads that change much within a step need their tangents: \
             load_tangents = \"auto\" or \"always\", and a subsystem that gives them"
        } else if sim.topology.joins_captured_impacts() {
            "set coupling = \"differenced\" or \"quasi-newton\" for the subsystem whose scheme captures impacts: friction in it gives way \
             otherwise than its inverse mass says; or use a solver without `scheme`, a smaller step, or max_halvings"
        } else {
            "use a smaller step, or allow max_halvings; joints that hold something twice need a Tikhonov joint \
             among them"
        },
    }
}

/// The error of sweeps whose largest correction is in this unknown, with their contraction.
pub(crate) fn not_converged(
    sim: &Simulation<'_>,
    h: f64,
    Unsettled { iterations, worst: unknown, residual }: Unsettled,
    contraction: f64,
) -> StepError {
    let joint = sim.topology.joints.iter().find(|joint| joint.unknowns().contains(&unknown));
    let side = joint.map(|joint| &joint.sides[1]);
    let text = format!(" and each iteration multiplies the error by {contraction:.3}");
    let is_accelerated = matches!(sim.topology.config.acceleration, Acceleration::IqnIls { .. });
    StepError::NotConverged {
        time: sim.state.clock.now,
        size: h,
        iterations,
        interface: joint.map_or_else(String::new, |joint| joint.name.clone()),
        subsystem: side.map_or_else(String::new, |side| side.label.clone()),
        residual,
        contraction: if contraction.is_finite() { text } else { String::new() },
        remedy: match (is_accelerated, contraction < SLOW) {
            (_, true) => "allow more max_iterations, or use scheme = \"condensed\"",
            (true, _) => "use scheme = \"condensed\", a smaller step, or allow max_halvings",
            (false, _) => {
                "use scheme = \"condensed\" or acceleration = \"iqn-ils\", a smaller step, or allow max_halvings"
            }
        },
    }
}
