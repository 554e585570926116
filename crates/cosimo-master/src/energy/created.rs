//! Warnings of what a run has created so far.

use super::advice::advice_on_step;
use super::watch::{Found, Place};
use crate::execution::slot::CallSlot;
use crate::simulation::Simulation;
use crate::state::State;
use crate::storage::linearisation::AffineModel;
use crate::topology::Topology;
use crate::topology::joint::Joint;
use crate::{EnergyAction, InterfaceLaw, StepError, WarningPlace};

/// Energy that a place may create, relative to that at stake.
const SHARE: f64 = 1e-2;
/// The same, relative to the energy that is there and is exchanged: round-off and tolerances of solvers.
const ROUND_OFF: f64 = 1e-8;

/// Round-off of a gap, relative to the positions that it is the difference of.
const GAP_ROUND_OFF: f64 = 1e3 * f64::EPSILON;

/// What is at stake is nothing where it is this share of what was created: the motion is round-off.
const NOTHING: f64 = 1e-20;

/// Looks at what the run has created up to the end of the macro step just taken, from `time` and of size `h` (s).
pub(crate) fn watch_run(sim: &mut Simulation<'_>, time: f64, h: f64) -> Result<(), StepError> {
    let most = book_created(sim);
    let allowed = take_up_energies(sim);
    if sim.state.has_contact_impulses {
        warn_of_swinging(sim, h);
    }
    if most <= allowed { Ok(()) } else { tell_of_created(sim, allowed, time, h) }
}

/// Warns, once, of a contact whose body swings on a joint too fast for steps of this size (s).
fn warn_of_swinging(sim: &mut Simulation<'_>, h: f64) {
    let Some(contact) = sim.state.energy_guard.watch.loaded else { return };
    if !sim.state.contact_memory[contact].swings()
        || std::mem::replace(&mut sim.state.warnings.swinging_contacts[contact], true)
    {
        return;
    }
    let (name, advice) = (sim.contact_names().of(contact), advice_on_step(sim, Place::Contact(contact), h));
    let text = format!(
        "contact `{name}` is hit by a body that swings from end to end of the step on the spring of an interface: its rates are no rates \
         of impacts, it rebounds whatever the restitution is, and energy may be made; {advice}"
    );
    sim.warn(WarningPlace::Contact(name), text);
}

/// Tells of every place that has created more than `allowed` (J), and more than round-off.
#[cold]
fn tell_of_created(sim: &mut Simulation<'_>, allowed: f64, time: f64, h: f64) -> Result<(), StepError> {
    let exchanged = exchanged_by_loads(sim) + stored_by_round_off(sim) / ROUND_OFF;
    let watch = &mut sim.state.energy_guard.watch;
    watch.exchanged = watch.exchanged.max(exchanged);
    let allowed = allowed + ROUND_OFF * watch.exchanged;
    while let Some(place) = sim.state.energy_guard.watch.exceeding(allowed) {
        let found = sim.state.energy_guard.watch.tell(place);
        if sim.topology.config.energy_action == EnergyAction::Stop {
            return Err(too_much_created(sim, &found, time, h));
        }
        warn_of_created(sim, &found, time, h);
    }
    Ok(())
}

/// Takes what every place has created up to now; returns the most that one has (J).
fn book_created(sim: &mut Simulation<'_>) -> f64 {
    let (monitor, watch) = (&sim.state.monitor, &mut sim.state.energy_guard.watch);
    let (mut net, mut most) = (0.0, 0.0_f64);
    let joints = watch.joints.iter_mut().zip(monitor.created_by_joints());
    let integrations = watch.integrations.iter_mut().zip(monitor.created_by_integrations());
    for (book, created) in joints.chain(integrations) {
        net += created;
        most = most.max(book.note(*created));
    }
    if let Some(works) = monitor.inner_contacts() {
        watch.by_inner_contacts = 0.0;
        for (book, work) in watch.inner_contacts.iter_mut().zip(works) {
            let rise = book.note(*work);
            most = most.max(rise);
            watch.by_inner_contacts += rise;
        }
    }
    if sim.state.has_contact_impulses {
        let impulse = |c: &usize| sim.state.contact_impulses[sim.topology.contacts[*c].gap];
        let loaded = (0..watch.contacts.len()).max_by(|a, b| impulse(a).total_cmp(&impulse(b)));
        watch.loaded = loaded.filter(|c| impulse(c) > 0.0).or(watch.loaded);
        let gained: f64 = sim.state.counters.impact_gains.iter().sum();
        watch.contact_work.note(monitor.contact_work() - gained);
    }
    let by_impulses = monitor.by_impulses() + watch.contact_work.rise();
    let more = by_impulses - std::mem::replace(&mut watch.by_impulses, by_impulses);
    let book = watch.book(watch.loaded.map_or(Place::Loads, Place::Contact));
    most = most.max(book.note(book.created + more));
    let net = net + by_impulses + watch.by_inner_contacts;
    most.max(watch.net.note(net))
}

/// Takes up the energies at the end of a macro step; returns what a place may have created (J).
fn take_up_energies(sim: &mut Simulation<'_>) -> f64 {
    let (monitor, watch) = (&sim.state.monitor, &mut sim.state.energy_guard.watch);
    let in_subsystems = |slot: &CallSlot| slot.ledger.energy.potential;
    let potential = sim.subsystems.slots.iter().map(in_subsystems).sum::<f64>() + monitor.stored();
    let total = monitor.total();
    let there = total - potential + potential.abs();
    watch.take_up(potential, total);
    watch.drive(monitor.external());
    watch.take_out(monitor.taken_out(), monitor.taken_out_by_inner_contacts());
    watch.tolerated = sim.topology.config.energy_limit + ROUND_OFF * there;
    watch.tolerated + SHARE * watch.at_stake
}

