//! The master's side of the conversation: one request, one reply, and at most one prefetched call.

use std::time::Duration;

use cosimo_subsystem::{Call, ExpectedLoads, MacroStep, SubsystemError};

use crate::message::{Answer, Request};
use crate::reply::Reply;
use crate::storage::Storage;
use crate::transport::{Transport, TransportError};

/// A conversation over a transport.
#[derive(Debug)]
pub(crate) struct Link<T: Transport> {
    subsystem: String,
    transport: T,
    deadline: Duration,
    storage: Storage,
    /// That of the other request, where two are under way.
    spare: Storage,
    prefetched: Prefetched,
    /// Whether a begin rides behind the commit that was prefetched.
    has_rider: bool,
    /// Name of the call under way.
    under_way: &'static str,
    /// The step begun as the master knows it.
    begun: Begun,
    /// Why a request that was posted has failed, for the next call.
    refused: Option<SubsystemError>,
    /// Why there are no answers any more.
    lost: Option<SubsystemError>,
}

/// The step begun, and how: under expected loads or without.
#[derive(Debug, Default)]
struct Begun {
    step: Option<MacroStep>,
    start_loads: Vec<f64>,
    /// Start and end of the expected loads, start loads of momenta, and whether matrices were needed.
    expected: [Vec<f64>; 3],
    is_under_loads: bool,
    needs_matrices: bool,
}

impl Begun {
    fn note(&mut self, step: MacroStep, start_loads: &[f64], expected: Option<ExpectedLoads<'_>>) {
        (self.step, self.is_under_loads) = (Some(step), expected.is_some());
        self.start_loads.clear();
        self.start_loads.extend_from_slice(start_loads);
        let Some(ExpectedLoads { start, end, momenta, needs_matrices }) = expected else { return };
        self.needs_matrices = needs_matrices;
        for (own, given) in self.expected.iter_mut().zip([start, end, momenta]) {
            own.clear();
            own.extend_from_slice(given);
        }
    }

    /// The call that begins this step.
    fn call(&self) -> Option<Call<'_>> {
        let [start, end, momenta] = &self.expected;
        let expected = ExpectedLoads { start, end, momenta, needs_matrices: self.needs_matrices };
        self.step.map(|step| match self.is_under_loads {
            true => Call::BeginPredicted(step, &self.start_loads, expected),
            false => Call::Begin(step, &self.start_loads),
        })
    }
}

/// The call prefetched.
#[derive(Debug, Default)]
enum Prefetched {
    #[default]
    Nothing,
    /// The request is on its way, or, where a begin rides behind a commit, the first of both.
    Sent,
    /// The request is answered, and nobody has asked for it yet.
    Answered(Box<Reply>),
}

impl<T: Transport> Link<T> {
    /// A conversation with the subsystem of this name, whose answers may take `deadline`.
    pub(crate) fn new(subsystem: String, transport: T, deadline: Duration) -> Self {
        Self {
            subsystem,
            transport,
            deadline,
            storage: Storage::default(),
            spare: Storage::default(),
            prefetched: Prefetched::Nothing,
            has_rider: false,
            under_way: "",
            begun: Begun::default(),
            refused: None,
            lost: None,
        }
    }

    pub(crate) fn set_deadline(&mut self, deadline: Duration) {
        self.deadline = deadline;
    }

    /// Sends the request for `call` ahead, unless a commit still waits to be asked for. A begin may ride behind a commit.
    pub(crate) fn prefetch(&mut self, call: Call<'_>) {
        let is_begin = matches!(call, Call::Begin(..) | Call::BeginPredicted(..));
        let is_behind_commit = matches!(self.prefetched, Prefetched::Sent) && self.under_way == COMMIT;
        if is_begin && is_behind_commit && (self.has_rider || !T::SENDS_AHEAD) {
            return;
        }
        if is_begin && is_behind_commit {
            let request = self.storage.request(call);
            self.has_rider = self.send(request).is_ok();
            self.under_way = COMMIT;
            return;
        }
        match self.collect(None, "announce") {
            Ok(None) => {
                let request = self.storage.request(call);
                // What goes wrong here goes wrong again, and is reported, when the call is made.
                if self.send(request).is_ok() {
                    self.prefetched = Prefetched::Sent;
                }
            }
            Ok(Some(_)) | Err(SubsystemError::CommitPrefetched { .. }) => {}
            // Of a request that was posted before.
            Err(error) => self.put_off(error),
        }
    }

