//! The variant of the θ rule that always dissipates.

use cosimo_dynamics::rules::{EndWeights, Prediction, StageFractions};
use cosimo_dynamics::{Collocation, Coordinates, StatePoint, StepFormula, StepRule};

/// The variant
///
/// ```text
///   M (v₁ − v₀) = h f(t_θ, q_θ, v_½) + Gᵀ P        q₁ = q₀ + h v_½        q_θ = (1 − θ) q₀ + θ q₁
/// ```
///
/// Source: V. Acary, *The nonsmooth dynamics framework*, 2019, eq. 96; damping forces are taken at the mean velocity.
#[derive(Debug)]
pub(crate) struct DissipativeTheta(pub(crate) f64);

impl StepRule for DissipativeTheta {
    fn name(&self) -> &'static str {
        "dissipative-moreau-jean"
    }

    fn collocation(&self) -> Collocation {
        Collocation::Mean
    }

    fn formula(&self, h: f64) -> StepFormula {
        StepFormula {
            stage: StageFractions { time: self.0, velocity: 0.5, position: self.0 },
            end: EndWeights { velocity: h, position: 0.5 * h * h },
            jump: EndWeights { velocity: 1.0, position: 0.5 * h },
            ..StepFormula::default()
        }
    }

    fn predict(&mut self, h: f64, start: StatePoint<'_>, _coordinates: &Coordinates, out: &mut Prediction) {
        out.coast(h, start);
    }
}
