//! Loads at communication points, and what was decided about tangents: a part of the state.

use serde::{Deserialize, Serialize};

use crate::topology::Topology;

/// What is known of the loads at the present communication point.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LoadHistory {
    /// Loads at the present communication point, one per load coordinate (N, N m).
    pub(crate) present: Vec<f64>,
    /// Loads at the two communication points before, the later first.
    before: [Vec<f64>; 2],
    /// Sizes of the steps from them (s), the later first; zero where not known.
    sizes: [f64; 2],
    /// Whether `present` is known: not at the start, nor after a jump of velocities.
    pub(crate) is_known: bool,
    /// Whether the tangents of each load source enter; nothing before the first step.
    pub(crate) enters: Option<Vec<bool>>,
    /// Contraction of the loads found at the start, of each load source (–); none where it was not found.
    pub(crate) contraction: Vec<Option<f64>>,
}

impl LoadHistory {
    pub(crate) fn new(topology: &Topology) -> Self {
        let count = topology.load_coordinates;
        Self {
            present: vec![0.0; count],
            before: [vec![0.0; count], vec![0.0; count]],
            sizes: [0.0; 2],
            is_known: false,
            enters: None,
            contraction: vec![None; topology.load_sources.len()],
        }
    }

    /// Takes the loads at the start and at the end of a step of this size (s).
    pub(crate) fn advance(&mut self, start: &[f64], end: &[f64], size: f64) {
        self.before.swap(0, 1);
        self.before[0].copy_from_slice(start);
        self.present.copy_from_slice(end);
        (self.sizes, self.is_known) = ([size, self.sizes[0]], true);
    }

    /// Velocities have jumped: loads are to be asked for again, and the last steps say nothing of the next.
    pub(crate) fn interrupt(&mut self) {
        (self.sizes, self.is_known) = ([0.0; 2], false);
    }

    /// Writes the loads after a step of this size (s): by the parabola through the last three communication points, the line
    /// through the last two, or the present ones, as many as are known.
    pub(crate) fn extrapolate(&self, size: f64, out: &mut [f64]) {
        let [last, earlier] = self.sizes;
        let linear = if last > 0.0 { size / last } else { 0.0 };
        // Newton's form: the second divided difference, where two steps are known.
        let quadratic = if earlier > 0.0 { size * (size + last) / (last + earlier) } else { 0.0 };
        for (k, out) in out.iter_mut().enumerate() {
            let change = self.present[k] - self.before[0][k];
            let curvature = if quadratic > 0.0 {
                change / last - (self.before[0][k] - self.before[1][k]) / earlier
            } else {
                0.0
            };
            *out = self.present[k] + linear * change + quadratic * curvature;
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
            && self.before.iter().all(|loads| loads.len() == topology.load_coordinates)
            && self.contraction.len() == sources
            && self.enters.as_ref().is_none_or(|enters| enters.len() == sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parabolas_are_extrapolated_exactly_over_unequal_steps() {
        let load = |t: f64| 3.0 - 2.0 * t + 5.0 * t * t;
        let mut history = LoadHistory {
            present: vec![0.0],
            before: [vec![0.0], vec![0.0]],
            sizes: [0.0; 2],
            is_known: false,
            enters: None,
            contraction: Vec::new(),
        };
        let mut out = [0.0];
        for (start, size) in [(0.0, 0.1), (0.1, 0.3)] {
            history.advance(&[load(start)], &[load(start + size)], size);
        }
        history.extrapolate(0.2, &mut out);
        assert!((out[0] - load(0.6)).abs() < 1e-14, "{out:?}");
        history.interrupt();
        history.extrapolate(0.2, &mut out);
        assert!((out[0] - load(0.4)).abs() < 1e-15 && !history.is_known);
    }
}
