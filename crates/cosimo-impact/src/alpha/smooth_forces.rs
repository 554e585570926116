//! Multipliers of the smooth motion.

use cosimo_dynamics::GeneralizedAlpha;
use cosimo_dynamics::rules::{Algorithmic, Passage};

/// Multipliers of the smooth motion, one per contact: `λ` at the start and at the end, `η` that follows it as algorithmic
/// accelerations follow the true ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct SmoothForces {
    pub(crate) start: Vec<f64>,
    pub(super) algorithmic: Algorithmic,
    pub(super) end: Vec<f64>,
    /// Passage of `η` into the current step.
    passage: Passage,
}

impl SmoothForces {
    pub(super) fn zeros(contacts: usize) -> Self {
        let mut own = Self { start: vec![0.0; contacts], end: vec![0.0; contacts], ..Self::default() };
        own.algorithmic.restart(contacts);
        own
    }

    /// A step of size `h` (s) begins.
    pub(super) fn begin(&mut self, rule: &GeneralizedAlpha, h: f64) {
        self.passage = self.algorithmic.passage(rule.weights(), h);
        self.end.copy_from_slice(&self.start);
    }

    /// `η` of a contact at the start and at the end.
    fn followed(&self, rule: &GeneralizedAlpha, contact: usize) -> [f64; 2] {
        let start = self.start[contact];
        let before = self.algorithmic.start_of(self.passage, contact, start);
        [before, rule.weights().follow(before, [start, self.end[contact]])]
    }

    /// What the smooth motion has of the impulse of a contact in a step of size `h` (s), `Λ* − Λ` (N s).
    pub(super) fn impulse(&self, rule: &GeneralizedAlpha, h: f64, contact: usize) -> f64 {
        h * rule.parameters().velocity_sum(self.followed(rule, contact))
    }

    /// The same of the double integral, `ν* − ν` (kg m).
    pub(super) fn double_impulse(&self, rule: &GeneralizedAlpha, h: f64, contact: usize) -> f64 {
        h * h * rule.parameters().position_sum(self.followed(rule, contact))
    }

    /// Takes the end of a step of size `h` (s) for the next start.
    pub(super) fn accept(&mut self, rule: &GeneralizedAlpha, h: f64, jumped: bool) {
        self.algorithmic.accept(rule.weights(), h, [&self.start, &self.end], jumped);
        self.start.copy_from_slice(&self.end);
    }
}
