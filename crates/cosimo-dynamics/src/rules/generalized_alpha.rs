//! The generalized-α family: generalized-α, HHT, Newmark.

use super::algorithmic::{Algorithmic, AlgorithmicWeights};
use super::formula::{EndWeights, PositionUpdate, Prediction, StepFormula};
use super::parameters::GeneralizedAlphaParameters;
use super::ranges::{check_spectral_radius, within};
use super::state_point::StatePoint;
use super::step_rule::StepRule;
use crate::{Coordinates, LoadQuadrature, SystemError};

/// The generalized-α family of rules.
///
/// The unknown `u` is the acceleration that satisfies the equations of motion at the end of the step; the rule
/// integrates an algorithmic acceleration `a` that follows it:
///
/// ```text
///   (1 − αm) a₁ + αm a₀ = (1 − αf) u + αf u₀
///   v₁ = v₀ + h [(1 − γ) a₀ + γ a₁]        q₁ = q₀ ∘ exp(h v₀ + h² [(½ − β) a₀ + β a₁])
///
///   generalized-α   αm = (2ρ − 1)/(ρ + 1)   αf = ρ/(ρ + 1)   γ = ½ + αf − αm   β = (γ + ½)²/4
///   HHT             αm = 0                  αf = −α          γ = ½ − α         β = (γ + ½)²/4
///   Newmark         αm = 0                  αf = 0
/// ```
///
/// so that with `κ = (1 − αf)/(1 − αm)` and `a* = (αf u₀ − αm a₀)/(1 − αm)` the step is one implicit stage,
/// `a₁ = a* + κ u`, `d_v = κ γ h`, `d_q = κ β h²`. Both accelerations are equal at the start and after a jump. How `a` passes from
/// steps of one size to steps of another: [`Algorithmic`].
///
/// Reference: J. Chung, G. M. Hulbert, *A time integration algorithm for structural dynamics with improved
/// numerical dissipation: the generalized-α method*, J. Appl. Mech. 60, 1993; the form with two accelerations:
/// M. Arnold, O. Brüls, *Convergence of the generalized-α scheme for constrained mechanical systems*, Multibody
/// Syst. Dyn. 18, 2007; with rotations: O. Brüls, A. Cardona, M. Arnold, *Lie group generalized-α time integration of constrained
/// flexible multibody systems*, Mech. Mach. Theory 48, 2012; with jumps: V. Acary, *The nonsmooth dynamics framework*, 2019, eqs. 80
/// and 101 to 116; Q.-Z. Chen, V. Acary, G. Virlez, O. Brüls, Int. J. Numer. Meth. Engng 96, 2013.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneralizedAlpha {
    member: Member,
    parameters: GeneralizedAlphaParameters,
    weights: AlgorithmicWeights,
    algorithmic: Algorithmic,
}

/// Which rule of the family it is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Member {
    GeneralizedAlpha(f64),
    Hht(f64),
    Newmark(f64),
    Other,
}

impl GeneralizedAlpha {
    fn of(member: Member, parameters: GeneralizedAlphaParameters) -> Self {
        let weights = AlgorithmicWeights::new(&parameters);
        Self { member, parameters, weights, algorithmic: Algorithmic::default() }
    }

    /// The rule of order two with this spectral radius at infinite frequency, in \[0, 1\].
    ///
    /// # Errors
    /// [`SystemError::OutOfRange`] otherwise.
    pub fn new(rho: f64) -> Result<Self, SystemError> {
        check_spectral_radius(rho)?;
        Ok(Self::of(Member::GeneralizedAlpha(rho), GeneralizedAlphaParameters::generalized_alpha(rho)))
    }

    /// The rule of Hilber, Hughes and Taylor with `α` in \[−1/3, 0\]: of order two, with the spectral radius `(1 + α)/(1 − α)` at
    /// infinity.
    ///
    /// # Errors
    /// [`SystemError::OutOfRange`] otherwise.
    pub fn hht(alpha: f64) -> Result<Self, SystemError> {
        within("alpha of the HHT rule", alpha, (-1.0 / 3.0, 0.0), "in [-1/3, 0]")?;
        Ok(Self::of(Member::Hht(alpha), GeneralizedAlphaParameters::hht(alpha)))
    }

