//! Faults of subsystems: numbers that are not finite, and panics.
//!
//! What a subsystem answers is looked at where it is taken over, so that what went wrong is told by the name of who did it.
//! A panic ends the subsystem, not the process: it is the failure of that subsystem, the others finish their calls and are
//! ended in order. Nothing is asked of a subsystem that has panicked any more.

use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cosimo_subsystem::{Description, Ledger, Statistics, Subsystem, SubsystemError};

use crate::layout::Member;
use crate::{Master, StepError};

/// Whether all numbers are finite; without branches.
pub(crate) fn are_finite(numbers: &[f64]) -> bool {
    !numbers.iter().fold(false, |found, x| found | !x.is_finite())
}

/// Whether the energies of a step are finite.
pub(crate) fn is_finite(ledger: &Ledger) -> bool {
    let Ledger { energy, port_work, contact_work, external_work, dissipated, jumps, numerical } = ledger;
    are_finite(&[
        energy.kinetic,
        energy.potential,
        *port_work,
        *contact_work,
        *external_work,
        *dissipated,
        *jumps,
        *numerical,
    ])
}

/// Which rows of all subsystems are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    /// At the present communication point.
    Start,
    /// Free response.
    Free,
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

/// A row as it is called by its port or contact.
fn row_name(description: &Description, row: usize) -> String {
    let mut first = 0;
    for port in &description.ports {
        if row < first + port.size {
            return match port.size {
                1 => format!("port `{}`", port.name),
                _ => format!("coordinate {} of port `{}`", row - first, port.name),
            };
        }
        first += port.size;
    }
    let contact = description.contacts.get(row - first);
    format!("contact `{}`", contact.map_or("", |contact| &contact.name))
}

impl Master {
    /// Refuses rows of subsystems that are not finite.
    pub(crate) fn check_rows(&self, rows: Rows) -> Result<(), SubsystemError> {
        let r = &self.rows;
        let (positions, velocities) = match rows {
            Rows::Start => (r.start_positions.as_slice(), r.start_velocities.as_slice()),
            Rows::Free => (r.free_positions.as_slice(), r.free_velocities.as_slice()),
        };
        if are_finite(positions) && are_finite(velocities) {
            return Ok(());
        }
        (0..self.layout.members.len()).try_for_each(|i| self.check_rows_of(i, (positions, velocities)))
    }

    /// Refuses true answers of subsystems in `group` that are not finite.
    pub(crate) fn check_answers(&self, group: Range<usize>) -> Result<(), SubsystemError> {
        let ends = (self.rows.end_positions.as_slice(), self.rows.end_velocities.as_slice());
        let is_asked = |i: &usize| !self.layout.members[*i].is_affine;
        group.filter(is_asked).try_for_each(|i| self.check_rows_of(i, ends))
    }

    /// Refuses rows of subsystem `i` that are not finite, among these of all.
    fn check_rows_of(
        &self,
        i: usize,
        (positions, velocities): (&[f64], &[f64]),
    ) -> Result<(), SubsystemError> {
        let own = self.layout.members[i].rows.clone();
        for (quantity, values) in [("position", &positions[own.clone()]), ("velocity", &velocities[own])] {
            if let Some(row) = values.iter().position(|x| !x.is_finite()) {
                let place = row_name(self.subsystems[i].description(), row);
                return Err(self.not_finite(i, format!("the {quantity} of {place}")));
            }
        }
        Ok(())
    }

    /// Refuses compliances and weights, just taken over, that are not finite.
    pub(crate) fn check_compliances(&self, is_new: impl Fn(usize) -> bool) -> Result<(), SubsystemError> {
        for (i, member) in self.layout.members.iter().enumerate().filter(|(i, _)| is_new(*i)) {
            let Member { compliance, damped, weights, .. } = member;
            let weights = [weights.end, weights.start, weights.position, weights.damping];
            if !are_finite(&weights) {
                return Err(self.not_finite(i, "a weight of its loads".to_owned()));
            }
            for matrix in [compliance, damped] {
                if let Some(k) = matrix.iter().position(|x| !x.is_finite()) {
                    let place = row_name(self.subsystems[i].description(), k % matrix.nrows());
                    return Err(self.not_finite(i, format!("the compliance of {place}")));
                }
            }
        }
        Ok(())
    }

    /// Something of subsystem `i` that is not finite.
    pub(crate) fn not_finite(&self, i: usize, what: String) -> SubsystemError {
        SubsystemError::NotFinite { subsystem: self.layout.members[i].name.clone(), what }
    }

    /// Notes a subsystem that has panicked, of which nothing is asked any more.
    pub(crate) fn note_fall(&mut self, i: usize, failure: &SubsystemError) {
        if let SubsystemError::Panicked { message, .. } = failure {
            self.fallen.push((i, message.clone()));
        }
    }

    pub(crate) fn has_fallen(&self, i: usize) -> bool {
        self.fallen.iter().any(|(fallen, _)| *fallen == i)
    }

    /// Refuses to step a model in which a subsystem has panicked.
    pub(crate) fn check_fallen(&self) -> Result<(), StepError> {
        match self.fallen.first() {
            None => Ok(()),
            Some((i, message)) => {
                let subsystem = self.layout.members[*i].name.clone();
                let source = SubsystemError::Panicked { subsystem, message: message.clone() };
                Err(StepError::Subsystem { time: self.clock.now, source })
            }
        }
    }

    /// Work that subsystem `i` has counted, as far as it can be asked.
    pub(crate) fn statistics_of(&self, i: usize) -> Statistics {
        let subsystem = &self.subsystems[i];
        if !self.has_fallen(i) {
            return subsystem.statistics();
        }
        catch_unwind(AssertUnwindSafe(|| subsystem.statistics())).unwrap_or_default()
    }
}
