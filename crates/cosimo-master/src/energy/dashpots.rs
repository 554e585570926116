//! What dashpots take out of the motion.

use cosimo_nonsmooth::ContactSolution;
use nalgebra::DMatrix;

use crate::InterfaceLaw;
use crate::linearisation::LinearisedModel;
use crate::rows::StepRows;
use crate::topology::Topology;
use crate::topology::joint::Joint;

/// Energy (J) that the dashpot of a joint takes out in a step of size `h` (s), before impulses inside it, by the mean
/// rates of the gaps.
pub(crate) fn dashpot_loss(model: LinearisedModel<'_>, joint: &Joint, rows: &StepRows, h: f64) -> f64 {
    if let Some(frame) = &joint.frame {
        let frame = frame.with(&model.frames[frame.index]);
        return frame.dashpot_loss(&rows.start_positions, &rows.end_positions, h);
    }
    let InterfaceLaw::Compliant { damping, .. } = &joint.law else { return 0.0 };
    let moved =
        |k: usize| joint.difference(k, &rows.end_positions) - joint.difference(k, &rows.start_positions);
    quadratic_form(damping, moved) / h
}

/// Energy (J) that the dashpot of a joint takes out more for the impulses inside the step of size `h` (s) just taken.
///
/// In the time `s` that remains after an impulse the gap moves by `Δg` on top of the smooth motion, whose rate in the
/// middle of that time is `ġ`:
///
/// ```text
///   s (D(ġ + Δg/s) − D(ġ))        D(ġ) = ġᵀ d ġ
/// ```
///
/// The rows at the present communication point are those with the impulses, the ends those without; the rows of the
/// start are those that come next, which nobody has written yet.
pub(crate) fn loss_inside(
    topology: &Topology,
    joint: &Joint,
    rows: &StepRows,
    solution: &ContactSolution,
    h: f64,
) -> f64 {
    let InterfaceLaw::Compliant { damping, .. } = &joint.law else { return 0.0 };
    if joint.frame.is_some() {
        return 0.0;
    }
    let cluster = &topology.clusters[topology.subsystems[joint.sides[0].subsystem].cluster];
    let Some(s) = solution.moments.remaining_time(cluster.contact_rows.clone(), h) else { return 0.0 };
    let rate = |k: usize| {
        let (start, end) =
            (joint.difference(k, &rows.next_velocities), joint.difference(k, &rows.end_velocities));
        end - 0.5 * s / h * (end - start)
    };
    let displacement = |k: usize| way_inside(joint, k, rows);
    s * (quadratic_form(damping, |k| rate(k) + displacement(k) / s) - quadratic_form(damping, rate))
}

/// How far impulses inside the step just taken have moved coordinate `k` of the gap (m).
fn way_inside(joint: &Joint, k: usize, rows: &StepRows) -> f64 {
    joint.difference(k, &rows.start_positions) - joint.difference(k, &rows.end_positions)
}

/// The product of the dashpot of a joint with the way on which impulses inside the step just taken have moved its gap (J s).
pub(crate) fn loss_of_way(joint: &Joint, rows: &StepRows) -> f64 {
    match &joint.law {
        InterfaceLaw::Compliant { damping, .. } if joint.frame.is_none() => {
            quadratic_form(damping, |k| way_inside(joint, k, rows))
        }
        _ => 0.0,
    }
}

/// `xᵀ A x` of a square matrix.
pub(crate) fn quadratic_form(matrix: &DMatrix<f64>, x: impl Fn(usize) -> f64) -> f64 {
    let (entries, n) = (matrix.as_slice(), matrix.nrows());
    let mut sum = 0.0;
    for l in 0..n {
        let mut column = 0.0;
        for k in 0..n {
            column += entries[l * n + k] * x(k);
        }
        sum += column * x(l);
    }
    sum
}
