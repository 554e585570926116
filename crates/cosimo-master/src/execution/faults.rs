//! Faults of subsystems: numbers that are not finite, and panics.
//!
//! What a subsystem answers is looked at where it is taken over, so that what went wrong is reported with the name of the subsystem.
//! A panic ends the subsystem, not the process: it is the failure of that subsystem, the others finish their calls and are
//! ended in order. Nothing is asked of a subsystem that has panicked any more.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{Description, Subsystem, SubsystemError};

use super::slot::SubsystemCall;
use crate::linearisation::affine_model::AffineModel;
use crate::motion::Motion;

/// Whether all numbers are finite; without branches.
pub(crate) fn are_finite(numbers: &[f64]) -> bool {
    !numbers.iter().fold(false, |found, x| found | !x.is_finite())
}

/// Whether the energies of a step are finite.
fn is_finite(ledger: &StepEnergy) -> bool {
    let StepEnergy {
        energy,
        port_work,
        contact_work,
        external_work,
        dissipated,
        inner_contacts,
        jumps,
        numerical,
    } = ledger;
    let loads = port_work + contact_work + external_work + inner_contacts;
    let sum = energy.total() + loads + dissipated + jumps + numerical;
    // A sum may overflow where its terms do not.
    sum.is_finite()
        || are_finite(&[
            energy.kinetic,
            energy.potential,
            *port_work,
            *contact_work,
            *external_work,
            *dissipated,
            *inner_contacts,
            *jumps,
            *numerical,
        ])
}

/// Makes a call to a subsystem; a panic is its failure.
pub(crate) fn guarded<T>(
    subsystem: &mut dyn Subsystem,
    name: &str,
    call: impl FnOnce(&mut dyn Subsystem) -> Result<T, SubsystemError>,
) -> Result<T, SubsystemError> {
    catch_unwind(AssertUnwindSafe(|| call(subsystem))).unwrap_or_else(|panic| Err(panicked(name, &*panic)))
}

/// The failure of a subsystem that has panicked.
pub(crate) fn panicked(name: &str, panic: &(dyn Any + Send)) -> SubsystemError {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    SubsystemError::Panicked { subsystem: name.to_owned(), message: text.unwrap_or("no message").to_owned() }
}

/// The first of these rows of a subsystem that is not finite.
pub(crate) fn first_not_finite(
    description: &Description,
    Motion { positions, velocities }: Motion<'_>,
) -> Option<SubsystemError> {
    [("position", positions), ("velocity", velocities)].into_iter().find_map(|(quantity, values)| {
        let row = values.iter().position(|x| !x.is_finite())?;
        Some(not_finite(description, format!("the {quantity} of {}", description.row_name(row))))
    })
}

fn not_finite(description: &Description, what: String) -> SubsystemError {
    SubsystemError::NotFinite { subsystem: description.name.clone(), what }
}

/// Refuses inverse masses and weights that are not finite.
pub(crate) fn check_inverse_mass(
    description: &Description,
    model: &AffineModel,
) -> Result<(), SubsystemError> {
    let AffineModel { inverse_mass, damped, weights, .. } = model;
    if !are_finite(&[weights.end, weights.start, weights.position, weights.damping]) {
        return Err(not_finite(description, "a weight of its loads".to_owned()));
    }
    for matrix in [inverse_mass, damped] {
        if let Some((row, _)) = matrix.stored().find(|(_, x)| !x.is_finite()) {
            let place = description.row_name(row);
            return Err(not_finite(description, format!("the inverse mass of {place}")));
        }
    }
    Ok(())
}

/// Refuses orientations of frames that are not finite.
pub(crate) fn check_orientations(subsystem: &dyn Subsystem) -> Result<(), SubsystemError> {
    let orientations = &subsystem.rows().orientations;
    let Some(place) = orientations.iter().position(|o| !are_finite(o.coords.as_slice())) else {
        return Ok(());
    };
    let description = subsystem.description();
    let port = description.ports.iter().filter(|port| port.is_frame).nth(place);
    let port = port.map_or("", |port| &port.name);
    Err(not_finite(description, format!("the orientation of port `{port}`")))
}

impl SubsystemCall<'_> {
    /// The failure of a subsystem whose rows, just taken over, are not finite.
    #[cold]
    pub(crate) fn rows_not_finite(&self) -> SubsystemError {
        let description = self.subsystem.description();
        first_not_finite(description, Motion { positions: self.positions, velocities: self.velocities })
            .unwrap_or_else(|| not_finite(description, "a row".to_owned()))
    }

    /// Refuses an inverse mass, just taken over, that is not finite.
    pub(crate) fn check_inverse_mass(&self) -> Result<(), SubsystemError> {
        check_inverse_mass(self.subsystem.description(), self.model)
    }

    /// Refuses orientations at the communication point just reached that are not finite.
    pub(crate) fn check_orientations(&self) -> Result<(), SubsystemError> {
        check_orientations(self.subsystem)
    }

    /// Refuses energies of the step just committed that are not finite.
    pub(crate) fn check_ledger(&self) -> Result<(), SubsystemError> {
        if is_finite(&self.slot.ledger) {
            return Ok(());
        }
        Err(not_finite(self.subsystem.description(), "an energy of the step".to_owned()))
    }
}
