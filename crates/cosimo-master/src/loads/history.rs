//! Loads at communication points, and what was decided about tangents: a part of the state.

use serde::{Deserialize, Serialize};

use crate::topology::Topology;

/// What is known of the loads at the present communication point.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LoadHistory {
    /// Loads at the present communication point, one a load coordinate (N, N m).
    pub(crate) present: Vec<f64>,
    /// Loads at the start of the step before.
    before: Vec<f64>,
    /// Size of that step (s); zero where it is not known.
    size: f64,
    /// Whether `present` is known: not at the start, nor after a jump of velocities.
    pub(crate) is_known: bool,
    /// Whether the tangents of each load source enter; nothing before the first step.
    pub(crate) enters: Option<Vec<bool>>,
    /// Contraction of the loads found at the start, of each load source (–).
    pub(crate) contraction: Vec<f64>,
}

impl LoadHistory {
    pub(crate) fn new(topology: &Topology) -> Self {
        let count = topology.load_coordinates;
        Self {
            present: vec![0.0; count],
            before: vec![0.0; count],
            size: 0.0,
            is_known: false,
            enters: None,
            contraction: vec![0.0; topology.load_sources.len()],
        }
    }

    /// Takes the loads at the end of a step of this size (s).
    pub(crate) fn advance(&mut self, start: &[f64], end: &[f64], size: f64) {
        self.before.copy_from_slice(start);
        self.present.copy_from_slice(end);
        (self.size, self.is_known) = (size, true);
    }

    /// Velocities have jumped: loads are to be asked for again, and the last step says nothing of the next.
    pub(crate) fn interrupt(&mut self) {
        (self.size, self.is_known) = (0.0, false);
    }

    /// Writes the loads after a step of this size (s), extrapolated linearly; the present ones where no step is known.
    pub(crate) fn extrapolate(&self, size: f64, out: &mut [f64]) {
        let share = if self.size > 0.0 { size / self.size } else { 0.0 };
        for (out, (present, before)) in out.iter_mut().zip(self.present.iter().zip(&self.before)) {
            *out = present + share * (present - before);
        }
    }

    /// Whether the tangents of a load source enter.
    pub(crate) fn enters(&self, source: usize) -> bool {
        self.enters.as_ref().is_some_and(|enters| enters[source])
    }

    /// Whether this belongs to a model.
    pub(crate) fn fits(&self, topology: &Topology) -> bool {
        let sources = topology.load_sources.len();
        self.present.len() == topology.load_coordinates
            && self.before.len() == topology.load_coordinates
            && self.contraction.len() == sources
            && self.enters.as_ref().is_none_or(|enters| enters.len() == sources)
    }
}
