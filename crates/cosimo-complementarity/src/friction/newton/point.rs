//! The impulses at hand, Alart's and Curnier's function of them, and a step.

use std::collections::VecDeque;

use nalgebra::{SMatrix, SVector};

use super::dense::FEW;
use crate::friction::by_contact::{of_contact, set_contact};
use crate::friction::cone::{project_onto_cone, tangential_norm};
use crate::friction::method::{Method, Step};
use crate::friction::thresholds::REGULAR;
use crate::friction::{FrictionError, FrictionProblem, Scaled, ScaledSystem};

/// Share of the decrease of `‖Φ‖` along the direction that a step must bring.
const SUFFICIENT: f64 = 1e-4;
/// Halvings of a step before it is given up.
const MAX_HALVINGS: usize = 8;
/// Points whose largest `‖Φ‖` a step has to stay below: a contact that changes its state may make it grow for once.
const MEMORY: usize = 6;
/// Largest proximal term on `Δr`, in units of the mean diagonal of `W`, by how much it grows after a step that fails, and shrinks
/// after one that does not.
const LARGEST_PROXIMAL: f64 = 1.0;
const HOLD: f64 = 1e3;
const EASE: f64 = 10.0;

/// Storage of a point.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    r: Vec<f64>,
    trail: Vec<f64>,
    /// `ρ` of each contact (kg).
    weights: Vec<f64>,
    /// `P` of each contact, the derivative of the projection, by columns.
    slopes: Vec<f64>,
    /// The nearest impulses in the cones.
    inside: Vec<f64>,
    phi: Vec<f64>,
    image: Vec<f64>,
    /// Where a step begins, and its direction.
    from: Vec<f64>,
    direction: Vec<f64>,
    /// `‖Φ‖` of the last points, which a step has to stay below.
    sizes: VecDeque<f64>,
}

/// The impulses at hand.
pub(crate) struct Point<'a, const D: usize> {
    problem: &'a FrictionProblem<'a, D>,
    memory: &'a mut Memory,
    /// The blocks of the system, of few contacts without memory of their own.
    few: [Scaled<D>; FEW],
    many: Vec<Scaled<D>>,
    proximal: f64,
}

impl<'a, const D: usize> Point<'a, D> {
    pub(crate) fn new(problem: &'a FrictionProblem<'a, D>, memory: &'a mut Memory, r: &[f64]) -> Self {
        let weight = |i: usize| D as f64 / problem.delassus.block(i).trace();
        memory.r.clear();
        memory.r.extend_from_slice(r);
        memory.weights.clear();
        memory.weights.extend((0..problem.contacts()).map(weight));
        memory.trail.resize(problem.delassus.trail(), 0.0);
        memory.slopes.resize(r.len() * D, 0.0);
        for numbers in [&mut memory.phi, &mut memory.image, &mut memory.from, &mut memory.inside] {
            numbers.resize(r.len(), 0.0);
        }
        memory.sizes.clear();
        let none = Scaled { left: SMatrix::zeros(), right: SMatrix::identity(), block: SMatrix::zeros() };
        let many = if problem.contacts() > FEW { vec![none; problem.contacts()] } else { Vec::new() };
        Self { problem, memory, few: [none; FEW], many, proximal: REGULAR }
    }

    /// Projects the impulses at hand onto their cones, which they need not be in on the way, and gives the residual of
    /// what that makes of them.
    pub(super) fn residual_inside(&mut self) -> f64 {
        let Memory { r, inside, trail, .. } = &mut *self.memory;
        for (i, friction) in self.problem.friction.iter().enumerate() {
            set_contact(inside, i, &project_onto_cone(*friction, &of_contact::<D>(r, i)));
        }
        self.problem.residual_in(inside, trail)
    }

    pub(super) fn inside(&self) -> &[f64] {
        &self.memory.inside
    }

