//! Works of contacts, for the energy balance of a step.

use cosimo_mechanics::StepBalance;

use crate::step_problem::StepProblem;

/// Adds the works of these impulses (N s) on contacts whose rates have changed to `end`.
pub(crate) fn add_contacts(
    balance: &mut StepBalance,
    problem: &StepProblem<'_>,
    impulses: impl Iterator<Item = f64>,
    end: &[f64],
) {
    let d = problem.contacts.layout().dimension();
    for (row, impulse) in impulses.enumerate().filter(|(_, impulse)| *impulse != 0.0) {
        let start = problem.start_rates[row];
        let work = 0.5 * (start + end[row]) * impulse;
        match row % d {
            0 if start < 0.0 => balance.impact += work,
            0 => balance.contact += work,
            _ => balance.friction += work,
        }
    }
}
