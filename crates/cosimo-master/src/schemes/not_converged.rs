//! Iterations that do not converge, named by those who take part.

use crate::contacts::names::ContactNames;
use crate::contacts::places::place_of_row;
use crate::contacts::unsolved::Unsettled;
use crate::topology::Topology;
use crate::{Acceleration, ResidualPlace, StepError};

/// Contraction of sweeps below which some more of them would do.
const SLOW: f64 = 0.7;

/// The error of Newton's iteration in the step from a time and of a size (s), whose largest coupling residual is in this row.
pub(crate) fn row_not_converged(
    names: ContactNames<'_>,
    (time, size): (f64, f64),
    Unsettled { iterations, worst: row, residual }: Unsettled,
) -> StepError {
    let topology = names.topology;
    let load = topology.load_joints.iter().find(|joint| joint.rows().contains(&row));
    StepError::NotConverged {
        time,
        size,
        iterations,
        place: place_of_row(names, row),
        residual,
        contraction: String::new(),
        remedy: remedy_of_condensed(topology, load.is_some()),
    }
}

/// The error of sweeps in the step from a time and of a size (s), whose largest correction is in this unknown, with their contraction.
pub(crate) fn not_converged(
    topology: &Topology,
    (time, size): (f64, f64),
    Unsettled { iterations, worst: unknown, residual }: Unsettled,
    contraction: f64,
) -> StepError {
    let joint = topology.joints.iter().find(|joint| joint.unknowns().contains(&unknown));
    let text = format!(" and each iteration multiplies the error by {contraction:.3}");
    let is_accelerated = matches!(topology.config.acceleration, Acceleration::IqnIls { .. });
    StepError::NotConverged {
        time,
        size,
        iterations,
        place: joint.map_or(ResidualPlace::Unknown, |joint| ResidualPlace::Interface {
            name: joint.name.clone(),
            side: joint.sides[1].label.clone(),
        }),
        residual,
        contraction: if contraction.is_finite() { text } else { String::new() },
        remedy: remedy_of_iteration(is_accelerated, contraction < SLOW),
    }
}

/// What helps where the condensed scheme does not converge, at a load interface or elsewhere.
fn remedy_of_condensed(topology: &Topology, is_load: bool) -> &'static str {
    if is_load {
        "use a smaller step, or allow max_halvings; loads that change much within a step need their tangents: \
         load_tangents = \"auto\" or \"always\", and a subsystem that gives them"
    } else if topology.joins_captured_impacts() {
        "set coupling = \"differenced\" or \"quasi-newton\" for the subsystem whose scheme captures impacts: friction in it gives way \
         otherwise than its inverse mass says; or use a solver without `scheme`, a smaller step, or max_halvings"
    } else {
        "use a smaller step, or allow max_halvings; joints that hold something twice need a Tikhonov joint \
         among them"
    }
}

/// What helps where an iteration does not converge.
fn remedy_of_iteration(is_accelerated: bool, is_slow: bool) -> &'static str {
    match (is_accelerated, is_slow) {
        (_, true) => "allow more max_iterations, or use scheme = \"condensed\"",
        (true, _) => "use scheme = \"condensed\", a smaller step, or allow max_halvings",
        (false, _) => {
            "use scheme = \"condensed\" or acceleration = \"iqn-ils\", a smaller step, or allow max_halvings"
        }
    }
}
