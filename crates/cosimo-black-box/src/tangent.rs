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
}

impl Tangent {
    /// None yet, of `r` rows.
    pub(crate) fn zeros(r: usize) -> Self {
        Self { size: 0.0, inverse_mass: DMatrix::zeros(r, r), weights: LoadWeights::default() }
    }

    /// How many numbers it is, of `r` rows.
    pub(crate) fn values(r: usize) -> usize {
        5 + r * r
    }

    /// The tangent as numbers.
    pub(crate) fn to_values(&self) -> Vec<f64> {
        let w = self.weights;
        let mut values = vec![self.size, w.end, w.start, w.position, w.damping];
        values.extend_from_slice(self.inverse_mass.as_slice());
        values
    }

    /// Takes up as many numbers as it is.
    pub(crate) fn restore(&mut self, values: &[f64]) {
        if let [size, end, start, position, damping, ref inverse_mass @ ..] = *values {
            self.size = size;
            self.weights = LoadWeights { end, start, position, damping };
            self.inverse_mass.as_mut_slice().copy_from_slice(inverse_mass);
        }
    }

    /// Whether it belongs to steps of this size whose subsystem states these weights: a rule that begins with another one
    /// answers by other weights from the second step on.
    pub(crate) fn fits(&self, size: f64, stated: LoadWeights) -> bool {
        let agree = |a: f64, b: f64| (a - b).abs() <= 1e-9 * size;
        let (own, other) = (self.weights, complete(stated, size, self.weights.position));
        agree(self.size, size)
            && agree(own.end, other.end)
            && agree(own.start, other.start)
            && agree(own.position, other.position)
            && agree(own.damping, other.damping)
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.size = other.size;
        self.inverse_mass.copy_from(&other.inverse_mass);
        self.weights = other.weights;
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

/// The weights that a subsystem states; where it states none, those of a load that is constant over the step. A weight of the
/// damping alone tells rules apart.
pub(crate) fn complete(stated: LoadWeights, size: f64, position: f64) -> LoadWeights {
    if are_stated(stated) {
        return stated;
    }
    let damping = if stated.damping == 0.0 { 0.5 * size } else { stated.damping };
    LoadWeights { end: 0.5 * size, start: 0.5 * size, position, damping }
}