    /// Makes a call that can be prefetched; collects the reply if it was.
    pub(crate) fn call(&mut self, call: Call<'_>) -> Result<Reply, SubsystemError> {
        let reply = match self.collect(Some(call), name(call))? {
            Some(reply) => reply,
            None => {
                let request = self.storage.request(call);
                self.exchange(request)?
            }
        };
        match (call, reply.answer.is_ok()) {
            (Call::Begin(step, loads), true) => self.begun.note(step, loads, None),
            (Call::BeginPredicted(step, loads, expected), true) => {
                self.begun.note(step, loads, Some(expected));
            }
            (Call::Commit(_), true) => self.begun.step = None,
            _ => {}
        }
        Ok(reply)
    }

    /// Makes a call that cannot be prefetched.
    pub(crate) fn ask(
        &mut self,
        name: &'static str,
        request: impl FnOnce(&mut Storage) -> Request,
    ) -> Result<Reply, SubsystemError> {
        let request = request(&mut self.storage);
        if !(request.is_question() && self.has_begun_ahead()?) {
            self.collect(None, name)?;
        }
        let ends_step = matches!(request, Request::Discard | Request::Restore { .. });
        let reply = self.exchange(request)?;
        if ends_step && reply.answer.is_ok() {
            self.begun.step = None;
        }
        Ok(reply)
    }

    /// Has the next call fail with this error.
    pub(crate) fn put_off(&mut self, error: SubsystemError) {
        self.refused = Some(error);
    }

    /// Sends a request whose answer is awaited before the next one: an error of it is that of the next call.
    pub(crate) fn post(
        &mut self,
        request: impl FnOnce(&mut Storage) -> Request,
    ) -> Result<(), SubsystemError> {
        self.collect(None, "set_inputs")?;
        let request = request(&mut self.storage);
        self.send(request)?;
        self.prefetched = Prefetched::Sent;
        Ok(())
    }

    /// Takes back the storage of a request that was answered.
    pub(crate) fn take_back(&mut self, request: Request) {
        self.storage.take_back(request);
    }

    /// Takes back the storage of an answer that is used up.
    pub(crate) fn take_back_answer(&mut self, answer: Answer) {
        self.storage.take_back_answer(answer);
    }

    /// The reply to the prefetched call if it is `call`; otherwise nothing is prefetched any more, or, where a commit
    /// was, it is an error.
    fn collect(
        &mut self,
        call: Option<Call<'_>>,
        name: &'static str,
    ) -> Result<Option<Reply>, SubsystemError> {
        if let Some(error) = self.refused.take() {
            return Err(error);
        }
        let reply = match std::mem::take(&mut self.prefetched) {
            Prefetched::Nothing => return Ok(None),
            Prefetched::Sent => self.receive()?,
            Prefetched::Answered(reply) => *reply,
        };
        if call.is_some_and(|call| reply.request.is(call)) {
            self.await_rider();
            return Ok(Some(reply));
        }
        if let (Request::SetInputs { .. }, Err(error)) = (&reply.request, &reply.answer) {
            return Err(error.clone());
        }
        match (&reply.request, reply.answer.is_ok()) {
            (Request::Commit { .. }, true) => {
                self.prefetched = Prefetched::Answered(Box::new(reply));
                return Err(SubsystemError::CommitPrefetched {
                    subsystem: self.subsystem.clone(),
                    call: name.into(),
                });
            }
            (Request::Begin { .. } | Request::BeginPredicted { .. }, true) => {
                self.recycle(reply);
                let begins = matches!(call, Some(Call::Begin(..) | Call::BeginPredicted(..)));
                // Another step takes the place of this one by itself.
                if !begins || self.begun.step.is_some() {
                    self.begin_as_known()?;
                }
            }
            _ => self.recycle(reply),
        }
        if self.await_rider() { self.collect(call, name) } else { Ok(None) }
    }

