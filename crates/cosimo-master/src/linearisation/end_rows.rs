//! End rows of a step: those of the affine models, and those that the subsystems have reported.

use cosimo_subsystem::RowMatrix;

use super::affine_model::AffineModel;
use crate::rows::StepRows;

/// End rows of all affine models with the present loads.
pub(crate) fn set_all_end_rows(models: &[AffineModel], rows: &mut StepRows) {
    models.iter().for_each(|model| set_end_rows(model, rows));
}

/// Rows up to which an inverse mass is taken row by row; one with very many is taken column by column, as it is stored.
const FEW: usize = 8;

/// End rows of a subsystem's affine model: free response and the answer to the present loads.
#[inline(always)]
pub(crate) fn set_end_rows(model: &AffineModel, rows: &mut StepRows) {
    let RowMatrix::Dense(inverse_mass) = &model.inverse_mass else { return set_many_end_rows(model, rows) };
    match inverse_mass.as_slice() {
        [inverse_mass] => {
            let g = model.rows.start;
            let change = inverse_mass * rows.loads[g];
            rows.end_velocities[g] = rows.free_velocities[g] + change;
            rows.end_positions[g] = rows.free_positions[g] + model.weights.position * change;
        }
        entries if entries.len() <= FEW * FEW => set_few_end_rows(model, entries, rows),
        _ => set_many_end_rows(model, rows),
    }
}

fn set_few_end_rows(model: &AffineModel, entries: &[f64], rows: &mut StepRows) {
    let (own, n) = (model.rows.clone(), model.rows.len());
    let mut changes = [0.0; FEW];
    for (column, load) in entries.chunks_exact(n.max(1)).zip(&rows.loads[own.clone()]) {
        changes.iter_mut().zip(column).for_each(|(change, w)| *change += w * load);
    }
    let free = rows.free_positions[own.clone()].iter().zip(&rows.free_velocities[own.clone()]);
    let ends = rows.end_positions[own.clone()].iter_mut().zip(&mut rows.end_velocities[own]);
    for ((end, free), change) in ends.zip(free).zip(changes) {
        *end.0 = free.0 + model.weights.position * change;
        *end.1 = free.1 + change;
    }
}

fn set_many_end_rows(model: &AffineModel, rows: &mut StepRows) {
    let own = model.rows.clone();
    model.answer_all(&rows.loads[own.clone()], &mut rows.end_velocities[own.clone()]);
    for g in own {
        let change = rows.end_velocities[g];
        rows.end_velocities[g] = rows.free_velocities[g] + change;
        rows.end_positions[g] = rows.free_positions[g] + model.weights.position * change;
    }
}

/// End rows of affine subsystems: those that they have just reported, unless impulses inside the step are in them. Those of
/// others have been evaluated.
pub(crate) fn read_affine_ends(
    models: &[AffineModel],
    is_affine: bool,
    has_moments: bool,
    rows: &mut StepRows,
) {
    if is_affine && !has_moments {
        rows.end_positions.copy_from_slice(&rows.next_positions);
        rows.end_velocities.copy_from_slice(&rows.next_velocities);
    } else if is_affine {
        set_all_end_rows(models, rows);
    } else if !has_moments {
        for model in models.iter().filter(|model| model.is_affine) {
            let own = model.rows.clone();
            rows.end_positions[own.clone()].copy_from_slice(&rows.next_positions[own.clone()]);
            rows.end_velocities[own.clone()].copy_from_slice(&rows.next_velocities[own]);
        }
    }
}
