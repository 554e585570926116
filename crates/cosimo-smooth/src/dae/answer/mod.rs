//! How the end of a step answers to small forces.

mod columns;
mod corrections;
mod derivation;
mod differences;
mod matrices;
mod residual;

use nalgebra::DMatrix;

use super::error::DaeError;
use super::kkt::Kkt;
use super::solved::Solved;
use derivation::Derivation;

/// Forces that are answered together, from [`FEWEST`] on: as many as the registers of a processor hold.
const TOGETHER: usize = 8;

/// Forces below which those that are missing cost more than they spare.
const FEWEST: usize = 3;

/// The derivative of the end of a step by generalised forces `f` that act on the balance of forces, for `r` directions of
/// `f` at once.
///
/// With the equations `R(x) = 0` of a step and the factors `B ≈ ∂R/∂x` that Newton's method solved them with,
///
/// ```text
///   δx ← δx + B⁻¹ (δf − ∂R/∂x δx)
/// ```
///
/// with the exact `∂R/∂x`, projections of the formulation and stiffness of all reactions included, gives the exact
/// derivative however old the factors are. It contracts as Newton's method does.
#[derive(Debug)]
pub struct StepAnswer {
    /// `δq`, increments about the end.
    position: DMatrix<f64>,
    velocity: DMatrix<f64>,
    derivation: Lanes,
}

/// Forces one by one, or several together.
#[derive(Debug)]
enum Lanes {
    One(Box<Derivation<1>>),
    Several(Box<Derivation<TOGETHER>>),
}

impl StepAnswer {
    /// Room for the answers of a system to `r` forces.
    #[must_use]
    pub fn new(system: &dyn cosimo_dynamics::ConstrainedSystem, r: usize) -> Self {
        let structure = system.structure();
        let n = structure.velocities();
        let derivation = if r < FEWEST {
            Lanes::One(Box::new(Derivation::new(structure, r)))
        } else {
            Lanes::Several(Box::new(Derivation::new(structure, r)))
        };
        Self { position: DMatrix::zeros(n, r), velocity: DMatrix::zeros(n, r), derivation }
    }

    /// Increments of the end position for unit forces, `n × r`.
    #[must_use]
    pub fn position(&self) -> &DMatrix<f64> {
        &self.position
    }

    /// Change of the end velocity for unit forces, `n × r`.
    #[must_use]
    pub fn velocity(&self) -> &DMatrix<f64> {
        &self.velocity
    }

    /// Derives a solved step by the columns of `forces`, `n × r`.
    pub(super) fn derive(
        &mut self,
        solved: &Solved<'_>,
        kkt: &mut Kkt,
        forces: &DMatrix<f64>,
    ) -> Result<(), DaeError> {
        if forces.is_empty() {
            return Ok(());
        }
        let out = [&mut self.position, &mut self.velocity];
        match &mut self.derivation {
            Lanes::One(derivation) => derivation.derive(solved, kkt, forces, out),
            Lanes::Several(derivation) => derivation.derive(solved, kkt, forces, out),
        }
    }
}
