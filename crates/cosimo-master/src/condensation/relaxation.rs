//! By how much joints are relaxed where they hold something twice.

use crate::condensation::equations::Equations;
use crate::linearisation::affine_model::AffineModel;
use crate::topology::joint::Side;

/// Share of a joint's own inverse mass that relaxes redundant joints of linear subsystems,
const RELAXATION: f64 = 1e-8;
/// of others, whose steps are singular only where bodies turn alike,
const RELAXATION_OF_BENT: f64 = 1e-6;
/// and of those among them whose inverse mass is differenced, and singular to some digits only.
const RELAXATION_OF_COARSE: f64 = 1e-4;

/// What relaxes joint `j` where joints are redundant (1/kg).
pub(super) fn relaxation(equations: Equations<'_>, j: usize) -> f64 {
    let Equations { model, cluster, .. } = equations;
    if !model.topology.joints[j].law.passes_impulses() {
        return 0.0;
    }
    let own = own_inverse_mass(equations, j);
    // A joint that can move nothing at all is held by what the cluster's others answer; where none answers, by any number.
    let all = || cluster.joints.iter().map(|&j| own_inverse_mass(equations, j)).fold(0.0, f64::max);
    let scale = Some(own).filter(|own| *own > 0.0).unwrap_or_else(all);
    let any = |is: fn(&AffineModel) -> bool| cluster.members.iter().any(|&i| is(&model.models[i]));
    let share = match () {
        () if any(|model| model.is_coarse) => RELAXATION_OF_COARSE,
        () if any(|model| !model.is_affine) => RELAXATION_OF_BENT,
        () => RELAXATION,
    };
    share * if scale > 0.0 { scale } else { 1.0 }
}

/// Largest answer of a joint's sides to a load in one of its coordinates (1/kg).
fn own_inverse_mass(Equations { model, rows, .. }: Equations<'_>, j: usize) -> f64 {
    let joint = &model.topology.joints[j];
    let answer = |k: usize| -> f64 {
        let side = |(own, share): (&Side, f64)| {
            let model = &model.models[own.subsystem];
            rows[j].answer(model.weights.position, k, k)
                * share
                * model.inverse_mass[(own.row + k, own.row + k)]
        };
        joint.sides.iter().zip(rows[j].share).map(side).sum()
    };
    (0..joint.size).map(answer).fold(0.0, f64::max)
}
