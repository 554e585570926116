//! A joint among the bodies of a system.

use nalgebra::{UnitQuaternion, Vector3};

use super::branch::Alignment;
use super::constraint::BasicConstraint;
use super::pose::Pair;

/// A joint whose bodies are found.
#[derive(Debug, Clone)]
pub(crate) struct PlacedJoint {
    pub(crate) name: String,
    pub(crate) bodies: [Option<usize>; 2],
    pub(crate) rows: Vec<BasicConstraint>,
    /// The rows as they are meant, while they are eased.
    pub(super) meant: Option<Vec<BasicConstraint>>,
    pub(crate) alignment: Alignment,
    /// The second frame's point, as an arm from its body's centre of mass.
    pub(crate) arm: Vector3<f64>,
    /// First row among all.
    pub(crate) first: usize,
}

impl PlacedJoint {
    /// Angle (rad) by which it is turned from what it means.
    pub(super) fn angle_off(&self, t: f64, q: &[f64]) -> f64 {
        let pair = Pair::read(q, &[], self.bodies);
        let rows = self.meant.as_ref().unwrap_or(&self.rows);
        let leads = rows.iter().map(|row| row.lead(t, &pair).abs());
        leads.fold(self.alignment.turn(&pair).norm(), f64::max)
    }

    /// Turns the rows so that they ask for a share of what they are off at `q`; 0 gives them back.
    pub(super) fn ease(&mut self, t: f64, q: &[f64], share: f64) {
        if let Some(meant) = self.meant.take() {
            self.rows = meant;
        }
        if share == 0.0 {
            return;
        }
        let pair = Pair::read(q, &[], self.bodies);
        let turn = UnitQuaternion::from_scaled_axis(self.alignment.turn(&pair) * share);
        let eased = self.rows.iter().map(|row| row.eased(&turn, share * row.lead(t, &pair))).collect();
        self.meant = Some(std::mem::replace(&mut self.rows, eased));
    }
}
