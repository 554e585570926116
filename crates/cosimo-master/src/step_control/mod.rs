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
//! The controls themselves stand in `step_size`.
//!
//! | where | what |
//! |---|---|
//! | `inputs` | what a step does not see of loads over time |
//! | `learn` | what a control by energy learns of a step |
//! | `check` | what a control needs of the subsystems |
//! | `trial` | steps that are tried, judged and taken |

pub(crate) mod check;
mod inputs;
mod learn;
mod trial;

use cosimo_subsystem::Subsystem;

use crate::energy::Energy;
use crate::execution::coupling_mode::CouplingMode;
use crate::execution::executor::among_threads;
use crate::simulation::StepContext;
use crate::step::macro_step;
use crate::step_size::control::Control;
use crate::step_size::error::ErrorControl;
use crate::step_size::impact::ImpactErrors;
use crate::step_size::pi::SizeBounds;
use crate::time::clock::Clock;
use crate::time::position::RunPosition;
use crate::topology::Topology;
use crate::warnings::Warnings;
use crate::{StepControl, StepError};
use learn::{energy_control, learn_energy};
use trial::step_judged;

/// The control of a run with steps of sizes within bounds from a time (s) on.
pub(crate) fn choose_step_control(
    topology: &Topology,
    modes: &[CouplingMode],
    subsystems: &[Box<dyn Subsystem>],
    energy: &Energy,
    bounds: SizeBounds,
    warnings: (&mut Warnings, f64),
) -> Control {
    let config = &topology.config;
    match config.step_control {
        StepControl::Auto if !modes.contains(&CouplingMode::Explicit) => Control::Fixed,
        StepControl::Fixed => Control::Fixed,
        StepControl::Auto | StepControl::Energy => {
            energy_control(topology, subsystems, energy, bounds, warnings)
        }
        StepControl::Error => {
            let (rows, contacts) = (topology.watched_rows(), topology.contacts.len());
            let is_plain = (0..topology.subsystems.len()).any(|i| topology.has_plain_impacts(i));
            let impacts = ImpactErrors::new(contacts, is_plain);
            Control::Error(ErrorControl::new(bounds, config.error_tolerance, impacts, rows))
        }
    }
}

/// Size of the next step of a run that has `done` so many; nothing at its end.
pub(crate) fn next_size(
    control: Option<&Control>,
    clock: &Clock,
    position: &RunPosition,
    done: u64,
) -> Option<f64> {
    let (now, end) = (clock.now, position.end);
    match control {
        None | Some(Control::Fixed) => position.fixed_size(done),
        Some(Control::Energy(control)) => control.sizes.next(control.sizes.size(), end - now),
        Some(Control::Error(control)) => control.sizes.next(control.size(now), end - now),
    }
}

/// Size of the step of a run that has done so many by then, where that is known now; nothing at its end.
pub(crate) fn foretold_size(control: Option<&Control>, position: &RunPosition, done: u64) -> Option<f64> {
    matches!(control, None | Some(Control::Fixed)).then(|| position.fixed_size(done)).flatten()
}

/// Takes the next step of a run, of this size (s) or, where its control refuses that, of a smaller one; returns
/// the size taken.
pub(crate) fn step_by_control(sim: &mut StepContext, size: f64) -> Result<f64, StepError> {
    let pool = sim.subsystems.sharing();
    match sim.step_control.take() {
        Some(Control::Error(mut control)) => {
            let result = among_threads(pool, || step_judged(sim, &mut control, size));
            sim.step_control = Some(Control::Error(control));
            result
        }
        other => {
            sim.step_control = other;
            among_threads(pool, || macro_step(sim, size))?;
            if let Some(Control::Energy(control)) = &mut sim.step_control {
                let now = (sim.clock.now, size);
                learn_energy(control, &sim.subsystems.all, &sim.energy, &mut sim.warnings, now);
            }
            Ok(size)
        }
    }
}
