//! What one correction of an answer is made of.

use nalgebra::DMatrix;

use super::Solved;
use crate::dae::iteration::largest;
use crate::dae::kkt::Kkt;

/// Products of balance and constraints with the answer, and the unknowns of one correction.
#[derive(Debug)]
pub(super) struct Residual {
    pub(super) balance: DMatrix<f64>,
    pub(super) rows: DMatrix<f64>,
    pub(super) unknowns: Vec<f64>,
}

impl Residual {
    pub(super) fn zeros(n: usize, m: usize, r: usize) -> Self {
        let unknowns = vec![0.0; (n + m) * r.max(1)];
        Self { balance: DMatrix::zeros(n, r), rows: DMatrix::zeros(m, r), unknowns }
    }

    /// Solves for the negative residual of all columns at once: their coordinates and multipliers.
    pub(super) fn solve<'a>(
        &'a mut self,
        kkt: &mut Kkt,
    ) -> impl Iterator<Item = (&'a mut [f64], &'a mut [f64])> + use<'a> {
        kkt.solve_columns(self.take());
        self.solution()
    }

    /// Takes the negative residual as right-hand sides, one after the other.
    fn take(&mut self) -> &mut [f64] {
        let (n, m) = (self.balance.nrows(), self.rows.nrows());
        let unknowns = &mut self.unknowns[..(n + m) * self.balance.ncols()];
        for (k, unknowns) in unknowns.chunks_exact_mut((n + m).max(1)).enumerate() {
            let (top, bottom) = unknowns.split_at_mut(n);
            top.iter_mut().zip(self.balance.column(k).iter()).for_each(|(x, r)| *x = -r);
            bottom.iter_mut().zip(self.rows.column(k).iter()).for_each(|(x, r)| *x = -r);
        }
        unknowns
    }

    /// Coordinates and multipliers of every column.
    fn solution(&mut self) -> impl Iterator<Item = (&mut [f64], &mut [f64])> {
        let (n, m) = (self.balance.nrows(), self.rows.nrows());
        let unknowns = &mut self.unknowns[..(n + m) * self.balance.ncols()];
        unknowns.chunks_exact_mut((n + m).max(1)).map(move |unknowns| unknowns.split_at_mut(n))
    }

    /// Corrects a projection; returns the size of the correction.
    pub(super) fn project(&mut self, kkt: &mut Kkt, projection: &mut Projection) -> f64 {
        let mut size = 0.0_f64;
        kkt.project(self.take());
        for (k, (change, multipliers)) in self.solution().enumerate() {
            size = size.max(largest(change));
            projection.change.column_mut(k).iter_mut().zip(&*change).for_each(|(x, d)| *x += d);
            projection.multipliers.column_mut(k).iter_mut().zip(&*multipliers).for_each(|(x, d)| *x += d);
        }
        size
    }
}

/// A projection: the change, `n × r`, and its multipliers, `m × r`.
#[derive(Debug)]
pub(super) struct Projection {
    pub(super) change: DMatrix<f64>,
    pub(super) multipliers: DMatrix<f64>,
    /// Change of its equations with the position alone, `n × r`.
    pub(super) reactions: DMatrix<f64>,
}

impl Projection {
    pub(super) fn zeros(n: usize, m: usize, r: usize) -> Self {
        Self {
            change: DMatrix::zeros(n, r),
            multipliers: DMatrix::zeros(m, r),
            reactions: DMatrix::zeros(n, r),
        }
    }

    /// Whether it is nothing so far.
    pub(super) fn is_zero(&self) -> bool {
        [&self.change, &self.multipliers].iter().all(|part| part.as_slice().iter().all(|x| *x == 0.0))
    }

    pub(super) fn clear(&mut self) {
        self.change.fill(0.0);
        self.multipliers.fill(0.0);
    }
}

/// The answer where forces balance, if not at the end.
#[derive(Debug)]
pub(super) struct AtStage {
    pub(super) position: DMatrix<f64>,
    pub(super) velocity: DMatrix<f64>,
    increment: Vec<f64>,
    rate: Vec<f64>,
}

impl AtStage {
    pub(super) fn zeros(n: usize, r: usize) -> Self {
        Self {
            position: DMatrix::zeros(n, r),
            velocity: DMatrix::zeros(n, r),
            increment: vec![0.0; n],
            rate: vec![0.0; n],
        }
    }

    pub(super) fn derive(&mut self, solved: &Solved<'_>, [position, velocity]: [&DMatrix<f64>; 2]) {
        let (coordinates, share) = (solved.problem.coordinates(), solved.problem.plan.share);
        let (x, _) = solved.increments;
        self.increment.iter_mut().zip(x).for_each(|(own, x)| *own = share * x);
        for (own, end) in self.position.column_iter_mut().zip(position.column_iter()) {
            let mut own = own;
            coordinates.rate(x, end.as_slice(), &mut self.rate);
            coordinates.velocity(&self.increment, &self.rate, own.as_mut_slice());
            own *= share;
        }
        self.velocity.copy_from(velocity);
        self.velocity *= share;
    }
}
