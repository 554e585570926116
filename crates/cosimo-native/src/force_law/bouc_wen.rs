//! Hysteresis after Bouc and Wen.

use cosimo_subsystem::PortSpec;
use serde::Serialize;

use super::law::{ForceLaw, LawDerivatives, LawInstant};
use super::spring_damper::{count_ends, set_pair, two_ends};

/// The hysteretic spring of Bouc (1967) and Wen (1976) between two ports of one coordinate each, with elongation
/// `x = z_a − z_b`:
///
/// ```text
///   F = α k x + (1 − α) k s + d ẋ        ṡ = A ẋ − β |ẋ| |s|ⁿ⁻¹ s − γ ẋ |s|ⁿ
/// ```
///
/// `−F` acts on the body at port `a`, `+F` on that at port `b`. `s` (m) is the hysteretic elongation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoucWen {
    /// `k` (N/m), the initial stiffness.
    pub stiffness: f64,
    /// `α` (–), in \[0, 1\]: stiffness after yield over that before.
    pub hardening: f64,
    /// `d` (N s/m).
    pub damping: f64,
    /// `A` (–).
    pub amplitude: f64,
    /// `β` (m⁻ⁿ).
    pub beta: f64,
    /// `γ` (m⁻ⁿ).
    pub gamma: f64,
    /// `n` (–), at least 1.
    pub exponent: f64,
    /// Whether there is a port `b`; without it the other end is fixed at zero.
    #[serde(rename = "ends", serialize_with = "count_ends")]
    pub has_other_end: bool,
}

/// Difference of the two ends.
fn difference(x: &[f64]) -> f64 {
    x[0] - x.get(1).copied().unwrap_or(0.0)
}

impl ForceLaw for BoucWen {
    fn ports(&self) -> Vec<PortSpec> {
        two_ends(self.has_other_end)
    }

    fn states(&self) -> Vec<(&'static str, &'static str)> {
        vec![("hysteretic_elongation", "m")]
    }

    fn loads(&self, at: &LawInstant<'_>, out: &mut [f64]) {
        let elastic = self.hardening * difference(at.positions) + (1.0 - self.hardening) * at.states[0];
        set_pair(self.stiffness * elastic + self.damping * difference(at.velocities), out);
    }

    fn rates(&self, at: &LawInstant<'_>, out: &mut [f64]) {
        let (s, rate) = (at.states[0], difference(at.velocities));
        let power = s.abs().powf(self.exponent - 1.0);
        out[0] =
            self.amplitude * rate - self.beta * rate.abs() * power * s - self.gamma * rate * power * s.abs();
    }

    fn derivatives(&self, at: &LawInstant<'_>, out: &mut LawDerivatives) {
        let (s, rate, n) = (at.states[0], difference(at.velocities), self.exponent);
        let power = s.abs().powf(n - 1.0);
        let sign_of = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
        let (elastic, hysteretic) =
            (self.hardening * self.stiffness, (1.0 - self.hardening) * self.stiffness);
        let by_rate = self.amplitude - self.beta * sign_of(rate) * power * s - self.gamma * power * s.abs();
        out.rate_state[(0, 0)] = -n * power * (self.beta * rate.abs() + self.gamma * rate * sign_of(s));
        for i in 0..out.load_position.nrows() {
            let of_load = if i == 0 { -1.0 } else { 1.0 };
            out.load_state[(i, 0)] = of_load * hysteretic;
            for j in 0..out.load_position.ncols() {
                let of_end = if j == 0 { 1.0 } else { -1.0 };
                out.load_position[(i, j)] = of_load * of_end * elastic;
                out.load_velocity[(i, j)] = of_load * of_end * self.damping;
                out.rate_velocity[(0, j)] = of_end * by_rate;
            }
        }
    }

    /// Energy of the two springs, `½ α k x² + ½ (1 − α) k s²/A`; what the loop takes beyond it is dissipated.
    fn energy(&self, at: &LawInstant<'_>) -> f64 {
        let (x, s) = (difference(at.positions), at.states[0]);
        let hysteretic = if self.amplitude > 0.0 { s * s / self.amplitude } else { 0.0 };
        0.5 * self.stiffness * (self.hardening * x * x + (1.0 - self.hardening) * hysteretic)
    }
}
