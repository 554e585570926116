//! The server: a unit that answers to the shim.

use std::any::Any;
use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::protocol::{Answer, Call, Failure, Reply, Request, VERSION, receive, send};
use crate::unit::ExportedUnit;

/// Lets a unit answer what comes from `input`, until that ends. The answers go to `output`, which nobody else may write to.
///
/// # Errors
///
/// If a stream fails or brings what is no request. If the unit panics, which the answer tells as well: it can be used no longer.
pub fn serve(unit: &mut impl ExportedUnit, input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let mut buffer = Vec::new();
    let mut server = Server { unit, states: BTreeMap::new(), next_state: 1 };
    while let Some(request) = receive::<Request>(&mut input, &mut buffer)? {
        match catch_unwind(AssertUnwindSafe(|| server.answer(request))) {
            Ok(answer) => send(&mut output, &answer, &mut buffer)?,
            Err(panic) => {
                let text = format!("the model has panicked: {}", panic_text(panic.as_ref()));
                let failure = Failure { text: text.clone(), broken: true };
                send(&mut output, &Answer { messages: Vec::new(), result: Err(failure) }, &mut buffer)?;
                return Err(io::Error::other(text));
            }
        }
    }
    Ok(())
}

/// Lets a unit answer the shim that has started this process: over the standard input, which is a socket. What the process prints
/// disturbs nobody; the last lines are told when it fails. Processes that it starts must not inherit the standard input: they would
/// keep the socket open when it fails.
///
/// # Errors
///
/// As of [`serve`].
#[cfg(unix)]
pub fn serve_host(unit: &mut impl ExportedUnit) -> io::Result<()> {
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;

    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    serve(unit, socket.try_clone()?, socket)
}

/// What a panic says.
fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it does not say why")
}

struct Server<'a, U: ExportedUnit> {
    unit: &'a mut U,
    states: BTreeMap<u64, U::State>,
    next_state: u64,
}

impl<U: ExportedUnit> Server<'_, U> {
    fn answer(&mut self, request: Request) -> Answer {
        for state in &request.released {
            self.states.remove(state);
        }
        let set = if request.changes.is_empty() { Ok(()) } else { self.unit.set(&request.changes) };
        let result = match set {
            Ok(()) => {
                let broken = moves(&request.call);
                self.call(request.call).map_err(|text| Failure { text, broken })
            }
            Err(text) => Err(Failure { text, broken: true }),
        };
        Answer { messages: self.unit.messages(), result }
    }

    fn call(&mut self, call: Call) -> Result<Reply, String> {
        let unit = &mut *self.unit;
        match call {
            Call::Hello(VERSION) | Call::Read => {}
            Call::Hello(other) => {
                return Err(format!("the FMU has version {other} of the protocol, its server {VERSION}"));
            }
            Call::EnterInitialisation(experiment) => unit.enter_initialisation(&experiment)?,
            Call::ExitInitialisation => unit.exit_initialisation()?,
            Call::Step(step) => {
                let outcome = unit.step(&step)?;
                return Ok(Reply::Stepped(outcome, unit.values()?));
            }
            Call::EnterEvents => unit.enter_events()?,
            Call::UpdateDiscreteStates => {
                let outcome = unit.update_discrete_states()?;
                return Ok(Reply::Updated(outcome, unit.values()?));
            }
            Call::LeaveEvents => unit.leave_events()?,
            Call::Terminate => unit.terminate()?,
            Call::Reset => unit.reset()?,
            Call::Restore(state) => unit.restore(known(&self.states, state)?)?,
            Call::Save => {
                let state = unit.save()?;
                return Ok(self.keep(state));
            }
            Call::Serialise(state) => return unit.serialise(known(&self.states, state)?).map(Reply::Bytes),
            Call::Deserialise(bytes) => {
                let state = unit.deserialise(&bytes)?;
                return Ok(self.keep(state));
            }
            Call::Derivative(direction) => {
                let numbers =
                    unit.directional_derivative(&direction.unknowns, &direction.knowns, &direction.seed)?;
                return Ok(Reply::Numbers(numbers));
            }
        }
        unit.values().map(Reply::Values)
    }

    fn keep(&mut self, state: U::State) -> Reply {
        let number = self.next_state;
        self.next_state += 1;
        self.states.insert(number, state);
        Reply::State(number)
    }
}

fn known<T>(states: &BTreeMap<u64, T>, state: u64) -> Result<&T, String> {
    states.get(&state).ok_or_else(|| "there is no such state".to_owned())
}

/// Whether a call leaves the unit in another state than before, if only by its failure.
fn moves(call: &Call) -> bool {
    !matches!(call, Call::Save | Call::Serialise(_) | Call::Deserialise(_) | Call::Derivative(_))
}
