//! Turns between bodies that forces and sensors do not follow.

use cosimo_dynamics::AngleWrap;

use super::element::Overturned;
use super::system::SpatialSystem;
use super::turns::{HALF_TURN, MOST_BEND, WHOLE_TURN};

/// What to use in place of a bushing that turns far.
const WAY_OUT: &str = "use torsion springs, which count turns, about the axes of hinges";

/// What to do about an element that bends too far.
const MORE_ELEMENTS: &str = "use more elements";

/// An angle whose turns cannot be counted.
fn uncounted(owner: String, angle: f64) -> AngleWrap {
    AngleWrap { name: format!("the angle of {owner}"), angle, allowed: HALF_TURN, way_out: None }
}

impl SpatialSystem {
    /// The first element that does not follow a step from `q` by the increment `x`.
    pub(super) fn element_overturn(&self, q: &[f64], x: &[f64]) -> Option<AngleWrap> {
        self.elements.iter().find_map(|element| {
            let owner = || element.owner.clone();
            let (angle, allowed, quantity, way_out) =
                match element.element.angle_wrap(&element.nodes(q, x))? {
                    Overturned::Uncounted(angle) => return Some(uncounted(owner(), angle)),
                    Overturned::Whole(angle) => (angle, WHOLE_TURN, "rotation vector", WAY_OUT),
                    Overturned::Bent(angle) => (angle, MOST_BEND, "relative turn of the ends", MORE_ELEMENTS),
                };
            let name = format!("the {quantity} of {}", owner());
            Some(AngleWrap { name, angle, allowed, way_out: Some(way_out) })
        })
    }

    /// The first sensor that does not follow a step from `q` by the increment `x`.
    pub(super) fn sensor_overturn(&self, q: &[f64], x: &[f64]) -> Option<AngleWrap> {
        let uncounted_by = |sensor: &super::sensor::PlacedSensor| {
            Some(uncounted(format!("sensor `{}`", sensor.name), sensor.angle_wrap(q, x)?))
        };
        self.sensors.iter().find_map(uncounted_by)
    }
}
