//! Penetrated contacts of an initial state, pushed apart.

use std::ops::Range;

use cosimo_nonsmooth::{ContactLaws, ContactMemory, ContactRows, ImpactResolution, OneStepProblem};

use super::jammed::find_clamped;
use super::names::ContactNames;
use super::rows::ContactStep;
use crate::condensation::Condensation;
use crate::linearisation::LinearisedModel;
use crate::rows::StepRows;
use crate::time::part::{Mode, StepPart};
use crate::topology::contact::Contact;

/// Adds the loads that open penetrated contacts at a communication point (s): `0 ≤ P ⟂ W_c P + y ≥ 0` on the gaps after the joints' move.
///
/// # Errors
/// No move opens all contacts: which they are, and what helps.
pub(crate) fn push_contacts_apart(
    model: LinearisedModel<'_>,
    condensation: &Condensation,
    rows: &mut StepRows,
    names: ContactNames<'_>,
    time: f64,
) -> Result<(), String> {
    let part = StepPart { time, size: 1.0, macro_size: 1.0, mode: Mode::Instant };
    let topology = model.topology;
    for (number, cluster) in topology.clusters.iter().enumerate() {
        let contacts = &topology.contacts[cluster.contacts.clone()];
        let loads = &rows.loads;
        let moved = |c: &Contact| {
            let model = &model.models[c.subsystem];
            model.answer(c.global_row - model.rows.start, loads)
        };
        let starts = &rows.start_gaps[cluster.contacts.clone()];
        // An absent contact is open, no matter how far.
        let moved_gap = |(c, gap): (&Contact, &f64)| if gap.is_finite() { gap + moved(c) } else { 1.0 };
        let gaps: Vec<f64> = contacts.iter().zip(starts).map(moved_gap).collect();
        if gaps.iter().all(|gap| *gap >= 0.0) {
            continue;
        }
        let zero = vec![0.0; gaps.len()];
        let laws = ContactLaws::from(zero.clone());
        let step = ContactStep { model, rows, names, part };
        let seen = ContactRows {
            damping_weight: 0.0,
            start_gaps: &gaps,
            start_rates: &zero,
            end_gaps: &gaps,
            end_rates: &gaps,
            laws: &laws,
            ..step.rows_of(number, condensation)
        };
        let mut problem = OneStepProblem::new(gaps.len(), ImpactResolution::Plain);
        let solved = problem.solve(&seen, &mut vec![ContactMemory::OPEN; gaps.len()]);
        let solution = solved.map_err(|_| no_move(names, cluster.contacts.clone(), &seen))?;
        condensation.contacts(number).add_loads(topology, cluster, &solution.sustained, &mut rows.loads);
    }
    Ok(())
}

/// Why no move opens these contacts.
fn no_move(names: ContactNames<'_>, contacts: Range<usize>, rows: &ContactRows<'_>) -> String {
    let is_held = |c: &usize| rows.start_gaps[*c] < 0.0 && rows.delassus[(*c, *c)] <= 0.0;
    let held: Vec<usize> = (0..contacts.len()).filter(is_held).collect();
    let jammed = find_clamped(rows).map(|jammed| jammed.contacts);
    let penetrated = || (0..contacts.len()).filter(|c| rows.start_gaps[*c] < 0.0).collect();
    let found = if held.is_empty() { jammed.unwrap_or_else(penetrated) } else { held };
    let name = |c: &usize| format!("`{}` (gap {:.3e})", names.of(contacts.start + c), rows.start_gaps[*c]);
    format!(
        "no move of the bodies opens {}: joints and prescribed motions hold them, or one opens where another closes; change the \
         positions, the limits of the stops, or what holds the bodies",
        found.iter().map(name).collect::<Vec<_>>().join(" and ")
    )
}
