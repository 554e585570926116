//! What momentum theory hears of the loads: thrust and first moments.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use crate::frame::FrameMotion;
use crate::inflow::Disk;

/// The forcing of the inflow as a function of the loads of one frame: `T = F·k`, `T p·e_j/R` along both axes of the disk.
pub(super) struct FrameForcing {
    /// Shares `(1, p·e_1/R, p·e_2/R)` of the thrust of the frame.
    pub(super) shares: Vector3<f64>,
    /// From the hub to the frame (m).
    from_hub: Vector3<f64>,
}

impl FrameForcing {
    pub(super) fn new(disk: &Disk, radius: f64, frame: &FrameMotion) -> Self {
        let from_hub = frame.position - disk.centre;
        let [first, second] = disk.axes.map(|axis| axis.dot(&from_hub) / radius);
        Self { shares: Vector3::new(1.0, first, second), from_hub }
    }

    /// The forcing by a force at the frame.
    pub(super) fn by_force(&self, disk: &Disk) -> Matrix3<f64> {
        self.shares * disk.axis.transpose()
    }

    /// Its derivative with respect to the position of the frame, for this force; that by the position of the hub is the negative.
    pub(super) fn by_position(&self, disk: &Disk, radius: f64, force: &Vector3<f64>) -> Matrix3<f64> {
        let thrust = force.dot(&disk.axis) / radius;
        let [first, second] = disk.axes.map(|axis| axis * thrust);
        Matrix3::from_rows(&[Vector3::zeros().transpose(), first.transpose(), second.transpose()])
    }

    /// Its derivative with respect to a turn of the hub.
    pub(super) fn by_hub_turn(&self, disk: &Disk, radius: f64, force: &Vector3<f64>) -> Matrix3<f64> {
        let thrust = force.dot(&disk.axis) / radius;
        let tilted = self.shares * disk.axis.cross(force).transpose();
        let [first, second] = disk.turns.map(|turn| turn.transpose() * self.from_hub * thrust);
        tilted + Matrix3::from_rows(&[Vector3::zeros().transpose(), first.transpose(), second.transpose()])
    }
}

/// Thrust and first moments over the radius (N), and their derivatives by the field.
pub(super) type Forcing = (SVector<f64, 3>, SMatrix<f64, 3, 3>);
