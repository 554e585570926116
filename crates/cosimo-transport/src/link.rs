//! The master's side of the conversation with a worker: one request, one reply, and at most one announced call.

use std::any::Any;
use std::thread::{Builder, JoinHandle};

use cosimo_subsystem::{Call, MacroStep, Subsystem, SubsystemError};
use crossbeam_channel::{Receiver, Sender, bounded};

use crate::message::{Answer, Reply, Request, Storage};
use crate::worker::serve;

/// A conversation with a worker's thread; the thread ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Link {
    subsystem: String,
    requests: Option<Sender<(Request, Storage)>>,
    replies: Receiver<Reply>,
    thread: Option<JoinHandle<()>>,
    storage: Storage,
    posted: Posted,
    /// The step begun as the master knows it, and its loads.
    begun: Option<MacroStep>,
    begun_loads: Vec<f64>,
    /// Why the worker no longer answers.
    lost: String,
}

/// The call announced.
#[derive(Debug, Default)]
enum Posted {
    #[default]
    Nothing,
    /// The request is on its way.
    Sent,
    /// A commit that was taken and not yet asked for.
    Committed(Box<Reply>),
}

impl Link {
    /// Starts a thread that serves `subsystem`.
    pub(crate) fn spawn(mut subsystem: Box<dyn Subsystem>) -> Result<Self, SubsystemError> {
        let name = subsystem.description().name.clone();
        // One message at a time is under way, in one direction or the other: no send ever waits.
        let (requests, received) = bounded(1);
        let (answered, replies) = bounded(1);
        // A null byte in the name of a thread panics.
        let thread = Builder::new()
            .name(name.replace('\0', ""))
            .spawn(move || serve(subsystem.as_mut(), &received, &answered))
            .map_err(|error| SubsystemError::Disconnected {
                subsystem: name.clone(),
                reason: format!("its thread cannot be started: {error}"),
            })?;
        Ok(Self {
            subsystem: name,
            requests: Some(requests),
            replies,
            thread: Some(thread),
            storage: Storage::default(),
            posted: Posted::Nothing,
            begun: None,
            begun_loads: Vec::new(),
            lost: String::new(),
        })
    }

    /// Sends the request for `call` ahead, unless a commit still waits to be asked for.
    pub(crate) fn post(&mut self, call: Call<'_>) {
        // What goes wrong here goes wrong again, and is reported, when the call is made.
        if matches!(self.collect(None, "post"), Ok(None)) {
            let request = self.storage.request(call);
            if self.send(request).is_ok() {
                self.posted = Posted::Sent;
            }
        }
    }

    /// Makes a call that can be announced; collects the reply if it was.
    pub(crate) fn call(&mut self, call: Call<'_>) -> Result<Reply, SubsystemError> {
        let reply = match self.collect(Some(call), name(call))? {
            Some(reply) => reply,
            None => {
                let request = self.storage.request(call);
                self.exchange(request)?
            }
        };
        match (call, reply.answer.is_ok()) {
            (Call::Begin(step, loads), true) => {
                self.begun = Some(step);
                self.begun_loads.clear();
                self.begun_loads.extend_from_slice(loads);
            }
            (Call::Commit(_), true) => self.begun = None,
            _ => {}
        }
        Ok(reply)
    }

    /// Makes a call that cannot be announced.
    pub(crate) fn ask(
        &mut self,
        name: &'static str,
        request: impl FnOnce(&mut Storage) -> Request,
    ) -> Result<Reply, SubsystemError> {
        self.collect(None, name)?;
        let request = request(&mut self.storage);
        let ends_step = matches!(request, Request::Discard | Request::Restore { .. });
        let reply = self.exchange(request)?;
        if ends_step && reply.answer.is_ok() {
            self.begun = None;
        }
        Ok(reply)
    }

    /// Takes back the storage of a request that was answered.
    pub(crate) fn take_back(&mut self, request: Request) {
        self.storage.take_back(request);
    }

    /// Takes back the storage of an answer that is used up.
    pub(crate) fn take_back_answer(&mut self, answer: Answer) {
        self.storage.take_back_answer(answer);
    }

    /// The reply to the announced call if it is `call`; otherwise nothing is announced any more, or, where a commit
    /// was, it is an error.
    fn collect(
        &mut self,
        call: Option<Call<'_>>,
        name: &'static str,
    ) -> Result<Option<Reply>, SubsystemError> {
        let reply = match std::mem::take(&mut self.posted) {
            Posted::Nothing => return Ok(None),
            Posted::Sent => self.receive()?,
            Posted::Committed(reply) => *reply,
        };
        if call.is_some_and(|call| reply.request.is(call)) {
            return Ok(Some(reply));
        }
        match (&reply.request, reply.answer.is_ok()) {
            (Request::Commit { .. }, true) => {
                self.posted = Posted::Committed(Box::new(reply));
                return Err(SubsystemError::CommitAnnounced {
                    subsystem: self.subsystem.clone(),
                    call: name.into(),
                });
            }
            (Request::Begin { .. }, true) => {
                self.recycle(reply);
                self.begin_as_known()?;
            }
            _ => self.recycle(reply),
        }
        Ok(None)
    }

    /// A begin that nobody asked for replaced the worker's step: begins again what the master knows of.
    fn begin_as_known(&mut self) -> Result<(), SubsystemError> {
        let request = match self.begun {
            Some(step) => self.storage.request(Call::Begin(step, &self.begun_loads)),
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
        let message = (request, std::mem::take(&mut self.storage));
        match &self.requests {
            Some(requests) if requests.send(message).is_ok() => Ok(()),
            _ => Err(self.disconnected()),
        }
    }

    fn receive(&mut self) -> Result<Reply, SubsystemError> {
        match self.replies.recv() {
            Ok(mut reply) => {
                self.storage = std::mem::take(&mut reply.storage);
                Ok(reply)
            }
            Err(_) => Err(self.disconnected()),
        }
    }

    fn recycle(&mut self, reply: Reply) {
        self.storage.take_back(reply.request);
        if let Ok(answer) = reply.answer {
            self.storage.take_back_answer(answer);
        }
    }

    /// The worker is gone, and with it the channel: finds out why.
    fn disconnected(&mut self) -> SubsystemError {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            self.lost = match thread.join() {
                Ok(()) => "its thread has ended".to_owned(),
                Err(panic) => format!("its thread panicked: {}", text_of(panic.as_ref())),
            };
        }
        SubsystemError::Disconnected { subsystem: self.subsystem.clone(), reason: self.lost.clone() }
    }
}

impl Drop for Link {
    /// Tells the thread that nobody asks any more and waits until it has ended.
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the worker concerns nobody any more.
            let _ = thread.join();
        }
    }
}

fn name(call: Call<'_>) -> &'static str {
    match call {
        Call::Begin(..) => "begin",
        Call::Evaluate(_) => "evaluate",
        Call::EvaluateRows(_) => "evaluate_rows",
        Call::Commit(_) => "commit",
        Call::Respond(_) => "respond",
    }
}

/// The message of a panic.
fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