    /// Newmark's rule with `β = (γ + ½)²/4` and `γ` in \[½, 1\]: of order two for ½, else one.
    ///
    /// # Errors
    /// [`SystemError::OutOfRange`] otherwise.
    pub fn newmark(gamma: f64) -> Result<Self, SystemError> {
        within("gamma of Newmark's rule", gamma, (0.5, 1.0), "in [1/2, 1]")?;
        Ok(Self::of(Member::Newmark(gamma), GeneralizedAlphaParameters::newmark(gamma)))
    }

    /// Its parameters.
    #[must_use]
    pub fn parameters(&self) -> &GeneralizedAlphaParameters {
        &self.parameters
    }

    /// The weights of its algorithmic acceleration.
    #[must_use]
    pub fn weights(&self) -> &AlgorithmicWeights {
        &self.weights
    }

    /// The member of the family with these parameters, whatever they are.
    #[must_use]
    pub fn with_parameters(parameters: GeneralizedAlphaParameters) -> Self {
        Self::of(Member::Other, parameters)
    }
}

impl StepRule for GeneralizedAlpha {
    fn name(&self) -> &'static str {
        match self.member {
            Member::GeneralizedAlpha(_) | Member::Other => "generalized-alpha",
            Member::Hht(_) => "hht",
            Member::Newmark(_) => "newmark",
        }
    }

    fn label(&self) -> String {
        match self.member {
            Member::GeneralizedAlpha(x) | Member::Hht(x) | Member::Newmark(x) => {
                format!("{} {x}", self.name())
            }
            Member::Other => {
                let GeneralizedAlphaParameters { alpha_m, alpha_f, beta, gamma } = self.parameters;
                format!("{} {alpha_m} {alpha_f} {beta} {gamma}", self.name())
            }
        }
    }

    fn formula(&self, h: f64) -> StepFormula {
        let (GeneralizedAlphaParameters { beta, gamma, .. }, kappa) = (self.parameters, self.weights.kappa);
        let end = EndWeights { velocity: kappa * gamma * h, position: kappa * beta * h * h };
        StepFormula::at_end(h, end, PositionUpdate::Acceleration)
    }

    fn predict(&mut self, h: f64, start: StatePoint<'_>, _coordinates: &Coordinates, out: &mut Prediction) {
        let ([share_u, share_a], n) = (self.weights.known, start.a.len());
        let (v, u) = (&start.motion.v[..n], &start.a[..n]);
        let (velocity, increment) = (&mut out.velocity[..n], &mut out.increment[..n]);
        let passage = self.algorithmic.passage(&self.weights, h);
        for (i, a) in self.algorithmic.at_start(passage, u).enumerate() {
            let ends = [a, share_u * u[i] + share_a * a];
            velocity[i] = v[i] + h * self.parameters.velocity_sum(ends);
            increment[i] = h * (v[i] + h * self.parameters.position_sum(ends));
        }
    }

    fn quadrature(&self, h: f64) -> LoadQuadrature {
        self.algorithmic.quadrature(&self.weights, self.parameters.gamma, h)
    }

    fn accept(&mut self, h: f64, start: StatePoint<'_>, end: &[f64], jumped: bool) {
        self.algorithmic.accept(&self.weights, h, [start.a, end], jumped);
    }

    fn restart(&mut self, coordinates: &Coordinates) {
        self.algorithmic.restart(coordinates.velocities());
    }

    fn needs_acceleration(&self) -> bool {
        !self.algorithmic.is_started()
    }

    fn algorithmic(&self) -> Option<&Algorithmic> {
        Some(&self.algorithmic)
    }

    fn save(&self, out: &mut Vec<f64>) {
        self.algorithmic.save(out);
    }

    fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        self.algorithmic.restore(saved)
    }
}
