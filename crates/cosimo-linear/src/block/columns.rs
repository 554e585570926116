//! Many right-hand sides with the same factors.

use super::BlockLu;
use super::column_room::Columns;
use super::kernels::{LANES, divide_lanes, subtract_lanes};

/// Right-hand sides below which lanes that stay empty cost more than they spare.
const FEWEST: usize = 3;

impl BlockLu {
    /// Overwrites every column of `x`, by columns of the matrix' dimension, with `A⁻¹` times it, as [`solve`](Self::solve)
    /// does, and quicker from three columns on, because the factors are read once for several.
    pub fn solve_columns(&mut self, x: &mut [f64]) {
        let n = self.pattern().dimension().max(1);
        debug_assert_eq!(x.len() % n, 0, "right-hand sides have the matrix' dimension");
        for several in x.chunks_mut(LANES * n) {
            if several.len() < FEWEST * n {
                several.chunks_exact_mut(n).for_each(|x| self.solve(x));
                continue;
            }
            self.columns.fit(&self.pattern);
            self.columns.unknowns.fill([0.0; LANES]);
            for (lane, column) in several.chunks_exact(n).enumerate() {
                self.columns.unknowns.iter_mut().zip(column).for_each(|(lanes, x)| lanes[lane] = *x);
            }
            self.solve_lanes();
            for (lane, column) in several.chunks_exact_mut(n).enumerate() {
                self.columns.unknowns.iter().zip(column).for_each(|(lanes, x)| *x = lanes[lane]);
            }
        }
    }

    /// Solves for all lanes; what those without a right-hand side hold is of no use.
    fn solve_lanes(&mut self) {
        let Self { pattern, values, pivots, rest, columns, .. } = self;
        let Columns { unknowns: x, own, rest: of_rest } = columns;
        for block in &pattern.condensed {
            let (lower, own) = (&values[block.lower()], &mut own[..block.size]);
            own.copy_from_slice(&x[block.rows()]);
            for other in &pattern.neighbours[block.neighbours.clone()] {
                subtract_lanes(&mut x[other.rows()], &lower[other.block_of(block.size)], own);
            }
        }
        for own in &pattern.rest {
            of_rest[own.places()].copy_from_slice(&x[own.rows()]);
        }
        rest.solve_lanes(of_rest);
        for own in &pattern.rest {
            x[own.rows()].copy_from_slice(&of_rest[own.places()]);
        }
        for block in pattern.condensed.iter().rev() {
            let (upper, own) = (&values[block.upper()], &mut own[..block.size]);
            own.copy_from_slice(&x[block.rows()]);
            for other in &pattern.neighbours[block.neighbours.clone()] {
                subtract_lanes(own, &upper[other.block_of(block.size)], &x[other.rows()]);
            }
            let pivots = &pivots[block.pivots..block.pivots + block.size];
            divide_lanes(own, &values[block.diagonal()], pivots);
            x[block.rows()].copy_from_slice(own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BlockPattern;

    /// Rings and meshes, with a rest or without: the same bits as one right-hand side after the other, for any number of them.
    #[test]
    fn columns_are_solved_as_each_alone() {
        for (side, is_mesh) in [(40, false), (18, true), (30, true)] {
            let count = if is_mesh { side * side } else { side };
            let meets = |i: usize| if is_mesh { vec![i + 1, i + side] } else { vec![i + 1, 3 * i] };
            let pairs = (0..count).flat_map(|i| meets(i).into_iter().map(move |j| (i, j)));
            let pairs: Vec<(usize, usize)> = pairs.filter(|(i, j)| i != j && *j < count).collect();
            let mut lu = BlockLu::new(BlockPattern::new(&vec![3; count], pairs.iter().copied()));
            lu.clear();
            for (a, b) in pairs.iter().flat_map(|&(i, j)| [(i, j), (j, i)]).chain((0..count).map(|i| (i, i)))
            {
                let Some(position) = lu.pattern().position(a, b) else { continue };
                for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
                    let wave = ((7 * (3 * a + i) + 3 * (3 * b + j)) as f64).sin();
                    lu.add(position, (i, j), wave + if (a, i) == (b, j) { 14.0 } else { 0.0 });
                }
            }
            lu.factorize().unwrap();
            let n = 3 * count;
            for columns in [1, 2, 3, 8, 13, 24] {
                let mut x: Vec<f64> = (0..columns * n).map(|i| (0.7 * i as f64).cos()).collect();
                let mut alone = x.clone();
                alone.chunks_exact_mut(n).for_each(|x| lu.solve(x));
                lu.solve_columns(&mut x);
                let error = x.iter().zip(&alone).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
                assert_eq!(error, 0.0, "{side} {columns}");
            }
        }
    }
}
