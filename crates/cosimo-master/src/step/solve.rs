//! A part of a step, solved and not yet taken.

use cosimo_nonsmooth::ImpactResolution;

use super::begin::{begin, refresh};
use super::part::StepPart;
use super::summary::StepSummary;
use super::warnings::warn_of_redundant_joints;
use crate::contacts::near::{choose_near_contacts, take_in_closed_contacts};
use crate::energy::limit::remember_contacts;
use crate::execution::cost::Account;
use crate::schemes::condensed::solve_condensed;
use crate::schemes::iterate::solve_iteratively;
use crate::setup::coupling_mode::CouplingMode;
use crate::simulation::Simulation;
use crate::{ResidualPlace, Scheme, StepError, WarningPlace};

/// Begins and solves a part of a step of this size (s) without committing it: again, if a contact closes in it that was taken for far.
pub(crate) fn try_part(
    sim: &mut Simulation<'_>,
    size: f64,
    resolution: ImpactResolution,
    summary: &mut StepSummary,
) -> Result<(), StepError> {
    choose_near_contacts(sim, sim.part(size));
    let iterations = loop {
        let solved = solve(sim, sim.part(size), resolution);
        let iterations = solved.inspect_err(|_| sim.subsystems.discard())?;
        if !take_in_closed_contacts(sim) {
            break iterations;
        }
        retreat(sim);
    };
    summary.add(StepSummary { solves: iterations, iterations, parts: 1 });
    Ok(())
}

/// Begins a part of a step and solves its interface problem by the scheme chosen; returns the iterations, each of which
/// solves it once.
pub(crate) fn solve(
    sim: &mut Simulation<'_>,
    part: StepPart,
    resolution: ImpactResolution,
) -> Result<u32, StepError> {
    remember_contacts(sim);
    begin(sim, part)?;
    sim.subsystems.costs.enter(Account::COUPLING);
    refresh(sim, part.mode)?;
    warn_of_redundant_joints(sim);
    match sim.topology.config.scheme {
        Scheme::Condensed => solve_condensed(sim, part, resolution),
        Scheme::GaussSeidel | Scheme::Jacobi => match solve_iteratively(sim, part, resolution) {
            Err(error) if error.is_of_step_size() && knows_inverse_masses(sim) => {
                let iterations = solve_at_once(sim, part, resolution)?;
                if sim.state.counters.solved_at_once == 1 {
                    warn_of_disagreement(sim, &error);
                }
                Ok(iterations)
            }
            solved => solved,
        },
    }
}

/// Whether all subsystems that are joined are coupled by inverse masses, known or found.
fn knows_inverse_masses(sim: &Simulation<'_>) -> bool {
    sim.state.coupling.modes.iter().all(|mode| *mode != CouplingMode::Explicit)
}

/// Solves a part by the condensed scheme on which iterations between the subsystems have not agreed: the equations are the same.
fn solve_at_once(
    sim: &mut Simulation<'_>,
    part: StepPart,
    resolution: ImpactResolution,
) -> Result<u32, StepError> {
    sim.subsystems.discard();
    begin(sim, part)?;
    refresh(sim, part.mode)?;
    let iterations = solve_condensed(sim, part, resolution)?;
    sim.state.counters.solved_at_once += 1;
    Ok(iterations)
}

/// Tells why iterations have not agreed on a step that was then solved at once.
#[cold]
fn warn_of_disagreement(sim: &mut Simulation<'_>, error: &StepError) {
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
    sim.warn(place, text);
}

/// Forgets a part that was tried.
pub(crate) fn retreat(sim: &mut Simulation<'_>) {
    sim.subsystems.discard();
    sim.state.contact_memory.copy_from_slice(&sim.storage.remembered);
}
