//! Warnings, each given once.

use std::collections::BTreeSet;
use std::fmt;
use std::io::Write;

use serde::{Deserialize, Serialize};

use crate::topology::Topology;

/// What a warning is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
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
#[non_exhaustive]
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

/// How fast the ends of joints have been, and which gaps have been told.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct OpenGaps {
    /// Of points (m/s), and of turns (rad/s).
    pub(crate) speeds: [f64; 2],
    /// Of each joint.
    pub(crate) is_told: Vec<bool>,
}

/// Changes of a force from step to step that undo each other.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct ForceSwing {
    /// The last change (N).
    change: f64,
    /// Changes so far that have undone the one before.
    count: u32,
    /// Whether it has been told.
    pub(crate) is_told: bool,
}

/// Share of a force from which a change of it counts.
const SWINGING: f64 = 1e-2;
/// Changes that undo each other after which a force swings for ever.
const FOR_EVER: u32 = 50;

impl ForceSwing {
    /// Takes in the force (N) of a step and of the one before; whether it has just come to swing for ever.
    pub(crate) fn takes(&mut self, [before, force]: [f64; 2]) -> bool {
        let last = std::mem::replace(&mut self.change, force - before);
        let is_like = (0.8..1.25).contains(&(-self.change / last));
        let swings = before > 0.0 && force > 0.0 && is_like && self.change.abs() > SWINGING * force;
        self.count = if swings { self.count.saturating_add(1) } else { 0 };
        self.count == FOR_EVER && !self.is_told
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
    /// Of every contact, how its force swings.
    pub(crate) swinging_forces: Vec<ForceSwing>,
    /// The rows at which steps were reported that contacts and bodies did not agree on: of a contact its gap, of a joint its first.
    pub(crate) unsolved_rows: BTreeSet<usize>,
    /// Of every joint, what its gap is measured by.
    pub(crate) open_gaps: OpenGaps,
}

impl Warnings {
    pub(crate) fn new(topology: &Topology) -> Self {
        Self {
            given: Vec::new(),
            turned_frames: vec![false; topology.frames.len()],
            swinging_contacts: vec![false; topology.contacts.len()],
            swinging_forces: vec![ForceSwing::default(); topology.contacts.len()],
            unsolved_rows: BTreeSet::new(),
            open_gaps: OpenGaps { is_told: vec![false; topology.joints.len()], ..OpenGaps::default() },
        }
    }

    /// Gives a warning at a communication point (s), and keeps it.
    #[cold]
    pub(crate) fn warn(&mut self, time: f64, place: WarningPlace, text: String) {
        let warning = Warning { time, place, text };
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
            && self.swinging_forces.len() == topology.contacts.len()
            && self.unsolved_rows.iter().all(|row| *row < topology.rows)
            && self.open_gaps.is_told.len() == topology.joints.len()
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
