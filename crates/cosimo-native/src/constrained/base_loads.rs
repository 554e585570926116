//! Loads that a step is solved with beside those of the rows.

use cosimo_subsystem::{ExpectedLoads, LoadWeights};

/// Loads on the rows that a trial step is solved with first; zero where none are expected.
#[derive(Debug)]
pub(super) struct BaseLoads {
    pub(super) forces: Vec<f64>,
    pub(super) impulses: Vec<f64>,
}

impl BaseLoads {
    pub(super) fn zeros(rows: usize) -> Self {
        Self { forces: vec![0.0; rows], impulses: vec![0.0; rows] }
    }

    pub(super) fn clear(&mut self) {
        self.forces.fill(0.0);
        self.impulses.fill(0.0);
    }

    /// Takes loads at the start and at the end of the step, of which a rule takes this share of the latter.
    pub(super) fn expect(&mut self, expected: ExpectedLoads<'_>, share: f64) {
        for (force, (start, end)) in self.forces.iter_mut().zip(expected.start.iter().zip(expected.end)) {
            *force = share * end + (1.0 - share) * start;
        }
    }

    /// The impulses of the loads expected, `X̄ = end λ₁ + start λ₀`.
    pub(super) fn weigh(&mut self, expected: ExpectedLoads<'_>, weights: LoadWeights) {
        for (impulse, (start, end)) in self.impulses.iter_mut().zip(expected.start.iter().zip(expected.end)) {
            *impulse = weights.end * end + weights.start * start;
        }
    }
}
