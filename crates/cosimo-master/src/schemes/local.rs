//! The problem that a subsystem solves by itself in a sweep.
//!
//! At a joint one subsystem takes the force and gives its motion; the other takes that motion and finds the force from
//! its own inverse mass. The contact impulses of subsystem `i` and the forces `x` that it finds follow one after the other,
//!
//! ```text
//!   0 ≤ P ⟂ W_HH P + U_b + e min(U₀, 0) ≥ 0        A⁽ⁱ⁾ x = r + E P        A⁽ⁱ⁾ = (Q χ + V) W ρ + C
//! ```
//!
//! with `U_b` under the forces of the iterate and `r` from the motion of the other sides. Contacts see the iterate also
//! where the subsystem finds a force: a body whose port is led rigidly could not obey its contact as well. Which contacts
//! may carry impulses is decided before the sweeps and stays so over the step.

use cosimo_nonsmooth::{ContactRows, ImpactResolution};

use super::local_matrix::{load_of, relaxation_between};
use super::local_problem::{FoundForce, LocalProblem, Surroundings};
use super::response::set_end_rows;
use crate::StepError;
use crate::laws::coordinate::JointCoordinate;
use crate::simulation::Simulation;
use crate::step::part::StepPart;
use crate::storage::Storage;

/// Motion of one side over the step in the equation of a joint coordinate, from its end rows.
#[inline(always)]
pub(crate) fn motion(sim: &Simulation<'_>, coordinate: usize, side: usize) -> f64 {
    let (coordinate, rows) = (&sim.storage.condensation.coordinates[coordinate], &sim.storage.rows);
    if coordinate.is_single {
        let law = sim.storage.condensation.law(coordinate);
        return coordinate.motion(side, law, &rows.start_positions, rows.end());
    }
    coupled_motion(sim, coordinate, side)
}

fn coupled_motion(sim: &Simulation<'_>, coordinate: &JointCoordinate, side: usize) -> f64 {
    let (joint, row) =
        (&sim.topology.joints[coordinate.joint()], &sim.storage.condensation.rows[coordinate.joint()]);
    let (rows, k) = (&sim.storage.rows, coordinate.coordinate());
    let own = &joint.sides[side];
    let part = |l: usize| {
        let g = own.global_row + l;
        row.position[(k, l)] * (rows.end_positions[g] - rows.start_positions[g])
            + row.velocity[(k, l)] * rows.end_velocities[g]
    };
    own.sign * (0..joint.size).map(part).sum::<f64>()
}

/// Part of the gap at the start in the equation of a joint coordinate.
fn start_term(sim: &Simulation<'_>, coordinate: usize) -> f64 {
    let coordinate = &sim.storage.condensation.coordinates[coordinate];
    if coordinate.is_single {
        let law = sim.storage.condensation.law(coordinate);
        return coordinate.start_term(
            law,
            &sim.storage.rows.start_positions,
            &sim.storage.rows.relaxed_forces,
        );
    }
    let (joint, row, k) = (
        &sim.topology.joints[coordinate.joint()],
        &sim.storage.condensation.rows[coordinate.joint()],
        coordinate.coordinate(),
    );
    let forces = &sim.storage.rows.relaxed_forces;
    let gap =
        |l: usize| joint.gap(l, &sim.storage.rows.start_positions) - row.known_gap(forces[joint.first + l]);
    let excess = sim.model().frame(joint).map_or(0.0, |frame| frame.excess(&row.scaling, k));
    excess
        + row.lag * forces[coordinate.unknown()]
        + (0..joint.size).map(|l| row.position[(k, l)] * gap(l)).sum::<f64>()
}

/// The rate at which the ends of a joint part without impacts.
fn parting(sim: &Simulation<'_>, force: &FoundForce, base: &[f64]) -> f64 {
    let weights = &sim.storage.condensation.law(&sim.storage.condensation.coordinates[force.index]).weights;
    let mean = base[force.unknown] / weights.load_weight;
    weights.lag * (mean - sim.storage.rows.relaxed_forces[force.unknown])
}

