//! Whether there are positions that follow the prescribed motions.

use super::constraint::BasicConstraint;
use super::geometry::Geometry;
use cosimo_mechanics::TimeFunction;

use super::{SpatialModelError, SpatialSystem};

/// Share of the largest value by which a motion must stay away from the bounds of its number.
const MARGIN: f64 = 1e-12;

/// The open interval in which a number has a gradient.
struct Bounds {
    quantity: &'static str,
    least: f64,
    greatest: f64,
    rule: &'static str,
}

impl BasicConstraint {
    /// The motion of a number that has bounds.
    fn bounded(&self) -> Option<(&TimeFunction, Bounds)> {
        let Self::Equal { geometry, motion } = self else { return None };
        let bounds = match geometry {
            Geometry::Distance { .. } => {
                let greatest = f64::INFINITY;
                Bounds { quantity: "distance (m)", least: 0.0, greatest, rule: "positive" }
            }
            Geometry::Dot1 { a, b } => {
                let greatest = a.norm() * b.norm();
                let rule = "between −1 and 1, times the lengths of both directions";
                Bounds { quantity: "product of directions", least: -greatest, greatest, rule }
            }
            _ => return None,
        };
        Some((motion, bounds))
    }
}

impl SpatialSystem {
    /// Refuses joints whose motion no position follows at some time from `from` to `to` (s): distances that are not positive,
    /// products of directions beyond their lengths. Found by [`TimeFunction::extremes`].
    ///
    /// # Errors
    /// [`SpatialModelError::Motion`], with the first such joint.
    pub fn check_motions(&self, from: f64, to: f64) -> Result<(), SpatialModelError> {
        for joint in &self.joints {
            for (motion, Bounds { quantity, least, greatest, rule }) in
                joint.rows.iter().filter_map(BasicConstraint::bounded)
            {
                let [low, high] = motion.extremes(from, to);
                let margin = MARGIN * low.value.abs().max(high.value.abs());
                let found = if !(low.value > least + margin) {
                    low
                } else if !(high.value < greatest - margin) {
                    high
                } else {
                    continue;
                };
                let (joint, time, found) = (joint.name.clone(), found.time, found.value);
                return Err(SpatialModelError::Motion { joint, quantity, found, time, rule });
            }
        }
        Ok(())
    }
}
