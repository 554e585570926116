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
//! | `control` | the control at work in a run |
//! | `pi` | the PI control and the grid of sizes |
//! | `energy`, `error` | the two controls |
//! | `estimate` | error of a step from the velocities behind it |
//! | `impact` | error of an impact inside a step |
//! | `inputs` | what a step does not see of loads over time |
//! | `learn` | what a control by energy learns of a step |
//! | `check` | what a control needs of the subsystems |
//! | `trial` | steps that are tried, judged and taken |
//! | `sizes` | the sizes that a run took |

pub(crate) mod check;
pub(crate) mod control;
pub(crate) mod energy;
pub(crate) mod error;
mod estimate;
mod impact;
mod inputs;
mod learn;
mod pi;
pub(crate) mod sizes;
mod trial;

use crate::run::position::RunPosition;
use crate::setup::coupling_mode::CouplingMode;
use crate::simulation::Simulation;
use crate::state::State;
use crate::step::take_step;
use crate::{StepControl, StepError};
use control::Control;
use error::ErrorControl;
use impact::ImpactErrors;
use learn::{energy_control, learn_energy};
use pi::SizeBounds;
use trial::step_judged;

/// Decides on a control for a run with steps of at most `step` (s), unless one is at work.
pub(crate) fn choose_step_control(sim: &mut Simulation<'_>, step: f64) {
    let bounds = SizeBounds { largest: step, refinements: sim.topology.config.max_refinements };
    if let Some(control) = &mut sim.state.step_control {
        control.bound(bounds);
        return;
    }
    let control = match sim.topology.config.step_control {
        StepControl::Fixed => Control::Fixed,
        StepControl::Auto if sim.state.coupling.modes.contains(&CouplingMode::Explicit) => {
            energy_control(sim, bounds)
        }
        StepControl::Auto => Control::Fixed,
        StepControl::Energy => energy_control(sim, bounds),
        StepControl::Error => {
            let (rows, contacts) = (sim.topology.watched_rows(), sim.topology.contacts.len());
            let is_plain = (0..sim.topology.subsystems.len()).any(|i| sim.topology.has_plain_impacts(i));
            let tolerance = sim.topology.config.error_tolerance;
            Control::Error(ErrorControl::new(bounds, tolerance, ImpactErrors::new(contacts, is_plain), rows))
        }
    };
    sim.state.step_control = Some(control);
}

/// Size of the next step of a run that has `done` so many; nothing at its end.
pub(crate) fn next_size(state: &State, position: &RunPosition, done: u64) -> Option<f64> {
    let (now, end) = (state.clock.now, position.end);
    match &state.step_control {
        None | Some(Control::Fixed) => position.fixed_size(done),
        Some(Control::Energy(control)) => control.sizes.next(control.sizes.size(), end - now),
        Some(Control::Error(control)) => control.sizes.next(control.size(now), end - now),
    }
}

/// Takes the next step of a run, of this size (s) or, where its control refuses that, of a smaller one; returns
/// the size taken.
pub(crate) fn step_by_control(sim: &mut Simulation<'_>, size: f64) -> Result<f64, StepError> {
    match sim.state.step_control.take() {
        Some(Control::Error(mut control)) => {
            let result = sim.among_threads(|sim| step_judged(sim, &mut control, size));
            sim.state.step_control = Some(Control::Error(control));
            result
        }
        other => {
            sim.state.step_control = other;
            sim.among_threads(|sim| take_step(sim, size))?;
            learn_energy(sim, size);
            Ok(size)
        }
    }
}
