//! Derivatives by differences.

use crate::{FirstOrderSystem, Linearisation, Point, Selection, SystemError};

/// Relative width of a central difference: the cube root of the round-off of `f64`.
const WIDTH: f64 = 6e-6;

/// Takes derivatives of a system, by central differences where it gives none.
#[derive(Debug)]
pub(crate) struct Lineariser {
    pub(crate) selection: Selection,
    states: Vec<f64>,
    inputs: Vec<f64>,
    above: Vec<f64>,
    below: Vec<f64>,
}

/// What a difference is taken of.
type Answer<S> = fn(&mut S, Point<'_>, &mut [f64]) -> Result<(), SystemError>;

impl Lineariser {
    pub(crate) fn new<S: FirstOrderSystem>(system: &S, selection: Selection) -> Self {
        let size = system.size();
        let longest = size.states.max(size.outputs);
        Self {
            selection,
            states: vec![0.0; size.states],
            inputs: vec![0.0; size.inputs],
            above: vec![0.0; longest],
            below: vec![0.0; longest],
        }
    }

    /// `A` and `B` there.
    pub(crate) fn of_rates<S: FirstOrderSystem>(
        &mut self,
        system: &mut S,
        at: Point<'_>,
        out: &mut Linearisation,
    ) -> Result<(), SystemError> {
        if system.linearise_rates(at, &self.selection, out)? {
            return Ok(());
        }
        let n = at.states.len();
        for j in 0..n + self.selection.inputs.len() {
            let width = self.difference(system, at, j, n, S::rates)?;
            let column = if j < n { &mut out.rates_by_states } else { &mut out.rates_by_inputs };
            let mut column = column.column_mut(if j < n { j } else { j - n });
            for i in 0..n {
                column[i] = (self.above[i] - self.below[i]) / width;
            }
        }
        Ok(())
    }

    /// `C` and `D` there.
    pub(crate) fn of_outputs<S: FirstOrderSystem>(
        &mut self,
        system: &mut S,
        at: Point<'_>,
        out: &mut Linearisation,
    ) -> Result<(), SystemError> {
        if self.selection.outputs.is_empty() || system.linearise_outputs(at, &self.selection, out)? {
            return Ok(());
        }
        let (n, outputs) = (at.states.len(), system.size().outputs);
        for j in 0..n + self.selection.inputs.len() {
            let width = self.difference(system, at, j, outputs, S::outputs)?;
            let column = if j < n { &mut out.outputs_by_states } else { &mut out.outputs_by_inputs };
            let mut column = column.column_mut(if j < n { j } else { j - n });
            for (i, output) in self.selection.outputs.iter().enumerate() {
                column[i] = (self.above[*output] - self.below[*output]) / width;
            }
        }
        Ok(())
    }

    /// The answers on both sides of the point along its `j`th variable: a state, then a selected input; returns the width between.
    fn difference<S: FirstOrderSystem>(
        &mut self,
        system: &mut S,
        at: Point<'_>,
        j: usize,
        length: usize,
        answer: Answer<S>,
    ) -> Result<f64, SystemError> {
        let n = at.states.len();
        self.states.copy_from_slice(at.states);
        self.inputs.copy_from_slice(at.inputs);
        let (middle, scale) = match j.checked_sub(n) {
            None => (at.states[j], system.nominals()[j]),
            Some(k) => (at.inputs[self.selection.inputs[k]], 1.0),
        };
        let width = WIDTH * middle.abs().max(scale);
        let mut ends = [middle + width, middle - width];
        for (side, end) in ends.iter_mut().enumerate() {
            match j.checked_sub(n) {
                None => self.states[j] = *end,
                Some(k) => self.inputs[self.selection.inputs[k]] = *end,
            }
            let point = Point { time: at.time, states: &self.states, inputs: &self.inputs };
            let out = if side == 0 { &mut self.above } else { &mut self.below };
            answer(system, point, &mut out[..length])?;
        }
        Ok(ends[0] - ends[1])
    }
}
