//! Warnings, each given once.

use std::fmt;
use std::io::Write;

use serde::{Deserialize, Serialize};

use crate::topology::Topology;

/// What a warning is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarningPlace {
    /// The model as a whole.
    Model,
    /// A subsystem, by its name.
    Subsystem(String),
    /// An interface, by its name.
    Interface(String),
    /// Interfaces that have something in common, by their names.
    Interfaces(Vec<String>),
    /// A contact, `subsystem.contact`.
    Contact(String),
}

/// What is odd about a model or its run, though it goes on.
///
/// As soon as it is found, a warning goes to the subscriber of [`tracing`]. A program without one reads it on standard error. To be asked
/// for warnings only, by [`RunReport::warnings`](crate::RunReport::warnings) and [`Master::warnings`](crate::Master::warnings), a program
/// installs a subscriber that takes nothing, such as `tracing::subscriber::NoSubscriber`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Warning {
    /// Time of the communication point up to which the model had come (s).
    pub time: f64,
    /// What it is about.
    pub place: WarningPlace,
    /// What is odd, how much, and what to do about it.
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The warnings given so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Warnings {
    given: Vec<Warning>,
    /// Of every joint between frames, whether it was reported as turned too far.
    pub(crate) turned_frames: Vec<bool>,
    /// Of every contact, whether the body that hits it was reported to swing too fast for the step.
    pub(crate) swinging_contacts: Vec<bool>,
}

impl Warnings {
    pub(crate) fn new(topology: &Topology) -> Self {
        Self {
            given: Vec::new(),
            turned_frames: vec![false; topology.frames.len()],
            swinging_contacts: vec![false; topology.contacts.len()],
        }
    }

    /// Gives a warning, and keeps it.
    pub(crate) fn push(&mut self, warning: Warning) {
        tell(&warning);
        self.given.push(warning);
    }

    /// Whether one of these words was given before.
    pub(crate) fn contains(&self, text: &str) -> bool {
        self.given.iter().any(|given| given.text == text)
    }

    /// The warnings, the first first.
    pub(crate) fn given(&self) -> &[Warning] {
        &self.given
    }

    /// Whether these belong to this topology.
    pub(crate) fn fits(&self, topology: &Topology) -> bool {
        self.turned_frames.len() == topology.frames.len()
            && self.swinging_contacts.len() == topology.contacts.len()
    }
}

/// Tells a warning to whoever listens; to the user, where nobody does.
fn tell(warning: &Warning) {
    if tracing::dispatcher::has_been_set() {
        tracing::warn!("{warning}");
    } else {
        // Where standard error is closed, nobody reads it.
        let _ = writeln!(std::io::stderr(), "warning: {warning}");
    }
}
