//! Warnings of what a run has created so far.

use super::advice::advice_on_step;
use super::watch::{Found, Place};
use crate::execution::slot::CallSlot;
use crate::simulation::Simulation;
use crate::{EnergyAction, StepError};

/// Energy that a place may create, relative to that at stake.
const SHARE: f64 = 1e-2;
/// The same, relative to the energy there is: round-off and tolerances of solvers.
const ROUND_OFF: f64 = 1e-8;
/// Share of the work that contacts do against the loads on bodies in a step which is at stake where nothing moves: what solvers leave
/// of it comes back as energy.
const OF_LOADS: f64 = 1e-6;

/// Looks at what the run has created up to the end of the macro step just taken, from `time` and of size `h` (s).
pub(crate) fn watch_run(sim: &mut Simulation<'_>, time: f64, h: f64) -> Result<(), StepError> {
    let allowed = book_created(sim);
    while let Some(found) = sim.state.energy_guard.watch.exceeding(allowed) {
        if sim.topology.config.energy_action == EnergyAction::Stop {
            return Err(too_much_created(sim, &found, time, h));
        }
        warn_of_created(sim, &found, time, h);
    }
    Ok(())
}

/// Takes what every place has created up to now; returns what is allowed (J).
fn book_created(sim: &mut Simulation<'_>) -> f64 {
    let (monitor, watch) = (&sim.state.monitor, &mut sim.state.energy_guard.watch);
    for (j, book) in watch.joints.iter_mut().enumerate() {
        book.note(monitor.joint(j).created);
    }
    for (i, book) in watch.integrations.iter_mut().enumerate() {
        book.note(monitor.subsystem(i));
    }
    if sim.state.has_contact_impulses {
        let impulse = |c: &usize| sim.state.contact_impulses[sim.topology.contacts[*c].gap];
        let loaded = (0..watch.contacts.len()).max_by(|a, b| impulse(a).total_cmp(&impulse(b)));
        watch.loaded = loaded.filter(|c| impulse(c) > 0.0).or(watch.loaded);
    }
    let by_impulses = monitor.by_impulses();
    let more = by_impulses - std::mem::replace(&mut watch.by_impulses, by_impulses);
    let book = watch.book(watch.loaded.map_or(Place::Loads, Place::Contact));
    book.note(book.created + more);
    let in_subsystems = |slot: &CallSlot| slot.ledger.energy.potential;
    let potential = sim.subsystems.slots.iter().map(in_subsystems).sum::<f64>() + monitor.stored();
    let there = monitor.total() - potential + potential.abs();
    watch.lowest_potential = watch.lowest_potential.min(potential);
    // What has been created is not at stake.
    let turned = monitor.total() - watch.lowest_potential - monitor.balance().monitor_sum.max(0.0);
    watch.at_stake = watch.at_stake.max(turned).max(monitor.taken_out());
    if sim.state.has_contact_impulses {
        // Rates that the bodies would have without their contacts.
        let rows = &sim.storage.rows;
        let work = |gap: usize| 0.5 * sim.state.contact_impulses[gap] * rows.end_rates[gap].abs();
        let held: f64 = sim.topology.contacts.iter().map(|contact| work(contact.gap)).sum();
        watch.at_stake = watch.at_stake.max(OF_LOADS * held);
    }
    sim.topology.config.energy_limit + SHARE * watch.at_stake + ROUND_OFF * there
}

fn too_much_created(sim: &mut Simulation<'_>, found: &Found, time: f64, size: f64) -> StepError {
    StepError::EnergyCreatedSoFar {
        time,
        size,
        place: place_name(sim, found.place),
        created: found.created,
        at_stake: found.at_stake,
        advice: advice_on_step(sim, found.place, size),
    }
}

#[cold]
fn warn_of_created(sim: &mut Simulation<'_>, found: &Found, time: f64, size: f64) {
    let (place, advice) = (place_name(sim, found.place), advice_on_step(sim, found.place, size));
    let Found { created, at_stake, .. } = found;
    sim.state.warnings.push(format!(
        "{place} has created {created:.3e} J up to {} s, where {at_stake:.3e} J are at stake; {advice}",
        time + size
    ));
}

fn place_name(sim: &Simulation<'_>, place: Place) -> String {
    match place {
        Place::Joint(j) => format!("interface `{}`", sim.topology.interface_name(j)),
        Place::Integration(i) => {
            format!("the time integration of subsystem `{}`", sim.topology.subsystems[i].name)
        }
        Place::Contact(c) => format!("contact `{}`", sim.topology.contacts[c].name),
        Place::Loads if sim.topology.interfaces() == 0 => "impulses inside the subsystems".to_owned(),
        Place::Loads => "the loads of the interfaces".to_owned(),
    }
}
