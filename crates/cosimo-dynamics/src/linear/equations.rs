//! The equations of motion of a linear system.

use cosimo_linear::StructuredMatrix;
use nalgebra::DMatrix;

use super::LinearSystem;
use crate::{Energy, EquationsOfMotion};

impl LinearSystem {
    /// The constraint Jacobian `Φ`, `m × n`, dense.
    #[must_use]
    pub fn constraint_matrix(&self) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(self.constraints.len(), self.coordinates());
        self.constraint_jacobian(0.0, &[], &mut out);
        out
    }
}

impl EquationsOfMotion for LinearSystem {
    fn coordinates(&self) -> usize {
        self.mass.dimension()
    }

    fn constraints(&self) -> usize {
        self.constraints.len()
    }

    fn as_linear(&self) -> Option<&LinearSystem> {
        Some(self)
    }

    fn mass(&self, _q: &[f64], out: &mut DMatrix<f64>) {
        out.fill(0.0);
        self.mass.add_to_dense(1.0, out);
    }

    fn force(&self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        self.total_force(t, q, v, out);
    }

    fn tangents(
        &self,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _a: &[f64],
        stiffness: &mut DMatrix<f64>,
        damping: &mut DMatrix<f64>,
    ) {
        stiffness.fill(0.0);
        self.stiffness.add_to_dense(1.0, stiffness);
        damping.fill(0.0);
        self.damping.add_to_dense(1.0, damping);
    }

    fn constraint(&self, _t: f64, q: &[f64], out: &mut [f64]) {
        for (residual, row) in out.iter_mut().zip(&self.constraints) {
            *residual = row.dot(q) - row.offset;
        }
    }

    fn constraint_jacobian(&self, _t: f64, _q: &[f64], out: &mut DMatrix<f64>) {
        out.fill(0.0);
        for (i, row) in self.constraints.iter().enumerate() {
            row.weights.iter().for_each(|&(j, w)| out[(i, j)] = w);
        }
    }

    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Energy {
        let (stiffness, force) = match &self.potential {
            Some(own) => (&own.0, &own.1),
            None => (&self.stiffness, &self.force),
        };
        if let (StructuredMatrix::Diagonal(mass), StructuredMatrix::Zero(_)) = (&self.mass, stiffness) {
            let (kinetic, work) = free_masses((mass, force), (q, v));
            return Energy { kinetic, potential: self.potential_constant - work };
        }
        let work: f64 = force.iter().zip(q).map(|(f, qi)| f * qi).sum();
        Energy {
            kinetic: 0.5 * self.mass.quadratic_form(v),
            potential: 0.5 * stiffness.quadratic_form(q) - work + self.potential_constant,
        }
    }

    fn dissipated_power(&self, _t: f64, _q: &[f64], v: &[f64]) -> f64 {
        self.damping.quadratic_form(v)
    }

    fn external_power(&self, t: f64, _q: &[f64], v: &[f64]) -> f64 {
        self.loads.iter().map(|load| load.table.value(t) * load.direction.dot(v)).sum()
    }
}

/// Kinetic energy of masses on their own and work of a constant force, in one pass.
fn free_masses((mass, force): (&[f64], &[f64]), (q, v): (&[f64], &[f64])) -> (f64, f64) {
    let (mut kinetic, mut work) = (0.0, 0.0);
    for ((m, f), (q, v)) in mass.iter().zip(force).zip(q.iter().zip(v)) {
        kinetic += m * v * v;
        work += f * q;
    }
    (0.5 * kinetic, work)
}
