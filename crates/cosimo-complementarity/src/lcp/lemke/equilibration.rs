//! Scaling of a problem by powers of two, so that one set of tolerances suits every unit and mass ratio.

use crate::LcpProblem;

/// Sweeps over the matrix at most; each takes the square root of what is left of the spread.
const MAX_SWEEPS: usize = 8;

/// The scaled problem and the way back.
///
/// ```text
///   M' = D M D,    q' = D q / s,    z = s D z',    w = s D⁻¹ w'
/// ```
///
/// | symbol | shape   | meaning                                                                  |
/// |--------|---------|--------------------------------------------------------------------------|
/// | `D`    | `n × n` | diagonal, powers of two: the largest entry of row and column `i` of `M'` is near 1 |
/// | `s`    | 1       | power of two: the largest entry of `q'` is near 1                        |
///
/// Multiplication by powers of two is exact, so `(M', q')` is the same problem to the bit. `D` on both sides keeps
/// symmetry, definiteness and copositivity.
///
/// Source of the iteration: D. Ruiz, *A scaling algorithm to equilibrate both rows and columns norms in matrices*,
/// Rutherford Appleton Laboratory, RAL-TR-2001-034, 2001 (here in the largest norm, on rows and columns at once).
#[derive(Debug, Clone)]
pub(super) struct Equilibration {
    /// `D`.
    scale: Vec<f64>,
    /// `s`.
    offset_scale: f64,
    /// Largest magnitude in row and column `i`, during a sweep.
    largest: Vec<f64>,
    /// `M'`, column-major.
    matrix: Vec<f64>,
    /// `q'`.
    offset: Vec<f64>,
}

impl Equilibration {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self {
            scale: Vec::with_capacity(capacity),
            offset_scale: 1.0,
            largest: Vec::with_capacity(capacity),
            matrix: Vec::with_capacity(capacity * capacity),
            offset: Vec::with_capacity(capacity),
        }
    }

    /// Scales `problem`; `false` if an entry overflowed, which leaves nothing to solve.
    pub(super) fn scale(&mut self, problem: LcpProblem<'_>) -> bool {
        let n = problem.dimension();
        self.matrix.clear();
        self.matrix.extend_from_slice(problem.matrix());
        self.scale.clear();
        self.scale.resize(n, 1.0);
        // The first sweep in any case: problems that differ by units alone become the same one.
        let mut sweeps = 0;
        while sweeps < MAX_SWEEPS && (self.write_largest(n) || sweeps == 0) {
            self.divide(n);
            sweeps += 1;
        }
        self.scale_offset(problem.offset());
        self.matrix.iter().chain(&self.offset).all(|entry| entry.is_finite())
    }

    /// The scaled problem `(M', q')`.
    pub(super) fn problem(&self) -> LcpProblem<'_> {
        LcpProblem::from_checked(&self.matrix, &self.offset)
    }

    /// Writes `z = s D z'`, finite and not negative; entries not named are 0.
    pub(super) fn restore(&self, nonzeros: impl Iterator<Item = (usize, f64)>, z: &mut [f64]) {
        z.fill(0.0);
        for (index, value) in nonzeros {
            let value = value * self.scale[index] * self.offset_scale;
            // Not `clamp`, which lets NaN and −0 pass.
            z[index] = if value > 0.0 { value.min(f64::MAX) } else { 0.0 };
        }
    }

    /// `D y'` of a ray of the scaled problem: with `M'ᵀ y' ≤ 0` and `q'ᵀ y' < 0` it has the same of `M` and `q`.
    pub(super) fn unscaled_ray(&self, ray: &[f64]) -> impl Iterator<Item = f64> {
        self.scale.iter().zip(ray).map(|(scale, speed)| scale * speed)
    }

    /// Writes the largest magnitude in row and column `i`; `true` if they are spread.
    fn write_largest(&mut self, n: usize) -> bool {
        self.largest.clear();
        self.largest.resize(n, 0.0);
        for (column, entries) in self.matrix.chunks_exact(n).enumerate() {
            let mut of_column = 0.0_f64;
            for (entry, largest) in entries.iter().zip(&mut self.largest) {
                *largest = largest.max(entry.abs());
                of_column = of_column.max(entry.abs());
            }
            self.largest[column] = self.largest[column].max(of_column);
        }
        !self.largest.iter().all(|largest| *largest == 0.0 || (0.25..4.0).contains(largest))
    }

    /// Divides every row and column by about the square root of its largest entry.
    fn divide(&mut self, n: usize) {
        for largest in &mut self.largest {
            *largest = if *largest > 0.0 { inverse_power_of_two(largest.sqrt()) } else { 1.0 };
        }
        for (column, entries) in self.matrix.chunks_exact_mut(n).enumerate() {
            let factor = self.largest[column];
            for (entry, row_factor) in entries.iter_mut().zip(&self.largest) {
                *entry *= row_factor * factor;
            }
        }
        self.scale.iter_mut().zip(&self.largest).for_each(|(scale, factor)| *scale *= factor);
    }

    fn scale_offset(&mut self, offset: &[f64]) {
        self.offset.clear();
        self.offset.extend(offset.iter().zip(&self.scale).map(|(entry, scale)| entry * scale));
        let largest = self.offset.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        let inverse = if largest > 0.0 { inverse_power_of_two(largest) } else { 1.0 };
        self.offset.iter_mut().for_each(|entry| *entry *= inverse);
        self.offset_scale = 1.0 / inverse;
    }
}

