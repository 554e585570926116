//! The interface matrix of a cluster, `A = Σ s (Q χ + V) W s ρ + C`: dense where it is small, sparse otherwise.
//!
//! Joints that hold twice what others hold already make it singular. It is then relaxed by a small share of what the
//! subsystems at each joint answer: the joints share the load, and the motion is that without the superfluous ones.

use cosimo_linear::{DenseLu, FactorizationError};
use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

use super::equations::Equations;
use super::relaxation::relaxation;
use super::sparse_matrix::{Failure, SparseMatrix};
use crate::topology::{Cluster, Topology};

/// Unknowns up to which the matrix is dense.
const MOST_DENSE: usize = 40;
/// How often what the relaxation leaves open is taken back, a share `R/(A + R)` of which stays each time; and how often loads are
/// projected on those that move nothing, with the same share of others.
const REFINEMENTS: usize = 8;
/// Share of the largest load in a load that moves nothing above which a joint takes part in it.
const PART: f64 = 1e-3;

/// The interface matrix, factorised.
#[derive(Debug)]
pub(crate) struct InterfaceMatrix {
    form: Form,
    /// Whether joints are redundant; once they are, they stay relaxed.
    is_relaxed: bool,
    /// What is added to the diagonal of a relaxed matrix, by unknown of the cluster (1/kg).
    relaxation: Vec<f64>,
    correction: Vec<f64>,
    /// Whether the pattern holds whatever the blocks of the subsystems' responses: where these have changed.
    is_full: bool,
}

/// What the first matrices decided and later ones keep to: a part of the state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Decisions {
    is_relaxed: bool,
    is_full: bool,
}

#[derive(Debug)]
enum Form {
    Dense { matrix: DMatrix<f64>, lu: DenseLu },
    Sparse(Option<Box<SparseMatrix>>),
}

impl InterfaceMatrix {
    pub(crate) fn new(cluster: &Cluster) -> Self {
        let m = cluster.unknowns.len();
        let form = if m <= MOST_DENSE {
            Form::Dense { matrix: DMatrix::zeros(m, m), lu: DenseLu::default() }
        } else {
            Form::Sparse(None)
        };
        Self::of(form)
    }

    fn of(form: Form) -> Self {
        let (relaxation, correction) = (Vec::new(), Vec::new());
        Self { form, is_relaxed: false, relaxation, correction, is_full: false }
    }

    pub(super) fn decisions(&self) -> Decisions {
        let Self { is_relaxed, is_full, .. } = *self;
        Decisions { is_relaxed, is_full }
    }

    /// Keeps to these decisions, which belong to the same cluster.
    pub(super) fn decide(&mut self, decisions: &Decisions) {
        let Decisions { is_relaxed, is_full } = *decisions;
        (self.is_relaxed, self.is_full) = (is_relaxed, is_full);
        if let Form::Sparse(matrix) = &mut self.form {
            *matrix = None;
        }
    }

    /// Sets up and factorises the matrix, relaxed if it is singular.
    ///
    /// # Errors
    /// The unknown, in the master's vectors, at which the matrix is singular in spite of that.
    pub(crate) fn refresh(&mut self, equations: Equations<'_>) -> Result<(), usize> {
        let Equations { model, cluster, .. } = equations;
        let mut result = Err(0);
        if !self.is_relaxed {
            result = self.factorize(equations);
            self.is_relaxed = result.is_err();
        }
        if self.is_relaxed {
            self.relaxation.resize(cluster.unknowns.len(), 0.0);
            for &j in &cluster.joints {
                let own = relaxation(equations, j);
                model.topology.joints[j]
                    .unknowns()
                    .for_each(|k| self.relaxation[k - cluster.unknowns.start] = own);
            }
            result = self.factorize(equations);
        }
        result.map_err(|unknown| cluster.unknowns.start + unknown)
    }

    fn factorize(&mut self, equations: Equations<'_>) -> Result<(), usize> {
        let (Equations { model, cluster, .. }, is_relaxed) = (equations, self.is_relaxed);
        let extra = |j: usize| if is_relaxed { relaxation(equations, j) } else { 0.0 };
        match &mut self.form {
            Form::Dense { matrix, lu } => factorize_dense(matrix, lu, equations, &extra),
            Form::Sparse(sparse) => loop {
                let is_full = self.is_full;
                let find = || Box::new(SparseMatrix::new(model, cluster, is_full));
                match sparse.get_or_insert_with(find).factorize(equations, extra) {
                    Ok(()) => return Ok(()),
                    Err(Failure::Singular(unknown)) => return Err(unknown),
                    Err(Failure::Pattern) => (*sparse, self.is_full) = (None, true),
                }
            },
        }
    }

