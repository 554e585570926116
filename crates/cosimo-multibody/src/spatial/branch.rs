//! Which of the positions that satisfy its rows a joint means.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::constraint::BasicConstraint;
use super::geometry::Geometry;
use super::pose::Pair;

/// What a joint makes parallel or equal, in the axes of its two bodies. Its rows are products of directions, which are zero for
/// opposite directions too.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Alignment {
    /// Nothing.
    Free,
    /// Two unit vectors.
    Axes([Vector3<f64>; 2]),
    /// Two frames, their axes in columns.
    Frames([Matrix3<f64>; 2]),
}

impl Alignment {
    /// Rotation vector in the axes of the second body, by the shortest way, that takes what is on it to what is on the first.
    pub(super) fn turn(&self, pair: &Pair) -> Vector3<f64> {
        let [i, j] = pair.poses.map(|pose| pose.rotation);
        match self {
            Self::Free => Vector3::zeros(),
            Self::Axes([first, second]) => turn_between(second, &j.tr_mul(&(i * first))),
            Self::Frames([first, second]) => {
                let turn = Rotation3::from_matrix_unchecked(j.tr_mul(&(i * first)) * second.transpose());
                UnitQuaternion::from_rotation_matrix(&turn).scaled_axis()
            }
        }
    }
}

/// The rotation vector of the shortest turn from one unit vector to another; of opposite ones, of one of the shortest.
fn turn_between(from: &Vector3<f64>, to: &Vector3<f64>) -> Vector3<f64> {
    let across = from.cross(to);
    let (sine, cosine) = (across.norm(), from.dot(to));
    if sine > 0.0 {
        across * (sine.atan2(cosine) / sine)
    } else if cosine < 0.0 {
        let thinnest = Vector3::ith(from.iamin(), 1.0);
        from.cross(&thinnest).normalize() * std::f64::consts::PI
    } else {
        Vector3::zeros()
    }
}

impl BasicConstraint {
    /// Of a turn, the angle (rad) by which it is ahead of its motion, but for whole turns; else zero.
    pub(super) fn lead(&self, t: f64, pair: &Pair) -> f64 {
        let Self::Turn { x, y, b, motion } = self else { return 0.0 };
        let (sine, cosine) = motion.at(t)[0].sin_cos();
        Geometry::Angle { x: x * cosine + y * sine, y: y * cosine - x * sine, b: *b }.value(pair)
    }

    /// By how much (m or rad) the length or the angle that it holds is off.
    pub(super) fn off(&self, t: f64, pair: &Pair) -> f64 {
        match self {
            Self::Turn { .. } => self.lead(t, pair).abs(),
            Self::Equal { geometry: Geometry::Dot1 { a, b }, motion } => {
                let angle = |product: f64| (product / (a.norm() * b.norm())).clamp(-1.0, 1.0).acos();
                let found = Geometry::Dot1 { a: *a, b: *b }.value(pair);
                (angle(found) - angle(motion.at(t)[0])).abs()
            }
            Self::Equal { .. } => self.value(t, pair).abs(),
        }
    }

    /// The row with the direction on the second body turned, or begun later by an angle (rad) if it is a turn itself.
    pub(super) fn eased(&self, turn: &UnitQuaternion<f64>, angle: f64) -> Self {
        match self.clone() {
            Self::Turn { x, y, b, motion } => {
                let (sine, cosine) = angle.sin_cos();
                Self::Turn { x: x * cosine + y * sine, y: y * cosine - x * sine, b, motion }
            }
            Self::Equal { geometry: Geometry::Dot1 { a, b }, motion } => {
                Self::Equal { geometry: Geometry::Dot1 { a, b: turn * b }, motion }
            }
            other => other,
        }
    }
}
