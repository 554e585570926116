//! Quadratic drag.

use cosimo_subsystem::PortSpec;
use serde::Serialize;

use super::law::{ForceLaw, LawDerivatives, LawInstant};

/// Drag in a medium at rest, `λ = −c |v| v`, on a port `body` of one or three coordinates.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuadraticDrag {
    /// `c = ½ ρ c_d A` (kg/m), not negative.
    pub coefficient: f64,
    /// Number of coordinates, 1 or 3.
    #[serde(rename = "coordinates")]
    pub size: usize,
}

impl ForceLaw for QuadraticDrag {
    fn ports(&self) -> Vec<PortSpec> {
        vec![PortSpec::new("body", self.size)]
    }

    fn loads(&self, at: &LawInstant<'_>, out: &mut [f64]) {
        let speed = speed(at.velocities);
        for (load, v) in out.iter_mut().zip(at.velocities) {
            *load = -self.coefficient * speed * v;
        }
    }

    /// `∂λ/∂v = −c (|v| I + v vᵀ / |v|)`.
    fn derivatives(&self, at: &LawInstant<'_>, out: &mut LawDerivatives) {
        let (v, speed) = (at.velocities, speed(at.velocities));
        for i in 0..self.size {
            for j in 0..self.size {
                let along = if speed > 0.0 { v[i] * v[j] / speed } else { 0.0 };
                let isotropic = if i == j { speed } else { 0.0 };
                out.load_velocity[(i, j)] = -self.coefficient * (isotropic + along);
            }
        }
    }
}

fn speed(velocities: &[f64]) -> f64 {
    velocities.iter().map(|v| v * v).sum::<f64>().sqrt()
}
