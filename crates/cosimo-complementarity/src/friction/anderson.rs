//! Anderson's acceleration of a fixed-point iteration `x ← G(x)`.
//!
//! From the last `m` differences of corrections `f_k = G(x_k) − x_k` and of images `G(x_k)` the next point is
//!
//! ```text
//!   x = G(x_k) − ΔG γ        γ = argmin ‖ f_k − ΔF γ ‖
//! ```
//!
//! which for an affine `G` is GMRES.
//!
//! Reference: H. F. Walker, P. Ni, *Anderson acceleration for fixed-point iterations*, SIAM J. Numer. Anal. 49 (2011).

use std::collections::VecDeque;

/// Added to the diagonal of the normal matrix of unit differences: those that are nearly dependent would give weights
/// without bounds.
const REGULARISATION: f64 = 1e-12;

/// Numbers of a point that are mixed at a time, so that they stay in the cache.
const PIECE: usize = 512;

/// A difference of two successive calls.
#[derive(Debug, Clone, Default)]
struct Difference {
    correction: Vec<f64>,
    image: Vec<f64>,
    /// Products of its correction with those of the differences before it, oldest first, and with itself at the end.
    products: VecDeque<f64>,
}

/// The memory of the acceleration: at most `window` differences, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Anderson {
    window: usize,
    differences: VecDeque<Difference>,
    /// Correction and image of the last call.
    last: Option<Difference>,
    spare: Vec<Difference>,
    /// Lower triangle of the normal matrix, row by row, then its factor.
    normal: Vec<f64>,
    /// Lengths of the differences, inverted.
    units: Vec<f64>,
    /// Products of the differences with the correction of the call, then the `γ`.
    weights: Vec<f64>,
}

impl Anderson {
    pub(crate) fn new(window: usize) -> Self {
        Self { window, spare: Vec::with_capacity(window + 2), ..Self::default() }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.spare.extend(self.differences.drain(..));
        self.spare.extend(self.last.take());
    }

    /// Overwrites `point` by the last image, before it was accelerated.
    pub(crate) fn go_back(&self, point: &mut [f64]) {
        if let Some(last) = &self.last {
            point.copy_from_slice(&last.image);
        }
    }

    /// Overwrites `image = G(point)` by the accelerated point.
    pub(crate) fn accelerate(&mut self, point: &[f64], image: &mut [f64]) {
        let products = || VecDeque::with_capacity(self.window + 1);
        let fresh = || Difference { products: products(), ..Difference::default() };
        let mut present = self.spare.pop().unwrap_or_else(fresh);
        present.correction.clear();
        present.correction.extend(image.iter().zip(point).map(|(g, x)| g - x));
        present.image.clear();
        present.image.extend_from_slice(image);
        if let Some(last) = self.last.take() {
            self.remember(last, &present);
            self.mix(image);
        }
        self.last = Some(present);
    }

    fn remember(&mut self, mut last: Difference, present: &Difference) {
        let subtract = |old: &mut [f64], new: &[f64]| old.iter_mut().zip(new).for_each(|(o, n)| *o = n - *o);
        subtract(&mut last.correction, &present.correction);
        subtract(&mut last.image, &present.image);
        if self.differences.len() == self.window {
            self.spare.extend(self.differences.pop_front());
            for later in &mut self.differences {
                later.products.pop_front();
            }
        }
        last.products.clear();
        self.weights.clear();
        for old in &self.differences {
            let (product, weight) = dots(&old.correction, &last.correction, &present.correction);
            last.products.push_back(product);
            self.weights.push(weight);
        }
        let (product, weight) = dots(&last.correction, &last.correction, &present.correction);
        last.products.push_back(product);
        self.weights.push(weight);
        self.differences.push_back(last);
    }

