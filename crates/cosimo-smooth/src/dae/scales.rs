//! Scales in which coordinates and constraint rows are of the same size, whatever the units.

use cosimo_dynamics::{ConstrainedSystem, MatrixSink, Structure};

/// Scales of the velocities and of the constraint rows, length `n + m`, at this time (s) and position: `1/√M_ii`, in which
/// every coordinate has unit mass, and `1/√(Φ D⁻¹ Φᵀ)_kk` with the diagonal `D` of `M`, in which every row has unit length.
///
/// They are powers of two near these numbers, so that to scale is exact. What is zero keeps the scale 1.
pub(super) fn scales(system: &dyn ConstrainedSystem, t: f64, q: &[f64]) -> Vec<f64> {
    let structure = system.structure();
    let n = structure.velocities();
    let mut sizes = Sizes { values: vec![0.0; n + structure.rows()], structure };
    system.masses(q, &mut sizes);
    sizes.values[..n].iter_mut().for_each(|size| *size = scale_of(*size));
    system.jacobian(t, q, &mut sizes);
    sizes.values[n..].iter_mut().for_each(|size| *size = scale_of(*size));
    sizes.values
}

/// The power of two next to `1/√x`.
fn scale_of(x: f64) -> f64 {
    let scale = (-0.5 * x.log2()).round().exp2();
    if scale.is_normal() { scale } else { 1.0 }
}

/// Takes up masses and, by their scales, squares of rows.
struct Sizes<'a> {
    structure: &'a Structure,
    values: Vec<f64>,
}

impl MatrixSink for Sizes<'_> {
    fn mass(&mut self, block: usize, values: &[f64]) {
        let block = &self.structure.coordinates().blocks()[block];
        let diagonal = values.iter().step_by(block.kind.velocities() + 1);
        self.values[block.velocity..].iter_mut().zip(diagonal).for_each(|(size, x)| *size += x);
    }

    fn jacobian(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let rows = &self.structure.constraints()[constraint];
        let first = self.structure.coordinates().blocks()[block].velocity;
        let (scales, sizes) = self.values.split_at_mut(self.structure.velocities());
        for (scale, entries) in scales[first..].iter().zip(values.chunks_exact(rows.rows.max(1))) {
            let sizes = &mut sizes[rows.first..];
            sizes.iter_mut().zip(entries).for_each(|(size, x)| *size += (scale * x).powi(2));
        }
    }

    fn mass_coupling(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn damping(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn stiffness(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn rate_gradient(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
}

#[cfg(test)]
mod tests {
    use super::scale_of;

    #[test]
    fn scales_are_powers_of_two_within_the_root_of_two() {
        for x in [1e-30, 3e-7, 0.7, 1.0, 5.0, 1e15] {
            let scale = scale_of(x);
            assert_eq!(scale.log2().fract(), 0.0);
            assert!((scale * scale * x).log2().abs() <= 1.0, "{x} {scale}");
        }
        for x in [0.0, f64::NAN, f64::INFINITY] {
            assert_eq!(scale_of(x), 1.0);
        }
    }
}
