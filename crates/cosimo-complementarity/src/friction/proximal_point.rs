//! Implicit steps in pseudo-time, each by Newton's method.

use nalgebra::{SMatrix, SVector};

use super::by_contact::{of_contact, set_contact};
use super::cone::project_onto_cone;
use super::method::{Best, Method, Pursuit, Step, check, solve_by};
use super::newton::project;
use super::refined::Refined;
use super::{
    FrictionConfig, FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem, Scaled, ScaledSystem,
};

/// Factorisations after which it gives up.
const FACTORIZATIONS: usize = 4000;

/// Proximal term `ε` at first, the least, and the largest, at which it gives up.
const FIRST: f64 = 1e-2;
const SMALLEST: f64 = 1e-9;
const LARGEST: f64 = 10.0;
/// By how much it grows after a step that fails, and shrinks after one that does not.
const HOLD: f64 = 10.0;
const EASE: f64 = 2.0;
/// Newton iterations of a step, and what they are to leave of `Φ`.
const CORRECTIONS: usize = 8;
const LEFT: f64 = 0.3;
/// Growth of `Φ` at which a step fails: by the first iteration, and by any other.
const LOST: f64 = 1e3;
const GROWTH: f64 = 1.5;

/// Problems with a proximal term in turn, each around the solution of the last:
///
/// ```text
///   u = W r⁺ + q + ε ω (r⁺ − r)        r⁺ and u by Coulomb's law
/// ```
///
/// with the mean diagonal `ω` of the contact's block: implicit steps, `1/ε` long, of the same motion in pseudo-time that
/// sweeps follow explicitly. Where the contacts as they stand cannot carry the load the impulses drift, at a residual that
/// does not fall, until one of them opens, sticks or slides; sweeps take tens of thousands for that, and what makes the
/// residual smaller stays where it is. A step of Newton's method in full takes as much of the drift as leads to the same side
/// of such a change; where it fails, `ε` grows, and after a step it shrinks. No step has to make the residual smaller.
///
/// References: R. T. Rockafellar, *Monotone operators and the proximal point algorithm*, SIAM J. Control Optim. 14 (1976)
/// 877–898 (for the associated law, where it always converges); C. T. Kelley, D. E. Keyes, *Convergence analysis of
/// pseudo-transient continuation*, SIAM J. Numer. Anal. 35 (1998).
///
/// ```
/// use cosimo_complementarity::friction::{BlockMatrix, FrictionConfig, FrictionProblem, ProximalPoint};
/// use nalgebra::DMatrix;
/// let mass = BlockMatrix::<3>::from_dense(&DMatrix::identity(3, 3))?;
/// let (offset, friction) = ([-1.0, 2.0, 0.0], [0.5]);
/// let problem = FrictionProblem::new(&mass, &offset, &friction)?;
/// let mut r = [0.0; 3];
/// assert!(ProximalPoint::new(FrictionConfig::default())?.solve(&problem, &mut r)?.is_solved());
/// assert!((r[0] - 1.0_f64).abs() < 1e-7 && (r[1] + 0.5_f64).abs() < 1e-7); // it slides
/// # Ok::<(), cosimo_complementarity::friction::FrictionError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ProximalPoint {
    config: FrictionConfig,
}

impl ProximalPoint {
    /// A solver with these settings; iterations are factorisations, 4000 by default.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: FrictionConfig) -> Result<Self, FrictionError> {
        Ok(Self { config: config.checked()? })
    }

    /// Solves for the impulses `r`, which hold the first guess, then the best found, in their cones. Iterations are
    /// factorisations.
    ///
    /// # Errors
    /// `r` has another length, or the law is not Coulomb's.
    pub fn solve<const D: usize>(
        &self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        check(("the proximal-point method", Some(FrictionLaw::Coulomb)), problem, r)?;
        let tolerance = self.config.tolerance;
        let pursuit = Self::pursuit(self.config, problem);
        let mut run = Run::new(problem, r);
        let residual = run.residual();
        r.copy_from_slice(&run.r);
        let best = Best { residual, r };
        let mut system = problem.delassus.scaled();
        solve_by((&mut run, system.as_mut()), problem, (tolerance, pursuit), best)
    }

    pub(super) fn pursuit<const D: usize>(
        config: FrictionConfig,
        problem: &FrictionProblem<'_, D>,
    ) -> Pursuit {
        Pursuit::new(config.limit(problem, FACTORIZATIONS), usize::MAX)
    }
}

