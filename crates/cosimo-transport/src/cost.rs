//! What a subsystem costs where it runs.

use cosimo_subsystem::cost::{CallKind, CallSeconds, RemoteCost, Sampling, Stopwatch, processor_seconds};

use crate::message::Request;

/// Messages between two readings of the clock at most.
const FEW: u64 = 64;

/// Processor time of a thread that carries messages, read at some of them.
#[derive(Debug)]
pub(crate) struct CarrierCost {
    started: f64,
    messages: u64,
    next: u64,
    /// Mean time of a message (s).
    mean: f64,
}

impl CarrierCost {
    /// From here on, in this thread.
    pub(crate) fn start() -> Self {
        Self { started: processor_seconds(), messages: 0, next: 1, mean: 0.0 }
    }

    /// Counts a message; the time of this thread so far (s).
    pub(crate) fn count(&mut self) -> f64 {
        self.messages += 1;
        let messages = self.messages as f64;
        if self.messages == self.next {
            self.next += self.messages.min(FEW);
            self.mean = (processor_seconds() - self.started) / messages;
        }
        messages * self.mean
    }
}

/// Processor time of the thread that works for a subsystem, and of the calls in it.
#[derive(Debug)]
pub(crate) struct WorkerCost {
    sampling: Sampling,
    watch: Stopwatch,
    /// Whether the present step is measured.
    is_measured: bool,
    /// Of the measured steps, each by its weight.
    calls: CallSeconds,
    /// None where the thread works for others too.
    thread: Option<CarrierCost>,
}

impl WorkerCost {
    /// From here on, in this thread, which works for this subsystem alone.
    pub(crate) fn start() -> Self {
        Self { thread: Some(CarrierCost::start()), ..Self::start_among_others() }
    }

    /// From here on, in this thread, which works for others too: calls are counted, messages are not.
    pub(crate) fn start_among_others() -> Self {
        let mut sampling = Sampling::start();
        let (is_measured, watch) = (sampling.begin_step(), Stopwatch::start());
        Self { sampling, watch, is_measured, calls: CallSeconds::default(), thread: None }
    }

    /// Makes a call, in the same thread.
    pub(crate) fn measure<T>(&mut self, request: &Request, call: impl FnOnce() -> T) -> T {
        if self.is_measured {
            self.watch.resume();
        }
        let answer = call();
        if self.is_measured {
            let seconds = (self.watch.lap() - self.watch.overhead()).max(0.0);
            *self.calls.of_mut(kind(request)) += self.sampling.weight() * seconds;
        }
        if matches!(request, Request::Commit { .. }) {
            self.next_step();
        }
        answer
    }

    fn next_step(&mut self) {
        if self.is_measured {
            self.sampling.end_step(self.watch.take_spent());
        }
        self.is_measured = self.sampling.begin_step();
    }

    /// Counts a message; what the subsystem has cost so far.
    pub(crate) fn count(&mut self) -> RemoteCost {
        let (all, scale) = (self.thread.as_mut().map_or(0.0, CarrierCost::count), self.sampling.scale());
        let scaled = |kind| scale * self.calls.of(kind);
        let mut calls = CallSeconds::default();
        CallKind::ALL.into_iter().for_each(|kind| *calls.of_mut(kind) = scaled(kind));
        RemoteCost { calls, messages: (all - calls.total()).max(0.0) }
    }
}

fn kind(request: &Request) -> CallKind {
    match request {
        Request::Begin { .. } | Request::BeginPredicted { .. } => CallKind::Begin,
        Request::Evaluate { .. } | Request::EvaluateRows { .. } | Request::Respond { .. } => {
            CallKind::Evaluate
        }
        Request::Commit { .. } => CallKind::Commit,
        _ => CallKind::Other,
    }
}
