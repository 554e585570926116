//! One step to be solved.

use cosimo_dynamics::{ConstrainedSystem, Coordinates, MatrixSink, Motion};

use super::formulation::Formulation;
use super::increments::Increments;
use super::plan::Plan;
use super::settings::DaeSettings;
use super::state::DaeState;

/// One step to be solved.
pub(super) struct StepProblem<'a> {
    pub(super) system: &'a dyn ConstrainedSystem,
    pub(super) plan: &'a Plan,
    pub(super) start: &'a DaeState,
    pub(super) h: f64,
    pub(super) settings: &'a DaeSettings,
    /// Where a solution is near, with its multipliers; else the prediction is taken. Factors at hand are kept.
    pub(super) guess: Option<(&'a Increments, &'a [f64])>,
}

impl<'a> StepProblem<'a> {
    pub(super) fn coordinates(&self) -> &'a Coordinates {
        self.system.structure().coordinates()
    }

    /// Writes the balance of forces, `mu` the reactions.
    pub(super) fn balance(&self, stage: Motion<'_>, (a, mu): (&[f64], &[f64]), out: &mut [f64]) {
        self.system.balance(stage, a, mu, out);
        if self.plan.takes_momenta {
            self.system.add_momentum_change(self.h, stage, a, out);
        }
    }

    /// Gives the derivatives of the balance.
    pub(super) fn tangents(&self, stage: Motion<'_>, (a, mu): (&[f64], &[f64]), sink: &mut dyn MatrixSink) {
        self.system.tangents(stage, a, mu, sink);
        if self.plan.takes_momenta {
            self.system.momentum_tangents(self.h, stage, a, sink);
        }
    }

    pub(super) fn formulation(&self) -> Formulation {
        self.settings.formulation
    }
}
