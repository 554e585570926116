//! What the moves that close the gap of a joint are, and what they do to its rates.
//!
//! The sides that move answer to moves with `ΣY`, see `step/moves`. Where they cannot be moved in some direction, as a body in the
//! plane across it, the gap stays open there: `ΣY` is inverted on what can be moved (`pseudo_inverse`).

use nalgebra::{SMatrix, SVector};

use super::pseudo_inverse::{NOTHING, invert_in};
use crate::linearisation::LinearisedModel;
use crate::topology::joint::{Joint, MOST_CLOSED};

/// Coordinates of a joint in one unit: those of a point, and turns.
const OF_A_UNIT: usize = 3;

/// A matrix over the coordinates of a joint; what is beyond its size is that of the identity.
type OfJoint = SMatrix<f64, MOST_CLOSED, MOST_CLOSED>;

/// Of the sides that move for the gap of a joint those that take moves: not those whose answers are differenced since they were found not
/// to be what they claim.
pub(crate) fn moving_sides(model: LinearisedModel<'_>, joint: &Joint, sides: [bool; 2]) -> [bool; 2] {
    [0, 1].map(|side: usize| sides[side] && !model.models[joint.sides[side].subsystem].is_coarse)
}

/// `y` of `ΣY y = g`, by coordinate of the joint.
pub(crate) fn closing_weights(
    model: LinearisedModel<'_>,
    (joint, sides): (&Joint, [bool; 2]),
    gaps: &[f64],
) -> SVector<f64, MOST_CLOSED> {
    let mut right_side = SVector::<f64, MOST_CLOSED>::zeros();
    right_side.as_mut_slice()[..joint.size].copy_from_slice(gaps);
    let sum = moved(model, (joint, sides));
    let inverse = inverse(&sum, joint.size);
    let weights = inverse * right_side;
    // Turning bodies make the sum unsymmetric by a little, which the factors do not see.
    weights + inverse * (right_side - sum * weights)
}

/// `G = [Σ (W − Y)/χ] [ΣY]⁻¹`: by how much the rates change (1/s) with the gap that moves of these sides close.
pub(crate) fn gain_of_moves(model: LinearisedModel<'_>, joint: &Joint, sides: [bool; 2]) -> OfJoint {
    let mut rates = OfJoint::zeros();
    for (own, _) in joint.sides.iter().zip(sides).filter(|(_, moves)| *moves) {
        let side = &model.models[own.subsystem];
        for (k, l) in pairs(joint.size) {
            let inverse_mass = side.inverse_mass.entry(own.row + k, own.row + l);
            rates[(k, l)] +=
                (inverse_mass - side.move_mass(own.row + k, own.row + l)) / side.weights.position;
        }
    }
    rates * inverse(&moved(model, (joint, sides)), joint.size)
}

/// `ΣY`.
fn moved(model: LinearisedModel<'_>, (joint, sides): (&Joint, [bool; 2])) -> OfJoint {
    let mut sum = OfJoint::identity();
    for (k, l) in pairs(joint.size) {
        let moving = joint.sides.iter().zip(sides).filter(|(_, moves)| *moves);
        sum[(k, l)] =
            moving.map(|(own, _)| model.models[own.subsystem].move_mass(own.row + k, own.row + l)).sum();
    }
    sum
}

fn pairs(size: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..size).flat_map(move |k| (0..size).map(move |l| (k, l)))
}

/// Inverse of `ΣY` on what moves: where everything does, by Cholesky's factors. Zero of what is not finite.
fn inverse(sum: &OfJoint, size: usize) -> OfJoint {
    if let Some(factors) = sum.cholesky() {
        let factor = factors.l_dirty();
        if (0..size).all(|k| factor[(k, k)] * factor[(k, k)] > NOTHING * sum[(k, k)]) {
            return factors.inverse();
        }
    }
    let inverse = invert_in(sum, sizes(sum));
    if inverse.iter().all(|x| x.is_finite()) { inverse } else { OfJoint::zeros() }
}

/// What a row gives way by, of those in its unit: the coordinates of a point, and turns. A direction in which a body hardly moves, as a pendulum
/// near the vertical does up and down, is no measure of its gap: it would be closed by a long way across.
fn sizes(sum: &OfJoint) -> SVector<f64, MOST_CLOSED> {
    let diagonal = sum.diagonal();
    SVector::from_fn(|k, _| {
        let first = k / OF_A_UNIT * OF_A_UNIT;
        diagonal.as_slice()[first..first + OF_A_UNIT].iter().fold(0.0_f64, |most, own| most.max(*own))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first two coordinates move alone together, in units a thousand times apart; the third not at all.
    #[test]
    fn what_cannot_be_moved_stays() {
        let mut sum = OfJoint::identity();
        for (k, l) in pairs(3) {
            sum[(k, l)] = 0.0;
        }
        for ((k, l), value) in [((0, 0), 2.0), ((0, 1), 2e3), ((1, 0), 2e3), ((1, 1), 2e6)] {
            sum[(k, l)] = value;
        }
        let gap = SVector::<f64, MOST_CLOSED>::from_column_slice(&[0.1, 100.0, 0.3, 0.0, 0.0, 0.0]);
        let moved = sum * (inverse(&sum, 3) * gap);
        assert!(
            (moved[0] - 0.1).abs() < 1e-12 && (moved[1] - 100.0).abs() < 1e-9 && moved[2] == 0.0,
            "{moved}"
        );
    }

    #[test]
    fn regular_sums_are_inverted() {
        let mut sum = OfJoint::identity();
        (sum[(0, 0)], sum[(0, 1)], sum[(1, 0)]) = (3.0, 0.5, 0.5);
        assert!((sum * inverse(&sum, 2) - OfJoint::identity()).amax() < 1e-15);
    }
}