    /// A Newton step, held back the more the less it succeeds; false where no share of it makes `‖Φ‖` smaller.
    fn advance(&mut self, system: &mut dyn ScaledSystem<D>) -> bool {
        let size = self.evaluate(true);
        let sizes = &mut self.memory.sizes;
        if sizes.len() == MEMORY {
            sizes.pop_front();
        }
        sizes.push_back(size);
        let allowed = sizes.iter().fold(0.0_f64, |largest, size| largest.max(*size));
        while self.proximal <= LARGEST_PROXIMAL {
            if self.try_step(system, allowed) {
                self.proximal = (self.proximal / EASE).max(REGULAR);
                return true;
            }
            self.proximal *= HOLD;
            self.evaluate(true);
        }
        false
    }

    /// A step of the linear problem at hand, halved until `‖Φ‖` is below what is allowed; else the point stays.
    fn try_step(&mut self, system: &mut dyn ScaledSystem<D>, allowed: f64) -> bool {
        self.write_blocks();
        if system.factorize(self.blocks()).is_err() {
            return false;
        }
        let Memory { phi, from, direction, r, .. } = &mut *self.memory;
        direction.clear();
        direction.extend(phi.iter().map(|phi| -phi));
        system.solve(direction);
        from.copy_from_slice(r);
        let mut length = 1.0;
        for _ in 0..MAX_HALVINGS {
            let Memory { r, from, direction, .. } = &mut *self.memory;
            r.iter_mut().zip(&*from).zip(&*direction).for_each(|((r, from), d)| *r = from + length * d);
            if self.evaluate(false) <= (1.0 - SUFFICIENT * length) * allowed {
                return true;
            }
            length *= 0.5;
        }
        self.memory.r.copy_from_slice(&self.memory.from);
        false
    }

    /// The linear problem of a step, `(1 − P + P ρ (W + ε)) Δr = −Φ`.
    fn write_blocks(&mut self) {
        let Memory { weights, slopes, .. } = &*self.memory;
        let proximal = self.proximal * self.problem.diagonal_scale();
        let scaled = if weights.len() > FEW { &mut self.many[..] } else { &mut self.few[..] };
        let slopes = slopes.chunks_exact(D * D).map(SMatrix::<f64, D, D>::from_column_slice);
        for ((scaled, slope), weight) in scaled.iter_mut().zip(slopes).zip(weights) {
            scaled.left = slope * *weight;
            scaled.block = SMatrix::identity() - slope + slope * (weight * proximal);
        }
    }

    fn blocks(&self) -> &[Scaled<D>] {
        let contacts = self.memory.weights.len();
        if contacts > FEW { &self.many } else { &self.few[..contacts] }
    }

    /// Writes `Φ` and gives its norm; with its slopes, `dΦ = dr − P (dr − ρ du)`, where they are asked for.
    fn evaluate(&mut self, with_slopes: bool) -> f64 {
        let problem = self.problem;
        let Memory { r, trail, weights, slopes, phi, image, .. } = &mut *self.memory;
        problem.delassus.start(r, trail);
        for (i, weight) in weights.iter().enumerate() {
            let moved = of_contact::<D>(r, i) - problem.velocity(i, r, trail) * *weight;
            let (projected, slope) = project(problem.friction[i], &moved);
            set_contact(image, i, &projected);
            if with_slopes {
                slopes[i * D * D..(i + 1) * D * D].copy_from_slice(slope.as_slice());
            }
        }
        let mut square = 0.0;
        for ((phi, r), image) in phi.iter_mut().zip(&*r).zip(&*image) {
            *phi = r - image;
            square += *phi * *phi;
        }
        square.sqrt()
    }
}

impl<const D: usize> Method<D> for Point<'_, D> {
    fn step(&mut self, system: &mut dyn ScaledSystem<D>) -> Result<Step, FrictionError> {
        let goes_on = self.advance(system);
        let residual = goes_on.then(|| self.residual_inside());
        Ok(Step { iterations: 1, residual, goes_on })
    }

    fn impulses(&self) -> &[f64] {
        &self.memory.inside
    }
}

/// Alart's and Curnier's projection, and its derivative.
pub(crate) fn project<const D: usize>(
    friction: f64,
    a: &SVector<f64, D>,
) -> (SVector<f64, D>, SMatrix<f64, D, D>) {
    let (mut image, mut slope) = (SVector::zeros(), SMatrix::zeros());
    if a[0] <= 0.0 {
        return (image, slope);
    }
    let radius = friction * a[0];
    let length = tangential_norm(a);
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
