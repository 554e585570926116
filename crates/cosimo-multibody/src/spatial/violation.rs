//! By how much joints are violated.

use super::SpatialSystem;
use super::constraint::BasicConstraint;
use super::geometry::Geometry;
use super::pose::Pair;
use cosimo_dynamics::Motion;

/// By how much a joint is violated: the largest of its rows of each unit.
#[derive(Debug, Clone, PartialEq)]
pub struct JointViolation {
    /// Number of the joint, in the order of [`SpatialSystem::joint_names`]; gears are behind the joints.
    pub joint: usize,
    /// Distance (m).
    pub distance: f64,
    /// Angle (rad): that of the turn between frames or axes to what the joint means, whichever way they look.
    pub angle: f64,
    /// How fast the distance changes (m/s).
    pub speed: f64,
    /// How fast the angle changes (rad/s).
    pub spin: f64,
}

impl BasicConstraint {
    /// Whether its value is a length (m), not an angle.
    fn is_length(&self) -> bool {
        let Self::Equal { geometry, .. } = self else { return false };
        !matches!(geometry, Geometry::Dot1 { .. } | Geometry::Angle { .. })
    }
}

impl SpatialSystem {
    /// The joints that a motion violates by more than `tolerance` (m, rad, m/s or rad/s).
    #[must_use]
    pub fn violations(&self, Motion { t, q, v }: Motion<'_>, tolerance: f64) -> Vec<JointViolation> {
        let mut found = Vec::new();
        for (number, joint) in self.joints.iter().enumerate() {
            let pair = Pair::read(q, v, joint.bodies);
            let angle = joint.angle_off(t, q);
            let mut violation = JointViolation { joint: number, distance: 0.0, angle, speed: 0.0, spin: 0.0 };
            for row in &joint.rows {
                let value = row.off(t, &pair);
                let rate = (row.gradient(t, &pair).rate(&pair.twists) + row.own_rate(t, &pair)).abs();
                let (of_value, of_rate) = if row.is_length() {
                    (&mut violation.distance, &mut violation.speed)
                } else {
                    (&mut violation.angle, &mut violation.spin)
                };
                *of_value = of_value.max(value);
                *of_rate = of_rate.max(rate);
            }
            let JointViolation { distance, angle, speed, spin, .. } = violation;
            if [distance, angle, speed, spin].iter().any(|x| *x > tolerance) {
                found.push(violation);
            }
        }
        for number in 0..self.gears.len() {
            let [value, rate, _] = self.gear_levels(number, Motion { t, q, v }, &[]).map(f64::abs);
            let mut violation = JointViolation {
                joint: self.joints.len() + number,
                distance: 0.0,
                angle: 0.0,
                speed: 0.0,
                spin: 0.0,
            };
            if self.gears[number].sides[1].is_angle() {
                (violation.angle, violation.spin) = (value, rate);
            } else {
                (violation.distance, violation.speed) = (value, rate);
            }
            if value > tolerance || rate > tolerance {
                found.push(violation);
            }
        }
        found
    }
}
