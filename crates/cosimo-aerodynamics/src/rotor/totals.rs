//! What is reported of a rotor as a whole.

use super::loads::RotorLoads;
use super::rotor::Rotor;
use crate::frame::FrameMotion;

/// Loads of a rotor as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RotorTotals {
    /// Force along the rotor axis (N).
    pub thrust: f64,
    /// Torque (N m) that holds the rotor against the air: positive where the air brakes it.
    pub torque: f64,
    /// Torque times speed (W).
    pub power: f64,
    /// Induced velocity (m/s), mean over the disk where there is a field, else over the area that the blades sweep.
    pub inflow: f64,
}

impl RotorLoads {
    /// The totals for the frames of the last evaluation; `None` before the first.
    #[must_use]
    pub fn totals(&self, rotor: &Rotor, frames: &[FrameMotion]) -> Option<RotorTotals> {
        let disk = self.disk.as_ref()?;
        let (mut thrust, mut moment) = (0.0, 0.0);
        for (b, blade) in self.blades.iter().enumerate() {
            for (k, frame) in frames[rotor.frames_of(b)].iter().enumerate() {
                let [force, couple] = Self::on_frame(&blade.loads, k);
                thrust += force.dot(&disk.axis);
                let arm = frame.position - disk.centre;
                moment += (couple + arm.cross(&force)).dot(&disk.axis);
            }
        }
        let torque = -disk.sign * moment;
        let power = torque * disk.flow.speed;
        Some(RotorTotals { thrust, torque, power, inflow: self.mean_inflow(rotor) })
    }

    fn mean_inflow(&self, rotor: &Rotor) -> f64 {
        if rotor.inflow.has_unknowns() {
            return self.field[0];
        }
        let (mut area, mut flow) = (0.0, 0.0);
        for blade in &self.blades {
            for (point, weight) in blade.points.iter().zip(rotor.blade.areas()) {
                area += weight;
                flow += weight * point.induced;
            }
        }
        flow / area
    }
}
