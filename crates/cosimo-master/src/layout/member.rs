//! A subsystem as the master keeps it.

use std::ops::Range;

use cosimo_subsystem::{LoadWeights, StepResponse};
use nalgebra::DMatrix;

/// What the master keeps of a subsystem's last answer besides the rows.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// Rows in the master's vectors.
    pub(crate) rows: Range<usize>,
    pub(crate) compliance: DMatrix<f64>,
    pub(crate) damped: DMatrix<f64>,
    pub(crate) weights: LoadWeights,
    pub(crate) revision: Option<u64>,
    pub(crate) is_affine: bool,
    /// Whether its compliance is that of differences of answers that are not affine: known to some digits.
    pub(crate) is_coarse: bool,
    /// Joint and side at each joined port, in the order of the joints.
    pub(crate) joints: Vec<(usize, usize)>,
    /// Its contacts in the master's vectors.
    pub(crate) contacts: Range<usize>,
    /// Its cluster, and its first row there.
    pub(crate) cluster: usize,
    pub(crate) cluster_row: usize,
}

impl Member {
    /// Takes over compliance and weights if they are new; says whether they are.
    pub(crate) fn take(&mut self, response: &StepResponse) -> bool {
        if self.revision == Some(response.revision) {
            return false;
        }
        self.revision = Some(response.revision);
        self.compliance.copy_from(&response.compliance);
        if self.damped.shape() == response.damped_compliance.shape() {
            self.damped.copy_from(&response.damped_compliance);
        } else {
            self.damped.clone_from(&response.damped_compliance);
        }
        self.weights = response.weights;
        true
    }

    /// The same, but a compliance that is known is kept where it belongs to the same step size; of affine subsystems it is
    /// taken always.
    pub(crate) fn keep_or_take(&mut self, response: &StepResponse) -> bool {
        let keeps = !self.is_affine && self.revision.is_some() && self.weights == response.weights;
        !keeps && self.take(response)
    }

    /// Velocity change of row `row` of this subsystem for these loads on all rows of the master.
    pub(crate) fn answer(&self, row: usize, loads: &[f64]) -> f64 {
        self.answer_to(row, &loads[self.rows.clone()])
    }

    /// Velocity change of row `row` for these loads on the subsystem's own rows.
    pub(crate) fn answer_to(&self, row: usize, own: &[f64]) -> f64 {
        let (compliance, mut entry, mut sum) = (self.compliance.as_slice(), row, 0.0);
        for x in own {
            sum += compliance[entry] * x;
            entry += own.len();
        }
        sum
    }

    /// Velocity changes of all rows for these loads on them, column by column: a hub has very many.
    pub(crate) fn answer_all(&self, own: &[f64], changes: &mut [f64]) {
        let (compliance, n) = (self.compliance.as_slice(), changes.len());
        changes.fill(0.0);
        for (l, x) in own.iter().enumerate() {
            let column = &compliance[l * n..(l + 1) * n];
            changes.iter_mut().zip(column).for_each(|(change, w)| *change += w * x);
        }
    }

    /// Its rows in the vectors of its cluster.
    pub(crate) fn cluster_rows(&self) -> Range<usize> {
        self.cluster_row..self.cluster_row + self.rows.len()
    }
}
