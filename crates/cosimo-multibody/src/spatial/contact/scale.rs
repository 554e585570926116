//! What gap and gap rate are differences of, by which their rounding is judged.

use nalgebra::Vector3;

use super::number::NumberGap;
use super::placed::{PlacedContact, Rows};
use crate::spatial::geometry::Geometry;
use crate::spatial::pose::Pair;

impl PlacedContact {
    /// The largest length (m, rad) that the gap is a difference of, and the largest speed (m/s, rad/s) of its rate.
    #[must_use]
    pub fn scale(&self, q: &[f64], v: &[f64]) -> [f64; 2] {
        let pair = Pair::read(q, v, self.bodies);
        match &self.rows {
            Rows::Surfaces(surfaces) => of_points(&pair, &surfaces.arms(), surfaces.radius()),
            Rows::Number(NumberGap::Function(function)) => {
                of_points(&pair, &[Vector3::zeros(); 2], function.value(&pair).abs())
            }
            Rows::Number(NumberGap::Stop { coordinate, limit, .. }) => {
                let [length, speed] = of_geometry(&pair, coordinate.geometry());
                [length.max(limit.abs()), speed]
            }
        }
    }
}

/// Of a number between two poses.
fn of_geometry(pair: &Pair, geometry: &Geometry) -> [f64; 2] {
    match geometry {
        Geometry::Dot2 { arms, .. } | Geometry::Distance { arms } | Geometry::Coordinate { arms, .. } => {
            of_points(pair, arms, 0.0)
        }
        // Made of unit vectors.
        Geometry::Dot1 { .. } | Geometry::Angle { .. } => {
            [1.0, pair.twists.iter().fold(0.0, |most, twist| twist.spin.norm().max(most))]
        }
    }
}

/// Of points with these arms, or of surfaces so far from them (m).
fn of_points(pair: &Pair, arms: &[Vector3<f64>; 2], distance: f64) -> [f64; 2] {
    let (mut length, mut speed) = (distance, 0.0_f64);
    for ((pose, twist), arm) in pair.poses.iter().zip(&pair.twists).zip(arms) {
        let reach = arm.norm();
        length = length.max(reach).max(pose.position.amax());
        speed = speed.max(twist.velocity.norm() + twist.spin.norm() * (reach + distance));
    }
    [length, speed]
}
