//! Steps that are taken though contacts and bodies do not agree on them: told, and noted as `contacts.residual`.

use cosimo_nonsmooth::Unsolved;

use super::not_solved::{contact_of_row, place_of_row};
use crate::contacts::unsolved::Unsettled;
use crate::simulation::Simulation;
use crate::topology::joint::Joint;
use crate::{OnUnsolved, ResidualPlace, Scheme, StepError, WarningPlace};

/// Whether a step that fails so, halved as often as allowed, may be taken with what is left.
pub(crate) fn may_be_taken(sim: &Simulation<'_>, error: &StepError) -> bool {
    let config = &sim.topology.config;
    matches!(error, StepError::NotConverged { .. })
        && config.on_unsolved == OnUnsolved::Warn
        && config.scheme == Scheme::Condensed
}

/// Notes what contacts and bodies were left with in the part of a step just taken, from `time` and of size `h` (s).
#[inline]
pub(crate) fn note_unsolved(sim: &mut Simulation<'_>, time: f64, h: f64) {
    if let Some(left) = sim.storage.unsettled.take() {
        note_iteration(sim, (time, h), left);
    }
    note_contact_problems(sim, time);
}

/// Notes what the contact problems just solved, of a part of a step from `time` (s) on or of an instant, were left with.
#[inline]
pub(crate) fn note_contact_problems(sim: &mut Simulation<'_>, time: f64) {
    for index in 0..sim.storage.contact_problems.problems.len() {
        if let Some(left) = sim.storage.contact_problems.problems[index].unsolved() {
            note_contact_problem(sim, time, left);
        }
    }
}

/// Notes, and tells once for every place, that an iteration was taken with what was left.
#[cold]
fn note_iteration(sim: &mut Simulation<'_>, (time, h): (f64, f64), left: Unsettled) {
    note(sim, left.residual);
    let place = place_of_row(sim, left.worst);
    if sim.state.warnings.unsolved_rows.insert(row_of_place(sim, left.worst)) {
        let text = format!(
            "{place}: contacts and bodies do not agree on the step from {time} s of {h} s in {} iterations, and it is not halved further; it is \
             taken with the relative residual {:.3e}, largest there. {WAY_OUT}",
            left.iterations, left.residual
        );
        sim.warn(warning_place(place), text);
    }
}

/// The row that stands for the place of another one: of a contact its gap, of a joint its first.
fn row_of_place(sim: &Simulation<'_>, row: usize) -> usize {
    if let Some(contact) = contact_of_row(sim, row) {
        return sim.topology.contacts[contact].global_row;
    }
    let has_row = |joint: &&Joint| {
        joint.sides.iter().any(|side| (side.global_row..side.global_row + joint.size).contains(&row))
    };
    sim.topology.joints.iter().find(has_row).map_or(row, |joint| joint.sides[0].global_row)
}

/// What a warning of this place is about.
fn warning_place(place: ResidualPlace) -> WarningPlace {
    match place {
        ResidualPlace::Interface { name, .. } => WarningPlace::Interface(name),
        ResidualPlace::Contact(name) => WarningPlace::Contact(name),
        ResidualPlace::Subsystem(name) => WarningPlace::Subsystem(name),
        ResidualPlace::Unknown => WarningPlace::Model,
    }
}

/// Notes, and tells once for every contact, that a contact problem was taken that no method solved.
#[cold]
fn note_contact_problem(sim: &mut Simulation<'_>, time: f64, Unsolved { contact, residual }: Unsolved) {
    note(sim, residual);
    if sim.state.warnings.unsolved_rows.insert(sim.topology.contacts[contact].global_row) {
        let name = sim.contact_names().of(contact);
        let text = format!(
            "contact `{name}`: no method solves the contact problem of the step from {time} s; it is taken with the relative residual \
             {residual:.3e}, largest there: friction is in its cone and nothing pulls, but impulses are not quite those of the law. {WAY_OUT}"
        );
        sim.warn(WarningPlace::Contact(name), text);
    }
}

/// What helps.
const WAY_OUT: &str = "Further such steps are counted in the summary and recorded as `contacts.residual`; use a smaller step or more \
                       max_halvings, or on_unsolved = \"stop\" to end the run there";

fn note(sim: &mut Simulation<'_>, residual: f64) {
    sim.state.contact_residual = sim.state.contact_residual.max(residual);
}
