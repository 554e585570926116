//! The small terms of the derivative that no matrix of a system gives, by central differences along the answer.
//!
//! They are third derivatives of the constraints, or derivatives times multipliers of the projections, which are those of
//! the rule's error: smaller than the leading terms by the step or more, so that the round-off of differences does not show.

use cosimo_dynamics::{Level, Motion, Structure};
use nalgebra::DMatrix;

use super::Solved;
use crate::dae::iteration::largest;

/// Size of a difference (m, rad, m/s, rad/s).
const WIDTH: f64 = 1e-4;

/// Points on both sides of the end of a step.
#[derive(Debug)]
pub(super) struct Differences {
    increment: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    rows: Vec<f64>,
    balance: Vec<f64>,
    product: Vec<f64>,
}

impl Differences {
    pub(super) fn new(structure: &Structure) -> Self {
        let (n, m) = (structure.velocities(), structure.rows());
        Self {
            increment: vec![0.0; n],
            q: vec![0.0; structure.coordinates().positions()],
            v: vec![0.0; n],
            rows: vec![0.0; m],
            balance: vec![0.0; n],
            product: vec![0.0; n],
        }
    }

    /// Moves along a direction by `width` times it.
    fn step(&mut self, solved: &Solved<'_>, width: f64, position: &[f64], velocity: &[f64]) {
        self.increment.iter_mut().zip(position).for_each(|(x, d)| *x = width * d);
        solved.problem.coordinates().move_by(&solved.end.q, &self.increment, &mut self.q);
        for (v, (own, d)) in self.v.iter_mut().zip(solved.end.v.iter().zip(velocity)) {
            *v = own + width * d;
        }
    }

    /// Adds the change of `φ̈` at fixed accelerations.
    pub(super) fn add_curvature(
        &mut self,
        solved: &Solved<'_>,
        (position, velocity): (&DMatrix<f64>, &DMatrix<f64>),
        out: &mut DMatrix<f64>,
    ) {
        for k in 0..out.ncols() {
            let (q, v) = (position.column(k), velocity.column(k));
            let (q, v) = (q.as_slice(), v.as_slice());
            let size = largest(q).max(largest(v));
            if size == 0.0 {
                continue;
            }
            for width in [WIDTH / size, -WIDTH / size] {
                self.step(solved, width, q, v);
                let motion = Motion { t: solved.end.time, q: &self.q, v: &self.v };
                solved.problem.system.constraints(Level::Acceleration, motion, &solved.end.a, &mut self.rows);
                let mut column = out.column_mut(k);
                column.iter_mut().zip(&self.rows).for_each(|(x, row)| *x += 0.5 / width * row);
            }
        }
    }

    /// Adds the change of `M U + Φᵀ ν` at fixed `U` and `ν`, given as `(U, ν)`.
    pub(super) fn add_projection(
        &mut self,
        solved: &Solved<'_>,
        (change, multipliers): (&[f64], &[f64]),
        position: &DMatrix<f64>,
        out: &mut DMatrix<f64>,
    ) {
        for k in 0..out.ncols() {
            let q = position.column(k);
            let size = largest(q.as_slice());
            if size == 0.0 {
                continue;
            }
            for width in [WIDTH / size, -WIDTH / size] {
                self.step(solved, width, q.as_slice(), &[]);
                let system = solved.problem.system;
                system.mass_product(&self.q, change, &mut self.balance);
                system.add_reactions(solved.end.time, &self.q, multipliers, &mut self.balance);
                let mut column = out.column_mut(k);
                column.iter_mut().zip(&self.balance).for_each(|(x, b)| *x += 0.5 / width * b);
            }
        }
    }

    /// Adds `M x` to every column, with `x` made of that of `changes`.
    pub(super) fn add_mass_products(
        &mut self,
        solved: &Solved<'_>,
        make: impl Fn(&[f64], &mut [f64]),
        changes: &DMatrix<f64>,
        out: &mut DMatrix<f64>,
    ) {
        for (change, mut out) in changes.column_iter().zip(out.column_iter_mut()) {
            make(change.as_slice(), &mut self.increment);
            solved.problem.system.mass_product(&solved.end.q, &self.increment, &mut self.product);
            out.iter_mut().zip(&self.product).for_each(|(x, m)| *x += m);
        }
    }
}
