//! The affine model of a subsystem.

use std::ops::Range;

use cosimo_subsystem::{LoadWeights, RowMatrix, StepResponse};

use super::load_tangent::LoadTangent;
use crate::topology::subsystem::SubsystemLayout;

/// The affine model of a subsystem besides its free response: inverse mass and weights of its last answer.
#[derive(Debug, Clone)]
pub(crate) struct AffineModel {
    /// Its rows in the master's vectors.
    pub(crate) rows: Range<usize>,
    /// `W` (1/kg); with the tangents of loads on the subsystem `W'`, see `loads`.
    pub(crate) inverse_mass: RowMatrix,
    /// Tangents of the loads on the subsystem, where they enter.
    pub(crate) loads: Option<Box<LoadTangent>>,
    /// Damped companion of `W`; `0 × 0` without damping.
    pub(crate) damped: RowMatrix,
    /// `Y`, what moves of the end do to its positions; `0 × 0` where it is `W`.
    moves: RowMatrix,
    pub(crate) weights: LoadWeights,
    /// Revision of the answer it was taken from; none where it is to be taken anew.
    pub(crate) revision: Option<u64>,
    /// Whether the subsystem answers exactly so.
    pub(crate) is_affine: bool,
    /// Whether its inverse mass is that of differences of answers that are not affine: known to some digits.
    pub(crate) is_coarse: bool,
}

impl AffineModel {
    pub(super) fn new(layout: &SubsystemLayout) -> Self {
        let (rows, is_affine) = (layout.rows.clone(), layout.is_declared_affine);
        Self {
            inverse_mass: RowMatrix::without_entries(rows.len()),
            loads: None,
            damped: RowMatrix::zeros(0),
            moves: RowMatrix::zeros(0),
            weights: LoadWeights::default(),
            revision: None,
            is_affine,
            is_coarse: false,
            rows,
        }
    }

    /// Whether tangents of loads enter it from the next step on.
    pub(crate) fn take_load_tangents(&mut self, takes: bool) {
        self.loads = takes.then(|| Box::new(LoadTangent::zeros(self.rows.len())));
        self.revision = None;
    }

    /// Takes over inverse mass and weights if they are new; says whether they are.
    pub(crate) fn take(&mut self, response: &StepResponse) -> bool {
        if self.revision == Some(response.revision) {
            return false;
        }
        self.revision = Some(response.revision);
        match &mut self.loads {
            None => self.inverse_mass.copy_from(&response.inverse_mass),
            Some(tangent) => tangent.take_own(&response.inverse_mass),
        }
        self.damped.copy_from(&response.damped_inverse_mass);
        self.moves.copy_from(&response.move_mass);
        // What loads on rows without a response do is found by evaluation alone.
        self.is_affine &=
            matches!(response.inverse_mass, RowMatrix::Dense(_)) || response.inverse_mass.has_all_rows();
        self.weights = response.weights;
        self.condense_loads();
        true
    }

    /// The same, but an inverse mass that is known is kept where it belongs to the same step size; of affine subsystems it is
    /// taken always.
    pub(crate) fn keep_or_take(&mut self, response: &StepResponse) -> bool {
        let is_plain = !self.is_affine && self.loads.is_none();
        let keeps = is_plain && self.revision.is_some() && self.weights == response.weights;
        !keeps && self.take(response)
    }

    /// Entry of `Y` (1/kg).
    pub(crate) fn move_mass(&self, row: usize, column: usize) -> f64 {
        if self.moves.is_empty() {
            self.inverse_mass.entry(row, column)
        } else {
            self.moves.entry(row, column)
        }
    }

    /// Puts the tangents of the loads into `W'`.
    pub(crate) fn condense_loads(&mut self) {
        if let Some(tangent) = &mut self.loads {
            tangent.set_rate(self.weights);
            tangent.condense(self.inverse_mass.dense_mut());
        }
    }

    /// Impulse on row `row` by the tangents of loads for these differences of the end velocities, `B δż`.
    pub(crate) fn of_velocities(&self, row: usize, difference: impl Fn(usize) -> f64) -> f64 {
        self.loads.as_ref().map_or(0.0, |tangent| {
            tangent.rate.row(row).iter().enumerate().map(|(l, rate)| rate * difference(l)).sum()
        })
    }

    /// Velocity change of row `row` of this subsystem for these loads on all rows of the master.
    pub(crate) fn answer(&self, row: usize, loads: &[f64]) -> f64 {
        self.answer_to(row, &loads[self.rows.clone()])
    }

    /// Velocity change of row `row` for these loads on the subsystem's own rows.
    pub(crate) fn answer_to(&self, row: usize, own: &[f64]) -> f64 {
        self.inverse_mass.row_product(row, own)
    }

    /// Velocity changes of all rows for these loads on them, column by column: there may be very many.
    pub(crate) fn answer_all(&self, own: &[f64], changes: &mut [f64]) {
        self.inverse_mass.product_into(own, changes);
    }
}
