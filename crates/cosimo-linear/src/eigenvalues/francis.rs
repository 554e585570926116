//! Francis' implicit double-shift QR iteration of a Hessenberg matrix `H`, for eigenvalues alone.
//!
//! A sweep takes the polynomial `(H − σ₁) (H − σ₂)` of two shifts to the first column and chases the bulge that this makes
//! down the subdiagonal. Entries of the subdiagonal that are round-off against their neighbours are dropped, and the block below is done
//! when it has one or two rows.
//!
//! Every ten sweeps without a drop the shifts are others, off every symmetry (matrices such as cyclic permutations do not change
//! under the usual ones), and from then on what is round-off against the whole matrix is dropped too.

use nalgebra::{Complex, DMatrix};

use super::reflection::Reflection;

/// Sweeps allowed for one eigenvalue in the mean, and the least of rows for which they are counted; two or three are usual, but those of
/// graded matrices come late and then together.
const SWEEPS: usize = 30;
const ROWS: usize = 10;

/// Sweeps after which shifts are exceptional.
const PATIENCE: usize = 10;

/// The diagonal block of rows `first..=last`, which nothing couples to the rows below.
#[derive(Debug, Clone, Copy)]
struct Block {
    first: usize,
    last: usize,
}

/// The eigenvalues of a Hessenberg matrix.
pub(super) fn eigenvalues(mut h: DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    let size = h.norm();
    let mut found = Vec::with_capacity(h.nrows());
    let mut budget = SWEEPS * h.nrows().max(ROWS);
    let (mut left, mut sweeps) = (h.nrows(), 0);
    while left > 0 {
        let last = left - 1;
        let floor = if sweeps < PATIENCE { f64::MIN_POSITIVE } else { f64::EPSILON * size };
        let block = Block { first: first_row(&mut h, last, floor), last };
        match last - block.first {
            0 => found.push(Complex::new(h[(last, last)], 0.0)),
            1 => found.extend(pair(&h, block.first)),
            _ if budget == 0 => return None,
            _ => {
                sweep(&mut h, block, sweeps);
                sweeps += 1;
                budget -= 1;
                continue;
            }
        }
        (left, sweeps) = (block.first, 0);
    }
    Some(found)
}

/// The first row of the block that ends with `last`; drops the entry before it.
fn first_row(h: &mut DMatrix<f64>, last: usize, floor: f64) -> usize {
    for k in (1..=last).rev() {
        let beside = h[(k - 1, k - 1)].abs() + h[(k, k)].abs();
        if h[(k, k - 1)].abs() <= (f64::EPSILON * beside).max(floor) {
            h[(k, k - 1)] = 0.0;
            return k;
        }
    }
    0
}

/// The eigenvalues of two rows.
fn pair(h: &DMatrix<f64>, k: usize) -> [Complex<f64>; 2] {
    let (a, d) = (h[(k, k)], h[(k + 1, k + 1)]);
    let (half, product) = (0.5 * (a - d), h[(k, k + 1)] * h[(k + 1, k)]);
    let discriminant = half * half + product;
    if discriminant < 0.0 {
        let (re, im) = (0.5 * (a + d), (-discriminant).sqrt());
        return [Complex::new(re, im), Complex::new(re, -im)];
    }
    // The root that does not cancel, and the other by the product of the roots of `x² − 2 half x − product`.
    let far = half + discriminant.sqrt().copysign(half);
    let near = if far == 0.0 { 0.0 } else { -product / far };
    [Complex::new(d + far, 0.0), Complex::new(d + near, 0.0)]
}

/// The shifts: the eigenvalues of the last two rows, of two real ones the nearer to the last entry twice; or exceptional ones, from the first
/// rows of the block and from the last in turn.
fn shifts(h: &DMatrix<f64>, Block { first, last }: Block, sweeps: usize) -> [Complex<f64>; 2] {
    if sweeps > 0 && sweeps.is_multiple_of(PATIENCE) {
        let at_first = (sweeps / PATIENCE) % 2 == 1;
        let (corner, k) = if at_first { (first, first + 1) } else { (last, last - 1) };
        let size = h[(k, k - 1)].abs() + h[(k + 1, k)].abs();
        let shift = Complex::new(h[(corner, corner)] + 0.75 * size, 0.4375_f64.sqrt() * size);
        return [shift, shift.conj()];
    }
    let [one, other] = pair(h, last - 1);
    if one.im != 0.0 {
        return [one, other];
    }
    let corner = h[(last, last)];
    let is_nearer = (one.re - corner).abs() < (other.re - corner).abs();
    [if is_nearer { one } else { other }; 2]
}

/// The first column of the polynomial of the shifts from row `k`, up to a factor. Of equal eigenvalues the differences from the shifts
/// are small and must not cancel.
fn start(h: &DMatrix<f64>, k: usize, shifts: [Complex<f64>; 2]) -> [f64; 3] {
    let (a, b, below) = (h[(k, k)], h[(k + 1, k + 1)], h[(k + 1, k)]);
    let [one, other] = shifts;
    let square = (a - one.re) * (a - other.re) - one.im * other.im;
    let column =
        [square + h[(k, k + 1)] * below, below * ((a - one.re) + (b - other.re)), below * h[(k + 2, k + 1)]];
    let size = column.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if size > 0.0 { column.map(|x| x / size) } else { column }
}

/// The row from which a sweep may begin: two small entries of the subdiagonal in a row hide what is before.
fn begin(h: &DMatrix<f64>, block: Block, of: [Complex<f64>; 2]) -> (usize, [f64; 3]) {
    for k in (block.first + 1..=block.last - 2).rev() {
        let column = start(h, k, of);
        let before = h[(k, k - 1)].abs() * (column[1].abs() + column[2].abs());
        let beside = h[(k - 1, k - 1)].abs() + h[(k, k)].abs() + h[(k + 1, k + 1)].abs();
        if before <= f64::EPSILON * column[0].abs() * beside {
            return (k, column);
        }
    }
    (block.first, start(h, block.first, of))
}

/// One sweep of a block of three rows or more.
fn sweep(h: &mut DMatrix<f64>, block: Block, sweeps: usize) {
    let of = shifts(h, block, sweeps);
    let (from, mut column) = begin(h, block, of);
    for k in from..block.last {
        let rows = (block.last + 1 - k).min(3);
        if k > from {
            column = [h[(k, k - 1)], h[(k + 1, k - 1)], if rows == 3 { h[(k + 2, k - 1)] } else { 0.0 }];
        }
        let reflection = Reflection::of(column);
        if k > from {
            h[(k, k - 1)] = reflection.image;
            (1..rows).for_each(|row| h[(k + row, k - 1)] = 0.0);
        } else if k > block.first {
            h[(k, k - 1)] *= 1.0 - reflection.factor;
        }
        reflect(h, (k, rows), block, &reflection);
    }
}

/// Applies a reflection of `rows` rows from `k` to the rows and to the columns of a block.
fn reflect(h: &mut DMatrix<f64>, (k, rows): (usize, usize), block: Block, reflection: &Reflection) {
    let third = rows == 3;
    for column in k..=block.last {
        let mut entries = h.view_mut((k, column), (rows, 1));
        let y = reflection.apply([entries[0], entries[1], if third { entries[2] } else { 0.0 }]);
        entries.iter_mut().zip(y).for_each(|(entry, y)| *entry = y);
    }
    for row in block.first..=(k + 3).min(block.last) {
        let y = reflection.apply([h[(row, k)], h[(row, k + 1)], if third { h[(row, k + 2)] } else { 0.0 }]);
        (0..rows).for_each(|column| h[(row, k + column)] = y[column]);
    }
}
