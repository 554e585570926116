//! The small terms of the derivative that no matrix of a system gives, by central differences along the answer.
//!
//! They are third derivatives of the constraints, or derivatives times multipliers of the projections, which are those of
//! the rule's error: smaller than the leading terms by the step or more, so that the round-off of differences does not show.

use cosimo_dynamics::{Level, Motion, Structure};

use super::columns::Columns;
use crate::dae::norm::largest;
use crate::dae::solved::Solved;

/// Size of a difference (m, rad, m/s, rad/s).
const WIDTH: f64 = 1e-4;

/// Points on both sides of the end of a step.
#[derive(Debug)]
pub(super) struct Differences {
    /// Increment of the position and change of the velocity.
    direction: [Vec<f64>; 2],
    increment: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    rows: Vec<f64>,
    product: Vec<f64>,
}

impl Differences {
    pub(super) fn new(structure: &Structure) -> Self {
        let (n, m) = (structure.velocities(), structure.rows());
        Self {
            direction: [vec![0.0; n], vec![0.0; n]],
            increment: vec![0.0; n],
            q: vec![0.0; structure.coordinates().positions()],
            v: vec![0.0; n],
            rows: vec![0.0; m],
            product: vec![0.0; n],
        }
    }

    /// Adds the change of `φ̈` at fixed accelerations, of `r` directions `[δq, δv]`.
    pub(super) fn add_curvature<const L: usize>(
        &mut self,
        solved: &Solved<'_>,
        r: usize,
        [position, velocity]: [&Columns<L>; 2],
        out: &mut Columns<L>,
    ) {
        for k in 0..r {
            let size = self.take_direction(k, position, Some(velocity));
            if size == 0.0 {
                continue;
            }
            for width in [WIDTH / size, -WIDTH / size] {
                self.step(solved, width);
                let motion = Motion { t: solved.end.time, q: &self.q, v: &self.v };
                solved.problem.system.constraints(Level::Acceleration, motion, &solved.end.a, &mut self.rows);
                out.add(k, 0.5 / width, &self.rows);
            }
        }
    }

    /// Adds the change of `M U + Φᵀ ν` at fixed `U` and `ν`, given as `(U, ν)`, of `r` directions.
    pub(super) fn add_projection<const L: usize>(
        &mut self,
        solved: &Solved<'_>,
        r: usize,
        (change, multipliers): (&[f64], &[f64]),
        position: &Columns<L>,
        out: &mut Columns<L>,
    ) {
        for k in 0..r {
            let size = self.take_direction(k, position, None);
            if size == 0.0 {
                continue;
            }
            for width in [WIDTH / size, -WIDTH / size] {
                self.step(solved, width);
                let system = solved.problem.system;
                system.mass_product(&self.q, change, &mut self.product);
                system.add_reactions(solved.end.time, &self.q, multipliers, &mut self.product);
                out.add(k, 0.5 / width, &self.product);
            }
        }
    }

    /// Adds `M x` to `r` directions, with `x` made of that of `changes`.
    pub(super) fn add_mass_products<const L: usize>(
        &mut self,
        solved: &Solved<'_>,
        r: usize,
        make: impl Fn(&[f64], &mut [f64]),
        changes: &Columns<L>,
        out: &mut Columns<L>,
    ) {
        let [change, made] = &mut self.direction;
        for k in 0..r {
            changes.read(k, change);
            make(change, made);
            solved.problem.system.mass_product(&solved.end.q, made, &mut self.product);
            out.add(k, 1.0, &self.product);
        }
    }

    /// Takes a direction, `[δq, δv]`, and returns its size.
    fn take_direction<const L: usize>(
        &mut self,
        k: usize,
        position: &Columns<L>,
        velocity: Option<&Columns<L>>,
    ) -> f64 {
        let [dq, dv] = &mut self.direction;
        position.read(k, dq);
        match velocity {
            Some(velocity) => velocity.read(k, dv),
            None => dv.fill(0.0),
        }
        largest(dq).max(largest(dv))
    }

    /// Moves along the direction by `width` times it.
    fn step(&mut self, solved: &Solved<'_>, width: f64) {
        let [dq, dv] = &self.direction;
        self.increment.iter_mut().zip(dq).for_each(|(x, d)| *x = width * d);
        solved.problem.coordinates().move_by(&solved.end.q, &self.increment, &mut self.q);
        for (v, (own, d)) in self.v.iter_mut().zip(solved.end.v.iter().zip(dv)) {
            *v = own + width * d;
        }
    }
}
