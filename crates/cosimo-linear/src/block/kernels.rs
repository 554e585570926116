//! Factors and products of small dense blocks, by columns.

/// Pivots below this share of what their column of the diagonal block held are round-off.
pub(super) const SMALLEST_PIVOT: f64 = 1e-13;

/// Calls a kernel whose sizes the compiler knows where blocks are those of points, hinges and rigid bodies, and the
/// general one elsewhere.
macro_rules! by_size {
    ($m:expr, $n:expr; $kernel:ident($($argument:expr),*)) => {
        match ($m, $n) {
            (1, 1) => $kernel($($argument,)* (1, 1)),
            (3, 3) => $kernel($($argument,)* (3, 3)),
            (3, 5) => $kernel($($argument,)* (3, 5)),
            (3, 6) => $kernel($($argument,)* (3, 6)),
            (5, 3) => $kernel($($argument,)* (5, 3)),
            (5, 5) => $kernel($($argument,)* (5, 5)),
            (5, 6) => $kernel($($argument,)* (5, 6)),
            (6, 3) => $kernel($($argument,)* (6, 3)),
            (6, 5) => $kernel($($argument,)* (6, 5)),
            (6, 6) => $kernel($($argument,)* (6, 6)),
            sizes => $kernel($($argument,)* sizes),
        }
    };
}

/// `C −= A B` with `C` of `m × n`, its columns `stride` apart, `A` of `m × k`, `B` of `k × n`.
pub(super) fn subtract_product(c: &mut [f64], stride: usize, a: &[f64], b: &[f64], (m, k): (usize, usize)) {
    by_size!(m, k; subtract_product_sized(c, stride, a, b));
}

#[inline(always)]
fn subtract_product_sized(c: &mut [f64], stride: usize, a: &[f64], b: &[f64], (m, k): (usize, usize)) {
    let a = &a[..m * k];
    for (target, b) in c.chunks_mut(stride).zip(b.chunks_exact(k)) {
        let target = &mut target[..m];
        for (a, b) in a.chunks_exact(m).zip(b) {
            target.iter_mut().zip(a).for_each(|(t, a)| *t -= a * b);
        }
    }
}

/// `B := B A⁻¹` with `B` of `m × n` and the factors of `A` with its row exchanges, as [`factorize`] leaves them.
pub(super) fn divide_right(b: &mut [f64], factors: &[f64], pivots: &[usize], (m, n): (usize, usize)) {
    by_size!(m, n; divide_right_sized(b, factors, pivots));
}

#[inline(always)]
fn divide_right_sized(b: &mut [f64], factors: &[f64], pivots: &[usize], (m, n): (usize, usize)) {
    let (b, factors) = (&mut b[..m * n], &factors[..n * n]);
    for k in 0..n {
        let (before, own) = b.split_at_mut(k * m);
        let own = &mut own[..m];
        let column = &factors[k * n..(k + 1) * n];
        for (earlier, factor) in before.chunks_exact(m).zip(column) {
            own.iter_mut().zip(earlier).for_each(|(x, e)| *x -= factor * e);
        }
        let inverse = 1.0 / column[k];
        own.iter_mut().for_each(|x| *x *= inverse);
    }
    for k in (0..n).rev() {
        let (before, after) = b.split_at_mut((k + 1) * m);
        let own = &mut before[k * m..];
        let column = &factors[k * n + k + 1..(k + 1) * n];
        for (later, factor) in after.chunks_exact(m).zip(column) {
            own.iter_mut().zip(later).for_each(|(x, l)| *x -= factor * l);
        }
    }
    for k in (0..n).rev().filter(|&k| pivots[k] != k) {
        (0..m).for_each(|row| b.swap(k * m + row, pivots[k] * m + row));
    }
}

/// `x := A⁻¹ x` with the factors of `A`.
pub(super) fn divide(x: &mut [f64], factors: &[f64], pivots: &[usize]) {
    by_size!(x.len(), x.len(); divide_sized(x, factors, pivots));
}

#[inline(always)]
fn divide_sized(x: &mut [f64], factors: &[f64], pivots: &[usize], (n, _): (usize, usize)) {
    let (x, factors, pivots) = (&mut x[..n], &factors[..n * n], &pivots[..n]);
    for (k, pivot) in pivots.iter().enumerate() {
        x.swap(k, *pivot);
    }
    for k in 0..n {
        let (own, after) = x[k..].split_at_mut(1);
        after.iter_mut().zip(&factors[k * n + k + 1..]).for_each(|(x, l)| *x -= l * own[0]);
    }
    for k in (0..n).rev() {
        let (before, own) = x.split_at_mut(k);
        own[0] /= factors[k * n + k];
        before.iter_mut().zip(&factors[k * n..]).for_each(|(x, u)| *x -= u * own[0]);
    }
}