/// `2^−⌊log₂ value⌋` for a positive `value`; a subnormal one counts as the smallest normal number.
fn inverse_power_of_two(value: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    // A normal number without its mantissa is the power of two below it.
    1.0 / f64::from_bits(value.max(f64::MIN_POSITIVE).to_bits() & EXPONENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_exact() {
        assert_eq!(inverse_power_of_two(1.0), 1.0);
        assert_eq!(inverse_power_of_two(5.0), 0.25);
        assert_eq!(inverse_power_of_two(0.3), 4.0);
        assert_eq!(inverse_power_of_two(f64::MIN_POSITIVE), 2.0_f64.powi(1022));
        assert!(inverse_power_of_two(f64::MAX) > 0.0);
    }

    #[test]
    fn mass_ratios_disappear_and_come_back() {
        // diag(1e9, 1, 1e-6) around a correlation of 1/2.
        let (size, n) = ([1.0e9, 1.0, 1.0e-6], 3);
        let matrix: Vec<f64> =
            (0..9).map(|k| size[k % n] * size[k / n] * if k % n == k / n { 1.0 } else { 0.5 }).collect();
        let offset = size.map(|size| -3.0 * size);
        let mut equilibration = Equilibration::with_capacity(n);
        assert!(equilibration.scale(LcpProblem::new(&matrix, &offset).unwrap()));

        let scaled = equilibration.problem();
        assert!((0..n).all(|i| (0.1..10.0).contains(&scaled.matrix()[4 * i])), "{scaled:?}");
        let mut z = [0.0; 3];
        equilibration.restore([(0, 1.0), (2, -1.0)].into_iter(), &mut z);
        assert_eq!(z, [equilibration.scale[0] * equilibration.offset_scale, 0.0, 0.0]);
        for (k, entry) in scaled.matrix().iter().enumerate() {
            assert_eq!(*entry, matrix[k] * equilibration.scale[k % n] * equilibration.scale[k / n]);
        }
    }

    #[test]
    fn values_returned_are_finite_and_not_negative() {
        let mut equilibration = Equilibration::with_capacity(4);
        assert!(equilibration.scale(LcpProblem::new(&[1.0; 16], &[-1.0; 4]).unwrap()));
        let mut z = [7.0; 4];
        equilibration.restore([(0, f64::NAN), (1, f64::INFINITY), (2, -0.0)].into_iter(), &mut z);
        assert_eq!(z.map(f64::to_bits), [0.0, f64::MAX, 0.0, 0.0].map(f64::to_bits));
    }
}
