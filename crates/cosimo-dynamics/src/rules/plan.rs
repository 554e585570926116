//! A step that a rule proposes.

use super::formula::{PositionUpdate, Prediction, StepFormula};
use super::state_point::StatePoint;
use super::step_rule::StepRule;
use crate::Coordinates;

/// A step that a rule proposes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepPlan {
    /// `h` (s).
    pub h: f64,
    /// Its coefficients.
    pub formula: StepFormula,
    /// Its explicit parts.
    pub prediction: Prediction,
}

impl StepPlan {
    /// A plan of nothing for so many velocities.
    #[must_use]
    pub fn zeros(n: usize) -> Self {
        Self { prediction: Prediction::zeros(n), ..Self::default() }
    }

    /// Plans a step of size `h` (s).
    pub fn make(
        &mut self,
        rule: &mut dyn StepRule,
        h: f64,
        start: StatePoint<'_>,
        coordinates: &Coordinates,
    ) {
        (self.h, self.formula) = (h, rule.formula(h));
        rule.predict(h, start, coordinates, &mut self.prediction);
    }

    /// The same where rates of increments are taken for velocities, as they are in a vector space: `x₁ = x̂ + d_q u` whatever the
    /// rule.
    pub fn make_flat(
        &mut self,
        rule: &mut dyn StepRule,
        h: f64,
        start: StatePoint<'_>,
        coordinates: &Coordinates,
    ) {
        self.make(rule, h, start, coordinates);
        if let PositionUpdate::Rate { weight } = self.formula.position_update {
            let Prediction { velocity, increment } = &mut self.prediction;
            increment.iter_mut().zip(velocity.iter()).for_each(|(x, v)| *x += weight * v);
        }
    }
}
