//! Systems solved with the factors at hand.

use nalgebra::DMatrix;

use super::{Kkt, Storage};
use crate::dae::turned::turned;

impl Kkt {
    /// Overwrites `x` by the solution; right-hand sides of rows left out count as zero.
    pub(crate) fn solve(&mut self, x: &mut [f64]) {
        let n = self.dimension_of_bodies();
        for (value, _) in x[n..].iter_mut().zip(&self.is_left_out).filter(|(_, out)| **out) {
            *value = 0.0;
        }
        x.iter_mut().zip(&self.scales).for_each(|(x, scale)| *x *= scale);
        match &mut self.storage {
            Storage::Dense { lu, .. } => lu.solve(x),
            Storage::Sparse(lu) => lu.solve(x),
        }
        x.iter_mut().zip(&self.scales).for_each(|(x, scale)| *x *= scale);
    }

    /// Overwrites every column of `x`, by columns of all unknowns, by the solution, as [`solve`](Self::solve) does.
    pub(crate) fn solve_columns(&mut self, x: &mut [f64]) {
        let size = self.scales.len();
        let Storage::Sparse(lu) = &mut self.storage else {
            return x.chunks_exact_mut(size.max(1)).for_each(|x| self.solve(x));
        };
        let n = size - self.is_left_out.len();
        for x in x.chunks_exact_mut(size.max(1)) {
            for (value, _) in x[n..].iter_mut().zip(&self.is_left_out).filter(|(_, out)| **out) {
                *value = 0.0;
            }
            x.iter_mut().zip(&self.scales).for_each(|(x, scale)| *x *= scale);
        }
        lu.solve_columns(x);
        for x in x.chunks_exact_mut(size.max(1)) {
            x.iter_mut().zip(&self.scales).for_each(|(x, scale)| *x *= scale);
        }
    }

    /// Overwrites `L` right-hand sides, the numbers of one unknown next to each other, by the solutions, as
    /// [`solve`](Self::solve) does.
    pub(crate) fn solve_lanes<const L: usize>(&mut self, x: &mut [[f64; L]]) {
        if L == 1 {
            return self.solve(x.as_flattened_mut());
        }
        let n = self.dimension_of_bodies();
        for (lanes, _) in x[n..].iter_mut().zip(&self.is_left_out).filter(|(_, out)| **out) {
            *lanes = [0.0; L];
        }
        scale(x, &self.scales);
        match &mut self.storage {
            Storage::Dense { lu, .. } => {
                for lane in 0..L {
                    self.lane.iter_mut().zip(&*x).for_each(|(own, lanes)| *own = lanes[lane]);
                    lu.solve(&mut self.lane);
                    x.iter_mut().zip(&self.lane).for_each(|(lanes, own)| lanes[lane] = *own);
                }
            }
            Storage::Sparse(lu) => lu.solve_lanes(x),
        }
        scale(x, &self.scales);
    }

    /// Overwrites every column of `forces`, `n × r`, by the coordinates of the solution with constraint rows of zero; `visit` sees the
    /// number of the column and its multipliers. `room` is allocated once.
    pub(crate) fn solve_forces(
        &mut self,
        forces: &mut DMatrix<f64>,
        room: &mut Vec<f64>,
        mut visit: impl FnMut(usize, &[f64]),
    ) {
        let (n, size) = (forces.nrows(), self.scales.len().max(1));
        room.resize(size * forces.ncols(), 0.0);
        for (unknowns, force) in room.chunks_exact_mut(size).zip(forces.column_iter()) {
            unknowns[..n].copy_from_slice(force.as_slice());
            unknowns[n..].fill(0.0);
        }
        self.solve_columns(room);
        for (k, (unknowns, mut force)) in room.chunks_exact(size).zip(forces.column_iter_mut()).enumerate() {
            force.copy_from_slice(&unknowns[..n]);
            visit(k, &unknowns[n..]);
        }
    }

    /// Multiplies `L` vectors of coordinates by `G`.
    pub(crate) fn turn<const L: usize>(&self, x: &mut [[f64; L]]) {
        for (turn, &(first, _)) in self.turns.iter().zip(&self.blocks) {
            let Some(turn) = turn else { continue };
            let own = &mut x[first + 3..first + 6];
            let change = turned(turn, own);
            own.copy_from_slice(&change);
        }
    }
}

/// Multiplies every unknown of `L` vectors by its scale.
pub(super) fn scale<const L: usize>(x: &mut [[f64; L]], scales: &[f64]) {
    for (x, scale) in x.iter_mut().zip(scales) {
        x.iter_mut().for_each(|x| *x *= scale);
    }
}
