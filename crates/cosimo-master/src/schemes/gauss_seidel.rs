//! One sweep: every subsystem solves its own problem once.
//!
//! The subsystems are ranked, those with contacts first, and taken in groups. At a joint the subsystem of lower rank
//! takes the force and gives its motion, the other takes the motion and gives the force. A group sees the forces of the
//! iterate, the motions that the groups before it have just found, and those of its own members as the iterate has them.
//! **Gauss-Seidel** has groups of one, so that forces alone are iterated; **Jacobi** has one group, and iterates forces
//! and motions.
//!
//! Per sweep the error of a single joint is multiplied by the ratio of the two sides' inverse masses,
//!
//! ```text
//!   − (Q χ_a + V) W_a ρ_a / ((Q χ_b + V) W_b ρ_b + C)
//! ```
//!
//! of a rigid or Tikhonov joint `−W_a / (W_b + c/h²)`, by Gauss-Seidel; Jacobi needs two sweeps for the same.
//!
//! Reference: M. Fancello, *A Co-Simulation Approach for Mixed Smooth and Nonsmooth Dynamics in Multibody
//! Problems*, Politecnico di Milano 2012, chapter 4.

use super::local::{motion, set_given_loads, solve_local};
use super::local_matrix::factorize_local;
use super::local_problem::Surroundings;
use super::mismatch::Mismatch;
use super::response::{reevaluate_group, set_end_rows};
use super::sweep::Sweep;
use crate::StepError;
use crate::loads::pass::{answer_loads, apply_loads};
use crate::simulation::Simulation;
use crate::step::part::StepPart;

/// Brings the subsystems' problems up to date.
pub(crate) fn refresh_sweep(sim: &Simulation<'_>, sweep: &mut Sweep) {
    if sweep.revision == sim.storage.condensation.revision {
        return;
    }
    for local in &mut sweep.local {
        local.passes_rigidly = false;
        factorize_local(sim, local);
        for (force, &inverse_mass) in local.found.iter().zip(&local.inverse_masses) {
            // The motion of what cannot move is zero, in whatever unit.
            sweep.inverse_masses[force.unknown] = if inverse_mass == 0.0 { 1.0 } else { inverse_mass };
        }
    }
    sweep.revision = sim.storage.condensation.revision;
}

/// Makes the Tikhonov joints of these clusters rigid until the problems are brought up to date the next time: what contacts add to the
/// forces found without them are impacts, which pass rigidly.
pub(crate) fn pass_impacts(sim: &Simulation<'_>, sweep: &mut Sweep, clusters: &[bool]) {
    for local in sweep.local.iter_mut() {
        local.passes_rigidly = clusters[sim.topology.subsystems[local.subsystem].cluster];
        if local.passes_rigidly {
            factorize_local(sim, local);
        }
    }
    sweep.revision = 0;
}

/// Completes an iterate whose forces are given by the motions that they cause without contact impulses.
pub(crate) fn guess_motions(sim: &mut Simulation<'_>, sweep: &mut Sweep, iterate: &mut [f64]) {
    if !sweep.iterates_motions() {
        return;
    }
    for i in 0..sweep.local.len() {
        set_given_loads(sim, &sweep.local[i], iterate, true);
        set_end_rows(&sim.storage.linearisation.models[i], &mut sim.storage.rows);
    }
    for i in 0..sweep.local.len() {
        give_motions(sim, sweep, i);
    }
    sweep.write_motions(iterate);
}

/// The subsystems' answer to an iterate. Loads and end rows are left in the master's rows.
pub(crate) fn sweep_once(
    sim: &mut Simulation<'_>,
    sweep: &mut Sweep,
    (iterate, base): (&[f64], &[f64]),
    answer: &mut [f64],
    candidates: Option<&[bool]>,
    part: StepPart,
) -> Result<Mismatch, StepError> {
    let mut mismatch = Mismatch::default();
    sweep.read_motions(iterate);
    let mut begin = 0;
    while begin < sweep.order.len() {
        let end = (begin + sweep.group).min(sweep.order.len());
        for position in begin..end {
            let i = sweep.order[position];
            let Sweep { local, motions, .. } = &mut *sweep;
            let given = Surroundings { forces: iterate, base, motions, candidates, part };
            solve_local(sim, &mut local[i], &given, answer)?;
        }
        if !sim.storage.linearisation.is_affine {
            let first = sweep.order[begin];
            let group = if sweep.iterates_motions() { 0..sweep.order.len() } else { first..first + 1 };
            apply_loads(sim, &group);
            mismatch = mismatch.and(reevaluate_group(sim, group.clone())?);
            mismatch = mismatch.and(answer_loads(sim, group, false)?);
        }
        for position in begin..end {
            give_motions(sim, sweep, sweep.order[position]);
        }
        begin = end;
    }
    sweep.write_motions(answer);
    Ok(mismatch)
}

/// Motions of subsystem `i` at the joints where it takes the force.
fn give_motions(sim: &Simulation<'_>, sweep: &mut Sweep, i: usize) {
    let Sweep { local, motions, .. } = sweep;
    for port in local[i].given() {
        motions[sim.storage.condensation.coordinates[port.coordinate].unknown()] =
            motion(sim, port.coordinate, port.side);
    }
}
