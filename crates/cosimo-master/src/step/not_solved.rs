//! Steps whose interface problem has no solution, named by those who take part.

use crate::contacts::unsolved::Unsettled;
use crate::simulation::Simulation;
use crate::topology::joint::Side;
use crate::{Acceleration, ResidualPlace, StepError};

/// Contraction of sweeps below which some more of them would do.
const SLOW: f64 = 0.7;

/// The error of a singular interface matrix, by the unknown at which it is singular.
pub(crate) fn singular_interface(sim: &Simulation<'_>, unknown: usize) -> StepError {
    let joint = sim.topology.joints.iter().find(|joint| joint.unknowns().contains(&unknown));
    StepError::SingularInterface {
        time: sim.state.clock.now,
        interface: joint.map_or_else(String::new, |joint| joint.name.clone()),
        coordinate: joint.map_or(0, |joint| unknown - joint.first),
    }
}

/// The contact that a row is the gap or a slip of.
pub(crate) fn contact_of_row(sim: &Simulation<'_>, row: usize) -> Option<usize> {
    let rows = &sim.topology.contact_rows;
    sim.topology.contacts.iter().position(|contact| contact.rows().any(|own| rows[own].global_row == row))
}

/// Where a row is.
pub(crate) fn place_of_row(sim: &Simulation<'_>, row: usize) -> ResidualPlace {
    let is_at = |side: &&Side, size: usize| (side.global_row..side.global_row + size).contains(&row);
    let joined =
        sim.topology.joints.iter().find_map(|joint| {
            joint.sides.iter().find(|side| is_at(side, joint.size)).map(|side| (joint, side))
        });
    if let Some((joint, side)) = joined {
        return ResidualPlace::Interface { name: joint.name.clone(), side: side.label.clone() };
    }
    let member = sim.topology.subsystems.iter().position(|member| member.rows.contains(&row));
    let name = member.map_or_else(String::new, |i| sim.topology.subsystems[i].name.clone());
    if let Some(load) = sim.topology.load_joints.iter().find(|joint| joint.rows().contains(&row)) {
        return ResidualPlace::Interface { name: load.name.clone(), side: name };
    }
    match contact_of_row(sim, row) {
        Some(contact) => ResidualPlace::Contact(sim.contact_names().of(contact)),
        None if member.is_some() => ResidualPlace::Subsystem(name),
        None => ResidualPlace::Unknown,
    }
}

/// The error of Newton's iteration whose largest mismatch is in this row.
pub(crate) fn row_not_converged(
    sim: &Simulation<'_>,
    h: f64,
    Unsettled { iterations, worst: row, residual }: Unsettled,
) -> StepError {
    let load = sim.topology.load_joints.iter().find(|joint| joint.rows().contains(&row));
    StepError::NotConverged {
        time: sim.state.clock.now,
        size: h,
        iterations,
        place: place_of_row(sim, row),
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
    let text = format!(" and each iteration multiplies the error by {contraction:.3}");
    let is_accelerated = matches!(sim.topology.config.acceleration, Acceleration::IqnIls { .. });
    StepError::NotConverged {
        time: sim.state.clock.now,
        size: h,
        iterations,
        place: joint.map_or(ResidualPlace::Unknown, |joint| ResidualPlace::Interface {
            name: joint.name.clone(),
            side: joint.sides[1].label.clone(),
        }),
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
