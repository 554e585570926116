//! Steps that are taken though contacts and bodies do not agree on them: told, and noted as `contacts.residual`.

use cosimo_nonsmooth::Unsolved;

use crate::contacts::Contacts;
use crate::contacts::names::ContactNames;
use crate::contacts::places::{contact_of_row, place_of_row};
use crate::contacts::unsolved::Unsettled;
use crate::time::part::TakenStep;
use crate::topology::Topology;
use crate::topology::joint::Joint;
use crate::warnings::Warnings;
use crate::{MasterConfig, OnUnsolved, ResidualPlace, Scheme, StepError, WarningPlace};

/// Whether a step that fails so, halved as often as allowed, may be taken with what is left.
pub(super) fn may_be_taken(config: &MasterConfig, error: &StepError) -> bool {
    matches!(error, StepError::NotConverged { .. })
        && config.on_unsolved == OnUnsolved::Warn
        && config.scheme == Scheme::Condensed
}

/// Notes what the contact problems just solved, of a part of a step or of an instant, were left with.
#[inline]
pub(super) fn note_contact_problems(
    contacts: &mut Contacts,
    names: ContactNames<'_>,
    warnings: &mut Warnings,
    taken: TakenStep,
) {
    let Contacts { problems, residual, .. } = contacts;
    for left in problems.problems.iter().filter_map(|own| own.unsolved()) {
        *residual = residual.max(left.residual);
        warn_of_contact_problem(names, warnings, taken, left);
    }
}

/// Notes, and tells once for every place, that an iteration was taken with what was left.
#[cold]
pub(super) fn note_iteration(
    contacts: &mut Contacts,
    names: ContactNames<'_>,
    warnings: &mut Warnings,
    taken: TakenStep,
    left: Unsettled,
) {
    contacts.residual = contacts.residual.max(left.residual);
    if warnings.unsolved_rows.insert(row_of_place(names.topology, left.worst)) {
        let place = place_of_row(names, left.worst);
        let text = format!(
            "{place}: contacts and bodies do not agree on the step from {} s of {} s in {} iterations, and it is not halved further; it is \
             taken with the relative residual {:.3e}, largest there. {WAY_OUT}",
            taken.start, taken.size, left.iterations, left.residual
        );
        warnings.warn(taken.end, warning_place(place), text);
    }
}

/// The row that stands for the place of another one: of a contact its gap, of a joint its first.
fn row_of_place(topology: &Topology, row: usize) -> usize {
    if let Some(contact) = contact_of_row(topology, row) {
        return topology.contacts[contact].global_row;
    }
    let has_row = |joint: &&Joint| {
        joint.sides.iter().any(|side| (side.global_row..side.global_row + joint.size).contains(&row))
    };
    topology.joints.iter().find(has_row).map_or(row, |joint| joint.sides[0].global_row)
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

/// Tells once for every contact that a contact problem was taken that no method solved.
#[cold]
fn warn_of_contact_problem(
    names: ContactNames<'_>,
    warnings: &mut Warnings,
    taken: TakenStep,
    Unsolved { contact, residual }: Unsolved,
) {
    if warnings.unsolved_rows.insert(names.topology.contacts[contact].global_row) {
        let name = names.of(contact);
        let text = format!(
            "contact `{name}`: no method solves the contact problem of the step from {} s; it is taken with the relative residual \
             {residual:.3e}, largest there: friction is in its cone and nothing pulls, but impulses are not quite those of the law. {WAY_OUT}",
            taken.start
        );
        warnings.warn(taken.end, WarningPlace::Contact(name), text);
    }
}

/// What helps.
const WAY_OUT: &str = "Further such steps are counted in the summary and recorded as `contacts.residual`; use a smaller step or more \
                       max_halvings, or on_unsolved = \"stop\" to end the run there";
