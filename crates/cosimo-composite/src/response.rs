//! How the open ports answer to impulses.
//!
//! The inverse mass is that of the model with all its joints, see [`Master::step_response`](cosimo_master::Master::step_response); where no
//! linear answer tells, as in a first step by rules that remember loads, it is found by repeating the step.

use cosimo_subsystem::{MacroStep, RowState, StepResponse};

use crate::inner::Inner;

/// Change of velocities, relative to them, that differences aim at.
const CHANGE: f64 = 1e-5;
/// Speed (m/s) of what stands still.
const SLOW: f64 = 1e-3;

/// What is computed of a response.
#[derive(Debug)]
pub(crate) struct Columns {
    /// Which rows need a response.
    pub(crate) needed: Vec<bool>,
    positions: Vec<f64>,
    velocities: Vec<f64>,
}

impl Columns {
    pub(crate) fn new(rows: usize) -> Self {
        Self { needed: vec![true; rows], positions: vec![0.0; rows], velocities: vec![0.0; rows] }
    }

    /// Writes the inverse mass of the step to whose end the model has gone under these impulses (N s).
    pub(crate) fn write(
        &mut self,
        inner: &mut Inner,
        (step, start): (MacroStep, &RowState),
        impulses: &[f64],
        response: &mut StepResponse,
    ) -> Result<(), String> {
        let (weights, mut is_new) = (response.weights, false);
        for column in 0..self.needed.len() {
            if !self.needed[column] {
                continue;
            }
            let load = inner.open.load(column, 1.0 / (weights.end + weights.start));
            match load.and_then(|load| inner.master.step_response(&[load])) {
                Some(changes) => {
                    inner.open.write_changes(&changes, &mut self.positions, &mut self.velocities)
                }
                None => self.difference(inner, (step, start), (impulses, column), response)?,
            }
            let matrix = response.inverse_mass.dense_mut();
            for (row, entry) in self.velocities.iter().enumerate() {
                is_new |= entry.to_bits() != matrix[(row, column)].to_bits();
                matrix[(row, column)] = *entry;
            }
        }
        response.revision += u64::from(is_new);
        Ok(())
    }

    /// The changes by a unit impulse, from the step repeated; the model is left where it was.
    fn difference(
        &mut self,
        inner: &mut Inner,
        (step, start): (MacroStep, &RowState),
        (impulses, column): (&[f64], usize),
        free: &StepResponse,
    ) -> Result<(), String> {
        let mut kicked = impulses.to_vec();
        let fastest = free.velocities.iter().fold(SLOW, |most, v| most.max(v.abs()));
        let mut kick = step.size;
        for _ in 0..2 {
            kicked[column] = impulses[column] + kick;
            self.moved(inner, (step, start), (&kicked, kick), free)?;
            let change = self.velocities.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
            if change == 0.0 {
                break;
            }
            kick = CHANGE * fastest / change;
        }
        inner.go_ahead(step, impulses, &[])
    }

    /// Changes per impulse.
    fn moved(
        &mut self,
        inner: &mut Inner,
        (step, start): (MacroStep, &RowState),
        (impulses, kick): (&[f64], f64),
        free: &StepResponse,
    ) -> Result<(), String> {
        inner.go_ahead(step, impulses, &[])?;
        inner.open.write_end(&inner.master, start, &mut self.positions, &mut self.velocities);
        let pairs = self.positions.iter_mut().zip(&free.positions);
        pairs
            .chain(self.velocities.iter_mut().zip(&free.velocities))
            .for_each(|(own, free)| *own = (*own - free) / kick);
        Ok(())
    }
}