/// The impulses at hand, with the storage of a step.
pub(super) struct Run<'a, const D: usize> {
    problem: &'a FrictionProblem<'a, D>,
    refined: Refined,
    scaled: Vec<Scaled<D>>,
    /// `1/ω` of each contact (kg).
    weights: Vec<f64>,
    /// Derivative of the projection of each contact.
    slopes: Vec<SMatrix<f64, D, D>>,
    /// Where the step begins, in the cones, and where it is to end.
    r: Vec<f64>,
    next: Vec<f64>,
    trail: Vec<f64>,
    proximal: f64,
    factorizations: usize,
}

impl<'a, const D: usize> Run<'a, D> {
    /// Begins at these impulses, put into their cones.
    pub(super) fn new(problem: &'a FrictionProblem<'a, D>, r: &[f64]) -> Self {
        let contacts = problem.contacts();
        let weight = |i: usize| D as f64 / problem.delassus.block(i).trace();
        let mut run = Self {
            problem,
            refined: Refined::new(problem),
            scaled: Vec::with_capacity(contacts),
            weights: (0..contacts).map(weight).collect(),
            slopes: vec![SMatrix::zeros(); contacts],
            r: vec![0.0; r.len()],
            next: r.to_vec(),
            trail: vec![0.0; problem.delassus.trail()],
            proximal: FIRST,
            factorizations: 0,
        };
        run.arrive();
        run
    }

    pub(super) fn residual(&mut self) -> f64 {
        self.problem.residual_in(&self.r, &mut self.trail)
    }

    /// Moves to the end of the step: the nearest impulses in the cones.
    fn arrive(&mut self) {
        for (i, friction) in self.problem.friction.iter().enumerate() {
            set_contact(&mut self.r, i, &project_onto_cone(*friction, &of_contact::<D>(&self.next, i)));
        }
    }

    /// A step in pseudo-time; false where Newton's method fails, and all stays as it was.
    fn advance(&mut self, system: &mut dyn ScaledSystem<D>) -> bool {
        self.next.copy_from_slice(&self.r);
        let start = self.evaluate();
        let mut allowed = LOST * start;
        for _ in 0..CORRECTIONS {
            if !self.correct(system) {
                return false;
            }
            let size = self.evaluate();
            if size <= LEFT * start {
                self.arrive();
                return true;
            }
            // What is no number fails too.
            if !(size <= allowed) {
                return false;
            }
            allowed = GROWTH * size;
        }
        false
    }

    /// Alart's and Curnier's function `Φ` of the step's end, with its slopes; gives its norm, as a velocity (m/s).
    fn evaluate(&mut self) -> f64 {
        let Self { problem, refined, weights, slopes, r, next, trail, .. } = self;
        problem.delassus.start(next, trail);
        let mut square = 0.0;
        for (i, weight) in weights.iter().enumerate() {
            let own = of_contact::<D>(next, i);
            let drift = (own - of_contact::<D>(r, i)) * self.proximal;
            let moved = own - drift - problem.velocity(i, next, trail) * *weight;
            let (image, slope) = project(problem.friction[i], &moved);
            slopes[i] = slope;
            let phi: SVector<f64, D> = own - image;
            set_contact(&mut refined.right_side, i, &-phi);
            square += phi.norm_squared() / (weight * weight);
        }
        square.sqrt()
    }

    /// Newton's step, `(1 − P + P (ω⁻¹ W + ε)) Δr = −Φ`; false where the matrix is singular.
    fn correct(&mut self, system: &mut dyn ScaledSystem<D>) -> bool {
        let Self { problem, refined, scaled, weights, slopes, next, .. } = self;
        self.factorizations += 1;
        scaled.clear();
        scaled.extend(slopes.iter().zip(&*weights).map(|(slope, weight)| Scaled {
            left: slope * *weight,
            right: SMatrix::identity(),
            block: SMatrix::identity() - slope * (1.0 - self.proximal),
        }));
        if system.factorize(scaled).is_err() {
            return false;
        }
        refined.solve(problem, scaled, system);
        next.iter_mut().zip(&refined.solution).for_each(|(next, change)| *next += change);
        true
    }
}

impl<const D: usize> Method<D> for Run<'_, D> {
    fn step(&mut self, system: &mut dyn ScaledSystem<D>) -> Result<Step, FrictionError> {
        let before = self.factorizations;
        let arrives = self.advance(system);
        self.proximal = if arrives { (self.proximal / EASE).max(SMALLEST) } else { HOLD * self.proximal };
        let residual = arrives.then(|| self.residual());
        let iterations = self.factorizations - before;
        Ok(Step { iterations, residual, goes_on: self.proximal <= LARGEST })
    }

    fn impulses(&self) -> &[f64] {
        &self.r
    }
}
