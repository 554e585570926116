//! Bodies that report no response of rows on which loads act: what the loads do is found by evaluation.
//!
//! With `W` of the other rows alone, such a body is evaluated at the loads of joints and contacts `X` and those of load ports `X̄`
//! together, once more where these have changed,
//!
//! ```text
//!   ż₁ = evaluate(X + X̄)        ż_f' = ż₁ − W X
//! ```
//!
//! and the change of `ż₁` is what the loads used were off by, as velocities. Where the next pass changes `X` by so little that its
//! answer is nothing beside the tolerance, the body stands as it was evaluated: that pass asks the loads alone. The step is
//! committed with the loads of the last evaluation.

use cosimo_subsystem::SubsystemError;
use cosimo_subsystem::cost::CallKind;

use super::exchange::{LoadExchange, LoadedBody};
use crate::execution::slot::CallSlot;
use crate::execution::subsystems::Subsystems;
use crate::linearisation::affine_model::AffineModel;
use crate::linearisation::coupling_residual::CouplingResidual;
use crate::rows::StepRows;
use crate::topology::Topology;

/// Whether a body reports no response of a row on which loads act.
pub(super) fn is_evaluated(body: &LoadedBody, model: &AffineModel) -> bool {
    body.rows.iter().any(|row| !model.inverse_mass.has_row(row.row))
}

/// Share of the tolerance that the answer to a change of `X` may have where a body is not evaluated again.
const NOTHING: f64 = 0.1;

impl LoadExchange {
    /// Marks the bodies that stand as they were last evaluated at, where these loads on the rows are close enough by this tolerance (–).
    pub(crate) fn mark_standing(
        &mut self,
        models: &[AffineModel],
        rows: &StepRows,
        slots: &mut [CallSlot],
        tolerance: f64,
    ) {
        for body in &mut self.bodies {
            let model = &models[body.subsystem];
            if !is_evaluated(body, model) {
                continue;
            }
            let own = model.rows.clone();
            let changes = body.change.iter_mut().zip(&rows.loads[own.clone()]).zip(&body.evaluated_at);
            changes.for_each(|((change, load), evaluated)| *change = load - evaluated);
            model.answer_all(&body.change, &mut body.answer);
            let answer = body.answer.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
            let speed = rows.end_velocities[own].iter().fold(0.0, |most: f64, v| most.max(v.abs()));
            slots[body.subsystem].stands = answer <= NOTHING * tolerance * speed;
        }
    }
}

/// Sets the free rows of a body to those with its loads `X̄`, where joints and contacts act by `body.change`; says how far its end
/// rows have come from those that stand in `rows`.
pub(super) fn evaluate_loads(
    (topology, subsystems): (&Topology, &mut Subsystems),
    model: &AffineModel,
    body: &mut LoadedBody,
    rows: &mut StepRows,
) -> Result<CouplingResidual, SubsystemError> {
    let LoadedBody { impulses, change, answer, total, evaluated_at, .. } = body;
    evaluated_at.copy_from_slice(change);
    total.iter_mut().zip(impulses.iter().zip(&*change)).for_each(|(sum, (load, joint))| *sum = load + joint);
    model.answer_all(change, answer);
    let (i, mut coupling_residual) = (body.subsystem, CouplingResidual::default());
    let name = &topology.subsystems[i].name;
    subsystems.call((i, name), CallKind::Evaluate, |subsystem| {
        let response = subsystem.evaluate_rows(total)?;
        for (k, g) in model.rows.clone().enumerate() {
            let (z, rate) = (response.positions[k], response.velocities[k]);
            if !(z.is_finite() && rate.is_finite()) {
                let what = "a row at the loads of its load ports".to_owned();
                return Err(SubsystemError::NotFinite { subsystem: name.clone(), what });
            }
            coupling_residual.note((rate - rows.end_velocities[g]).abs(), g);
            rows.free_positions[g] = z - model.weights.position * answer[k];
            rows.free_velocities[g] = rate - answer[k];
        }
        Ok(())
    })?;
    Ok(coupling_residual)
}
