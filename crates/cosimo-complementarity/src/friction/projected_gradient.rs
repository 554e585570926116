//! Accelerated projected gradients for the associated law.

use super::by_contact::{of_contact, set_contact};
use super::cone::project_onto_cone;
use super::method::{Best, Method, NoSystem, Pursuit, Step, check, solve_by};
use super::{FrictionConfig, FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem, ScaledSystem};

/// Iterations, two products with `W` each, after which it gives up.
const ITERATIONS: usize = 10_000;

/// By how much the bound on the curvature is tried smaller after every iteration.
const RELAXED: f64 = 0.9;
/// Doublings of the bound in one iteration.
const MAX_DOUBLINGS: usize = 60;
/// Iterations from one look at the residual to the next.
const CHECK: usize = 10;

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
    config: FrictionConfig,
    trail: Vec<f64>,
    gradient: Vec<f64>,
    /// The impulses at hand, those ahead of them, and the next.
    r: Vec<f64>,
    ahead: Vec<f64>,
    next: Vec<f64>,
}

impl ProjectedGradient {
    /// A solver with these settings; iterations are two products with `W` each, 10 000 by default.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: FrictionConfig) -> Result<Self, FrictionError> {
        let (config, empty) = (config.checked()?, Vec::new);
        Ok(Self { config, trail: empty(), gradient: empty(), r: empty(), ahead: empty(), next: empty() })
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
        check(("the projected gradient method", Some(FrictionLaw::Associated)), problem, r)?;
        self.trail.resize(problem.delassus.trail(), 0.0);
        for buffer in [&mut self.gradient, &mut self.ahead, &mut self.next, &mut self.r] {
            buffer.clear();
            buffer.extend_from_slice(r);
        }
        let pursuit = Pursuit::new(self.config.limit(problem, ITERATIONS), usize::MAX);
        let (tolerance, residual) = (self.config.tolerance, problem.residual_in(r, &mut self.trail));
        let mut descent =
            Descent { solver: self, problem, bound: problem.diagonal_scale(), theta: 1.0, iterations: 0 };
        solve_by((&mut descent, &mut NoSystem), problem, (tolerance, pursuit), Best { residual, r })
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

/// Gradients of a problem.
struct Descent<'s, 'a, const D: usize> {
    solver: &'s mut ProjectedGradient,
    problem: &'a FrictionProblem<'a, D>,
    /// The bound on the curvature, `θ` of the acceleration, and iterations so far.
    bound: f64,
    theta: f64,
    iterations: usize,
}

impl<const D: usize> Method<D> for Descent<'_, '_, D> {
    fn step(&mut self, _system: &mut dyn ScaledSystem<D>) -> Result<Step, FrictionError> {
        self.iterations += 1;
        self.bound = RELAXED * self.solver.descend(self.problem, self.bound);
        let ProjectedGradient { trail, gradient, r, ahead, next, .. } = &mut *self.solver;
        // By how much the new point lies beyond the old one, and whether that is downhill.
        let uphill: f64 = gradient.iter().zip(&*next).zip(&*r).map(|((g, n), r)| g * (n - r)).sum();
        let theta = self.theta;
        let after = 0.5 * theta * ((theta * theta + 4.0).sqrt() - theta);
        let beta = if uphill > 0.0 { 0.0 } else { theta * (1.0 - theta) / (theta * theta + after) };
        self.theta = if uphill > 0.0 { 1.0 } else { after };
        for ((ahead, next), r) in ahead.iter_mut().zip(&*next).zip(r.iter_mut()) {
            *ahead = next + beta * (next - *r);
            *r = *next;
        }
        let residual = self.iterations.is_multiple_of(CHECK).then(|| self.problem.residual_in(r, trail));
        Ok(Step { iterations: 1, residual, goes_on: true })
    }

    fn impulses(&self) -> &[f64] {
        &self.solver.r
    }
}
