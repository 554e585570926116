//! Bodies that tell no response of rows on which loads act: what the loads do is found by evaluation.
//!
//! With `W` of the other rows alone, such a body is evaluated at the loads of joints and contacts `X` and those of load ports `X̄`
//! together, once more where these have changed,
//!
//! ```text
//!   ż₁ = evaluate(X + X̄)        ż_f' = ż₁ − W X
//! ```
//!
//! and the change of `ż₁` is what the loads used were off by, as velocities.

use cosimo_subsystem::SubsystemError;

use super::exchange::LoadedBody;
use crate::execution::faults::guarded;
use crate::execution::subsystems::Subsystems;
use crate::schemes::mismatch::Mismatch;
use crate::storage::linearisation::AffineModel;
use crate::storage::rows::StepRows;
use crate::topology::Topology;

/// Whether a body tells no response of a row on which loads act.
pub(super) fn is_evaluated(body: &LoadedBody, model: &AffineModel) -> bool {
    body.rows.iter().any(|row| !model.inverse_mass.has_row(row.row))
}

/// Sets the free rows of a body to those with its loads `X̄`, where joints and contacts act by `body.change`; says how far its end
/// rows have come from those that stand in `rows`.
pub(super) fn evaluate_loads(
    (topology, subsystems): (&Topology, &mut Subsystems),
    model: &AffineModel,
    body: &mut LoadedBody,
    rows: &mut StepRows,
) -> Result<Mismatch, SubsystemError> {
    let LoadedBody { impulses, change, answer, total, .. } = body;
    total.iter_mut().zip(impulses.iter().zip(&*change)).for_each(|(sum, (load, joint))| *sum = load + joint);
    model.answer_all(change, answer);
    let (i, mut mismatch) = (body.subsystem, Mismatch::default());
    let name = &topology.subsystems[i].name;
    let called = guarded(subsystems.all[i].as_mut(), name, |subsystem| {
        let response = subsystem.evaluate_rows(total)?;
        for (k, g) in model.rows.clone().enumerate() {
            let (z, rate) = (response.positions[k], response.velocities[k]);
            if !(z.is_finite() && rate.is_finite()) {
                let what = "a row at the loads of its load ports".to_owned();
                return Err(SubsystemError::NotFinite { subsystem: name.clone(), what });
            }
            mismatch.note((rate - rows.end_velocities[g]).abs(), g);
            rows.free_positions[g] = z - model.weights.position * answer[k];
            rows.free_velocities[g] = rate - answer[k];
        }
        Ok(())
    });
    called.inspect_err(|failure| subsystems.note_panic(i, failure))?;
    Ok(mismatch)
}
