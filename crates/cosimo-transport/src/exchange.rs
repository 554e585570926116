//! The transport over a channel: requests become messages, and messages replies.

use std::collections::VecDeque;
use std::thread::sleep;
use std::time::{Duration, Instant};

use cosimo_subsystem::{Description, Subsystem, SubsystemError};

use crate::channel::Channel;
use crate::introduction::Introduction;
use crate::message::Request;
use crate::protocol::write_request;
use crate::recovery::{Dial, OnLoss, Recovery};
use crate::remote::RemoteSubsystem;
use crate::reply::Reply;
use crate::storage::Storage;
use crate::transport::{Transport, TransportError};
use crate::wire::{Wire, receive_introduction, send_greeting};

/// A subsystem at the other end of a channel, where it is [served](crate::serve_channel).
pub type ChannelSubsystem<C> = RemoteSubsystem<ChannelTransport<C>>;

impl<C: Channel> ChannelSubsystem<C> {
    /// Greets the other end of a channel; every answer, that to the greeting included, may take `deadline`. Errors before the
    /// subsystem is known name it `name`.
    ///
    /// # Errors
    /// [`SubsystemError::Protocol`]: the other end speaks another version, or no protocol, or has another key.
    /// [`SubsystemError::TimedOut`], [`SubsystemError::Disconnected`]; and the errors of the other end.
    pub fn over_channel(name: &str, channel: C, deadline: Duration) -> Result<Self, SubsystemError> {
        Greeting::new(name, channel, Vec::new(), deadline).finish()
    }
}

/// A subsystem that is about to be known: several are greeted before any answer is awaited.
pub struct Greeting<C> {
    name: String,
    channel: C,
    assignment: Vec<u8>,
    deadline: Duration,
    /// How it is found again where it is lost, and for how long it is looked for.
    recovery: Option<(Dial<C>, Duration)>,
    is_sent: bool,
}

impl<C: Channel> Greeting<C> {
    /// With an `assignment` for the other end, see [`serve_assigned`](crate::serve_assigned).
    pub fn new(name: &str, channel: C, assignment: Vec<u8>, deadline: Duration) -> Self {
        Self { name: name.to_owned(), channel, assignment, deadline, recovery: None, is_sent: false }
    }

    /// What becomes of a run that loses the subsystem later on. Where it goes on, `dial` makes another channel to it, again and again: it is
    /// then restored to the last state that was kept, asked once more what it was asked since, and gives the same bits.
    #[must_use]
    pub fn on_loss(
        self,
        on_loss: OnLoss,
        dial: impl FnMut(Duration) -> Result<C, TransportError> + Send + 'static,
    ) -> Self {
        let recovery: Option<(Dial<C>, Duration)> = match on_loss {
            OnLoss::Stop => None,
            OnLoss::Resume(patience) => Some((Box::new(dial), patience)),
        };
        Self { recovery, ..self }
    }

    /// Sends the greeting, and waits for no answer to it.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn send(&mut self) -> Result<(), SubsystemError> {
        match self.try_send() {
            // Who can be found again is, where the answer is awaited.
            Err(error) if self.recovery.is_none() => Err(error.of(&self.name, HELLO, self.deadline)),
            _ => Ok(()),
        }
    }

    fn try_send(&mut self) -> Result<(), TransportError> {
        if !self.is_sent {
            send_greeting(&mut self.channel, &self.assignment, self.deadline)?;
            self.is_sent = true;
        }
        Ok(())
    }

    fn try_introduction(&mut self) -> Result<Result<Introduction, SubsystemError>, TransportError> {
        self.try_send()?;
        receive_introduction(&mut self.channel, self.deadline)
    }

    /// Waits for the introduction; where the other end is lost meanwhile and can be found again, it is greeted once more.
    fn introduction(&mut self) -> Result<Result<Introduction, SubsystemError>, TransportError> {
        let since = Instant::now();
        loop {
            let introduced = self.try_introduction();
            let (Some((dial, patience)), Err(error)) = (&mut self.recovery, &introduced) else {
                return introduced;
            };
            let is_lost = !matches!(error, TransportError::Protocol(_));
            if !is_lost || since.elapsed() + AGAIN > *patience {
                return introduced;
            }
            sleep(AGAIN);
            if let Ok(channel) = dial(self.deadline) {
                (self.channel, self.is_sent) = (channel, false);
            }
        }
    }

    /// Waits for the answer, after the greeting was sent.
    ///
    /// # Errors
    /// As [`ChannelSubsystem::over_channel`]; [`SubsystemError::Unsupported`] where the subsystem is to be found again, and cannot be saved.
    pub fn finish(mut self) -> Result<ChannelSubsystem<C>, SubsystemError> {
        let introduced = self.introduction();
        let introduction = introduced.map_err(|error| error.of(&self.name, HELLO, self.deadline))??;
        let Self { channel, assignment, deadline, recovery, .. } = self;
        let description = &introduction.description;
        if recovery.is_some() && !description.capabilities.can_roll_back {
            let action = "be resumed after a loss: its state cannot be saved; take on_loss = \"stop\"".into();
            return Err(SubsystemError::Unsupported { subsystem: description.name.clone(), action });
        }
        let recovery =
            recovery.map(|(dial, patience)| Recovery::new(description, assignment, dial, patience));
        let transport = ChannelTransport::new(channel, description, recovery);
        Ok(RemoteSubsystem::over(transport, introduction, deadline))
    }
}

