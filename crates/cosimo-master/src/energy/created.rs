//! Warnings of what a run has created so far.

use cosimo_nonsmooth::ContactMemory;

use super::advice::Advice;
use super::watch::{EnergyWatch, Found, Place, ROUND_OFF};
use crate::contacts::names::ContactNames;
use crate::execution::slot::CallSlot;
use crate::linearisation::LinearisedModel;
use crate::linearisation::affine_model::AffineModel;
use crate::rows::StepRows;
use crate::time::part::TakenStep;
use crate::topology::Topology;
use crate::topology::joint::Joint;
use crate::warnings::Warnings;
use crate::{EnergyAction, InterfaceLaw, StepError, WarningPlace};

/// Round-off of a gap, relative to the positions that it is the difference of.
const GAP_ROUND_OFF: f64 = 1e3 * f64::EPSILON;

/// What is at stake is nothing where it is this share of what was created: the motion is round-off.
const NOTHING: f64 = 1e-20;

impl EnergyWatch {
    /// Tells of every place that has created more than `allowed` (J), and more than the round-off of the energy `exchanged` (J).
    ///
    /// # Errors
    /// A place has created more than allowed, and that is to stop the run.
    #[cold]
    pub(crate) fn tell_of_created(
        &mut self,
        advice: &mut Advice<'_>,
        warnings: &mut Warnings,
        (allowed, exchanged): (f64, f64),
        taken: TakenStep,
    ) -> Result<(), StepError> {
        let (topology, watch) = (advice.topology, self);
        watch.exchanged = watch.exchanged.max(exchanged);
        let allowed = allowed + ROUND_OFF * watch.exchanged;
        while let Some(place) = watch.exceeding(allowed) {
            let found = watch.tell(place);
            let advice = advice.on_step(found.place, taken.size);
            if topology.config.energy_action == EnergyAction::Stop {
                return Err(too_much_created(topology, &found, advice, taken));
            }
            // What all have created together is told at the place that has created most.
            let worst = watch.worst().filter(|_| found.place == Place::Run);
            let place = warning_place(topology, worst.unwrap_or(found.place));
            warnings.warn(taken.end, place, created_in_words(topology, &found, &advice, taken));
        }
        Ok(())
    }
}

/// Warns, once, of a contact whose body swings on a joint too fast for the step taken: of the one under the largest load.
pub(crate) fn warn_of_swinging(
    loaded: Option<usize>,
    memory: &[ContactMemory],
    advice: &mut Advice<'_>,
    warnings: &mut Warnings,
    taken: TakenStep,
) {
    let Some(contact) = loaded else { return };
    if !memory[contact].swings() || std::mem::replace(&mut warnings.swinging_contacts[contact], true) {
        return;
    }
    let name = ContactNames { topology: advice.topology, subsystems: advice.subsystems }.of(contact);
    let advice = advice.on_step(Place::Contact(contact), taken.size);
    let text = format!(
        "contact `{name}` is hit by a body that swings from end to end of the step on the spring of an interface: its rates are no rates \
         of impacts, it rebounds whatever the restitution is, and energy may be made; {advice}"
    );
    warnings.warn(taken.end, WarningPlace::Contact(name), text);
}

/// Energy (J) whose round-off is nothing that a run creates: what loads on the rows exchange in a step, and what springs store.
pub(crate) fn exchanged(model: LinearisedModel<'_>, rows: &StepRows, slots: &[CallSlot]) -> f64 {
    exchanged_by_loads(model.models, rows, slots) + stored_by_round_off(model.topology, rows) / ROUND_OFF
}

/// Energy that the loads on the rows exchange in a step (J), without regard to what balances them: `Σ W X²/2`. It knows the masses,
/// the loads and the size of the step.
fn exchanged_by_loads(models: &[AffineModel], rows: &StepRows, slots: &[CallSlot]) -> f64 {
    let of_model = |(model, slot): (&AffineModel, &CallSlot)| {
        let inside = &slot.loads.moments.velocity;
        let of_row = |(k, load): (usize, &f64)| {
            let impulse = load.abs() + inside.get(k).copied().unwrap_or_default().abs();
            0.5 * model.inverse_mass[(k, k)] * impulse * impulse
        };
        let loads = rows.loads[model.rows.clone()].iter().enumerate();
        loads.filter(|(k, _)| model.inverse_mass.has_row(*k)).map(of_row).sum::<f64>()
    };
    models.iter().zip(slots).map(of_model).sum()
}

/// Energy that springs of interfaces store by the round-off of positions (J): a gap is known to a share of what it is the difference of. It is
/// all there is where no subsystem tells energies, and nothing else moves the ends of a spring apart.
fn stored_by_round_off(topology: &Topology, rows: &StepRows) -> f64 {
    let positions = &rows.start_positions;
    let of_joint = |joint: &Joint| {
        let InterfaceLaw::Compliant { stiffness, .. } = &joint.law else { return 0.0 };
        let gap = |k: usize| {
            let lengths = joint.sides.iter().map(|side| positions[side.global_row + k].abs());
            GAP_ROUND_OFF * lengths.sum::<f64>()
        };
        (0..joint.size).map(|k| 0.5 * stiffness[(k, k)].abs() * gap(k).powi(2)).sum::<f64>()
    };
    topology.joints.iter().map(of_joint).sum()
}

/// Whether a run that has come to its end at `time` (s) has created, net, more energy than was at stake. Where next to nothing was, there is no
/// measure of it.
pub(crate) fn judge_run(topology: &Topology, watch: &EnergyWatch, time: f64) -> Result<(), StepError> {
    let tolerated = watch.tolerated + ROUND_OFF * watch.exchanged;
    let created = watch.net.created;
    let is_admitted = watch.at_stake <= NOTHING * created || created <= watch.at_stake + tolerated;
    if topology.config.energy_action == EnergyAction::Ignore || is_admitted {
        return Ok(());
    }
    Err(StepError::EnergyCreatedInRun {
        time,
        created,
        at_stake: watch.at_stake,
        place: watch.worst().map_or_else(String::new, |place| place_name(topology, place)),
    })
}

fn too_much_created(topology: &Topology, found: &Found, advice: String, taken: TakenStep) -> StepError {
    StepError::EnergyCreatedSoFar {
        time: taken.start,
        size: taken.size,
        place: place_name(topology, found.place),
        created: found.created,
        at_stake: found.at_stake,
        advice,
    }
}

fn created_in_words(topology: &Topology, found: &Found, advice: &str, taken: TakenStep) -> String {
    let (place, Found { created, at_stake, .. }) = (place_name(topology, found.place), found);
    format!(
        "{place} has created {created:.3e} J up to {} s, where {at_stake:.3e} J are at stake; {advice}",
        taken.start + taken.size
    )
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
