//! The equations of motion of a linear system.

use nalgebra::DMatrix;

use super::LinearSystem;
use cosimo_mechanics::Energy;

impl LinearSystem {
    /// Number of coordinates `n`.
    #[must_use]
    pub fn coordinates(&self) -> usize {
        self.mass.dimension()
    }

    /// Number of bilateral constraints `m`.
    #[must_use]
    pub fn constraints(&self) -> usize {
        self.constraints.len()
    }

    /// Writes the violation of the constraints `Φ q − c`, length `m`.
    pub fn constraint(&self, q: &[f64], out: &mut [f64]) {
        for (residual, row) in out.iter_mut().zip(&self.constraints) {
            *residual = row.dot(q) - row.offset;
        }
    }

    /// The constraint Jacobian `Φ`, `m × n`, dense.
    #[must_use]
    pub fn constraint_matrix(&self) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(self.constraints.len(), self.coordinates());
        for (i, row) in self.constraints.iter().enumerate() {
            row.weights.iter().for_each(|&(j, w)| out[(i, j)] = w);
        }
        out
    }

    /// Kinetic and potential energy (J).
    #[must_use]
    pub fn energy(&self, q: &[f64], v: &[f64]) -> Energy {
        let (stiffness, force) = match &self.potential {
            Some(own) => (&own.0, &own.1),
            None => (&self.stiffness, &self.force),
        };
        let work: f64 = force.iter().zip(q).map(|(f, qi)| f * qi).sum();
        Energy {
            kinetic: 0.5 * self.mass.quadratic_form(v),
            potential: 0.5 * stiffness.quadratic_form(q) - work + self.potential_constant,
        }
    }

    /// Power that the damping takes out (W), not negative for a passive system.
    #[must_use]
    pub fn dissipated_power(&self, v: &[f64]) -> f64 {
        self.damping.quadratic_form(v)
    }

    /// Power that time-dependent loads put in (W), linear in `v`: with a way (m) in place of it, their work (J).
    #[must_use]
    pub fn external_power(&self, t: f64, v: &[f64]) -> f64 {
        self.loads.iter().map(|load| load.size.value(t) * load.direction.dot(v)).sum()
    }
}