/// `y −= A x` with `A` of `m × n`.
pub(super) fn subtract_from(y: &mut [f64], a: &[f64], x: &[f64]) {
    by_size!(y.len(), x.len(); subtract_from_sized(y, a, x));
}

#[inline(always)]
fn subtract_from_sized(y: &mut [f64], a: &[f64], x: &[f64], (m, n): (usize, usize)) {
    let (y, x) = (&mut y[..m], &x[..n]);
    for (column, x) in a.chunks_exact(m).zip(x) {
        y.iter_mut().zip(column).for_each(|(y, a)| *y -= a * x);
    }
}

/// Right-hand sides that are solved together: as many as the registers of a processor hold.
pub(super) const LANES: usize = 8;

/// Whether all right-hand sides are zero in these rows, which then change nothing in a forward sweep.
#[inline(always)]
pub(super) fn is_zero<const L: usize>(x: &[[f64; L]]) -> bool {
    x.as_flattened().iter().all(|x| *x == 0.0)
}

/// `Y −= A X` with `A` of `m × n`, lane by lane in the order of [`subtract_from`].
#[inline(always)]
pub(super) fn subtract_lanes<const L: usize>(y: &mut [[f64; L]], a: &[f64], x: &[[f64; L]]) {
    let m = y.len();
    for (row, y) in y.iter_mut().enumerate() {
        let mut sum = *y;
        for (x, a) in x.iter().zip(a[row..].iter().step_by(m)) {
            sum.iter_mut().zip(x).for_each(|(sum, x)| *sum -= a * x);
        }
        *y = sum;
    }
}

/// `X := A⁻¹ X` with the factors of `A` and its row exchanges, as [`factorize`] leaves them.
#[inline(always)]
pub(super) fn divide_lanes<const L: usize>(x: &mut [[f64; L]], factors: &[f64], pivots: &[usize]) {
    let n = x.len();
    pivots.iter().enumerate().for_each(|(k, pivot)| x.swap(k, *pivot));
    for k in 0..n {
        let (head, rest) = x.split_at_mut(k + 1);
        for (row, l) in rest.iter_mut().zip(&factors[k * n + k + 1..]) {
            row.iter_mut().zip(&head[k]).for_each(|(x, own)| *x -= l * own);
        }
    }
    for k in (0..n).rev() {
        let (before, rest) = x.split_at_mut(k);
        let pivot = factors[k * n + k];
        rest[0].iter_mut().for_each(|x| *x /= pivot);
        for (row, u) in before.iter_mut().zip(&factors[k * n..]) {
            row.iter_mut().zip(&rest[0]).for_each(|(x, own)| *x -= u * own);
        }
    }
}

/// Factorises `A`, `n × n`, in place with row exchanges: `P A = L U`, the unit diagonal of `L` left out. `scales` are the
/// sizes of its columns before anything was subtracted. An inverse would be as quick, but not as exact where `A` is
/// ill-conditioned.
///
/// # Errors
/// The column without a pivot larger than `tolerance` times its scale.
pub(super) fn factorize(
    a: &mut [f64],
    scales: &[f64],
    tolerance: f64,
    pivots: &mut [usize],
) -> Result<(), usize> {
    by_size!(pivots.len(), pivots.len(); factorize_sized(a, scales, tolerance, pivots))
}

#[inline(always)]
fn factorize_sized(
    a: &mut [f64],
    scales: &[f64],
    tolerance: f64,
    pivots: &mut [usize],
    (n, _): (usize, usize),
) -> Result<(), usize> {
    let (a, pivots) = (&mut a[..n * n], &mut pivots[..n]);
    for k in 0..n {
        let size = |row: usize| a[k * n + row].abs();
        let pivot = (k..n).fold(k, |best, row| if size(row) > size(best) { row } else { best });
        if !(size(pivot) > tolerance * scales[k]) || !size(pivot).is_finite() {
            return Err(k);
        }
        pivots[k] = pivot;
        if pivot != k {
            (0..n).for_each(|column| a.swap(column * n + k, column * n + pivot));
        }
        let (done, rest) = a.split_at_mut((k + 1) * n);
        let (head, multipliers) = done[k * n + k..].split_at_mut(1);
        multipliers.iter_mut().for_each(|l| *l /= head[0]);
        for column in rest.chunks_exact_mut(n) {
            let (top, below) = column[k..].split_at_mut(1);
            below.iter_mut().zip(&*multipliers).for_each(|(x, l)| *x -= l * top[0]);
        }
    }
    Ok(())
}

/// Raises the scale of every column of a square block to its largest entry; columns are `stride` apart.
pub(super) fn raise_scales(scales: &mut [f64], block: &[f64], stride: usize) {
    let size = scales.len();
    for (scale, entries) in scales.iter_mut().zip(block.chunks(stride.max(1))) {
        *scale = entries[..size].iter().fold(*scale, |largest, x| largest.max(x.abs()));
    }
}
