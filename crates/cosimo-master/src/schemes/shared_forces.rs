//! Forces that the motions told to a subsystem do not determine, because its joints hold something twice.
//!
//! A subsystem that finds more forces than it has ways to move has a singular `A⁽ⁱ⁾`. There are two reasons. In a redundant
//! loop the motions that it is told agree as soon as the sweeps do, and of all forces that fit it takes those with the smallest
//! `Σ D x²`, where `D` is what relaxes the joints in the condensed scheme,
//!
//! ```text
//!   x = D^-½ (D^-½ A⁽ⁱ⁾ D^-½)⁺ D^-½ r
//! ```
//!
//! When the sweeps agree, what moves nothing in the whole model is taken from the forces; what is left are those of the condensed
//! scheme. Otherwise the sides prescribe what the subsystem cannot do, and no iteration makes them agree. It is the first if every
//! load on it that moves nothing is part of one that moves nothing in the whole model.

use nalgebra::{DMatrix, SymmetricEigen};

use super::local::FoundForce;
use crate::Master;

/// Singular value, against the largest, below which a load moves nothing.
const NOTHING: f64 = 1e-10;
/// Least share of a load on a subsystem in the loads that move nothing in the model; in a loop of `L` joints it is `2/L`.
const SHARE: f64 = 1e-6;

/// How forces that are not determined are shared.
#[derive(Debug)]
pub(crate) struct SharedForces {
    /// From the right-hand side to the forces.
    inverse: DMatrix<f64>,
    right_side: Vec<f64>,
}

impl SharedForces {
    /// Overwrites the right-hand side with the forces.
    pub(crate) fn solve(&mut self, x: &mut [f64]) {
        self.right_side.copy_from_slice(x);
        for (row, x) in x.iter_mut().enumerate() {
            *x = self.right_side.iter().enumerate().map(|(k, r)| self.inverse[(row, k)] * r).sum();
        }
    }
}

impl Master {
    /// How the forces found by subsystem `i` are shared, whose matrix is singular; `None` if the other sides prescribe what it
    /// cannot do.
    pub(crate) fn share_forces(
        &mut self,
        i: usize,
        found: &[FoundForce],
        matrix: &DMatrix<f64>,
    ) -> Option<SharedForces> {
        let cluster = self.layout.members[i].cluster;
        if !self.condensation.is_relaxed(cluster) {
            return None;
        }
        let relaxation =
            |force: &FoundForce| self.condensation.relaxation(&self.layout, cluster, force.joint);
        // Compliant joints are not relaxed; no load on them moves nothing.
        let most = found.iter().map(relaxation).fold(0.0, f64::max);
        let scale = |force: &FoundForce| Some(relaxation(force)).filter(|own| *own > 0.0).unwrap_or(most);
        let scales: Vec<f64> = found.iter().map(|force| scale(force).sqrt().recip()).collect();
        if !scales.iter().chain(matrix.iter()).all(|x| x.is_finite()) {
            return None;
        }
        let m = found.len();
        let scaled = DMatrix::from_fn(m, m, |a, b| scales[a] * matrix[(a, b)] * scales[b]);
        let svd = scaled.svd(true, true);
        let (left, right) = (svd.u.as_ref()?, svd.v_t.as_ref()?);
        let largest = svd.singular_values.max();
        let is_nothing = |k: &usize| svd.singular_values[*k] <= NOTHING * largest;
        let nothing: Vec<Vec<f64>> =
            (0..m).filter(is_nothing).map(|k| (0..m).map(|a| scales[a] * right[(k, a)]).collect()).collect();
        if !nothing.is_empty() && !self.are_redundant(cluster, found, &nothing) {
            return None;
        }
        let mut inverse = DMatrix::zeros(m, m);
        for k in (0..m).filter(|k| !is_nothing(k)) {
            inverse += right.row(k).transpose() * left.column(k).transpose() / svd.singular_values[k];
        }
        let inverse = DMatrix::from_fn(m, m, |a, b| scales[a] * inverse[(a, b)] * scales[b]);
        Some(SharedForces { inverse, right_side: vec![0.0; m] })
    }

    /// Takes from the forces of a step, which the sweeps have shared subsystem by subsystem, what moves nothing in the whole model:
    /// what is left are the forces of the condensed scheme.
    pub(crate) fn share_as_condensed(&mut self, [idle, no_forces]: &mut [Vec<f64>; 2]) {
        if !self.condensation.is_any_relaxed() {
            return;
        }
        idle.copy_from_slice(&self.rows.unknowns);
        self.condensation.take_idle_part(&self.layout, idle);
        for (idle, x) in idle.iter_mut().zip(&mut self.rows.unknowns) {
            *idle = -*idle;
            *x += *idle;
        }
        self.condensation.add_joint_loads(&self.layout, idle, no_forces, &mut self.rows.loads);
    }

    /// Whether these loads, which move nothing of one subsystem and are orthonormal by the relaxation, have each a share in the
    /// loads that move nothing in the whole cluster. The relaxed matrix leaves of any load those alone.
    fn are_redundant(&mut self, cluster: usize, found: &[FoundForce], loads: &[Vec<f64>]) -> bool {
        let mut shares = DMatrix::zeros(loads.len(), loads.len());
        let mut unknowns = vec![0.0; self.layout.unknowns];
        for (column, load) in loads.iter().enumerate() {
            unknowns.fill(0.0);
            for (force, x) in found.iter().zip(load) {
                unknowns[force.unknown] =
                    x * self.condensation.relaxation(&self.layout, cluster, force.joint);
            }
            let own = self.layout.clusters[cluster].unknowns.clone();
            self.condensation.project_on_redundant(cluster, &mut unknowns[own]);
            for (row, other) in loads.iter().enumerate() {
                let products = found.iter().zip(other).map(|(force, x)| x * unknowns[force.unknown]);
                shares[(row, column)] = products.sum();
            }
        }
        let symmetric = (&shares + shares.transpose()) * 0.5;
        SymmetricEigen::new(symmetric).eigenvalues.min() > SHARE
    }
}
