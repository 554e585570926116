//! One step to be solved.

use cosimo_dynamics::rules::StepPlan;
use cosimo_dynamics::{ConstrainedSystem, Coordinates};

use super::formulation::Formulation;
use super::increments::Increments;
use super::settings::DaeSettings;
use super::state::DaeState;

/// One step to be solved.
pub(super) struct StepProblem<'a> {
    pub(super) system: &'a dyn ConstrainedSystem,
    pub(super) plan: &'a StepPlan,
    /// First guess of the acceleration.
    pub(super) acceleration: &'a [f64],
    pub(super) start: &'a DaeState,
    pub(super) settings: &'a DaeSettings,
    /// Where a solution is near, with its multipliers; else the prediction is taken. Factors at hand are kept.
    pub(super) guess: Option<(&'a Increments, &'a [f64])>,
}

impl<'a> StepProblem<'a> {
    pub(super) fn coordinates(&self) -> &'a Coordinates {
        self.system.structure().coordinates()
    }

    pub(super) fn formulation(&self) -> Formulation {
        self.settings.formulation
    }
}
