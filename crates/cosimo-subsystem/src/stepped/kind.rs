//! What distinguishes one kind of subsystem from another.

use cosimo_mechanics::{Energy, StepEnergy};
use std::error::Error;
use std::sync::LazyLock;

use cosimo_scene::{Pose, Sight};

use crate::subsystem::{NO_RESPONSE, NO_ROWS};
use crate::{
    Description, ExpectedLoads, LoadResponse, MacroStep, PortMotion, RowMatrix, RowState, Saved, Signal,
    Statistics, StepLoads, StepResponse, SubsystemError,
};

/// The loads of a kind without load ports.
static NO_LOADS: LazyLock<LoadResponse> = LazyLock::new(|| LoadResponse::with_tangents(0));

/// What a kind of subsystem computes: equations, solver and rows, without the step protocol, which [`Stepped`](super::Stepped) carries.
/// Loads, signals and steps that it is given are checked.
///
/// A step under trial is begun, evaluated any number of times and taken, or forgotten without a word: a trial leaves the state as it
/// was, and so does a call that fails.
pub trait Kind: Send {
    /// Name, ports, contacts, signals, quantities and capabilities.
    fn description(&self) -> &Description;

    /// Time of the present communication point (s); `None` of kinds to which all times are alike.
    fn time(&self) -> Option<f64>;

    /// The rows at the present communication point. Default: none.
    fn rows(&self) -> &RowState {
        &NO_ROWS
    }

    /// Energy of the present state (J). Default: zero.
    fn energy(&self) -> Energy {
        Energy::default()
    }

    /// The response of the trial step at the loads that it was solved with last. Default: that of no rows.
    fn response(&self) -> &StepResponse {
        &NO_RESPONSE
    }

    /// See [`Subsystem::set_active_rows`](crate::Subsystem::set_active_rows). Default: all rows answer.
    fn set_active_rows(&mut self, _needed: &[bool]) {}

    /// See [`Subsystem::report_moves`](crate::Subsystem::report_moves). Default: nothing.
    fn report_moves(&mut self, _wanted: bool) {}

    /// Solves a trial step under the loads expected, if it can, else without loads; says which. Default, for kinds without rows that
    /// need not know a step before it is taken: nothing.
    ///
    /// # Errors
    /// The step is impossible or the solver failed.
    fn begin(
        &mut self,
        _step: MacroStep,
        _start_loads: &[f64],
        _expected: Option<ExpectedLoads<'_>>,
    ) -> Result<TrialLoads, Failure> {
        Ok(TrialLoads::None)
    }

    /// Solves the trial step under these impulses (N s). Default: refused.
    ///
    /// # Errors
    /// The solver failed.
    fn evaluate(&mut self, _step: MacroStep, _impulses: &[f64], _wanted: Wanted) -> Result<(), Failure> {
        Err(Failure::Unsupported("evaluate a step before it is taken"))
    }

    /// Finds the loads of the load ports for this motion of theirs over the trial step. Default: refused.
    ///
    /// # Errors
    /// The solver failed.
    fn respond(&mut self, _step: MacroStep, _motion: &PortMotion) -> Result<(), Failure> {
        Err(Failure::Unsupported("answer a motion with loads"))
    }

    /// The loads of the load ports that were found last. Default: those of no ports.
    fn load_response(&self) -> &LoadResponse {
        &NO_LOADS
    }

    /// Takes the step with these loads.
    ///
    /// # Errors
    /// The solver failed.
    fn take(&mut self, step: MacroStep, loads: &StepLoads) -> Result<StepEnergy, Failure>;

    /// Whether its velocity may jump between steps. Default: not.
    fn can_jump(&self) -> bool {
        false
    }

    /// Prepares a velocity jump at the present instant for steps of size `size` (s). Default: refused.
    ///
    /// # Errors
    /// The tangent is singular.
    fn prepare_jump(&mut self, _size: f64) -> Result<(), Failure> {
        Err(Failure::Unsupported("take impulses between steps"))
    }

