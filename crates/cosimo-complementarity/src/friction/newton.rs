//! Semismooth Newton method on Alart's and Curnier's function, with line search.

use std::collections::VecDeque;

use nalgebra::{SMatrix, SVector};

use super::delassus::{of_contact, set_contact};
use super::problem::{check_length, check_tolerance};
use super::scaled::ScaledMatrix;
use super::{
    FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem, FrictionStatus, Scaled, ScaledSystem,
};

/// Share of the decrease of `‖Φ‖` along the direction that a step must bring.
const SUFFICIENT: f64 = 1e-4;
/// Halvings of a step before it is given up.
const MAX_HALVINGS: usize = 8;
/// Points whose largest `‖Φ‖` a step has to stay below: a contact that changes its state may make it grow for once.
const MEMORY: usize = 6;
/// Proximal term on `Δr`, in units of the mean diagonal of `W`: the least, the largest, by how much it grows after a step
/// that fails, and shrinks after one that does not.
const PROXIMAL: f64 = 1e-10;
const LARGEST_PROXIMAL: f64 = 1.0;
const HOLD: f64 = 1e3;
const EASE: f64 = 10.0;

/// Settings of the Alart-Curnier method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlartCurnierConfig {
    /// Residual to be met (–), positive. Default: 1e-8.
    pub tolerance: f64,
    /// Newton steps, a factorisation each, after which it gives up. Default: 100.
    pub max_steps: usize,
}

impl Default for AlartCurnierConfig {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_steps: 100 }
    }
}

/// Newton's method on `Φ(r) = 0`, contact by contact with `a = r − ρ u`:
///
/// ```text
///   Φ_N = r_N − max(0, a_N)        Φ_T = r_T − P( a_T onto the disc of radius μ max(0, a_N) )
/// ```
///
/// Each step solves with one of the linear problems that `Φ` is made of, open, sticking or sliding contacts, and is
/// halved until `‖Φ‖` falls below the largest of the last six. Quadratic near solutions whose impulses are unique; far from them it may stall, which is
/// told. The impulses to begin with should be those of the step before, or of some sweeps.
///
/// Reference: P. Alart, A. Curnier, *A mixed formulation for frictional contact problems prone to Newton like solution
/// methods*, Comput. Methods Appl. Mech. Engrg. 92 (1991) 353–375.
#[derive(Debug, Clone, Copy)]
pub struct AlartCurnier {
    config: AlartCurnierConfig,
}

impl AlartCurnier {
    /// A solver with these settings.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: AlartCurnierConfig) -> Result<Self, FrictionError> {
        check_tolerance(config.tolerance)?;
        Ok(Self { config })
    }

    /// Solves for the impulses `r`, which hold the first guess and then the best found.
    ///
    /// # Errors
    /// `r` has another length, or the law is not Coulomb's.
    pub fn solve<const D: usize>(
        &self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        if problem.law != FrictionLaw::Coulomb {
            return Err(FrictionError::Law { solver: "the Alart-Curnier method", law: "Coulomb's" });
        }
        check_length("r", r, problem.offset.len())?;
        let residual = problem.residual(r);
        let mut outcome = FrictionOutcome { status: FrictionStatus::IterationLimit, iterations: 0, residual };
        let mut system = ScaledMatrix::new(problem.delassus.to_blocks());
        let mut point = Point::new(problem, r);
        while outcome.residual > self.config.tolerance && outcome.iterations < self.config.max_steps {
            outcome.iterations += 1;
            if !point.step(&mut system) {
                outcome.status = FrictionStatus::Stalled;
                break;
            }
            let residual = problem.residual(&point.r);
            if residual < outcome.residual {
                outcome.residual = residual;
                r.copy_from_slice(&point.r);
            }
        }
        if outcome.residual <= self.config.tolerance {
            outcome.status = FrictionStatus::Solved;
        }
        Ok(outcome)
    }
}

/// The impulses at hand.
struct Point<'a, const D: usize> {
    problem: &'a FrictionProblem<'a, D>,
    r: Vec<f64>,
    trail: Vec<f64>,
    /// `ρ` of each contact (kg).
    weights: Vec<f64>,
    scaled: Vec<Scaled<D>>,
    phi: Vec<f64>,
    trial: Vec<f64>,
    /// `‖Φ‖` of the last points, which a step has to stay below.
    sizes: VecDeque<f64>,
    proximal: f64,
}

