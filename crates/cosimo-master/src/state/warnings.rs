//! Warnings, each given once.

use serde::{Deserialize, Serialize};

use crate::topology::Topology;

/// The warnings given so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Warnings {
    texts: Vec<String>,
    /// Whether Tikhonov joints have been looked at.
    pub(crate) has_checked_softness: bool,
    /// Of every joint between frames, whether it was reported as turned too far.
    pub(crate) turned_frames: Vec<bool>,
}

impl Warnings {
    pub(crate) fn new(topology: &Topology) -> Self {
        Self {
            texts: Vec::new(),
            has_checked_softness: false,
            turned_frames: vec![false; topology.frames.len()],
        }
    }

    /// Gives a warning, and keeps it.
    pub(crate) fn push(&mut self, text: String) {
        tracing::warn!("{text}");
        self.texts.push(text);
    }

    /// The same, unless it was given before.
    pub(crate) fn push_once(&mut self, text: String) {
        if !self.texts.contains(&text) {
            self.push(text);
        }
    }

    /// The warnings, the first first.
    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether these belong to this topology.
    pub(crate) fn fits(&self, topology: &Topology) -> bool {
        self.turned_frames.len() == topology.frames.len()
    }
}