/// Solves a local problem. The forces found are written to `answer`, loads and end rows of the affine model to the
/// master's rows.
pub(crate) fn solve_local(
    sim: &mut Simulation<'_>,
    local: &mut LocalProblem,
    given: &Surroundings<'_>,
    answer: &mut [f64],
) -> Result<(), StepError> {
    let i = local.subsystem;
    let candidates = given.candidates.filter(|_| !local.contacts.is_empty());
    if let Some(candidates) = candidates {
        set_given_loads(sim, local, given.forces, true);
        set_end_rows(&sim.storage.linearisation.models[i], &mut sim.storage.rows);
        solve_local_contacts(sim, local, candidates, given.part)?;
    }
    set_given_loads(sim, local, given.forces, false);
    if candidates.is_some() {
        for (impulse, &c) in local.problem.solution().sustained.iter().zip(&local.rows) {
            sim.storage.rows.loads[sim.topology.contact_rows[c].global_row] += impulse;
        }
    }
    set_end_rows(&sim.storage.linearisation.models[i], &mut sim.storage.rows);
    if local.found.is_empty() {
        return Ok(());
    }
    for (x, force) in local.unknowns.iter_mut().zip(&local.found) {
        let motions = given.motions[force.unknown] + motion(sim, force.index, force.side);
        *x = start_term(sim, force.index) + motions;
        if local.passes_rigidly {
            // The joint gives way to what it passes without the impacts.
            let smooth = local.found.iter().filter(|other| other.joint == force.joint);
            *x -= smooth
                .map(|other| relaxation_between(sim, force, other) * given.base[other.unknown])
                .sum::<f64>();
            *x += parting(sim, force, given.base);
        }
    }
    if local.is_met {
        let guess = |column: usize| given.forces[local.found[column].unknown];
        for (column, own) in local.matrix.column_iter().enumerate() {
            let x = guess(column);
            local.unknowns.iter_mut().zip(own.iter()).for_each(|(r, a)| *r -= a * x);
        }
        local.met.apply(&mut local.unknowns);
        local.unknowns.iter_mut().enumerate().for_each(|(column, x)| *x += guess(column));
    } else {
        local.lu.solve(&mut local.unknowns);
    }
    add_found_loads(sim, local);
    set_end_rows(&sim.storage.linearisation.models[i], &mut sim.storage.rows);
    for (x, force) in local.unknowns.iter().zip(&local.found) {
        answer[force.unknown] = *x;
    }
    Ok(())
}

/// Loads of the joints at these forces, and of the forces at the start; those that the subsystem finds itself only
/// if `with_found`.
#[inline(always)]
pub(crate) fn set_given_loads(
    sim: &mut Simulation<'_>,
    local: &LocalProblem,
    forces: &[f64],
    with_found: bool,
) {
    let (layout, rows) = (&sim.topology.subsystems[local.subsystem], &mut sim.storage.rows);
    rows.loads[layout.rows.clone()].fill(0.0);
    for load in &local.loads {
        let coordinate = &sim.storage.condensation.coordinates[load.coordinate];
        let x = if load.is_found && !with_found { 0.0 } else { forces[coordinate.unknown()] };
        let impulse = sim.storage.condensation.law(coordinate).weights.impulse(
            load.side,
            x,
            rows.start_forces[coordinate.unknown()],
        );
        // Several joints may share a port.
        rows.loads[coordinate.row(load.side)] += if load.side == 0 { -impulse } else { impulse };
    }
    if !sim.topology.frames.is_empty() {
        add_couples(sim, local.subsystem);
    }
}

/// Adds the couples of bushings that this subsystem carries.
fn add_couples(sim: &mut Simulation<'_>, subsystem: usize) {
    let Storage { linearisation, rows, .. } = &mut *sim.storage;
    let carried = sim.topology.bushings().filter(|(_, frame)| frame.carrier() == subsystem);
    carried.for_each(|(_, frame)| linearisation.of(sim.topology).add_couple(frame, &mut rows.loads));
}

fn add_found_loads(sim: &mut Simulation<'_>, local: &LocalProblem) {
    for (force, x) in local.found.iter().zip(&local.unknowns) {
        let load = load_of(sim, force, force.side);
        let own = &sim.topology.joints[force.joint].sides[force.side];
        sim.storage.rows.loads[own.global_row + force.coordinate] += load * x;
    }
}

fn solve_local_contacts(
    sim: &mut Simulation<'_>,
    local: &mut LocalProblem,
    candidates: &[bool],
    part: StepPart,
) -> Result<(), StepError> {
    for (a, &c) in local.contacts.iter().enumerate() {
        local.gaps[a] = sim.storage.rows.start_gaps[c];
        local.memory[a] = sim.storage.remembered[c];
    }
    for (a, &row) in local.rows.iter().enumerate() {
        local.rates[0][a] = sim.storage.rows.rates_before[row];
        local.rates[1][a] = sim.storage.rows.end_velocities[sim.topology.contact_rows[row].global_row];
    }
    let rows = ContactRows {
        time: part.time,
        step: part.size,
        macro_step: part.macro_size,
        damping_weight: 0.0,
        position_weight: 0.5 * part.size,
        load_weight: part.size,
        start_gaps: &local.gaps,
        start_rates: &local.rates[0],
        lengths: &[],
        speeds: &[],
        end_gaps: &local.gaps,
        end_rates: &local.rates[1],
        laws: &local.laws,
        delassus: (&local.delassus).into(),
        damped: &local.no_damping,
        impacts: None,
        partings: None,
        impact_lead: None,
    };
    let is_candidate = |a: usize| candidates[local.contacts[a]];
    let solved = local.problem.solve_on((ImpactResolution::Plain, is_candidate), &rows, &mut local.memory);
    if let Err(source) = solved {
        let contact = sim.contact_names().of(local.contacts[0]);
        return Err(StepError::Contacts { time: part.time, contact, source });
    }
    for (memory, &c) in local.memory.iter().zip(&local.contacts) {
        sim.state.contact_memory[c] = *memory;
    }
    Ok(())
}
