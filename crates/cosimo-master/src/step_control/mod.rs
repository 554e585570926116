//! Sizes of the macro steps of a run.
//!
//! A step is tried, judged, and taken; or it is forgotten and tried with a smaller size, which costs an evaluation and
//! nothing else. One control at a time chooses the sizes:
//!
//! | control | next size | judges a step |
//! |---|---|---|
//! | fixed | the step given | never |
//! | energy | by the energy that the joints created | after it is taken: explicit coupling cannot take a step back |
//! | error | by the predictor-corrector estimate of its error | before it is taken |
//!
//! | where | what |
//! |---|---|
//! | `pi` | the PI control and the ladder of sizes |
//! | `energy`, `error` | the two controls |
//! | `estimate` | error of a step from the velocities behind it |
//! | `impact` | error of an impact inside a step |
//! | `inputs` | what a step does not see of loads over time |
//! | `trial` | steps that are tried, judged and taken |
//! | `sizes` | the sizes that a run took |

mod energy;
mod error;
mod estimate;
mod impact;
mod inputs;
mod pi;
mod sizes;
mod trial;

use cosimo_subsystem::Subsystem;
use serde::{Deserialize, Serialize};

pub(crate) use energy::EnergyControl;
pub(crate) use error::ErrorControl;
pub use sizes::StepSizes;

use crate::layout::Layout;
use crate::run::RunPosition;
use crate::{Coupling, Master, MasterConfig, Rung, SetupError};

/// How the sizes of macro steps are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepControl {
    /// By energy where a subsystem is coupled explicitly and step sizes may vary, fixed elsewhere.
    #[default]
    Auto,
    /// Always the step given.
    Fixed,
    /// At most the step given, by the energy that the interfaces create.
    Energy,
    /// At most the step given, by the error that a step makes in the rows; steps that err too much are not taken.
    Error,
}

/// The control at work in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Control {
    /// Always the step given.
    Fixed,
    /// By the energy at the interfaces.
    Energy(EnergyControl),
    /// By the error of the rows.
    Error(ErrorControl),
}

impl Control {
    /// Sets the largest size (s) and how often it may be halved.
    fn bound(&mut self, largest: f64, refinements: u32) {
        match self {
            Self::Fixed => {}
            Self::Energy(control) => control.sizes.bound(largest, refinements),
            Self::Error(control) => control.sizes.bound(largest, refinements),
        }
    }

    /// Whether this control belongs to a model of this layout.
    pub(crate) fn fits(&self, layout: &Layout) -> bool {
        match self {
            Self::Fixed => true,
            Self::Energy(control) => control.fits(layout.joints.len()),
            Self::Error(control) => control.fits(layout.watched_rows(), layout.contacts.len()),
        }
    }
}

/// Refuses a control by error where a subsystem cannot take a step back, or not another one.
pub(crate) fn check_subsystems(
    config: &MasterConfig,
    subsystems: &[Box<dyn Subsystem>],
    rungs: &[Rung],
) -> Result<(), SetupError> {
    if config.step_control != StepControl::Error {
        return Ok(());
    }
    let lack = |subsystem: &dyn Subsystem, rung: Rung| {
        let description = subsystem.description();
        let capabilities = description.capabilities;
        if rung == Rung::Explicit && config.coupling(&description.name) == Coupling::Explicit {
            Some(
                "is coupled explicitly, which tries no step before it is taken; use coupling = \"auto\" for it",
            )
        } else if rung == Rung::Explicit || !capabilities.can_roll_back {
            Some("cannot take a step back (no roll-back)")
        } else if !capabilities.has_variable_step {
            Some("has a fixed step")
        } else {
            None
        }
    };
    let found = subsystems.iter().zip(rungs).find_map(|(s, rung)| Some((s, lack(s.as_ref(), *rung)?)));
    match found {
        None => Ok(()),
        Some((subsystem, lack)) => {
            Err(SetupError::StepControl { subsystem: subsystem.description().name.clone(), lack })
        }
    }
}

impl Master {
    /// Decides on a control for a run with steps of at most `step` (s), unless one is at work.
    pub(crate) fn choose_step_control(&mut self, step: f64) {
        let refinements = self.config.max_refinements;
        if let Some(control) = &mut self.step_control {
            control.bound(step, refinements);
            return;
        }
        let control = match self.config.step_control {
            StepControl::Fixed => Control::Fixed,
            StepControl::Auto if self.ladder.rungs.contains(&Rung::Explicit) => self.energy_control(step),
            StepControl::Auto => Control::Fixed,
            StepControl::Energy => self.energy_control(step),
            StepControl::Error => {
                let sizes = (self.layout.watched_rows(), self.layout.contacts.len());
                let plain = self.config.impacts != crate::Impacts::SubStep;
                let tolerance = self.config.error_tolerance;
                Control::Error(ErrorControl::new((step, refinements), tolerance, sizes, plain))
            }
        };
        self.step_control = Some(control);
    }

    /// Size of the next step of a run that has `done` so many; nothing at its end.
    pub(crate) fn next_size(&self, position: &RunPosition, done: u64) -> Option<f64> {
        let (now, end) = (self.time(), position.end);
        match &self.step_control {
            None | Some(Control::Fixed) => position.fixed_size(done),
            Some(Control::Energy(control)) => control.sizes.next(control.sizes.size(), end - now),
            Some(Control::Error(control)) => control.sizes.next(control.size(now), end - now),
        }
    }

    /// Takes the next step of a run, of this size (s) or, where its control refuses that, of a smaller one; tells the
    /// size taken.
    pub(crate) fn step_by_control(&mut self, size: f64) -> Result<f64, crate::StepError> {
        match self.step_control.take() {
            Some(Control::Error(mut control)) => {
                let result = self.among_threads(|master| master.step_judged(&mut control, size));
                self.step_control = Some(Control::Error(control));
                result
            }
            other => {
                self.step_control = other;
                self.step(size)?;
                self.learn_energy(size);
                Ok(size)
            }
        }
    }
}
