//! What a first-order system is asked for.

use crate::{Linearisation, Selection, SystemError};

/// Numbers of states, inputs, outputs and event indicators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SystemSize {
    /// Continuous states `x`.
    pub states: usize,
    /// Inputs `u`.
    pub inputs: usize,
    /// Outputs `y`.
    pub outputs: usize,
    /// Event indicators `z`.
    pub indicators: usize,
}

/// Where a system is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point<'a> {
    /// `t` (s).
    pub time: f64,
    /// `x`.
    pub states: &'a [f64],
    /// `u`.
    pub inputs: &'a [f64],
}

/// A system `ẋ = f(t, x, u)`, `y = g(t, x, u)` with events.
///
/// Between events the answers are functions of the point alone. What else it keeps, its **mode**, changes in [`take_event`](Self::take_event)
/// and [`complete_step`](Self::complete_step) only.
pub trait FirstOrderSystem: Send {
    /// How many of what.
    fn size(&self) -> SystemSize;

    /// Writes `ẋ`, one number a state.
    ///
    /// # Errors
    /// The system has no answer there.
    fn rates(&mut self, at: Point<'_>, rates: &mut [f64]) -> Result<(), SystemError>;

    /// Writes `y`, one number an output.
    ///
    /// # Errors
    /// The system has no answer there.
    fn outputs(&mut self, at: Point<'_>, outputs: &mut [f64]) -> Result<(), SystemError>;

    /// Writes `z`, one number an indicator. Default: there are none.
    ///
    /// # Errors
    /// The system has no answer there.
    fn indicators(&mut self, _at: Point<'_>, _indicators: &mut [f64]) -> Result<(), SystemError> {
        Ok(())
    }

    /// Writes `A` and the selected columns of `B`; says whether it can. Default: it cannot, and differences are taken.
    ///
    /// # Errors
    /// The system has no answer there.
    fn linearise_rates(
        &mut self,
        _at: Point<'_>,
        _selection: &Selection,
        _out: &mut Linearisation,
    ) -> Result<bool, SystemError> {
        Ok(false)
    }

    /// Writes the selected rows of `C`, and the selected rows and columns of `D`; says whether it can. Default: it cannot.
    ///
    /// # Errors
    /// The system has no answer there.
    fn linearise_outputs(
        &mut self,
        _at: Point<'_>,
        _selection: &Selection,
        _out: &mut Linearisation,
    ) -> Result<bool, SystemError> {
        Ok(false)
    }

    /// Sizes that the states usually have, positive: errors and differences are relative to them.
    fn nominals(&self) -> &[f64];

    /// Whether rates and outputs are affine in states and inputs, with factors that never change, and there are no events. Default: not known to
    /// be.
    fn is_affine(&self) -> bool {
        false
    }

    /// The next instant at which something happens whatever the states (s). Default: none is known.
    fn next_event(&self) -> Option<f64> {
        None
    }

    /// Lets happen what happens at this point, and writes the states after it. Default: nothing.
    ///
    /// # Errors
    /// The system has no answer, or asks for the end.
    fn take_event(&mut self, _at: Point<'_>, _states: &mut [f64]) -> Result<(), SystemError> {
        Ok(())
    }

    /// Says that a step has ended at this point; whether the system asks for an event there. Default: it does not.
    ///
    /// # Errors
    /// The system has no answer, or asks for the end.
    fn complete_step(&mut self, _at: Point<'_>) -> Result<bool, SystemError> {
        Ok(false)
    }

    /// Whether the mode can be marked, saved and restored. Default, for systems without events or memory: there is nothing to it.
    fn can_save(&self) -> bool {
        true
    }

    /// Marks the present mode for [`go_back`](Self::go_back).
    ///
    /// # Errors
    /// The mode cannot be kept.
    fn mark(&mut self) -> Result<(), SystemError> {
        Ok(())
    }

    /// Goes back to the mode marked.
    ///
    /// # Errors
    /// There is no going back.
    fn go_back(&mut self) -> Result<(), SystemError> {
        Ok(())
    }

    /// The mode as bytes. The point is always the same for the same states: a system whose bytes hold more than the mode brings itself there
    /// first. Default: none.
    ///
    /// # Errors
    /// The mode cannot be written.
    fn save(&mut self, _at: Point<'_>) -> Result<Vec<u8>, SystemError> {
        Ok(Vec::new())
    }

    /// Reads back what [`save`](Self::save) wrote, also in another process.
    ///
    /// # Errors
    /// The bytes are of another system.
    fn restore(&mut self, _saved: &[u8]) -> Result<(), SystemError> {
        Ok(())
    }
}
