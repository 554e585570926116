//! The inverse mass that a step is solved with, and where it was last compared with an answer.

use cosimo_subsystem::LoadWeights;
use nalgebra::DMatrix;

/// The inverse mass that a step of one size is solved with.
#[derive(Debug, Clone)]
pub(crate) struct Tangent {
    /// Step size (s); zero before the first.
    pub(crate) size: f64,
    pub(crate) inverse_mass: DMatrix<f64>,
    pub(crate) weights: LoadWeights,
    /// Revision of the answers of a subsystem that gives no inverse mass.
    pub(crate) revision: u64,
}

impl Tangent {
    /// None yet, of `r` rows.
    pub(crate) fn zeros(r: usize) -> Self {
        Self { size: 0.0, inverse_mass: DMatrix::zeros(r, r), weights: LoadWeights::default(), revision: 0 }
    }

    /// How many numbers it is, of `r` rows.
    pub(crate) fn values(r: usize) -> usize {
        6 + r * r
    }

    /// The tangent as numbers.
    pub(crate) fn to_values(&self) -> Vec<f64> {
        let w = self.weights;
        let mut values =
            vec![self.size, w.end, w.start, w.position, w.damping, f64::from_bits(self.revision)];
        values.extend_from_slice(self.inverse_mass.as_slice());
        values
    }

    /// Takes up as many numbers as it is.
    pub(crate) fn restore(&mut self, values: &[f64]) {
        if let [size, end, start, position, damping, revision, ref inverse_mass @ ..] = *values {
            self.size = size;
            self.weights = LoadWeights { end, start, position, damping };
            self.revision = revision.to_bits();
            self.inverse_mass.as_mut_slice().copy_from_slice(inverse_mass);
        }
    }

    /// Whether it belongs to steps of this size whose subsystem states these weights, and this revision: a rule that begins with another
    /// one answers otherwise from the second step on.
    pub(crate) fn fits(&self, size: f64, stated: LoadWeights, revision: u64) -> bool {
        let is_of_size = (self.size - size).abs() <= 1e-9 * size;
        is_of_size && self.revision == revision && (!are_stated(stated) || stated == self.weights)
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.size = other.size;
        self.inverse_mass.copy_from(&other.inverse_mass);
        self.weights = other.weights;
        self.revision = other.revision;
    }
}

/// The last answer in the step begun.
#[derive(Debug, Clone)]
pub(crate) struct Evaluation {
    pub(crate) impulses: Vec<f64>,
    pub(crate) velocities: Vec<f64>,
}

impl Evaluation {
    pub(crate) fn zeros(r: usize) -> Self {
        Self { impulses: vec![0.0; r], velocities: vec![0.0; r] }
    }
}

fn are_stated(weights: LoadWeights) -> bool {
    weights.end != 0.0 || weights.start != 0.0
}

/// The weights that a subsystem states; where it states none, those of a load that is constant over the step.
pub(crate) fn complete(stated: LoadWeights, size: f64, position: f64) -> LoadWeights {
    if are_stated(stated) {
        return stated;
    }
    LoadWeights { end: 0.5 * size, start: 0.5 * size, position, damping: 0.5 * size }
}
