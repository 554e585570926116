//! The half-implicit rule with stabilised contacts.

use cosimo_dynamics::rules::{EndWeights, Prediction, StageFractions};
use cosimo_dynamics::{Coordinates, StatePoint, StepFormula, StepRule};

/// The half-implicit Euler rule,
///
/// ```text
///   M (v₁ − v₀) = h f(t₀, q₀, v₀) − Φᵀ h μ + Gᵀ P        q₁ = q₀ + h v₁
///   φ₀/h + Φ v₁ + ∂φ/∂t = 0                              0 ≤ P_N ⟂ max(g₀/h, −c) + U_N ≥ 0,  Coulomb's law on U_T
/// ```
///
/// with matrices of the start; `c` is the speed at which overlaps are corrected at most. Source: D. Negrut, R. Serban, A. Tasora, J.
/// Comput. Nonlinear Dynam. 13, 2018, eqs. 5 and 7. There the friction is associated, which gives a contact that slides the normal
/// velocity `μ ‖U_T‖`: a body that begins to slide is thrown up. Coulomb's law is solved here instead.
#[derive(Debug)]
pub(crate) struct HalfImplicitEuler;

impl StepRule for HalfImplicitEuler {
    fn name(&self) -> &'static str {
        "half-implicit-euler"
    }

    fn formula(&self, h: f64) -> StepFormula {
        StepFormula {
            stage: StageFractions::even(0.0),
            end: EndWeights { velocity: h, position: h * h },
            jump: EndWeights { velocity: 1.0, position: h },
            ..StepFormula::default()
        }
    }

    fn predict(&mut self, h: f64, start: StatePoint<'_>, _coordinates: &Coordinates, out: &mut Prediction) {
        out.coast(h, start);
    }
}
