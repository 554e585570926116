//! A part of a step, solved and not yet taken.

use cosimo_nonsmooth::ImpactResolution;

use super::begin::begin;
use super::newton::solve_by_newton;
use super::sweeps::solve_iteratively;
use crate::contacts::problems::{Candidates, Pass};
use crate::execution::cost::Account;
use crate::execution::coupling_mode::CouplingMode;
use crate::simulation::Simulation;
use crate::statistics::summary::StepSummary;
use crate::time::part::StepPart;
use crate::warnings::Warnings;
use crate::{ResidualPlace, Scheme, StepError, WarningPlace};

/// Begins and solves a part of a step of this size (s) without committing it: again, if a contact closes in it that was taken for far.
pub(crate) fn try_part(
    sim: &mut Simulation,
    size: f64,
    resolution: ImpactResolution,
    summary: &mut StepSummary,
) -> Result<(), StepError> {
    let part = sim.progress.part(sim.clock.now, size);
    let (topology, subsystems) = (&sim.topology, &mut sim.subsystems);
    sim.contacts.choose_near(topology, subsystems, &mut sim.condensation, &mut sim.rows, part);
    let iterations = loop {
        let solved = solve(sim, part, resolution);
        let iterations = solved.inspect_err(|_| sim.subsystems.discard())?;
        let (topology, subsystems) = (&sim.topology, &mut sim.subsystems);
        if !sim.contacts.take_in_closed(topology, subsystems, &mut sim.condensation, &mut sim.rows) {
            break iterations;
        }
        sim.subsystems.discard();
        sim.contacts.recall();
    };
    summary.add(StepSummary { solves: iterations, iterations, parts: 1 });
    Ok(())
}

/// Begins a part of a step and solves its interface problem by the scheme chosen; returns the iterations, each of which
/// solves it once.
pub(super) fn solve(
    sim: &mut Simulation,
    part: StepPart,
    resolution: ImpactResolution,
) -> Result<u32, StepError> {
    sim.energy.begin_part(sim.topology.config.energy_action, &sim.contacts.state.memory);
    begin(sim, part)?;
    sim.subsystems.costs.enter(Account::COUPLING);
    let model = sim.linearisation.of(&sim.topology);
    sim.condensation.update(model, part.mode, part.time)?;
    sim.condensation.warn_of_redundant_joints(model, &mut sim.warnings, part.time);
    if sim.topology.config.scheme == Scheme::Condensed {
        return solve_condensed(sim, part, resolution);
    }
    let error = match solve_iteratively(sim, part, resolution) {
        Err(error) if error.is_of_step_size() && knows_inverse_masses(&sim.coupling.modes) => error,
        solved => return solved,
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

/// Solves for the unknowns and contact impulses together, and returns the iterations: one where all subsystems are affine.
fn solve_condensed(
    sim: &mut Simulation,
    part: StepPart,
    resolution: ImpactResolution,
) -> Result<u32, StepError> {
    sim.schemes.unsettled = None;
    if !sim.linearisation.is_affine {
        return solve_by_newton(sim, part, resolution);
    }
    let pass = Pass { resolution, candidates: Candidates::Collected };
    let model = sim.linearisation.of(&sim.topology);
    sim.condensation.solve_without_contacts(model, &mut sim.rows);
    sim.contacts.solve(model, &mut sim.condensation, &mut sim.rows, &mut sim.subsystems, part, pass)?;
    sim.counters.interfaces.count_solve();
    Ok(1)
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
