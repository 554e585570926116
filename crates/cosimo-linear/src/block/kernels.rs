//! Products and inverses of small dense blocks, by columns.

/// `C −= A Bᵀ` with `C` of `m × n`, `A` of `m × k`, `B` of `n × k`.
pub(super) fn subtract_product(c: &mut [f64], a: &[f64], b: &[f64], (m, n, k): (usize, usize, usize)) {
    match (m, n, k) {
        (1, 1, 1) => c[0] -= a[0] * b[0],
        (3, 3, 3) => subtract_fixed::<3, 3, 3>(c, a, b),
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

/// `B := B A` with `B` of `m × n` and `A` of `n × n`; `work` holds a row of `B`.
pub(super) fn multiply_right(b: &mut [f64], a: &[f64], (m, n): (usize, usize), work: &mut [f64]) {
    for row in 0..m {
        (0..n).for_each(|k| work[k] = b[k * m + row]);
        for column in 0..n {
            b[column * m + row] = a[column * n..].iter().zip(&work[..n]).map(|(a, w)| a * w).sum();
        }
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

/// Inverts `A`, `n × n`, in place by Gauss and Jordan with row exchanges. `scales` are the sizes of its columns before
/// anything was subtracted.
///
/// # Errors
/// The column without a pivot larger than `tolerance` times its scale.
pub(super) fn invert(
    a: &mut [f64],
    n: usize,
    scales: &[f64],
    tolerance: f64,
    pivots: &mut [usize],
) -> Result<(), usize> {
    for k in 0..n {
        let size = |row: usize| a[k * n + row].abs();
        let pivot = (k..n).fold(k, |best, row| if size(row) > size(best) { row } else { best });
        if !(size(pivot) > tolerance * scales[k]) || !size(pivot).is_finite() {
            return Err(k);
        }
        pivots[k] = pivot;
        (0..n).for_each(|column| a.swap(column * n + k, column * n + pivot));
        let inverse = 1.0 / a[k * n + k];
        a[k * n + k] = 1.0;
        (0..n).for_each(|column| a[column * n + k] *= inverse);
        for row in (0..n).filter(|row| *row != k) {
            let factor = std::mem::take(&mut a[k * n + row]);
            (0..n).for_each(|column| a[column * n + row] -= factor * a[column * n + k]);
        }
    }
    for k in (0..n).rev() {
        (0..n).for_each(|row| a.swap(k * n + row, pivots[k] * n + row));
    }
    Ok(())
}
