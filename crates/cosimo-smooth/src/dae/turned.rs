//! Turns of several directions by the matrix of their block.

use nalgebra::Matrix3;

/// `T x` of `L` vectors, the numbers of one row next to each other, `3 × L`.
pub(super) fn turned<const L: usize>(turn: &Matrix3<f64>, x: &[[f64; L]]) -> [[f64; L]; 3] {
    let (x, y, z) = (&x[0], &x[1], &x[2]);
    let mut out = [[0.0; L]; 3];
    for (i, own) in out.iter_mut().enumerate() {
        let [of_x, of_y, of_z] = [turn[(i, 0)], turn[(i, 1)], turn[(i, 2)]];
        for lane in 0..L {
            own[lane] = of_x * x[lane] + of_y * y[lane] + of_z * z[lane];
        }
    }
    out
}