    /// The inverse mass (1/kg) of the jump prepared. Default: that of the response.
    fn inverse_mass_of_jump(&self) -> &RowMatrix {
        &self.response().inverse_mass
    }

    /// Changes the velocity by impulses (N s), as prepared. Default: refused.
    ///
    /// # Errors
    /// The new state is not finite or not consistent.
    fn jump(&mut self, _impulses: &[f64]) -> Result<(), Failure> {
        Err(Failure::Unsupported("take impulses between steps"))
    }

    /// Work (J) that prescribed motions did in the last jump. Default: none.
    fn jump_work(&self) -> f64 {
        0.0
    }

    /// Moves the position by what a jump with these weights (kg m) would change the velocity by. Default: refused.
    ///
    /// # Errors
    /// As [`jump`](Self::jump).
    fn project_positions(&mut self, _weights: &[f64]) -> Result<(), Failure> {
        Err(Failure::Unsupported("be moved between steps"))
    }

    /// Sets the courses of all inputs. Default: there are none.
    fn set_inputs(&mut self, _inputs: &[Signal]) {}

    /// Writes the outputs. Default: there are none.
    ///
    /// # Errors
    /// They cannot be computed in this state.
    fn outputs(&self, _inputs: &[f64], _out: &mut [f64]) -> Result<(), Failure> {
        Ok(())
    }

    /// Writes the quantities. Default: none.
    fn observe(&self, _out: &mut [f64]) {}

    /// Writes where the bodies are, and the forces of contacts; `out` is empty. Default: the poses are unknown.
    fn look(&self, _loads: &[f64], out: &mut Sight) {
        out.poses.resize(self.description().appearance.bodies.len(), Pose::unknown());
    }

    /// Everything that influences the future.
    ///
    /// # Errors
    /// It cannot be saved.
    fn save(&self) -> Result<Saved, Failure>;

    /// Takes finite numbers and bytes of [`save`](Self::save) back.
    ///
    /// # Errors
    /// Why they do not fit; the state is then unspecified, and restored once more.
    fn restore(&mut self, saved: &Saved) -> Result<(), String>;

    /// Work of its solver: Newton iterations, factorisations, refreshes. Default: none.
    fn effort(&self) -> Statistics {
        Statistics::default()
    }
}

/// The loads that a trial step was begun with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialLoads {
    /// None.
    None,
    /// Those that are expected.
    Expected,
}

/// What of a response is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The motion of the rows; matrices may be those of an earlier evaluation.
    Rows,
    /// Matrices too.
    Matrices,
}

/// Why a kind could not do what it was asked; [`Stepped`](super::Stepped) adds whose it is and in which step.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The solver failed: the reason.
    Step(String),
    /// Something happens in the step that shorter steps would separate: the reason.
    HoldsEvent(String),
    /// The step itself is not possible: the reason.
    BadStep(String),
    /// It is not supported: a verb phrase.
    Unsupported(&'static str),
    /// An error that says itself whose it is.
    Named(Box<SubsystemError>),
}

impl<E: Error + 'static> From<E> for Failure {
    /// The solver failed with this error and its causes; one that says itself whose it is stays what it is.
    fn from(error: E) -> Self {
        let error: Box<dyn Error> = Box::new(error);
        match error.downcast() {
            Ok(named) => Self::Named(named),
            Err(error) => Self::Step(SubsystemError::chain(error.as_ref())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_names_its_subsystem_stays_what_it_is() {
        let named = SubsystemError::Unsupported { subsystem: "arm".to_owned(), action: "be saved".into() };
        assert_eq!(Failure::from(named.clone()), Failure::Named(Box::new(named)));
        let other = std::io::Error::other("no answer");
        assert_eq!(Failure::from(other), Failure::Step("no answer".to_owned()));
    }
}
