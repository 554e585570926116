//! Products and inverses of small dense blocks, by columns.

/// `C −= A Bᵀ` with `C` of `m × n`, `A` of `m × k`, `B` of `n × k`.
pub(super) fn subtract_product(c: &mut [f64], a: &[f64], b: &[f64], (m, n, k): (usize, usize, usize)) {
    match (m, n, k) {
        (1, 1, 1) => c[0] -= a[0] * b[0],
        (3, 3, 3) => subtract_fixed::<3, 3, 3>(c, a, b),
        (6, 6, 6) => subtract_fixed::<6, 6, 6>(c, a, b),
        _ => {
            for (column, target) in c.chunks_exact_mut(m).enumerate() {
                for (a, b) in a.chunks_exact(m).zip(b.chunks_exact(n)) {
                    target.iter_mut().zip(a).for_each(|(t, a)| *t -= a * b[column]);
                }
            }
        }
    }
}

/// The same with sizes known to the compiler.
fn subtract_fixed<const M: usize, const N: usize, const K: usize>(c: &mut [f64], a: &[f64], b: &[f64]) {
    let (c, a, b) = (&mut c[..M * N], &a[..M * K], &b[..N * K]);
    for k in 0..K {
        for column in 0..N {
            for row in 0..M {
                c[column * M + row] -= a[k * M + row] * b[k * N + column];
            }
        }
    }
}

/// `B := B A⁻¹` with `B` of `m × n` and the factors of `A` with its row exchanges, as [`factorize`] leaves them.
pub(super) fn divide_right(b: &mut [f64], factors: &[f64], pivots: &[usize], (m, n): (usize, usize)) {
    for k in 0..n {
        let (before, own) = b.split_at_mut(k * m);
        let own = &mut own[..m];
        let column = &factors[k * n..(k + 1) * n];
        for (earlier, factor) in before.chunks_exact(m).zip(column) {
            own.iter_mut().zip(earlier).for_each(|(x, e)| *x -= factor * e);
        }
        own.iter_mut().for_each(|x| *x /= column[k]);
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
    let n = x.len();
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
    for (column, x) in a.chunks_exact(y.len()).zip(x) {
        y.iter_mut().zip(column).for_each(|(y, a)| *y -= a * x);
    }
}

/// `y −= Aᵀ x` with `A` of `m × n`.
pub(super) fn subtract_transposed_from(y: &mut [f64], a: &[f64], x: &[f64]) {
    for (y, column) in y.iter_mut().zip(a.chunks_exact(x.len())) {
        *y -= column.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
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
    let n = pivots.len();
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
