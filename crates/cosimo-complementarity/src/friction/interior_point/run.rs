//! The iterations of the interior-point method.

use nalgebra::{SMatrix, SVector};

use crate::friction::by_contact::{of_contact, set_contact};
use crate::friction::cone::tangential_norm;
use crate::friction::method::{Method, Step};
use crate::friction::refined::Refined;
use crate::friction::scaling::{Scaling, product, quotient};
use crate::friction::thresholds::REGULAR;
use crate::friction::{FrictionError, FrictionLaw, FrictionProblem, Scaled, ScaledSystem};

/// Share of the way to the boundary of the cones that a step goes.
const BACK_OFF: f64 = 0.995;
/// Normal impulses at the start, in units of those that stop contacts that are alone: the contacts of bodies that carry
/// others take more. From small impulses the way to large ones leads along the boundary of the cones.
const START: f64 = 100.0;
/// Steps shorter than this lead nowhere.
const SMALLEST_STEP: f64 = 1e-10;
/// Steps shorter than this are tried again with the sliding velocity as it is.
const SHORT: f64 = 0.3;
/// Proximal term on `Δr` where round-off asks for more than the least, at most.
const LARGEST_PROXIMAL: f64 = 1e-3;
/// In pseudo-time: the least proximal term of a step that was cut short, the largest, its growth until steps are long, and
/// the length of a step after which it is eased.
const FIRST_RAISED: f64 = 1e-8;
const LARGEST_RAISED: f64 = 1e-1;
const RAISE: f64 = 10.0;
const EASE: f64 = 3.0;
const LONG: f64 = 0.6;
/// In pseudo-time: what the equations may miss before products are held, in units of what the cones leave.
const MISSED: f64 = 20.0;

/// One contact at the point at hand.
#[derive(Debug, Clone, Copy)]
struct Contact<const D: usize> {
    /// `ũ`.
    velocity: SVector<f64, D>,
    scaling: Scaling<D>,
    /// `Qᵀ Z S⁻¹ G⁻¹` with the axes `Q` and `G = ∂(ũ − μ ‖ũ_T‖ N)/∂ũ`.
    left: SMatrix<f64, D, D>,
    /// `F = W r + q + μ ‖ũ_T‖ N − ũ`.
    excess: SVector<f64, D>,
    /// `g` with `Z⁻¹ Δx + Z Δy = g`.
    aim: SVector<f64, D>,
    /// `Z⁻¹ Δx` and `Z Δy`.
    impulse_change: SVector<f64, D>,
    velocity_change: SVector<f64, D>,
}

/// The point at hand, with the storage of a step.
pub(crate) struct Run<'a, const D: usize> {
    problem: &'a FrictionProblem<'a, D>,
    r: Vec<f64>,
    trail: Vec<f64>,
    contacts: Vec<Contact<D>>,
    scaled: Vec<Scaled<D>>,
    refined: Refined,
    proximal: f64,
    in_pseudo_time: bool,
}

impl<'a, const D: usize> Run<'a, D> {
    /// Begins in the middle of the cones, with impulses and velocities of the size of the data.
    pub(crate) fn new(problem: &'a FrictionProblem<'a, D>) -> Self {
        let speed = problem.offset.iter().fold(f64::MIN_POSITIVE, |m, q| m.max(q.abs()));
        let (mut impulse, mut velocity) = (SVector::<f64, D>::zeros(), SVector::<f64, D>::zeros());
        (impulse[0], velocity[0]) = (START * speed / problem.diagonal_scale(), speed);
        let contact = |friction: &f64| Contact {
            velocity,
            scaling: Scaling::new(*friction, &impulse, &velocity),
            left: SMatrix::zeros(),
            excess: SVector::zeros(),
            aim: SVector::zeros(),
            impulse_change: SVector::zeros(),
            velocity_change: SVector::zeros(),
        };
        let size = problem.offset.len();
        Self {
            problem,
            r: (0..size).map(|k| impulse[k % D]).collect(),
            trail: vec![0.0; problem.delassus.trail()],
            contacts: problem.friction.iter().map(contact).collect(),
            scaled: Vec::with_capacity(problem.contacts()),
            refined: Refined::new(problem),
            proximal: REGULAR,
            in_pseudo_time: false,
        }
    }

    /// The same with steps in pseudo-time.
    pub(crate) fn in_pseudo_time(problem: &'a FrictionProblem<'a, D>) -> Self {
        Self { in_pseudo_time: true, ..Self::new(problem) }
    }

    pub(crate) fn impulses(&self) -> &[f64] {
        &self.r
    }

    /// A predictor, a corrector, and a step; false where the method cannot go on.
    ///
    /// The step follows the sliding velocity by its derivative, or, where that leads against the cones at once, leaves it
    /// as it is: then the system is monotone. In pseudo-time it always follows.
    pub(crate) fn advance(&mut self, system: &mut dyn ScaledSystem<D>) -> bool {
        if self.in_pseudo_time {
            return self.step_in_pseudo_time(system);
        }
        let mut length = self.direction(system, 1.0);
        if length.is_none_or(|length| length < SHORT) && self.problem.law == FrictionLaw::Coulomb {
            length = self.direction(system, 0.0);
        }
        length.is_some_and(|length| length > SMALLEST_STEP && self.go(length))
    }

