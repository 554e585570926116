//! The condensed scheme: interface unknowns and contact impulses from one problem.

use cosimo_nonsmooth::ImpactResolution;

use crate::StepError;
use crate::contacts::names::ContactNames;
use crate::contacts::problems::{Candidates, Pass};
use crate::contacts::unsolved::Unsettled;
use crate::linearisation::coupling_residual::CouplingResidual;
use crate::linearisation::end_rows::set_all_end_rows;
use crate::loads::pass::LoadPass;
use crate::schemes::bushings::{begin_bushings, reevaluate_bushings};
use crate::schemes::fallback::Fallback;
use crate::schemes::not_converged::row_not_converged;
use crate::schemes::notes::{note_agreement, note_mismatches};
use crate::schemes::response::{Asked, change_by_loads, count_evaluated, evaluate, take_answers};
use crate::simulation::StepContext;
use crate::time::part::StepPart;

/// Contraction of the coupling residual, at first against the change that the loads make, above which inverse masses are renewed.
const SLOW: f64 = 0.03;

/// CouplingResidual, relative to the speeds of the rows, below which ends tell which further contacts penetrate.
const NEAR: f64 = 1e-3;

/// Solves for the unknowns and contact impulses together, and returns the iterations; Newton's iteration where a subsystem is not affine,
/// modified as long as it contracts well: with the inverse masses that the step began with.
pub(super) fn solve_condensed(
    sim: &mut StepContext,
    part: StepPart,
    resolution: ImpactResolution,
) -> Result<u32, StepError> {
    sim.schemes.unsettled = None;
    if sim.linearisation.is_affine {
        let pass = Pass { resolution, candidates: Candidates::Collected };
        let model = sim.linearisation.of(&sim.topology);
        sim.condensation.solve_without_contacts(model, &mut sim.rows);
        sim.contacts.solve(model, &mut sim.condensation, &mut sim.rows, &mut sim.subsystems, part, pass)?;
        sim.counters.interfaces.count_solve();
        return Ok(1);
    }
    let resolution = at_step_ends(resolution);
    let (tolerance, iterations) = (sim.topology.config.tolerance, sim.topology.config.max_iterations);
    sim.contacts.remember();
    sim.counters.interfaces.begin_solve();
    begin_bushings(&sim.topology, &mut sim.linearisation, &sim.rows);
    let (mut coupling_residual, mut row) = (f64::INFINITY, 0);
    let (mut renews, mut before) = (!sim.schemes.tangent.keeps(), CouplingResidual::default());
    let mut last = f64::INFINITY;
    let mut fallback = Fallback::new(sim.schemes.accepted_residual, iterations);
    for iteration in 1..=iterations {
        sim.contacts.recall();
        let candidates = if iteration == 1 { Candidates::Collected } else { Candidates::Kept };
        let pass = Pass { resolution, candidates };
        let model = sim.linearisation.of(&sim.topology);
        sim.condensation.solve_without_contacts(model, &mut sim.rows);
        sim.contacts.solve(model, &mut sim.condensation, &mut sim.rows, &mut sim.subsystems, part, pass)?;
        set_all_end_rows(model.models, &mut sim.rows);
        if iteration == 1 {
            last = change_by_loads(model.models, &sim.rows);
        }
        let found = reevaluate(sim, renews, &mut last)?;
        (coupling_residual, row) = found.relative();
        // A frozen tangent that one correction does not suffice with is renewed.
        renews = true;
        let interfaces = &mut sim.counters.interfaces;
        note_mismatches(interfaces, &sim.topology, &sim.subsystems.slots, iteration, found);
        let agrees = coupling_residual <= tolerance || (iteration > 2 && found.is_floor(before));
        let is_last = !agrees && fallback.takes(iteration, coupling_residual);
        let is_near = agrees || is_last || coupling_residual <= NEAR;
        let model = sim.linearisation.of(&sim.topology);
        if !(is_near && sim.contacts.take_in_penetrated(model, &sim.rows, part.size, resolution))
            && (agrees || is_last)
        {
            let left = Unsettled { iterations: iteration, worst: row, residual: coupling_residual };
            sim.schemes.unsettled = is_last.then_some(left);
            note_agreement(interfaces, &sim.topology, &sim.subsystems.slots, iteration, found);
            return Ok(iteration);
        }
        before = found;
        sim.condensation.update(model, part.mode, part.time)?;
    }
    sim.contacts.recall();
    let names = ContactNames { topology: &sim.topology, subsystems: &sim.subsystems.all };
    let left = Unsettled { iterations, worst: row, residual: coupling_residual };
    Err(row_not_converged(names, (part.time, part.size), left))
}

/// The resolution where ends are evaluated with the loads, and have no place for impulses inside the step.
fn at_step_ends(resolution: ImpactResolution) -> ImpactResolution {
    if resolution == ImpactResolution::SubStep { ImpactResolution::Plain } else { resolution }
}

/// Evaluates the subsystems that are not affine at the present loads, those of load ports among them, and bushings and load ports at the ends
/// that are found; all move to the true answers. Says how far they were from them. Inverse masses are new if it `renews` them, or where the
/// coupling residual has fallen too slowly from the `last` one.
fn reevaluate(sim: &mut StepContext, renews: bool, last: &mut f64) -> Result<CouplingResidual, StepError> {
    let (topology, all) = (&sim.topology, 0..sim.topology.subsystems.len());
    let (models, tolerance) = (&mut sim.linearisation.models, topology.config.tolerance);
    let failed = |source| StepError::Subsystem { time: sim.clock.now, source };
    let exchange = &mut sim.loads.exchange;
    exchange.apply(models, &sim.rows, &all);
    exchange.mark_standing(models, &sim.rows, &mut sim.subsystems.slots, tolerance);
    let mut asked = if renews { Asked::Rows } else { Asked::RowsKeepingInverseMass };
    let mut first: Option<CouplingResidual> = None;
    let answered = loop {
        let group = all.clone();
        let evaluated =
            evaluate(topology, &mut sim.subsystems, models, exchange, &mut sim.rows, group, asked);
        let slots = &mut sim.subsystems.slots;
        if first.is_none() {
            sim.schemes.tangent.count_evaluations(|| count_evaluated(models, slots));
        }
        evaluated.map_err(failed)?;
        if !topology.load_sources.is_empty() {
            slots.iter_mut().for_each(|slot| slot.stands = false);
        }
        sim.schemes.tangent.note_changed(topology, slots, &sim.coupling.modes, &mut sim.condensation);
        let found = take_answers(topology, models, slots, &mut sim.rows, all.clone());
        match first {
            Some(first) => break first,
            None if found.difference > SLOW * *last && found.relative().0 > tolerance => {
                (first, asked) = (Some(found), Asked::InverseMass);
            }
            None => break found,
        }
    };
    *last = answered.difference;
    let (linearisation, condensation) = (&mut sim.linearisation, &mut sim.condensation);
    let of_bushings = reevaluate_bushings(topology, linearisation, condensation, &sim.rows);
    let pass = LoadPass { group: all, renews: true };
    let (subsystems, rows) = (&mut sim.subsystems, &mut sim.rows);
    let of_loads = sim.loads.answer(topology, subsystems, linearisation, condensation, rows, pass);
    Ok(answered.and(of_bushings).and(of_loads.map_err(failed)?))
}