    /// The equation at the top, by the normal equations.
    fn mix(&mut self, image: &mut [f64]) {
        let Self { differences, normal, units, weights, .. } = self;
        let m = differences.len();
        // Every difference in units of its own length: they shrink by orders of magnitude from the oldest to the newest.
        units.clear();
        units.extend(
            differences.iter().enumerate().map(|(i, d)| 1.0 / d.products[i].sqrt().max(f64::MIN_POSITIVE)),
        );
        weights.iter_mut().zip(&*units).for_each(|(weight, unit)| *weight *= unit);
        normal.clear();
        for i in 0..m {
            normal.extend((0..i).map(|j| differences[i].products[j] * units[i] * units[j]));
            normal.push(1.0 + REGULARISATION);
        }
        if !solve_by_cholesky(normal, weights) {
            return;
        }
        weights.iter_mut().zip(&*units).for_each(|(weight, unit)| *weight *= unit);
        if weights.iter().all(|weight| weight.is_finite()) {
            for (place, piece) in image.chunks_mut(PIECE).enumerate() {
                for (weight, difference) in weights.iter().zip(&*differences) {
                    let images = &difference.image[place * PIECE..];
                    piece.iter_mut().zip(images).for_each(|(x, g)| *x -= weight * g);
                }
            }
        }
    }
}

/// Overwrites `x` by `A⁻¹ x` for the lower triangle of `A`, row by row, which becomes its factor; false where `A` is not
/// positive definite.
fn solve_by_cholesky(lower: &mut [f64], x: &mut [f64]) -> bool {
    let row = |i: usize| i * (i + 1) / 2;
    for i in 0..x.len() {
        for j in 0..=i {
            let inner = dot(&lower[row(i)..row(i) + j], &lower[row(j)..row(j) + j]);
            let rest = lower[row(i) + j] - inner;
            if i == j && !(rest > 0.0) {
                return false;
            }
            lower[row(i) + j] = if i == j { rest.sqrt() } else { rest / lower[row(j) + j] };
        }
        x[i] = (x[i] - dot(&lower[row(i)..row(i) + i], &x[..i])) / lower[row(i) + i];
    }
    for i in (0..x.len()).rev() {
        x[i] /= lower[row(i) + i];
        for j in 0..i {
            x[j] -= lower[row(i) + j] * x[i];
        }
    }
    true
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `aᵀb` and `aᵀc`, summed in lanes: one sum would wait for every addition.
fn dots(a: &[f64], b: &[f64], c: &[f64]) -> (f64, f64) {
    const LANES: usize = 4;
    let ((a, a_rest), (b, b_rest), (c, c_rest)) =
        (a.as_chunks::<LANES>(), b.as_chunks::<LANES>(), c.as_chunks::<LANES>());
    let (mut with_b, mut with_c) = ([0.0; LANES], [0.0; LANES]);
    for ((a, b), c) in a.iter().zip(b).zip(c) {
        for k in 0..LANES {
            with_b[k] += a[k] * b[k];
            with_c[k] += a[k] * c[k];
        }
    }
    (with_b.iter().sum::<f64>() + dot(a_rest, b_rest), with_c.iter().sum::<f64>() + dot(a_rest, c_rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn affine_maps_end_after_as_many_images_as_unknowns() {
        let map =
            |x: &[f64]| vec![0.9 * x[0] + 0.3 * x[1] + 1.0, -0.5 * x[1] + 0.2 * x[2], 0.99 * x[2] + 0.1];
        let (mut x, mut anderson) = (vec![0.0; 3], Anderson::new(5));
        for _ in 0..5 {
            let mut image = map(&x);
            anderson.accelerate(&x, &mut image);
            x = image;
        }
        let rest = map(&x).iter().zip(&x).map(|(g, x)| (g - x).abs()).fold(0.0, f64::max);
        assert!(rest < 1e-6, "{rest}");
    }

    #[test]
    fn products_are_kept_right_when_the_oldest_go() {
        let mut anderson = Anderson::new(2);
        for k in 0..6 {
            let x: Vec<f64> = (0..4).map(|i| f64::from(k * i)).collect();
            let mut image: Vec<f64> = (0..4).map(|i| f64::from((k + i) * (k + i))).collect();
            anderson.accelerate(&x, &mut image);
        }
        let d = &anderson.differences;
        assert_eq!(d[1].products.len(), 2);
        let product = |a: usize, b: usize| dot(&d[a].correction, &d[b].correction);
        assert!((d[1].products[0] - product(0, 1)).abs() <= 1e-14 * product(0, 1).abs());
        assert!((d[0].products[0] - product(0, 0)).abs() <= 1e-14 * product(0, 0));
        assert!((d[1].products[1] - product(1, 1)).abs() <= 1e-14 * product(1, 1));
    }
}