    /// Whether what was prefetched is a step that has begun, and waits to be asked for: questions about the state do not touch it.
    fn has_begun_ahead(&mut self) -> Result<bool, SubsystemError> {
        if matches!(self.prefetched, Prefetched::Sent) && !self.has_rider {
            self.prefetched = Prefetched::Nothing;
            self.prefetched = Prefetched::Answered(Box::new(self.receive()?));
        }
        let Prefetched::Answered(reply) = &self.prefetched else { return Ok(false) };
        let begins = matches!(reply.request, Request::Begin { .. } | Request::BeginPredicted { .. });
        Ok(begins && reply.answer.is_ok())
    }

    /// The begin that rides behind a commit, if one does, is the request under way once the commit is answered; whether one is.
    fn await_rider(&mut self) -> bool {
        let rides = std::mem::take(&mut self.has_rider);
        if rides {
            (self.prefetched, self.under_way) = (Prefetched::Sent, "begin");
        }
        rides
    }

    /// A begin that nobody asked for replaced the worker's step: begins again what the master knows of.
    fn begin_as_known(&mut self) -> Result<(), SubsystemError> {
        let request = match self.begun.call() {
            Some(call) => self.storage.request(call),
            None => Request::Discard,
        };
        let reply = self.exchange(request)?;
        self.recycle(reply);
        Ok(())
    }

    fn exchange(&mut self, request: Request) -> Result<Reply, SubsystemError> {
        self.send(request)?;
        self.receive()
    }

    fn send(&mut self, request: Request) -> Result<(), SubsystemError> {
        if let Some(error) = &self.lost {
            return Err(error.clone());
        }
        self.under_way = request.name();
        let storage = std::mem::replace(&mut self.storage, std::mem::take(&mut self.spare));
        let sent = self.transport.send(request, storage, self.deadline);
        sent.map_err(|error| self.lose(error))
    }

    fn receive(&mut self) -> Result<Reply, SubsystemError> {
        if let Some(error) = &self.lost {
            return Err(error.clone());
        }
        match self.transport.receive(self.deadline) {
            Ok(mut reply) => {
                self.spare = std::mem::replace(&mut self.storage, std::mem::take(&mut reply.storage));
                Ok(reply)
            }
            Err(error) => Err(self.lose(error)),
        }
    }

    /// The conversation is over: the error of this call and of all that follow.
    fn lose(&mut self, error: TransportError) -> SubsystemError {
        let error = error.of(&self.subsystem, self.under_way, self.deadline);
        self.lost.insert(error).clone()
    }

    fn recycle(&mut self, reply: Reply) {
        self.storage.take_back(reply.request);
        if let Ok(answer) = reply.answer {
            self.storage.take_back_answer(answer);
        }
    }
}

/// Name of a commit.
const COMMIT: &str = "commit";

impl<T: Transport> Drop for Link<T> {
    /// Awaits what is under way, at most for a moment: the other end is not left in the middle of an answer.
    fn drop(&mut self) {
        while self.lost.is_none() && matches!(self.prefetched, Prefetched::Sent) {
            self.prefetched = Prefetched::Nothing;
            match self.transport.receive(self.deadline.min(LAST)) {
                Ok(_) => drop(self.await_rider()),
                Err(_) => return,
            }
        }
    }
}

/// How long the end of a conversation may take.
const LAST: Duration = Duration::from_secs(1);

fn name(call: Call<'_>) -> &'static str {
    match call {
        Call::Begin(..) => "begin",
        Call::BeginPredicted(..) => "begin_predicted",
        Call::Evaluate(_) => "evaluate",
        Call::EvaluateRows(_) => "evaluate_rows",
        Call::Commit(_) => COMMIT,
        Call::Respond(_) => "respond",
    }
}
