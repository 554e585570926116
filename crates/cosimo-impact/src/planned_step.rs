//! The step that a rule proposes, and what contacts are imposed on.

use cosimo_dynamics::rules::{EndWeights, StepPlan};
use cosimo_dynamics::{Coordinates, StepRule};

use crate::state::ImpactState;

/// At which level contacts and constraints are imposed on the end of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ImposedLevel {
    /// On the end velocity; the jump is one of the velocity.
    #[default]
    Velocity,
    /// On the end position; the jump is one of the position.
    Position,
    /// On the end velocity, with directions of the start and what would close gaps and constraints within the step.
    Stabilized,
}

/// A step that a rule proposes: forces balance at the stage, and impulses act so that the end satisfies the contact law.
///
/// ```text
///   M(q_c) a + g − f(t₀ + c h, q_c, v_c) + Φᵀ μ = 0        M(q_c) w + Φᵀ Λ = Gᵀ P
/// ```
#[derive(Debug, Clone, Default)]
pub(crate) struct PlannedStep {
    pub(crate) step: StepPlan,
    pub(crate) imposed: ImposedLevel,
    /// `x₋₁`, the increment that leads back to the step before; for contacts imposed on positions.
    pub(crate) back: Vec<f64>,
}

impl PlannedStep {
    pub(crate) fn new(n: usize, imposed: ImposedLevel) -> Self {
        Self { step: StepPlan::zeros(n), imposed, back: Vec::new() }
    }

    /// Plans a step of size `h` (s).
    pub(crate) fn make(
        &mut self,
        rule: &mut dyn StepRule,
        h: f64,
        start: &ImpactState,
        coordinates: &Coordinates,
    ) {
        self.step.make_flat(rule, h, start.point(), coordinates);
        let back = rule.leads_back();
        self.back.resize(back.len(), 0.0);
        self.back.copy_from_slice(back);
    }

    /// Whether forces balance at the end.
    pub(crate) fn is_balanced_at_end(&self) -> bool {
        self.step.formula.stage.is_end()
    }

    /// `d_v` (s) and `d_q` (s²).
    pub(crate) fn end(&self) -> (f64, f64) {
        let EndWeights { velocity, position } = self.step.formula.end;
        (velocity, position)
    }

    /// `c_v` (s) and `c_q` (s²) where forces balance.
    pub(crate) fn balanced(&self) -> (f64, f64) {
        (self.step.formula.stage_velocity(), self.step.formula.stage_position())
    }

    /// What a jump makes of velocity and position where forces balance.
    pub(crate) fn balanced_by_jump(&self) -> (f64, f64) {
        let formula = &self.step.formula;
        (formula.stage.velocity * formula.jump.velocity, formula.stage.position * formula.jump.position)
    }

    /// Weight of the acceleration in what contacts are imposed on.
    pub(crate) fn imposed_weight(&self) -> f64 {
        match self.imposed {
            ImposedLevel::Position => self.step.formula.end.position,
            ImposedLevel::Velocity | ImposedLevel::Stabilized => self.step.formula.end.velocity,
        }
    }

    /// What a change of what contacts are imposed on is as a velocity (1, or 1/s).
    pub(crate) fn as_velocity(&self) -> f64 {
        if self.imposed == ImposedLevel::Position { self.step.h.recip() } else { 1.0 }
    }

    /// Writes velocity and increment of the end for this acceleration and this jump.
    pub(crate) fn end_at(&self, (a, jump): (&[f64], &[f64]), v: &mut [f64], x: &mut [f64]) {
        let StepPlan { formula, prediction, .. } = &self.step;
        let (end, by_jump) = (formula.end, formula.jump);
        for (i, (a, jump)) in a.iter().zip(jump).enumerate() {
            v[i] = prediction.velocity[i] + end.velocity * a + by_jump.velocity * jump;
            x[i] = prediction.increment[i] + end.position * a + by_jump.position * jump;
        }
    }

    /// Writes velocity and increment of the stage from those of the end.
    pub(crate) fn stage_at(&self, (end_v, end_x): (&[f64], &[f64]), v: &mut [f64], x: &mut [f64]) {
        let shares = self.step.formula.stage;
        for (i, known) in self.step.prediction.velocity.iter().enumerate() {
            v[i] = known + shares.velocity * (end_v[i] - known);
            x[i] = shares.position * end_x[i];
        }
    }
}
