//! Many right-hand sides with the same factors.

use pulp::{Arch, Simd, WithSimd};

use super::BlockLu;
use super::column_room::Columns;
use super::kernels::{LANES, divide_lanes, is_zero, subtract_lanes};

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
            let mut room = std::mem::take(&mut self.columns.unknowns);
            room.resize(LANES * n, 0.0);
            room.fill(0.0);
            let (unknowns, _) = room.as_chunks_mut::<LANES>();
            for (lane, column) in several.chunks_exact(n).enumerate() {
                unknowns.iter_mut().zip(column).for_each(|(lanes, x)| lanes[lane] = *x);
            }
            self.solve_lanes(unknowns);
            for (lane, column) in several.chunks_exact_mut(n).enumerate() {
                unknowns.iter().zip(column).for_each(|(lanes, x)| *x = lanes[lane]);
            }
            self.columns.unknowns = room;
        }
    }

    /// Overwrites `L` right-hand sides, the numbers of one unknown next to each other, with `A⁻¹` times them, lane by lane as
    /// [`solve`](Self::solve) does.
    pub fn solve_lanes<const L: usize>(&mut self, x: &mut [[f64; L]]) {
        debug_assert_eq!(x.len(), self.pattern.dimension(), "right-hand sides have the matrix' dimension");
        if L == 1 {
            return self.solve(x.as_flattened_mut());
        }
        self.columns.fit(&self.pattern, L);
        // Lanes are independent and no product is fused with a sum: the bits are the same with registers of any width.
        Arch::new().dispatch(Sweeps { lu: self, x });
    }
}

/// Both sweeps of a solution for `L` right-hand sides, for the widest registers that the processor has.
struct Sweeps<'a, const L: usize> {
    lu: &'a mut BlockLu,
    x: &'a mut [[f64; L]],
}

impl<const L: usize> WithSimd for Sweeps<'_, L> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { lu: BlockLu { pattern, values, pivots, rest, columns, .. }, x } = self;
        let Columns { own, rest: of_rest, .. } = columns;
        let (own, _) = own.as_chunks_mut::<L>();
        for block in &pattern.condensed {
            let (lower, own) = (&values[block.lower()], &mut own[..block.size]);
            own.copy_from_slice(&x[block.rows()]);
            if is_zero(own) {
                continue;
            }
            for other in &pattern.neighbours[block.neighbours.clone()] {
                subtract_lanes(&mut x[other.rows()], &lower[other.block_of(block.size)], own);
            }
        }
        let (of_rest, _) = of_rest[..L * pattern.size_of_rest()].as_chunks_mut::<L>();
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
