//! What the contacts of a cluster see of a step.

use cosimo_nonsmooth::{ContactMemory, ContactRows, OneStepError};

use super::jammed::{Jammed, find_clamped};
use super::names::ContactNames;
use super::near_rows::NearRows;
use crate::StepError;
use crate::condensation::Condensation;
use crate::condensation::contact_matrices::ContactMatrices;
use crate::linearisation::LinearisedModel;
use crate::rows::StepRows;
use crate::time::part::StepPart;
use crate::topology::Cluster;

/// A part of a step as contacts see it.
#[derive(Clone, Copy)]
pub(crate) struct ContactStep<'a> {
    pub(crate) model: LinearisedModel<'a>,
    pub(crate) rows: &'a StepRows,
    /// What the contacts are called, where something fails.
    pub(crate) names: ContactNames<'a>,
    pub(crate) part: StepPart,
}

impl<'a> ContactStep<'a> {
    /// The contact rows of the cluster of this number.
    pub(crate) fn rows_of(self, number: usize, condensation: &'a Condensation) -> ContactRows<'a> {
        let Self { model, rows, part, .. } = self;
        let cluster = &model.topology.clusters[number];
        let (matrices, impacts) = (condensation.contacts(number), condensation.impacts(number));
        let (contacts, contact_rows) = (cluster.contacts.clone(), cluster.contact_rows.clone());
        ContactRows {
            time: part.time,
            step: part.size,
            macro_step: part.macro_size,
            damping_weight: damping_weight(model, cluster),
            load_weight: load_weight(model, cluster, part.size),
            position_weight: position_weight(model, cluster),
            start_gaps: &rows.start_gaps[contacts.clone()],
            start_rates: &rows.start_rates[contact_rows.clone()],
            lengths: &rows.lengths[contacts.clone()],
            speeds: &rows.speeds[contacts.clone()],
            end_gaps: &rows.end_gaps[contacts],
            end_rates: &rows.end_rates[contact_rows],
            laws: &cluster.laws,
            delassus: matrices.delassus(),
            damped: impacts.damped(),
            impacts: condensation.has_impacts_of_their_own(number).then_some(impacts.delassus()),
            partings: None,
            impact_lead: None,
        }
    }
}

/// What the contacts of a problem see of a step, among `all` contact rows of their cluster: all, or what is near.
pub(super) fn among<'a>(near: &'a Option<Box<NearRows>>, all: ContactRows<'a>) -> ContactRows<'a> {
    match near {
        None => all,
        Some(near) => near.among(all),
    }
}

/// Weight of the damping in the rule of the subsystems with contacts (s).
pub(crate) fn damping_weight(model: LinearisedModel<'_>, cluster: &Cluster) -> f64 {
    let first = model.topology.contacts[cluster.contacts.clone()].first();
    first.map_or(0.0, |contact| model.models[contact.subsystem].weights.damping)
}

/// Weight of the velocities in the positions at the end of a step (s), in the rule of the subsystems with contacts.
fn position_weight(model: LinearisedModel<'_>, cluster: &Cluster) -> f64 {
    let first = model.topology.contacts[cluster.contacts.clone()].first();
    first.map_or(0.0, |contact| model.models[contact.subsystem].weights.position)
}

/// Impulse of a constant load of 1 N in a step of size `h` (s), by the rule of the subsystems with contacts: see
/// [`ContactRows::load_weight`].
fn load_weight(model: LinearisedModel<'_>, cluster: &Cluster, h: f64) -> f64 {
    let first = model.topology.contacts[cluster.contacts.clone()].first();
    first.map_or(h, |contact| model.models[contact.subsystem].weights.of_constant_load(h))
}

/// When impacts of the plain problem act as impulses in a step of size `h` (s), by the rule of the subsystems with contacts: see
/// [`ContactRows::impact_lead`]. In the middle of the step, where impacts are in the mean: that makes no energy of a constant force.
pub(crate) fn impact_lead(model: LinearisedModel<'_>, cluster: &Cluster, h: f64) -> Option<f64> {
    let first = model.topology.contacts[cluster.contacts.clone()].first()?;
    let weights = &model.models[first.subsystem].weights;
    (!weights.are_of_mean(h)).then_some(0.5 * h)
}

/// Gives the contacts the stiffness of the compliant joints behind them.
pub(crate) fn expect_stiffness(memory: &mut [ContactMemory], matrices: &ContactMatrices) {
    for (memory, stiffness) in memory.iter_mut().zip(matrices.stiffness()) {
        memory.foresee(*stiffness);
    }
}

/// The error of the problem of these contacts, with these contact rows, by the name of the contact: of one that is pressed together and held, if there is any.
pub(crate) fn contact_error(
    names: ContactNames<'_>,
    (contacts, contact_rows): (&[usize], &[usize]),
    rows: &ContactRows<'_>,
    source: OneStepError,
) -> StepError {
    if let Some(error) = without_solution(names, (contacts, contact_rows), rows) {
        return error;
    }
    let local = match source {
        OneStepError::NotFinite { contact } | OneStepError::FrictionNotSolved { contact, .. } => contact,
        _ => 0,
    };
    let contact = names.of(contacts[local]);
    StepError::Contacts { time: rows.time, contact, source }
}

/// Why the problem of these contacts, with these contact rows, has no solution: what a contact would stop is held, or contacts clamp what is
/// between them.
pub(crate) fn without_solution(
    names: ContactNames<'_>,
    (contacts, contact_rows): (&[usize], &[usize]),
    rows: &ContactRows<'_>,
) -> Option<StepError> {
    let (time, topology) = (rows.time, names.topology);
    if let Some((local, rate)) = pressed_and_held(rows) {
        let row = &topology.contact_rows[contact_rows[local]];
        let joined = row.attachment.as_ref().map(|at| (&topology.joints[at.port.joint], 1 - at.port.side));
        let held = match joined {
            Some((joint, side)) => format!("`{}`, joined by `{}`,", joint.sides[side].label, joint.name),
            None => "its body".to_owned(),
        };
        return Some(StepError::HeldContact { time, contact: names.of(contacts[local]), rate, held });
    }
    find_clamped(rows).map(|Jammed { contacts: jammed, rate }| {
        let name = |local: &usize| format!("`{}`", names.of(contacts[*local]));
        let contacts = jammed.iter().map(name).collect::<Vec<_>>().join(", ");
        StepError::ClampedContacts { time, contacts, rate }
    })
}

/// The contact that closes fastest of those that no impulse opens, with its rate (m/s).
fn pressed_and_held(rows: &ContactRows<'_>) -> Option<(usize, f64)> {
    let rate = |c: usize| rows.start_rates[c].min(rows.end_rates[c]);
    let is_held = |c: &usize| rows.delassus[(*c, *c)] <= 0.0 && rate(*c) < 0.0;
    let held = (0..rows.start_gaps.len()).filter(is_held).map(|c| (c, rate(c)));
    held.min_by(|a, b| a.1.total_cmp(&b.1))
}
