//! The master's side of the conversation with a worker: one request, one reply, and at most one announced call.

use std::thread::{Builder, JoinHandle};

use cosimo_subsystem::{Call, MacroStep, Snapshot, StepResponse, Subsystem, SubsystemError};
use crossbeam_channel::{Receiver, Sender, bounded};
use nalgebra::DMatrix;

use crate::message::{Answer, Present, Reply, Request, Storage};
use crate::worker::serve;

/// A conversation with a worker's thread, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Link {
    subsystem: String,
    requests: Option<Sender<(Request, Storage)>>,
    replies: Receiver<Reply>,
    thread: Option<JoinHandle<()>>,
    storage: Storage,
    posted: Posted,
    begun: Option<MacroStep>,
    begun_loads: Vec<f64>,
    /// Why the worker no longer answers.
    lost: String,
}

/// The call announced.
#[derive(Debug)]
enum Posted {
    Nothing,
    /// The request is on its way.
    Sent,
    /// The reply is here.
    Answered(Box<Reply>),
}