    /// The same, the proximal term raised until the step is long.
    fn step_in_pseudo_time(&mut self, system: &mut dyn ScaledSystem<D>) -> bool {
        let mut length = self.direction(system, 1.0);
        while length.is_none_or(|length| length < SHORT) && self.proximal < LARGEST_RAISED {
            self.proximal = (RAISE * self.proximal).max(FIRST_RAISED);
            length = self.direction(system, 1.0);
        }
        if length.is_some_and(|length| length > LONG) {
            self.proximal = (self.proximal / EASE).max(REGULAR);
        }
        length.is_some_and(|length| length > SMALLEST_STEP && self.go(length))
    }

    /// Finds a direction that takes the given share of the sliding velocity's derivative into account; gives the step to
    /// take along it, `None` where the system is singular.
    fn direction(&mut self, system: &mut dyn ScaledSystem<D>, follow: f64) -> Option<f64> {
        self.linearise(follow);
        while system.factorize(&self.scaled).is_err() {
            self.proximal *= 10.0;
            if self.proximal > LARGEST_PROXIMAL {
                return None;
            }
            self.linearise(follow);
        }
        // The predictor aims at products of zero.
        for contact in &mut self.contacts {
            contact.aim = -contact.scaling.lambda;
        }
        self.solve(system);
        let predicted = self.largest_step(1.0);
        let count = self.contacts.len().max(1) as f64;
        let gap = self.contacts.iter().map(|c| c.scaling.lambda.norm_squared()).sum::<f64>() / count;
        let is_held = self.in_pseudo_time && self.missed() > MISSED * gap.sqrt();
        let centring = if is_held { 1.0 } else { (1.0 - predicted).powi(3) };
        self.aim_at(centring * gap);
        self.solve(system);
        Some((BACK_OFF * self.largest_step(1.0 / BACK_OFF)).min(1.0))
    }

    /// What the equations miss at most, in scaled numbers.
    fn missed(&self) -> f64 {
        self.contacts.iter().fold(0.0, |most, contact| most.max((contact.left * contact.excess).norm()))
    }

    /// Scalings, derivatives and what the equations miss, at the point at hand.
    fn linearise(&mut self, follow: f64) {
        let problem = self.problem;
        let proximal = self.proximal * problem.diagonal_scale();
        problem.delassus.start(&self.r, &mut self.trail);
        self.scaled.clear();
        for (i, contact) in self.contacts.iter_mut().enumerate() {
            let (friction, r) = (problem.friction[i], of_contact::<D>(&self.r, i));
            contact.scaling = Scaling::new(friction, &r, &contact.velocity);
            contact.excess = problem.velocity(i, &self.r, &self.trail) - contact.velocity;
            let mut back = SMatrix::identity();
            let slip = tangential_norm(&contact.velocity);
            if problem.law == FrictionLaw::Coulomb && slip > 0.0 {
                contact.excess[0] += friction * slip;
                for k in 1..D {
                    back[(0, k)] = follow * friction * contact.velocity[k] / slip;
                }
            }
            let right = contact.scaling.impulses();
            contact.left = right.transpose() * back;
            let block = SMatrix::identity() + contact.left * right * proximal;
            self.scaled.push(Scaled { left: contact.left, right, block });
        }
    }

    /// The corrector's aim: products of `target`, and what the predictor has told of their second order.
    fn aim_at(&mut self, target: f64) {
        for contact in &mut self.contacts {
            let mut wanted = -product(&contact.impulse_change, &contact.velocity_change);
            wanted[0] += target;
            let lambda = contact.scaling.lambda;
            contact.aim = quotient(&lambda, &wanted) - lambda;
        }
    }

    /// `(L W R + B) Qᵀ Z⁻¹Δx = Qᵀ g − L F`, `L = Qᵀ Z S⁻¹ G⁻¹`, `R = S⁻¹ Z Q`: in scaled impulses, whose errors stay in
    /// proportion to what is left to do, and refined once.
    fn solve(&mut self, system: &mut dyn ScaledSystem<D>) {
        for (i, contact) in self.contacts.iter().enumerate() {
            let right_side = contact.scaling.axes.tr_mul(&contact.aim) - contact.left * contact.excess;
            set_contact(&mut self.refined.right_side, i, &right_side);
        }
        self.refined.solve(self.problem, &self.scaled, system);
        for (i, contact) in self.contacts.iter_mut().enumerate() {
            contact.impulse_change = contact.scaling.axes * of_contact::<D>(&self.refined.solution, i);
            contact.velocity_change = contact.aim - contact.impulse_change;
        }
    }

    /// Largest step that leaves all impulses and velocities in their cones.
    fn largest_step(&self, limit: f64) -> f64 {
        self.contacts.iter().fold(limit, |step, contact| {
            let step = contact.scaling.largest_step(&contact.impulse_change, step);
            contact.scaling.largest_step(&contact.velocity_change, step)
        })
    }

    /// Moves by a share of the change; false where that is not a finite number.
    fn go(&mut self, length: f64) -> bool {
        for (i, contact) in self.contacts.iter_mut().enumerate() {
            let moved = of_contact::<D>(&self.r, i)
                + self.scaled[i].right * of_contact::<D>(&self.refined.solution, i) * length;
            set_contact(&mut self.r, i, &moved);
            contact.velocity += contact.scaling.velocity(&contact.velocity_change) * length;
        }
        self.r.iter().all(|r| r.is_finite())
    }
}

impl<const D: usize> Method<D> for Run<'_, D> {
    fn step(&mut self, system: &mut dyn ScaledSystem<D>) -> Result<Step, FrictionError> {
        let goes_on = self.advance(system);
        let residual = Some(self.problem.residual_in(&self.r, &mut self.trail));
        Ok(Step { iterations: 1, residual, goes_on })
    }

    fn impulses(&self) -> &[f64] {
        &self.r
    }
}
