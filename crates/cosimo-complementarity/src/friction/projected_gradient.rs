//! Accelerated projected gradients for the associated law.

use super::by_contact::{of_contact, set_contact};
use super::cone::project_onto_cone;
use super::problem::{check_length, check_tolerance};
use super::{FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem, FrictionStatus};

/// By how much the bound on the curvature is tried smaller after every iteration.
const RELAXED: f64 = 0.9;
/// Doublings of the bound in one iteration.
const MAX_DOUBLINGS: usize = 60;
/// Iterations from one look at the residual to the next.
const CHECK: usize = 10;

/// Settings of the projected gradient method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProjectedGradientConfig {
    /// Residual to be met (–), positive. Default: 1e-6.
    pub tolerance: f64,
    /// Iterations, two products with `W` each, after which it gives up. Default: 10 000.
    pub max_iterations: usize,
}

impl Default for ProjectedGradientConfig {
    fn default() -> Self {
        Self { tolerance: 1e-6, max_iterations: 10_000 }
    }
}

/// Nesterov's accelerated projected gradients (APGD) on the convex problem that the associated law is,
///
/// ```text
///   min ½ rᵀ W r + rᵀ q,  r ∈ K:        r⁺ = P_K( y − (W y + q)/L ),   y⁺ = r⁺ + β (r⁺ − r)
/// ```
///
/// with `L` found by backtracking and `β` begun anew when it leads uphill. Products with `W` only: no matrix, no
/// factorisation. Low accuracy comes soon, high accuracy late.
///
/// Reference: H. Mazhar, T. Heyn, D. Negrut, A. Tasora, *Using Nesterov's method to accelerate multibody dynamics with
/// friction and contact*, ACM Trans. Graph. 34, 2015.
#[derive(Debug, Clone)]
pub struct ProjectedGradient {
    config: ProjectedGradientConfig,
    trail: Vec<f64>,
    gradient: Vec<f64>,
    ahead: Vec<f64>,
    next: Vec<f64>,
    best: Vec<f64>,
}

impl ProjectedGradient {
    /// A solver with these settings.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: ProjectedGradientConfig) -> Result<Self, FrictionError> {
        check_tolerance(config.tolerance)?;
        let empty = Vec::new;
        Ok(Self { config, trail: empty(), gradient: empty(), ahead: empty(), next: empty(), best: empty() })
    }

    /// Solves for the impulses `r`, which hold the first guess.
    ///
    /// # Errors
    /// `r` has another length, or the law is Coulomb's.
    pub fn solve<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        if problem.law != FrictionLaw::Associated {
            return Err(FrictionError::Law {
                solver: "the projected gradient method",
                law: "the associated",
            });
        }
        check_length("r", r, problem.offset.len())?;
        self.prepare(problem, r);
        let residual = problem.residual_in(r, &mut self.trail);
        let mut outcome = FrictionOutcome { status: FrictionStatus::IterationLimit, iterations: 0, residual };
        let (mut bound, mut theta) = (problem.diagonal_scale(), 1.0_f64);
        while outcome.residual > self.config.tolerance && outcome.iterations < self.config.max_iterations {
            outcome.iterations += 1;
            bound = self.descend(problem, bound);
            // By how much the new point lies beyond the old one, and whether that is downhill.
            let uphill: f64 =
                self.gradient.iter().zip(&self.next).zip(&*r).map(|((g, n), r)| g * (n - r)).sum();
            let after = 0.5 * theta * ((theta * theta + 4.0).sqrt() - theta);
            let beta = if uphill > 0.0 { 0.0 } else { theta * (1.0 - theta) / (theta * theta + after) };
            theta = if uphill > 0.0 { 1.0 } else { after };
            for ((ahead, next), r) in self.ahead.iter_mut().zip(&self.next).zip(r.iter_mut()) {
                *ahead = next + beta * (next - *r);
                *r = *next;
            }
            bound *= RELAXED;
            if outcome.iterations.is_multiple_of(CHECK) || outcome.iterations == self.config.max_iterations {
                let residual = problem.residual_in(r, &mut self.trail);
                if residual < outcome.residual {
                    outcome.residual = residual;
                    self.best.copy_from_slice(r);
                }
            }
        }
        r.copy_from_slice(&self.best);
        if outcome.residual <= self.config.tolerance {
            outcome.status = FrictionStatus::Solved;
        }
        Ok(outcome)
    }

    fn prepare<const D: usize>(&mut self, problem: &FrictionProblem<'_, D>, r: &[f64]) {
        self.trail.resize(problem.delassus.trail(), 0.0);
        for buffer in [&mut self.gradient, &mut self.ahead, &mut self.next, &mut self.best] {
            buffer.clear();
            buffer.extend_from_slice(r);
        }
    }

    /// A projected step from the point ahead, by a bound on the curvature along it that is doubled until it is one;
    /// gives that bound.
    fn descend<const D: usize>(&mut self, problem: &FrictionProblem<'_, D>, mut bound: f64) -> f64 {
        let delassus = problem.delassus;
        delassus.start(&self.ahead, &mut self.trail);
        for i in 0..problem.contacts() {
            set_contact(&mut self.gradient, i, &problem.velocity(i, &self.ahead, &self.trail));
        }
        for _ in 0..MAX_DOUBLINGS {
            for (i, friction) in problem.friction.iter().enumerate() {
                let moved = of_contact::<D>(&self.ahead, i) - of_contact::<D>(&self.gradient, i) / bound;
                set_contact(&mut self.next, i, &project_onto_cone(*friction, &moved));
            }
            // dᵀ W d of the step d, with the velocities of `next` at hand.
            delassus.start(&self.next, &mut self.trail);
            let (mut curvature, mut square) = (0.0, 0.0);
            for i in 0..problem.contacts() {
                let step = of_contact::<D>(&self.next, i) - of_contact::<D>(&self.ahead, i);
                let change =
                    problem.velocity(i, &self.next, &self.trail) - of_contact::<D>(&self.gradient, i);
                curvature += step.dot(&change);
                square += step.norm_squared();
            }
            if curvature <= bound * square {
                break;
            }
            bound *= 2.0;
        }
        bound
    }
}
