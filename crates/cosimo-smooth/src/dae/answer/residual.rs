//! What one correction of an answer is made of.

use super::columns::{Columns, add_scaled, largest};
use crate::dae::kkt::Kkt;
use crate::dae::solved::Solved;

/// Products of balance and constraints with the answer, and the unknowns of one correction.
#[derive(Debug)]
pub(super) struct Residual<const L: usize> {
    pub(super) balance: Columns<L>,
    pub(super) rows: Columns<L>,
    /// Coordinates and multipliers, of one group.
    unknowns: Vec<[f64; L]>,
    coordinates: usize,
}

impl<const L: usize> Residual<L> {
    pub(super) fn zeros(n: usize, m: usize, r: usize) -> Self {
        Self {
            balance: Columns::zeros(n, r),
            rows: Columns::zeros(m, r),
            unknowns: vec![[0.0; L]; n + m],
            coordinates: n,
        }
    }

    /// Solves for the negative residual of every group, by `solve`; `visit` is given the number of the group, its coordinates
    /// and its multipliers.
    fn solve_groups(
        &mut self,
        mut solve: impl FnMut(&mut [[f64; L]]),
        mut visit: impl FnMut(usize, &[[f64; L]], &[[f64; L]]),
    ) {
        let Self { balance, rows, unknowns, coordinates } = self;
        for group in 0..balance.groups() {
            let residual = balance.group(group).iter().chain(rows.group(group));
            for (x, r) in unknowns.iter_mut().zip(residual) {
                x.iter_mut().zip(r).for_each(|(x, r)| *x = -r);
            }
            solve(unknowns);
            let (change, multipliers) = unknowns.split_at(*coordinates);
            visit(group, change, multipliers);
        }
    }

    /// Corrects the share of the rule, by `weight` times the solution, and the multipliers; returns the size of the solution.
    pub(super) fn correct(
        &mut self,
        kkt: &mut Kkt,
        (rule, weight): (&mut Columns<L>, f64),
        multipliers: &mut Columns<L>,
    ) -> f64 {
        let mut size = 0.0_f64;
        self.solve_groups(
            |x| kkt.solve_lanes(x),
            |group, z, change| {
                size = size.max(largest(z));
                add_scaled(rule.group_mut(group), weight, z);
                add_scaled(multipliers.group_mut(group), 1.0, change);
            },
        );
        size
    }

    /// Corrects a projection; returns the size of the correction.
    pub(super) fn project(&mut self, kkt: &mut Kkt, projection: &mut Projection<L>) -> f64 {
        let mut size = 0.0_f64;
        self.solve_groups(
            |x| kkt.project(x),
            |group, change, multipliers| {
                size = size.max(largest(change));
                add_scaled(projection.change.group_mut(group), 1.0, change);
                add_scaled(projection.multipliers.group_mut(group), 1.0, multipliers);
            },
        );
        size
    }
}

/// A projection: the change, `n × r`, and its multipliers, `m × r`.
#[derive(Debug)]
pub(super) struct Projection<const L: usize> {
    pub(super) change: Columns<L>,
    pub(super) multipliers: Columns<L>,
    /// Change of its equations with the position alone, `n × r`.
    pub(super) reactions: Columns<L>,
}

impl<const L: usize> Projection<L> {
    pub(super) fn zeros(n: usize, m: usize, r: usize) -> Self {
        Self {
            change: Columns::zeros(n, r),
            multipliers: Columns::zeros(m, r),
            reactions: Columns::zeros(n, r),
        }
    }

    /// Whether it is nothing so far.
    pub(super) fn is_zero(&self) -> bool {
        self.change.is_zero() && self.multipliers.is_zero()
    }

    pub(super) fn clear(&mut self) {
        self.change.clear();
        self.multipliers.clear();
    }
}

/// The answer where forces balance, if not at the end.
#[derive(Debug)]
pub(super) struct AtStage<const L: usize> {
    pub(super) position: Columns<L>,
    pub(super) velocity: Columns<L>,
    /// Increment of the stage, and of one direction what it is at the end, its rate and what it is at the stage.
    increment: Vec<f64>,
    end: Vec<f64>,
    rate: Vec<f64>,
    own: Vec<f64>,
}

impl<const L: usize> AtStage<L> {
    pub(super) fn zeros(n: usize, r: usize) -> Self {
        let [increment, end, rate, own] = [(); 4].map(|()| vec![0.0; n]);
        Self { position: Columns::zeros(n, r), velocity: Columns::zeros(n, r), increment, end, rate, own }
    }

    /// At a share `c` of the step `δv` is `c` times that of the end, and `δq = c T(c x) T(x)⁻¹` times that of the end.
    pub(super) fn derive(&mut self, solved: &Solved<'_>, r: usize, [position, velocity]: [&Columns<L>; 2]) {
        let (coordinates, share) = (solved.problem.coordinates(), solved.problem.plan.formula.stage.time);
        let (x, _) = solved.increments;
        self.increment.iter_mut().zip(x).for_each(|(own, x)| *own = share * x);
        for k in 0..r {
            position.read(k, &mut self.end);
            coordinates.rate(x, &self.end, &mut self.rate);
            coordinates.velocity(&self.increment, &self.rate, &mut self.own);
            self.position.write(k, &self.own);
        }
        self.position *= share;
        self.velocity.copy_from(velocity);
        self.velocity *= share;
    }
}