    /// Overwrites `x`, one value an unknown of the cluster, with `A⁻¹ x`. Of a relaxed matrix `A + R`, what the relaxation leaves open is
    /// taken back, `x ← x + (A + R)⁻¹ R Δx`, and then the loads that move nothing, which are round-off over `R`, are taken away.
    pub(crate) fn solve(&mut self, x: &mut [f64]) {
        self.solve_relaxed(x);
        if !self.is_relaxed {
            return;
        }
        let mut correction = std::mem::take(&mut self.correction);
        correction.clear();
        correction.extend_from_slice(x);
        for _ in 0..REFINEMENTS {
            correction.iter_mut().zip(&self.relaxation).for_each(|(change, r)| *change *= r);
            self.solve_relaxed(&mut correction);
            x.iter_mut().zip(&correction).for_each(|(x, change)| *x += change);
        }
        correction.copy_from_slice(x);
        self.take_idle_part(&mut correction);
        x.iter_mut().zip(&correction).for_each(|(x, idle)| *x -= idle);
        self.correction = correction;
    }

    /// Overwrites `x` with the solution of the matrix as it is factorised, relaxed or not.
    pub(crate) fn solve_relaxed(&mut self, x: &mut [f64]) {
        match &mut self.form {
            Form::Dense { lu, .. } if !x.is_empty() => lu.solve(x),
            Form::Sparse(Some(matrix)) => matrix.solve(x),
            _ => {}
        }
    }

    /// Whether joints are redundant, and therefore relaxed.
    pub(crate) fn is_relaxed(&self) -> bool {
        self.is_relaxed
    }

    /// Overwrites unknowns with the part of them that moves nothing, `((A + R)⁻¹ R)ⁿ x`; zero where nothing is relaxed. Of what moves
    /// something a share `(R/(A + R))ⁿ` stays.
    pub(crate) fn take_idle_part(&mut self, x: &mut [f64]) {
        for _ in 0..REFINEMENTS {
            self.leave_rest(x);
            self.solve_relaxed(x);
        }
    }

    /// The redundant joints of a relaxed matrix: those that take part in loads that move nothing. Inverse iteration
    /// leaves of any load those alone.
    pub(crate) fn redundant_joints(&mut self, topology: &Topology, cluster: &Cluster) -> Vec<usize> {
        // Any numbers will do that no load is orthogonal to.
        let mut x: Vec<f64> = (0..cluster.unknowns.len()).map(|k| 1.0 + (0.618 * k as f64).fract()).collect();
        for _ in 0..3 {
            self.solve_relaxed(&mut x);
            self.leave_rest(&mut x);
        }
        let size = |j: &usize| {
            let unknowns = topology.joints[*j].unknowns();
            unknowns.map(|unknown| x[unknown - cluster.unknowns.start].abs()).fold(0.0, f64::max)
        };
        let largest = cluster.joints.iter().map(size).fold(0.0, f64::max);
        cluster.joints.iter().copied().filter(|j| size(j) > PART * largest).collect()
    }

    /// Overwrites the solution `x` of a relaxed matrix, one value an unknown of the cluster, with what it leaves of the right-hand
    /// side, `R x`; zero where nothing is relaxed.
    pub(crate) fn leave_rest(&self, x: &mut [f64]) {
        if self.is_relaxed {
            x.iter_mut().zip(&self.relaxation).for_each(|(x, r)| *x *= r);
        } else {
            x.fill(0.0);
        }
    }
}

fn factorize_dense(
    matrix: &mut DMatrix<f64>,
    lu: &mut DenseLu,
    equations: Equations<'_>,
    extra: &dyn Fn(usize) -> f64,
) -> Result<(), usize> {
    let Equations { model, cluster, rows } = equations;
    let first = cluster.unknowns.start;
    matrix.fill(0.0);
    for &j in &cluster.joints {
        let joint = &model.topology.joints[j];
        add_joint(matrix, equations, j);
        let at = joint.first - first;
        let mut block = matrix.view_mut((at, at), (joint.size, joint.size));
        block += &rows[j].relaxation;
        let extra = extra(j);
        (0..joint.size).for_each(|k| block[(k, k)] += extra);
    }
    lu.factorize(matrix).map_err(|error| match error {
        FactorizationError::Singular { column } => column,
        _ => 0,
    })
}

/// Adds what the loads of a joint do to the rows of the cluster.
fn add_joint(matrix: &mut DMatrix<f64>, equations: Equations<'_>, j: usize) {
    let Equations { model, cluster, rows } = equations;
    let (joint, first) = (&model.topology.joints[j], cluster.unknowns.start);
    for (own, share) in joint.sides.iter().zip(rows[j].share) {
        for l in 0..joint.size {
            equations.add_rows_of_load(own.subsystem, own.row + l, own.sign * share, |row, value| {
                matrix[(row - first, joint.first + l - first)] += value;
            });
        }
    }
}

#[cfg(test)]
mod tests;
