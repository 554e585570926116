//! Impulses between steps, in event mode.

use cosimo_first_order::SystemError;
use cosimo_subsystem::RowMatrix;

use super::events::update_until_done;
use super::row_layouts::JumpLayout;
use super::running::{Running, refused};
use crate::binary::{BinaryError, Instance};

impl JumpLayout {
    /// The inverse mass at the present communication point.
    pub(crate) fn inverse_mass(&self, running: &mut Running, out: &mut RowMatrix) -> Result<(), SystemError> {
        in_event_mode(running, |instance| {
            let (mut seed, mut change) = (vec![0.0; self.impulses.count], vec![0.0; self.velocities.count]);
            let matrix = out.dense_mut();
            for (column, impulse) in self.impulses.places.iter().enumerate() {
                seed.fill(0.0);
                seed[*impulse] = 1.0;
                let (unknowns, knowns) = (&self.velocities.references, &self.impulses.references);
                instance.directional_derivative(unknowns, knowns, &seed, &mut change)?;
                for (row, velocity) in self.velocities.places.iter().enumerate() {
                    matrix[(row, column)] = change[*velocity];
                }
            }
            Ok(())
        })
        .map(|_| ())
    }

    /// Lets impulses act at the present communication point; whether the unit asks for the end then.
    pub(crate) fn act(&self, running: &mut Running, impulses: &[f64]) -> Result<bool, SystemError> {
        in_event_mode(running, |instance| {
            instance.set_clocks(&[self.clock], &[true])?;
            let mut values = vec![0.0; self.impulses.count];
            for (place, impulse) in self.impulses.places.iter().zip(impulses) {
                values[*place] = *impulse;
            }
            instance.set_f64(&self.impulses.references, &values)
        })
    }
}

/// Does something in event mode, updates the discrete states, and goes back to steps, also where it fails; whether the unit asks for the end.
fn in_event_mode(
    running: &mut Running,
    act: impl FnOnce(&mut Instance) -> Result<(), BinaryError>,
) -> Result<bool, SystemError> {
    let instance = &mut running.instance;
    instance.enter_event_mode().map_err(refused)?;
    let updated = act(instance).and_then(|()| update_until_done(instance));
    let terminates = matches!(updated, Ok((_, true)));
    let back = if terminates { Ok(()) } else { instance.enter_step_mode() };
    updated.map_err(refused)?;
    back.map_err(refused)?;
    Ok(terminates)
}
