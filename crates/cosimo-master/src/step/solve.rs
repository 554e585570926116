//! A part of a step, solved and not yet taken.

use cosimo_nonsmooth::ImpactResolution;

use super::begin::begin;
use super::condensed::solve_condensed;
use super::sweeps::solve_iteratively;
use crate::execution::cost::Account;
use crate::execution::coupling_mode::CouplingMode;
use crate::schemes::local_matrix::JointEquations;
use crate::simulation::StepContext;
use crate::statistics::summary::StepSummary;
use crate::time::part::StepPart;
use crate::warnings::Warnings;
use crate::{ResidualPlace, StepError, WarningPlace};

/// Begins and solves a part of a step of this size (s) without committing it: again, if a contact closes in it that was taken for far.
pub(crate) fn solve_part(
    sim: &mut StepContext,
    size: f64,
    resolution: ImpactResolution,
) -> Result<StepSummary, StepError> {
    let part = sim.progress.part(sim.clock.now, size);
    if sim.contacts.are_chosen {
        let (topology, subsystems) = (&sim.topology, &mut sim.subsystems);
        sim.contacts.choose_near(topology, subsystems, &mut sim.condensation, &mut sim.rows, part);
    }
    let iterations = loop {
        let solved = solve(sim, part, resolution);
        let iterations = solved.inspect_err(|_| sim.subsystems.discard())?;
        if !sim.contacts.are_chosen {
            break iterations;
        }
        let (topology, subsystems) = (&sim.topology, &mut sim.subsystems);
        if !sim.contacts.take_in_closed(topology, subsystems, &mut sim.condensation, &mut sim.rows) {
            break iterations;
        }
        sim.subsystems.discard();
        sim.contacts.recall();
    };
    Ok(StepSummary { solves: iterations, iterations, parts: 1 })
}

/// Begins a part of a step and solves its interface problem by the scheme chosen; returns the iterations, each of which
/// solves it once.
pub(super) fn solve(
    sim: &mut StepContext,
    part: StepPart,
    resolution: ImpactResolution,
) -> Result<u32, StepError> {
    if sim.energy.is_limited {
        sim.energy.begin_part(sim.topology.config.energy_action, &sim.contacts.state.memory);
    }
    begin(sim, part)?;
    sim.subsystems.costs.enter(Account::COUPLING);
    let model = sim.linearisation.of(&sim.topology);
    sim.condensation.update(model, part.mode, part.time)?;
    if !sim.condensation.redundant().is_empty() {
        sim.condensation.warn_of_redundant_joints(model, &mut sim.warnings, part.time);
    }
    let Some(mut scheme) = sim.schemes.iteration.take() else {
        return solve_condensed(sim, part, resolution);
    };
    scheme.sweeps = 0;
    let has_learnt = scheme.has_learnt();
    let mut solved = solve_iteratively(sim, &mut scheme, part, resolution);
    if has_learnt && solved.as_ref().is_err_and(StepError::is_of_step_size) {
        // What was learnt in the steps before may mislead: once more without.
        sim.contacts.recall();
        scheme.forget();
        sim.subsystems.discard();
        solved = begin(sim, part);
        let update = |()| {
            let model = sim.linearisation.of(&sim.topology);
            sim.condensation.update(model, part.mode, part.time)
        };
        solved = solved.and_then(update);
        solved = solved.and_then(|()| solve_iteratively(sim, &mut scheme, part, resolution));
    }
    if solved.is_ok() {
        let model = sim.linearisation.of(&sim.topology);
        scheme.unload_idle_part(JointEquations { model, condensation: &sim.condensation }, &mut sim.rows);
    } else {
        // What follows, a step of half the size perhaps, begins from the last step that was taken.
        sim.contacts.recall();
        scheme.forget();
    }
    let sweeps = scheme.sweeps;
    sim.schemes.iteration = Some(scheme);
    let error = match solved {
        Ok(()) => return Ok(sweeps),
        Err(error) if error.is_of_step_size() && knows_inverse_masses(&sim.coupling.modes) => error,
        Err(error) => return Err(error),
    };
    // The equations are those of the condensed scheme.
    sim.subsystems.discard();
    begin(sim, part)?;
    sim.condensation.update(sim.linearisation.of(&sim.topology), part.mode, part.time)?;
    let iterations = solve_condensed(sim, part, resolution)?;
    sim.counters.solved_at_once += 1;
    if sim.counters.solved_at_once == 1 {
        warn_of_disagreement(&mut sim.warnings, part.time, &error);
    }
    Ok(iterations)
}

/// Whether all subsystems that are joined are coupled by inverse masses, known or found.
fn knows_inverse_masses(modes: &[CouplingMode]) -> bool {
    modes.iter().all(|mode| *mode != CouplingMode::Explicit)
}

/// Tells at a communication point (s) why iterations have not agreed on a step that was then solved at once.
#[cold]
fn warn_of_disagreement(warnings: &mut Warnings, time: f64, error: &StepError) {
    let place = match error {
        StepError::NotConverged { place: ResidualPlace::Interface { name, .. }, .. } => {
            WarningPlace::Interface(name.clone())
        }
        _ => WarningPlace::Model,
    };
    let text = format!(
        "{error}. It is solved at once by the condensed scheme, and so are others like it: the equations are the same, the iterations are spent for nothing. The summary \
         counts such steps"
    );
    warnings.warn(time, place, text);
}
