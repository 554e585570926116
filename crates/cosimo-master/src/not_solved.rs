//! Steps whose interface problem has no solution, told by the names of those who take part.

use crate::layout::Side;
use crate::{Acceleration, Master, StepError};

/// Contraction of sweeps below which some more of them would do.
const SLOW: f64 = 0.7;

impl Master {
    pub(crate) fn singular_interface(&self, unknown: usize) -> StepError {
        let joint = self.layout.joints.iter().find(|joint| joint.unknowns().contains(&unknown));
        StepError::SingularInterface {
            time: self.clock.now,
            interface: joint.map_or_else(String::new, |joint| joint.name.clone()),
            coordinate: joint.map_or(0, |joint| unknown - joint.first),
        }
    }

    /// The error of Newton's iteration whose largest mismatch is in this row.
    pub(crate) fn row_not_converged(
        &self,
        h: f64,
        (iterations, row, residual): (u32, usize, f64),
    ) -> StepError {
        let is_at = |side: &&Side, size: usize| (side.global_row..side.global_row + size).contains(&row);
        let found = self.layout.joints.iter().find_map(|joint| {
            joint.sides.iter().find(|side| is_at(side, joint.size)).map(|side| (joint, side))
        });
        let member = self.layout.members.iter().position(|member| member.rows.contains(&row));
        let name = |i: usize| self.subsystems[i].description().name.clone();
        StepError::NotConverged {
            time: self.clock.now,
            size: h,
            iterations,
            interface: found.map_or_else(String::new, |(joint, _)| joint.name.clone()),
            subsystem: found
                .map_or_else(|| member.map_or_else(String::new, name), |(_, side)| side.label.clone()),
            residual,
            contraction: String::new(),
            remedy: "use a smaller step, or allow max_halvings; joints that hold something twice need a Tikhonov joint \
                     among them",
        }
    }

    /// The error of sweeps whose largest correction is in this unknown, with their contraction.
    pub(crate) fn not_converged(
        &self,
        h: f64,
        (iterations, unknown, residual): (u32, usize, f64),
        contraction: f64,
    ) -> StepError {
        let joint = self.layout.joints.iter().find(|joint| joint.unknowns().contains(&unknown));
        let side = joint.map(|joint| &joint.sides[1]);
        let text = format!(" and each iteration multiplies the error by {contraction:.3}");
        let is_accelerated = matches!(self.config.acceleration, Acceleration::IqnIls { .. });
        StepError::NotConverged {
            time: self.clock.now,
            size: h,
            iterations,
            interface: joint.map_or_else(String::new, |joint| joint.name.clone()),
            subsystem: side.map_or_else(String::new, |side| side.label.clone()),
            residual,
            contraction: if contraction.is_finite() { text } else { String::new() },
            remedy: match (is_accelerated, contraction < SLOW) {
                (_, true) => "allow more max_iterations, or use scheme = \"condensed\"",
                (true, _) => "use scheme = \"condensed\", a smaller step, or allow max_halvings",
                (false, _) => {
                    "use scheme = \"condensed\" or acceleration = \"iqn-ils\", a smaller step, or allow max_halvings"
                }
            },
        }
    }
}
