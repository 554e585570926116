//! Kept states.

use super::core::{Instance, Mode};
use crate::protocol::{Call, Input, Reply, StepOutcome, Wire};

/// A state that the server keeps, and what the instance knew of it.
#[derive(Clone)]
pub(crate) struct Kept {
    state: u64,
    generation: u64,
    mode: Mode,
    time: f64,
    last_step: StepOutcome,
    /// The state as bytes, once it was asked for.
    bytes: Option<Vec<u8>>,
}

/// Modes in which states are kept, by the number that serialised states have for them.
const MODES: [Mode; 5] =
    [Mode::Instantiated, Mode::Initialising, Mode::Stepping, Mode::Events, Mode::Terminated];

impl Instance {
    /// Keeps the present state.
    pub(crate) fn keep(&mut self) -> Result<Kept, String> {
        self.require("keeping a state", &MODES)?;
        let state = self.ask_state(Call::Save)?;
        let (mode, time) = (self.mode, self.time);
        Ok(Kept {
            state,
            generation: self.generation,
            mode,
            time,
            last_step: self.last_step.clone(),
            bytes: None,
        })
    }

    /// Goes back to a kept state.
    pub(crate) fn restore(&mut self, kept: &Kept) -> Result<(), String> {
        self.check_own(kept)?;
        // They would be overwritten.
        self.changes.clear();
        self.ask_values(Call::Restore(kept.state))?;
        self.mode = kept.mode;
        self.last_step = kept.last_step.clone();
        self.set_time(kept.time);
        Ok(())
    }

    /// Forgets a kept state.
    pub(crate) fn release(&mut self, kept: &Kept) {
        if kept.generation == self.generation {
            self.released.push(kept.state);
        }
    }

    /// A kept state as bytes.
    pub(crate) fn serialise<'a>(&mut self, kept: &'a mut Kept) -> Result<&'a [u8], String> {
        self.check_own(kept)?;
        if kept.bytes.is_none() {
            let Reply::Bytes(bytes) = self.ask(Call::Serialise(kept.state))? else {
                return Err("the process of the model gave no bytes for a state".to_owned());
            };
            kept.bytes = Some(self.packed(kept, &bytes));
        }
        Ok(kept.bytes.as_deref().unwrap_or_default())
    }

    /// Keeps a state that is given as bytes.
    pub(crate) fn deserialise(&mut self, bytes: &[u8]) -> Result<Kept, String> {
        let mut input = Input::new(bytes);
        let mut kept =
            self.unpacked(&mut input).map_err(|error| format!("the bytes are no state: {error}"))?;
        let inner = kept.bytes.take().unwrap_or_default();
        kept.state = self.ask_state(Call::Deserialise(inner))?;
        Ok(kept)
    }

    fn ask_state(&mut self, call: Call) -> Result<u64, String> {
        match self.ask(call)? {
            Reply::State(state) => Ok(state),
            other => Err(self.misunderstood(&other)),
        }
    }

    fn check_own(&self, kept: &Kept) -> Result<(), String> {
        if kept.generation == self.generation {
            return Ok(());
        }
        Err("the state was lost with the process that kept it".to_owned())
    }

    /// The bytes of a state with the token of the FMU, and what the instance knew.
    fn packed(&self, kept: &Kept, bytes: &Vec<u8>) -> Vec<u8> {
        let mode = MODES.iter().position(|mode| *mode == kept.mode).unwrap_or_default();
        let mut packed = Vec::with_capacity(bytes.len() + 100);
        self.sheet.token.put(&mut packed);
        packed.push(u8::try_from(mode).unwrap_or_default());
        kept.time.put(&mut packed);
        kept.last_step.put(&mut packed);
        bytes.put(&mut packed);
        packed
    }

    fn unpacked(&self, input: &mut Input<'_>) -> Result<Kept, String> {
        if String::take(input)? != self.sheet.token {
            return Err("they are of another FMU".to_owned());
        }
        let mode = usize::from(u8::take(input)?);
        let mode = *MODES.get(mode).ok_or("their mode is none")?;
        let time = f64::take(input)?;
        let last_step = StepOutcome::take(input)?;
        let bytes = Some(Vec::take(input)?);
        match input.remaining() {
            0 => Ok(Kept { state: 0, generation: self.generation, mode, time, last_step, bytes }),
            more => Err(format!("there are {more} too many")),
        }
    }
}