impl<'a, const D: usize> Point<'a, D> {
    fn new(problem: &'a FrictionProblem<'a, D>, r: &[f64]) -> Self {
        let weight = |i: usize| D as f64 / problem.delassus.block(i).trace();
        Self {
            problem,
            r: r.to_vec(),
            trail: vec![0.0; problem.delassus.trail()],
            weights: (0..problem.contacts()).map(weight).collect(),
            scaled: Vec::with_capacity(problem.contacts()),
            phi: vec![0.0; r.len()],
            trial: vec![0.0; r.len()],
            sizes: VecDeque::new(),
            proximal: PROXIMAL,
        }
    }

    /// A Newton step, held back the more the less it succeeds; false where no share of it makes `‖Φ‖` smaller.
    fn step(&mut self, system: &mut ScaledMatrix<D>) -> bool {
        let size = self.evaluate(true);
        if self.sizes.len() == MEMORY {
            self.sizes.pop_front();
        }
        self.sizes.push_back(size);
        let allowed = self.sizes.iter().fold(0.0_f64, |largest, size| largest.max(*size));
        while self.proximal <= LARGEST_PROXIMAL {
            if self.try_step(system, allowed) {
                self.proximal = (self.proximal / EASE).max(PROXIMAL);
                return true;
            }
            self.proximal *= HOLD;
            self.evaluate(true);
        }
        false
    }

    /// A step of the linear problem at hand, halved until `‖Φ‖` is below what is allowed; else the point stays.
    fn try_step(&mut self, system: &mut ScaledMatrix<D>, allowed: f64) -> bool {
        let proximal = self.proximal * self.problem.diagonal_scale();
        for (scaled, weight) in self.scaled.iter_mut().zip(&self.weights) {
            // `block` holds P.
            let slope = scaled.block;
            scaled.left = slope * *weight;
            scaled.block = SMatrix::identity() - slope + slope * (*weight * proximal);
        }
        if system.factorize(&self.scaled).is_err() {
            return false;
        }
        let mut direction: Vec<f64> = self.phi.iter().map(|phi| -phi).collect();
        system.solve(&mut direction);
        let from = self.r.clone();
        let mut length = 1.0;
        for _ in 0..MAX_HALVINGS {
            self.r.iter_mut().zip(&from).zip(&direction).for_each(|((r, from), d)| *r = from + length * d);
            if self.evaluate(false) <= (1.0 - SUFFICIENT * length) * allowed {
                return true;
            }
            length *= 0.5;
        }
        self.r.copy_from_slice(&from);
        false
    }

    /// Writes `Φ` and gives its norm; with its slopes, `dΦ = dr − P (dr − ρ du)`, where they are asked for.
    fn evaluate(&mut self, with_slopes: bool) -> f64 {
        let problem = self.problem;
        problem.delassus.start(&self.r, &mut self.trail);
        self.scaled.clear();
        for (i, weight) in self.weights.iter().enumerate() {
            let r = of_contact::<D>(&self.r, i);
            let moved = r - problem.velocity(i, &self.r, &self.trail) * *weight;
            let (image, slope) = project(problem.friction[i], &moved);
            set_contact(&mut self.trial, i, &image);
            if with_slopes {
                self.scaled.push(Scaled { left: slope, right: SMatrix::identity(), block: slope });
            }
        }
        let mut square = 0.0;
        for ((phi, r), image) in self.phi.iter_mut().zip(&self.r).zip(&self.trial) {
            *phi = r - image;
            square += *phi * *phi;
        }
        square.sqrt()
    }
}

/// Alart's and Curnier's projection, and its derivative.
fn project<const D: usize>(friction: f64, a: &SVector<f64, D>) -> (SVector<f64, D>, SMatrix<f64, D, D>) {
    let (mut image, mut slope) = (SVector::zeros(), SMatrix::zeros());
    if a[0] <= 0.0 {
        return (image, slope);
    }
    let radius = friction * a[0];
    let length = super::cone::tangential_norm(a);
    if length <= radius {
        return (*a, SMatrix::identity());
    }
    (image[0], slope[(0, 0)]) = (a[0], 1.0);
    for k in 1..D {
        let along = a[k] / length;
        image[k] = radius * along;
        slope[(k, 0)] = friction * along;
        for l in 1..D {
            let same = if k == l { 1.0 } else { 0.0 };
            slope[(k, l)] = radius / length * (same - along * a[l] / length);
        }
    }
    (image, slope)
}
