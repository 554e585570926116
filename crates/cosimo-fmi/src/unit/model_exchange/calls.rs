//! The calls of a first-order system.

use cosimo_first_order::{FirstOrderSystem, Linearisation, Point, Selection, SystemError, SystemSize};

use super::{Derivatives, ModelExchangeUnit};
use crate::unit::running::refused;

impl FirstOrderSystem for ModelExchangeUnit {
    fn size(&self) -> SystemSize {
        self.size
    }

    fn nominals(&self) -> &[f64] {
        &self.nominals
    }

    fn rates(&mut self, at: Point<'_>, rates: &mut [f64]) -> Result<(), SystemError> {
        self.place_within(at)?;
        let told = self.running.instance.get_derivatives(rates).map_err(refused);
        self.running.warn_of_changes();
        told
    }

    fn outputs(&mut self, at: Point<'_>, outputs: &mut [f64]) -> Result<(), SystemError> {
        self.place_within(at)?;
        if self.has_jumped && self.running.can_save {
            return self.look_past_jump(at, outputs);
        }
        self.running.read_checked(at.time, outputs)
    }

    fn indicators(&mut self, at: Point<'_>, indicators: &mut [f64]) -> Result<(), SystemError> {
        self.place_within(at)?;
        self.running.instance.get_event_indicators(indicators).map_err(refused)
    }

    fn linearise_rates(
        &mut self,
        at: Point<'_>,
        selection: &Selection,
        out: &mut Linearisation,
    ) -> Result<bool, SystemError> {
        if self.derivatives == Derivatives::Claimed {
            self.verify(at)?;
        }
        if self.derivatives != Derivatives::Verified {
            return Ok(false);
        }
        let Some((states, rates)) = self.references.take() else { return Ok(false) };
        let inputs: Option<Vec<u32>> =
            selection.inputs.iter().map(|index| self.running.layout.write_references[*index]).collect();
        let by_states = self.columns(at, (&rates, &states), |j, column| {
            out.rates_by_states.column_mut(j).copy_from_slice(column);
        });
        let found = by_states.and_then(|()| match &inputs {
            Some(inputs) => self.columns(at, (&rates, inputs), |j, column| {
                out.rates_by_inputs.column_mut(j).copy_from_slice(column);
            }),
            None => Ok(()),
        });
        self.references = Some((states, rates));
        found.map(|()| inputs.is_some())
    }

    fn linearise_outputs(
        &mut self,
        at: Point<'_>,
        selection: &Selection,
        out: &mut Linearisation,
    ) -> Result<bool, SystemError> {
        let layout = &self.running.layout;
        let inputs: Option<Vec<u32>> =
            selection.inputs.iter().map(|index| layout.write_references[*index]).collect();
        let outputs: Option<Vec<u32>> =
            selection.outputs.iter().map(|index| layout.read_references[*index]).collect();
        let (Some(inputs), Some(outputs), Derivatives::Verified) = (inputs, outputs, self.derivatives) else {
            return Ok(false);
        };
        let Some((states, rates)) = self.references.take() else { return Ok(false) };
        let by_states = self.columns(at, (&outputs, &states), |j, column| {
            out.outputs_by_states.column_mut(j).copy_from_slice(column);
        });
        let found = by_states.and_then(|()| {
            self.columns(at, (&outputs, &inputs), |j, column| {
                out.outputs_by_inputs.column_mut(j).copy_from_slice(column);
            })
        });
        self.references = Some((states, rates));
        found.map(|()| true)
    }

    fn is_affine(&self) -> bool {
        self.is_affine
    }

    fn next_event(&self) -> Option<f64> {
        if self.has_jumped { Some(f64::NEG_INFINITY) } else { self.next_event }
    }

    fn take_event(&mut self, at: Point<'_>, states: &mut [f64]) -> Result<(), SystemError> {
        self.place_within(at)?;
        if self.handle_event(states).map_err(refused)? {
            // The end of the run may be just here.
            (self.ended, self.next_event) = (Some(at.time), None);
        }
        Ok(())
    }

    fn complete_step(&mut self, at: Point<'_>) -> Result<bool, SystemError> {
        if !self.needs_completed_step {
            return Ok(false);
        }
        self.place_within(at)?;
        let no_set_state_prior = !self.running.can_save;
        let completed = self.running.instance.completed_integrator_step(no_set_state_prior);
        let (event, terminates) = completed.map_err(refused)?;
        if terminates {
            self.ended = Some(at.time);
        }
        Ok(event && !terminates)
    }

    fn can_save(&self) -> bool {
        self.running.can_save
    }

    fn mark(&mut self) -> Result<(), SystemError> {
        if self.is_smooth {
            return Ok(());
        }
        let instance = &mut self.running.instance;
        match &mut self.marked {
            Some(state) => instance.overwrite_state(state),
            None => instance.save_state().map(|state| self.marked = Some(state)),
        }
        .map_err(refused)?;
        let mode = &mut self.marked_mode;
        (mode.next_event, mode.ended) = (self.next_event, self.ended);
        mode.held.clone_from(&self.held);
        Ok(())
    }

    fn go_back(&mut self) -> Result<(), SystemError> {
        self.is_placed = false;
        if self.is_smooth {
            return Ok(());
        }
        let mode = &self.marked_mode;
        (self.next_event, self.ended) = (mode.next_event, mode.ended);
        self.held.clone_from(&mode.held);
        match &self.marked {
            Some(state) => self.running.instance.restore_state(state).map_err(refused),
            None => Ok(()),
        }
    }

    fn save(&mut self, at: Point<'_>) -> Result<Vec<u8>, SystemError> {
        let known = [self.next_event, self.ended].map(|time| time.unwrap_or(f64::INFINITY).to_le_bytes());
        if !self.running.can_save {
            let reason = "it cannot save its state (canGetAndSetFMUState)".to_owned();
            return Err(SystemError::Failed { reason });
        }
        // What the unit keeps of the last point that it was asked at is part of its bytes.
        let (mut rates, mut outputs) = (vec![0.0; self.size.states], vec![0.0; self.size.outputs]);
        self.rates(at, &mut rates)?;
        self.outputs(at, &mut outputs)?;
        Ok([known.concat(), self.states.save(&mut self.running)?].concat())
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), SystemError> {
        let bad = || SystemError::Failed { reason: "the state is of another unit".to_owned() };
        let (next, rest) = saved.split_first_chunk().ok_or_else(bad)?;
        let (ended, state) = rest.split_first_chunk().ok_or_else(bad)?;
        let known = [next, ended].map(|bytes| f64::from_le_bytes(*bytes)).map(|x| x.is_finite().then_some(x));
        self.is_placed = false;
        self.states.restore(&mut self.running, state)?;
        [self.next_event, self.ended] = known;
        self.running.read_discrete_inputs(&mut self.held).map_err(refused)
    }
}
