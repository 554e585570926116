//! What the loads of a body do to its rows.

use cosimo_subsystem::LoadWeights;

use crate::linearisation::affine_model::AffineModel;
use crate::loads::exchange::LoadedBody;
use crate::rows::StepRows;

/// Rows that a change of impulses starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    Free,
    End,
}

/// Sets the free rows of a body to those of `base` with the answer to `body.change`: `ż_f' = ż + W' x`, `z_f' = z + χ W' x`.
pub(super) fn move_free_rows(model: &AffineModel, body: &mut LoadedBody, rows: &mut StepRows, base: Base) {
    model.answer_all(&body.change, &mut body.answer);
    for (g, change) in model.rows.clone().zip(&body.answer) {
        let (z, rate) = match base {
            Base::Free => (rows.free_positions[g], rows.free_velocities[g]),
            Base::End => (rows.end_positions[g], rows.end_velocities[g]),
        };
        rows.free_positions[g] = z + model.weights.position * change;
        rows.free_velocities[g] = rate + change;
    }
}

/// `X̄ = end λ₁ + start λ₀` on the rows of a body.
pub(super) fn set_impulses(body: &mut LoadedBody, (start, end): (&[f64], &[f64]), weights: LoadWeights) {
    body.impulses.fill(0.0);
    for row in &body.rows {
        body.impulses[row.row] += weights.end * end[row.coordinate] + weights.start * start[row.coordinate];
    }
}

/// The loads were asked for where constant velocities lead to. The body's rule leads elsewhere with the same end velocities:
/// `X̄ ← X̄ + end ∂λ₁/∂z₁ (z_f + χ (v̄ − ż_f) − z̄)`.
pub(super) fn correct_prediction(body: &mut LoadedBody, model: &AffineModel, rows: &StepRows, size: f64) {
    let Some(tangent) = &model.loads else { return };
    let first = model.rows.start;
    let ahead = |l: usize| {
        let g = first + l;
        let rate = body.expansion[l];
        let led = rows.free_positions[g] + model.weights.position * (rate - rows.free_velocities[g]);
        led - (rows.start_positions[g] + size * rate)
    };
    for (k, impulse) in body.impulses.iter_mut().enumerate() {
        *impulse += model.weights.end * tangent.of_move(k, (0..model.rows.len()).map(ahead));
    }
}
