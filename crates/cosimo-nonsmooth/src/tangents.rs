//! Tangents of a contact along which nothing gives way.

use crate::thresholds::{AT_REST_ALONG, HELD_TANGENT};
use nalgebra::{Matrix3, Vector3};

/// How the components of a contact, normal and tangents, consist of those along which it moves: the columns. The column of a
/// direction that is held while the contact is closed, as across a mechanism that moves in a plane or along a guide that is not
/// normal to the obstacle, is zero: an impulse along it does what the normal one does or nothing, and what a solver would find for it is
/// arbitrary. `None` where nothing is held.
///
/// With the contact closed the tangents move by `S = W_TT − W_TN W_NT/W_NN` from `s = b_T − W_TN b_N/W_NN`. A contact that is driven along a
/// held tangent slides there, and its friction points that way: the tangent is kept.
pub(crate) fn moving_tangents(block: &Matrix3<f64>, velocity: &Vector3<f64>) -> Option<Matrix3<f64>> {
    let lift = if block[(0, 0)] > 0.0 { block.column(0) / block[(0, 0)] } else { Vector3::zeros() };
    let closed = |k: usize, l: usize| block[(k, l)] - lift[k] * block[(0, l)];
    let slip = [1, 2].map(|k| velocity[k] - lift[k] * velocity[0]);
    let (a, b, d) = (closed(1, 1), 0.5 * (closed(1, 2) + closed(2, 1)), closed(2, 2));
    let (mean, half) = (0.5 * (a + d), 0.5 * (a - d));
    let [largest, least] = [mean + half.hypot(b), mean - half.hypot(b)];
    let held = HELD_TANGENT * block.diagonal().max();
    let still = AT_REST_ALONG * velocity.norm();
    if !(least <= held) {
        return None;
    }
    if largest <= held {
        let is_still = slip[0].hypot(slip[1]) <= still;
        return is_still.then(|| Matrix3::from_diagonal(&Vector3::x()));
    }
    // The axis of the larger inverse mass, from the column of the matrix in which less cancels.
    let (x, y) = if half >= 0.0 { (half + half.hypot(b), b) } else { (b, half.hypot(b) - half) };
    let (x, y) = (x / x.hypot(y), y / x.hypot(y));
    let is_still = (x * slip[1] - y * slip[0]).abs() <= still;
    is_still.then(|| Matrix3::new(1.0, 0.0, 0.0, 0.0, x, 0.0, 0.0, y, 0.0))
}

/// `Fᵀ W F` of the block of two contacts.
pub(crate) fn block_along(block: Matrix3<f64>, [row, column]: [&Option<Matrix3<f64>>; 2]) -> Matrix3<f64> {
    let block = row.map_or(block, |moving| moving.transpose() * block);
    column.map_or(block, |moving| block * moving)
}

/// `Fᵀ b`.
pub(crate) fn velocity_along(velocity: Vector3<f64>, moving: &Option<Matrix3<f64>>) -> Vector3<f64> {
    moving.map_or(velocity, |moving| moving.transpose() * velocity)
}

/// `F r`.
pub(crate) fn impulse_along(impulse: Vector3<f64>, moving: &Option<Matrix3<f64>>) -> Vector3<f64> {
    moving.map_or(impulse, |moving| moving * impulse)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block in which a unit tangent at this angle moves and the one across has the inverse mass `across`.
    fn block(angle: f64, across: f64) -> Matrix3<f64> {
        let (y, x) = angle.sin_cos();
        let turn = Matrix3::new(1.0, 0.0, 0.0, 0.0, x, -y, 0.0, y, x);
        let own = Matrix3::new(2.0, 0.7, 0.0, 0.7, 1.0, 0.0, 0.0, 0.0, across);
        turn * own * turn.transpose()
    }

    #[test]
    fn a_held_direction_is_found_however_the_tangents_lie() {
        for angle in [0.0, 0.3, std::f64::consts::FRAC_PI_2, 2.0, 3.1] {
            let (y, x) = f64::sin_cos(angle);
            let sliding = Vector3::new(-1.0, 0.4 * x, 0.4 * y);
            let moving = moving_tangents(&block(angle, 1e-17), &sliding).unwrap();
            let expected = nalgebra::Vector2::new(x, y);
            let found = nalgebra::Vector2::new(moving[(1, 1)], moving[(2, 1)]);
            assert!((found.dot(&expected).abs() - 1.0).abs() < 1e-14 && moving.column(2).amax() == 0.0);
            // What moves across, however little, is no round-off; nor is a slip that a motion prescribes.
            assert_eq!(moving_tangents(&block(angle, 1e-9), &sliding), None);
            let driven = sliding + Vector3::new(0.0, -1e-3 * y, 1e-3 * x);
            assert_eq!(moving_tangents(&block(angle, 1e-17), &driven), None);
        }
    }

    /// A point on a guide that rises against the plane: what it has along the plane it has of the normal motion.
    #[test]
    fn a_guide_that_is_not_normal_holds_along_the_plane() {
        let guide = Vector3::new(1.0, 0.0, 0.3);
        let block = guide * guide.transpose() + Matrix3::from_diagonal(&Vector3::new(0.0, 0.1, 0.0));
        let moving = moving_tangents(&block, &(guide * -0.5 + Vector3::y() * 1e-3)).unwrap();
        assert_eq!((moving[(1, 1)].abs(), moving[(2, 1)], moving.column(2).amax()), (1.0, 0.0, 0.0));
        assert_eq!(moving_tangents(&block, &(guide * -0.5 + Vector3::z() * 1e-3)), None);
    }

    #[test]
    fn a_contact_may_be_held_along_both_tangents() {
        let guided = Matrix3::from_diagonal(&Vector3::new(1.0, 1e-16, -1e-17));
        let moving = moving_tangents(&guided, &Vector3::new(-1.0, 1e-15, 0.0));
        assert_eq!(moving, Some(Matrix3::from_diagonal(&Vector3::x())));
    }
}
