//! Wiring of a model and order of evaluation: what never changes.

use cosimo_subsystem::Description;

use crate::config::SignalLoops;
use crate::connection::Connection;
use crate::error::signals::SignalError;
use crate::topology::signals::order::{Loop, Stage, stages};
use crate::topology::signals::wiring::Wiring;

/// The signals of all subsystems, and in which order outputs are evaluated.
#[derive(Debug, Clone)]
pub(crate) struct SignalGraph {
    pub(crate) wiring: Wiring,
    pub(crate) stages: Vec<Stage>,
}

impl SignalGraph {
    pub(crate) fn new(
        descriptions: &[&Description],
        connections: &[Connection],
        setting: SignalLoops,
    ) -> Result<Self, SignalError> {
        let wiring = Wiring::new(descriptions, connections)?;
        let subsystems: Vec<usize> = wiring.outputs.iter().map(|output| output.subsystem).collect();
        let sources: Vec<&[usize]> = wiring.outputs.iter().map(|output| output.sources.as_slice()).collect();
        let stages = stages(&subsystems, &sources, |output| wiring.is_needed(output));
        let graph = Self { wiring, stages };
        for outputs in graph.loop_names() {
            if setting == SignalLoops::Forbid {
                return Err(SignalError::Loop { outputs });
            }
            tracing::info!(outputs, "a loop of signals is solved at every communication point");
        }
        Ok(graph)
    }

    /// Whether there is nothing to exchange.
    pub(crate) fn is_empty(&self) -> bool {
        self.wiring.inputs.is_empty() && self.stages.is_empty()
    }

    /// The loops in the order of their evaluation.
    pub(crate) fn loops(&self) -> impl Iterator<Item = &Loop> {
        self.stages.iter().filter_map(|stage| if let Stage::Loop(cycle) = stage { Some(cycle) } else { None })
    }

    /// Names of the outputs of every loop.
    pub(crate) fn loop_names(&self) -> impl Iterator<Item = String> + '_ {
        self.loops().map(|cycle| self.wiring.names(&cycle.outputs))
    }

    /// The outputs of a subsystem that are no quantities of it: their numbers, names within the subsystem and units.
    pub(crate) fn shown(&self, subsystem: usize) -> impl Iterator<Item = (usize, &str, &str)> {
        let own = self.wiring.members[subsystem].outputs.clone();
        own.filter_map(|output| {
            let (name, unit) = self.wiring.outputs[output].shown.as_ref()?;
            Some((output, name.as_str(), unit.as_str()))
        })
    }

    /// The number of an output `subsystem.output`; `None` where there is none, or none that is exchanged.
    pub(crate) fn output(&self, name: &str) -> Option<usize> {
        let output = self.wiring.outputs.iter().position(|output| output.name == name)?;
        self.wiring.is_needed(output).then_some(output)
    }
}
