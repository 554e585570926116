//! A run inside this process.

use std::error::Error;

use cosimo::impact::compare::FilledGraph;
use cosimo::master::{Outcome, RunReport};
use cosimo::mechanics::EnergyBalance;
use cosimo::model::ModelSpec;

use super::tape::{Event, Tape};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::server;

/// What is kept of a run.
#[derive(Debug)]
pub(crate) struct SubRun {
    /// Macro step (s).
    pub(crate) step: f64,
    /// The quantities asked for, joined by straight lines between communication points.
    pub(crate) graphs: Vec<FilledGraph>,
    pub(crate) events: Vec<Event>,
    /// Where the energy went (J).
    pub(crate) energy: EnergyBalance,
    /// Time at which it ended (s).
    pub(crate) end: f64,
    pub(crate) wall_seconds: f64,
}

impl SubRun {
    /// The run, if it took the macro step that was asked for, but for the last one.
    pub(crate) fn with_even_steps(self) -> Result<Self, SubRunError> {
        let points = self.graphs.first().map_or(&[][..], FilledGraph::points);
        let steps = points[..points.len().saturating_sub(1)].windows(2).map(|pair| pair[1].0 - pair[0].0);
        let ratio = |step: f64| (step / self.step).max(self.step / step);
        let largest = steps.map(ratio).fold(1.0, f64::max);
        if largest > UNEVEN { Err(SubRunError::Uneven(largest)) } else { Ok(self) }
    }
}

/// Why a run cannot be compared.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SubRunError {
    #[error("cannot be built: {0}")]
    Build(String),
    #[error("has no quantity `{0}`")]
    NoQuantity(String),
    #[error("failed: {0}")]
    Failed(String),
    #[error(
        "chose steps up to {0:.3} times as large or small as its macro step: set master.step_control=fixed to compare steps"
    )]
    Uneven(f64),
    #[error("was stopped")]
    Stopped,
}

/// Ratio of steps above which they are not those asked for; below it is the round-off of times.
const UNEVEN: f64 = 1.0 + 1e-3;

/// Runs a model and keeps quantities by their full names. `interrupt` stops it.
pub(crate) fn run(
    model: &ModelSpec,
    quantities: &[String],
    (progress, interrupt): (Progress, &Interrupt),
) -> Result<SubRun, SubRunError> {
    let built = model.clone().nearby().build_served(&server::command);
    let mut master = built.map_err(|error| SubRunError::Build(chain(&error)))?;
    let tape = Tape::of(quantities);
    if let Some(name) = tape.missing(&master.labels()) {
        return Err(SubRunError::NoQuantity(name.to_owned()));
    }
    let step = model.time.step;
    let mut watchers = (tape, (progress, interrupt.clone()));
    let ended = master.run(model.time.end, step, &mut watchers);
    let report = ended.map_err(|error| SubRunError::Failed(chain(&error)))?;
    if report.outcome == Outcome::Stopped {
        return Err(SubRunError::Stopped);
    }
    let (graphs, events) = watchers.0.into_parts();
    let RunReport { energy, end_time: end, wall_seconds, .. } = report;
    Ok(SubRun { step, graphs, events, energy, end, wall_seconds })
}

/// An error with its causes.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let more = inner.to_string();
        if !text.contains(&more) {
            text += &format!(": {more}");
        }
        cause = inner.source();
    }
    text
}