/// Takes the energy of the initial state.
pub(crate) fn begin_watch(sim: &mut Simulation<'_>) {
    let of_subsystems: f64 = sim.subsystems.all.iter().map(|subsystem| subsystem.energy().potential).sum();
    let monitor = &sim.state.monitor;
    sim.state.energy_guard.watch.take_up(of_subsystems + monitor.stored(), monitor.total());
}

/// Energy that the loads on the rows exchange in a step (J), without regard to what balances them: `Σ W X²/2`. It knows the masses,
/// the loads and the size of the step.
fn exchanged_by_loads(sim: &Simulation<'_>) -> f64 {
    let of_model = |(model, slot): (&AffineModel, &CallSlot)| {
        let inside = &slot.loads.moments.velocity;
        let of_row = |(k, load): (usize, &f64)| {
            let impulse = load.abs() + inside.get(k).copied().unwrap_or_default().abs();
            0.5 * model.inverse_mass[(k, k)] * impulse * impulse
        };
        let loads = sim.storage.rows.loads[model.rows.clone()].iter().enumerate();
        loads.filter(|(k, _)| model.inverse_mass.has_row(*k)).map(of_row).sum::<f64>()
    };
    sim.storage.linearisation.models.iter().zip(&sim.subsystems.slots).map(of_model).sum()
}

/// Energy that springs of interfaces store by the round-off of positions (J): a gap is known to a share of what it is the difference of. It is
/// all there is where no subsystem tells energies, and nothing else moves the ends of a spring apart.
fn stored_by_round_off(sim: &Simulation<'_>) -> f64 {
    let positions = &sim.storage.rows.start_positions;
    let of_joint = |joint: &Joint| {
        let InterfaceLaw::Compliant { stiffness, .. } = &joint.law else { return 0.0 };
        let gap = |k: usize| {
            let lengths = joint.sides.iter().map(|side| positions[side.global_row + k].abs());
            GAP_ROUND_OFF * lengths.sum::<f64>()
        };
        (0..joint.size).map(|k| 0.5 * stiffness[(k, k)].abs() * gap(k).powi(2)).sum::<f64>()
    };
    sim.topology.joints.iter().map(of_joint).sum()
}

/// Whether a run that is at its end has created, net, more energy than was at stake. Where next to nothing was, there is no measure of it.
pub(crate) fn judge_run(topology: &Topology, state: &State) -> Result<(), StepError> {
    let watch = &state.energy_guard.watch;
    let tolerated = watch.tolerated + ROUND_OFF * watch.exchanged;
    let created = watch.net.created;
    let is_admitted = watch.at_stake <= NOTHING * created || created <= watch.at_stake + tolerated;
    if topology.config.energy_action == EnergyAction::Ignore || is_admitted {
        return Ok(());
    }
    Err(StepError::EnergyCreatedInRun {
        time: state.clock.now,
        created,
        at_stake: watch.at_stake,
        place: watch.worst().map_or_else(String::new, |place| place_name(topology, place)),
    })
}

fn too_much_created(sim: &mut Simulation<'_>, found: &Found, time: f64, size: f64) -> StepError {
    StepError::EnergyCreatedSoFar {
        time,
        size,
        place: place_name(sim.topology, found.place),
        created: found.created,
        at_stake: found.at_stake,
        advice: advice_on_step(sim, found.place, size),
    }
}

fn warn_of_created(sim: &mut Simulation<'_>, found: &Found, time: f64, size: f64) {
    let (place, advice) = (place_name(sim.topology, found.place), advice_on_step(sim, found.place, size));
    let Found { created, at_stake, .. } = found;
    let text = format!(
        "{place} has created {created:.3e} J up to {} s, where {at_stake:.3e} J are at stake; {advice}",
        time + size
    );
    // What all have created together is told at the place that has created most.
    let worst = sim.state.energy_guard.watch.worst().filter(|_| found.place == Place::Run);
    sim.warn(warning_place(sim.topology, worst.unwrap_or(found.place)), text);
}

fn warning_place(topology: &Topology, place: Place) -> WarningPlace {
    match place {
        Place::Joint(j) => WarningPlace::Interface(topology.interface_name(j).to_owned()),
        Place::Integration(i) | Place::InnerContacts(i) => {
            WarningPlace::Subsystem(topology.subsystems[i].name.clone())
        }
        Place::Contact(c) => WarningPlace::Contact(topology.contacts[c].table.clone()),
        Place::Loads | Place::Run => WarningPlace::Model,
    }
}

fn place_name(topology: &Topology, place: Place) -> String {
    match place {
        Place::Joint(j) => format!("interface `{}`", topology.interface_name(j)),
        Place::Integration(i) => {
            format!("the time integration of subsystem `{}`", topology.subsystems[i].name)
        }
        Place::Contact(c) => format!("contact `{}`", topology.contacts[c].table),
        Place::InnerContacts(i) => format!("the impact rule of subsystem `{}`", topology.subsystems[i].name),
        Place::Loads if topology.interfaces() == 0 => "impulses inside the subsystems".to_owned(),
        Place::Loads => "the loads of the interfaces".to_owned(),
        Place::Run => "the run, all places together,".to_owned(),
    }
}