/// Name of the call that a greeting is, in errors.
const HELLO: &str = "hello";

/// Wait between two greetings of one that was lost.
const AGAIN: Duration = Duration::from_millis(50);

/// A subsystem elsewhere that is about to be known, over whatever channel.
pub trait Pending {
    /// Sends what it waits for, see [`Greeting::send`].
    ///
    /// # Errors
    /// As [`Greeting::send`].
    fn send(&mut self) -> Result<(), SubsystemError>;

    /// Waits for it, see [`Greeting::finish`].
    ///
    /// # Errors
    /// As [`Greeting::finish`].
    fn finish(self: Box<Self>) -> Result<Box<dyn Subsystem>, SubsystemError>;
}

impl<C: Channel + 'static> Pending for Greeting<C> {
    fn send(&mut self) -> Result<(), SubsystemError> {
        Self::send(self)
    }

    fn finish(self: Box<Self>) -> Result<Box<dyn Subsystem>, SubsystemError> {
        Ok(Box::new(Self::finish(*self)?))
    }
}

/// Messages over a channel.
#[derive(Debug)]
pub struct ChannelTransport<C> {
    wire: Wire<C>,
    /// The requests under way.
    asked: VecDeque<(Request, Storage)>,
    /// How the other end is found again when it is lost.
    recovery: Option<Recovery<C>>,
}

impl<C: Channel> ChannelTransport<C> {
    fn new(channel: C, description: &Description, recovery: Option<Recovery<C>>) -> Self {
        let wire = Wire::new(channel, description);
        Self { wire, asked: VecDeque::with_capacity(2), recovery }
    }

    /// Finds the other end again after an error, and asks it once more what is under way, so many requests.
    fn recover(
        &mut self,
        error: TransportError,
        (deadline, under_way): (Duration, usize),
    ) -> Result<(), TransportError> {
        match &mut self.recovery {
            Some(recovery) => recovery.recover(&mut self.wire, error, (deadline, under_way)),
            None => Err(error),
        }
    }

    /// Keeps a state to go back to, where the last one is far behind.
    fn keep_state(&mut self, request: &Request, deadline: Duration) -> Result<(), TransportError> {
        let is_idle = self.asked.is_empty();
        let Some(recovery) = self.recovery.as_mut().filter(|own| is_idle && own.history.is_long(request))
        else {
            return Ok(());
        };
        loop {
            write_request(&Request::Save, &mut self.wire.message)?;
            recovery.history.note(&Request::Save, &self.wire.message);
            let saved = self.wire.send(deadline).and_then(|()| self.wire.receive(true, deadline));
            match saved {
                Ok((mut answer, ..)) => return recovery.take(&Request::Save, &mut answer, 0),
                Err(error) => {
                    recovery.history.forget_last();
                    recovery.recover(&mut self.wire, error, (deadline, 0))?;
                }
            }
        }
    }
}

impl<C: Channel> Transport for ChannelTransport<C> {
    fn send(&mut self, request: Request, storage: Storage, deadline: Duration) -> Result<(), TransportError> {
        write_request(&request, &mut self.wire.message)?;
        if let Some(recovery) = &mut self.recovery {
            recovery.history.note(&request, &self.wire.message);
        }
        self.asked.push_back((request, storage));
        let under_way = self.asked.len();
        self.wire.send(deadline).or_else(|error| self.recover(error, (deadline, under_way)))
    }

    fn receive(&mut self, deadline: Duration) -> Result<Reply, TransportError> {
        let nothing = || TransportError::Disconnected("nothing was asked".to_owned());
        let (request, storage) = self.asked.pop_front().ok_or_else(nothing)?;
        let others = self.asked.len();
        let is_save = matches!(request, Request::Save);
        let (mut answer, mut statistics, mut cost) = loop {
            match self.wire.receive(is_save, deadline) {
                Ok(read) => break read,
                Err(error) => self.recover(error, (deadline, 1 + others))?,
            }
        };
        if let Some(recovery) = &mut self.recovery {
            recovery.take(&request, &mut answer, others)?;
            (statistics, cost) = recovery.total(statistics, cost);
            self.keep_state(&request, deadline)?;
        }
        if let (Some(cost), Some(channel)) = (&mut cost, &self.wire.channel) {
            cost.messages += channel.seconds();
        }
        Ok(Reply { request, answer, statistics, cost, storage })
    }
}
