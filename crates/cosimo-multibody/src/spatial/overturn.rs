//! Turns between bodies that forces and sensors do not follow.

use cosimo_dynamics::Overturn;

use super::force::Overturned;
use super::pose::Pair;
use super::system::SpatialSystem;
use super::turns::{HALF_TURN, WHOLE_TURN};

/// What to use in place of a bushing that turns far.
const WAY_OUT: &str = "use torsion springs, which count turns, about the axes of hinges";

/// An angle whose turns cannot be counted.
fn uncounted(owner: String, angle: f64) -> Overturn {
    Overturn { name: format!("the angle of {owner}"), angle, allowed: HALF_TURN, way_out: None }
}

impl SpatialSystem {
    /// The first force that does not follow a step from `q` by the increment `x`.
    pub(super) fn force_overturn(&self, q: &[f64], x: &[f64]) -> Option<Overturn> {
        self.forces.iter().find_map(|force| {
            let owner = || format!("force `{}`", force.name);
            Some(match force.element.overturn(&Pair::read(q, x, force.bodies))? {
                Overturned::Uncounted(angle) => uncounted(owner(), angle),
                Overturned::Whole(angle) => {
                    let name = format!("the rotation vector of {}", owner());
                    Overturn { name, angle, allowed: WHOLE_TURN, way_out: Some(WAY_OUT) }
                }
            })
        })
    }

    /// The first sensor that does not follow a step from `q` by the increment `x`.
    pub(super) fn sensor_overturn(&self, q: &[f64], x: &[f64]) -> Option<Overturn> {
        let uncounted_by = |sensor: &super::sensor::PlacedSensor| {
            Some(uncounted(format!("sensor `{}`", sensor.name), sensor.overturn(q, x)?))
        };
        self.sensors.iter().find_map(uncounted_by)
    }
}
