//! What a server does.

use crate::protocol::{Change, EventOutcome, Experiment, Message, Step, StepOutcome, Value};

/// What a function says that the unit has not.
const ABSENT: &str = "the unit cannot do this";

/// A unit that can be exported. Errors are texts for its users.
///
/// The order of calls is `enter_initialisation`, `exit_initialisation`, and then `step` or, where events are handled,
/// `enter_events`, `update_discrete_states`, `leave_events` in between. Where the host handles events
/// ([`Experiment::events`]), the unit is in event mode right after `exit_initialisation`. `set` and `values` may come at any time.
///
/// Scalars are numbered in the order of the description, the elements of vectors one after another.
pub trait ExportedUnit {
    /// A kept state.
    type State;

    /// Sets parameters and inputs. In event mode, an input that is an impulse acts at once.
    ///
    /// # Errors
    ///
    /// If a value is not possible.
    fn set(&mut self, changes: &[Change]) -> Result<(), String>;

    /// The values of all scalars, with the types of the description; before the initialisation those at the start, as far as they
    /// are known.
    ///
    /// # Errors
    ///
    /// If they cannot be computed.
    fn values(&mut self) -> Result<Vec<Value>, String>;

    /// Begins the initialisation: parameters have their values, inputs may still change.
    ///
    /// # Errors
    ///
    /// If the unit cannot begin so.
    fn enter_initialisation(&mut self, experiment: &Experiment) -> Result<(), String>;

    /// Ends the initialisation: the unit is at the start.
    ///
    /// # Errors
    ///
    /// If there is no consistent state.
    fn exit_initialisation(&mut self) -> Result<(), String>;

    /// Steps. The unit may stop before the end of the step, if only because it can go no further; it is where it says then.
    ///
    /// # Errors
    ///
    /// If the unit fails; it is lost then.
    fn step(&mut self, step: &Step) -> Result<StepOutcome, String>;

    /// Ends the simulation.
    ///
    /// # Errors
    ///
    /// If something cannot be brought to its end.
    fn terminate(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Goes back to how the unit was made, values of parameters included.
    ///
    /// # Errors
    ///
    /// If that fails; the shim starts a new server then.
    fn reset(&mut self) -> Result<(), String> {
        Err(ABSENT.to_owned())
    }

    /// Enters event mode.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    fn enter_events(&mut self) -> Result<(), String> {
        Err(ABSENT.to_owned())
    }

    /// Updates the discrete states for the inputs of an event.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    fn update_discrete_states(&mut self) -> Result<EventOutcome, String> {
        Err(ABSENT.to_owned())
    }

    /// Leaves event mode.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    fn leave_events(&mut self) -> Result<(), String> {
        Err(ABSENT.to_owned())
    }

    /// Keeps everything that influences the future.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    fn save(&mut self) -> Result<Self::State, String> {
        Err(ABSENT.to_owned())
    }

    /// Goes back to a kept state, from any state of the unit, that before the initialisation included.
    ///
    /// # Errors
    ///
    /// If the state is of another unit.
    fn restore(&mut self, state: &Self::State) -> Result<(), String> {
        let _ = state;
        Err(ABSENT.to_owned())
    }

    /// A kept state as bytes.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    fn serialise(&mut self, state: &Self::State) -> Result<Vec<u8>, String> {
        let _ = state;
        Err(ABSENT.to_owned())
    }

    /// The state that bytes tell, perhaps those of the same unit in another process.
    ///
    /// # Errors
    ///
    /// If they tell none.
    fn deserialise(&mut self, bytes: &[u8]) -> Result<Self::State, String> {
        let _ = bytes;
        Err(ABSENT.to_owned())
    }

    /// How the scalars `unknowns` change when the scalars `knowns` change by `seed`, at the present time.
    ///
    /// # Errors
    ///
    /// If the unit does not know.
    fn directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
    ) -> Result<Vec<f64>, String> {
        let _ = (unknowns, knowns, seed);
        Err(ABSENT.to_owned())
    }

    /// What the unit has to tell its users since it was asked last.
    fn messages(&mut self) -> Vec<Message> {
        Vec::new()
    }
}
