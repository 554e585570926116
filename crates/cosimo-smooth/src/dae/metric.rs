//! The matrix of the projections where forces are stiff over a step.
//!
//! Projections measure changes by the mass, `M U + Φᵀ ν = 0`. Corrected with the matrix of the step they contract by
//! `s/(1 + s)`, where `s` is what `c_v C + c_q K` is to the mass: `(ω h)²` at a spring or at a loaded joint. That is slow
//! from `ω h = 1` on, whatever the tangent. There they have a matrix of their own, `[M, Φᵀ; Φ, 0]`.

use cosimo_dynamics::{Configuration, ConstrainedSystem};
use cosimo_linear::{BlockLu, DenseLu, FactorizationError};
use nalgebra::DMatrix;

use super::kkt::{Kkt, Metric, Storage, Weights};

/// Largest entry of `c_v C + c_q K`, in coordinates of unit mass, with which projections use the matrix of the step.
const STIFF: f64 = 0.25;

impl Kkt {
    /// Factorises the matrix of the projections at this time (s) and position, if the forces assembled are stiff; says whether.
    pub(super) fn factorize_metric(
        &mut self,
        system: &dyn ConstrainedSystem,
        Configuration { t, q }: Configuration<'_>,
    ) -> Result<bool, FactorizationError> {
        self.metric.is_used = self.stiffness > STIFF;
        if self.metric.is_used {
            let metric = self.metric_like_this();
            metric.begin(Weights::MASS, |_| None);
            system.masses(q, metric);
            system.jacobian(t, q, metric);
            metric.factorize()?;
        }
        Ok(self.metric.is_used)
    }

    /// Solves for corrections of projections, changes and then multipliers, of `L` at once, as
    /// [`solve_lanes`](Self::solve_lanes) does.
    pub(super) fn project<const L: usize>(&mut self, x: &mut [[f64; L]]) {
        match &mut self.metric {
            Metric { kkt: Some(metric), is_used: true } => metric.solve_lanes(x),
            _ => {
                self.solve_lanes(x);
                let n = self.dimension_of_bodies();
                self.turn(&mut x[..n]);
            }
        }
    }

    /// The matrix of the projections with the scales and the rows left out of this one.
    fn metric_like_this(&mut self) -> &mut Kkt {
        let metric = match self.metric.kkt.take() {
            Some(metric) => metric,
            None => Box::new(self.twin()),
        };
        let metric = self.metric.kkt.insert(metric);
        metric.scales.copy_from_slice(&self.scales);
        metric.is_left_out.copy_from_slice(&self.is_left_out);
        metric
    }

    /// Another matrix of the same pattern.
    fn twin(&self) -> Self {
        let storage = match &self.storage {
            Storage::Dense { matrix, .. } => Storage::Dense {
                matrix: DMatrix::zeros(matrix.nrows(), matrix.ncols()),
                lu: DenseLu::default(),
            },
            Storage::Sparse(lu) => Storage::Sparse(Box::new(BlockLu::new(lu.pattern().clone()))),
        };
        let mut twin = Self::with_storage(storage, self.blocks.clone(), self.bodies, self.scales.clone());
        if self.assembled.is_some() {
            twin.keep_assembled();
        }
        twin
    }

    /// Writes what was factorised last for the projections, after a number that says whether it is used.
    pub(super) fn copy_metric(&self, out: &mut [f64]) {
        let Some((is_used, out)) = out.split_first_mut() else { return };
        *is_used = f64::from(u8::from(self.metric.is_used));
        if let Metric { kkt: Some(metric), is_used: true } = &self.metric {
            metric.copy_entries(out);
        }
    }

    /// Factorises again what [`copy_metric`](Self::copy_metric) wrote.
    pub(super) fn reload_metric(&mut self, saved: &[f64]) -> Result<(), FactorizationError> {
        let Some((is_used, saved)) = saved.split_first() else { return Ok(()) };
        self.metric.is_used = *is_used != 0.0;
        if self.metric.is_used { self.metric_like_this().reload_entries(saved) } else { Ok(()) }
    }
}
