//! A linear spring and damper between two ports.

use cosimo_subsystem::PortSpec;
use serde::{Serialize, Serializer};

use super::law::{ForceLaw, LawDerivatives, LawInstant};

/// `F = k (z_a − z_b − l₀) + d (ż_a − ż_b)`, with `−F` on the body at port `a` and `+F` on that at port `b`; one coordinate
/// each. As a law behind load ports it is what a compliant interface is inside the master.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpringDamper {
    /// `k` (N/m).
    pub stiffness: f64,
    /// `d` (N s/m).
    pub damping: f64,
    /// `l₀` (m).
    pub rest: f64,
    /// Whether there is a port `b`; without it the other end is fixed at zero.
    #[serde(rename = "ends", serialize_with = "count_ends")]
    pub has_other_end: bool,
}

impl SpringDamper {
    fn force(&self, at: &LawInstant<'_>) -> f64 {
        let difference = |x: &[f64]| x[0] - x.get(1).copied().unwrap_or(0.0);
        self.stiffness * (difference(at.positions) - self.rest) + self.damping * difference(at.velocities)
    }
}

impl ForceLaw for SpringDamper {
    fn ports(&self) -> Vec<PortSpec> {
        two_ends(self.has_other_end)
    }

    fn loads(&self, at: &LawInstant<'_>, out: &mut [f64]) {
        set_pair(self.force(at), out);
    }

    fn derivatives(&self, _at: &LawInstant<'_>, out: &mut LawDerivatives) {
        for i in 0..out.load_position.nrows() {
            for j in 0..out.load_position.ncols() {
                let sign = if i == j { -1.0 } else { 1.0 };
                out.load_position[(i, j)] = sign * self.stiffness;
                out.load_velocity[(i, j)] = sign * self.damping;
            }
        }
    }

    fn energy(&self, at: &LawInstant<'_>) -> f64 {
        let elongation = at.positions[0] - at.positions.get(1).copied().unwrap_or(0.0) - self.rest;
        0.5 * self.stiffness * elongation * elongation
    }

    fn is_affine(&self) -> bool {
        true
    }
}

/// Writes whether a law has another end as the number of its ends.
pub(super) fn count_ends<S: Serializer>(has_other_end: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(1 + u32::from(*has_other_end))
}

/// Ports `a` and, if there is another end, `b`.
pub(super) fn two_ends(has_other_end: bool) -> Vec<PortSpec> {
    let names: &[&str] = if has_other_end { &["a", "b"] } else { &["a"] };
    names.iter().map(|name| PortSpec::new(*name, 1)).collect()
}

/// `−F` on the body at `a`, `+F` on the one at `b`.
pub(super) fn set_pair(force: f64, out: &mut [f64]) {
    out.iter_mut().zip([-force, force]).for_each(|(load, force)| *load = force);
}
