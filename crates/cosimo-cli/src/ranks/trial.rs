//! What the steps of each subsystem cost, found by some of them.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use cosimo::master::{Observer, RunPosition, RunReport, StepRecord};
use cosimo::model::{Execution, ModelSpec};
use tracing::subscriber::{NoSubscriber, with_default};

use crate::{notices, server};

/// Steps at most, and how long they may take.
const STEPS: u32 = 20;
const TIME: Duration = Duration::from_millis(200);

/// Processor time of the same steps (s).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Costs {
    /// By subsystem.
    pub(super) subsystems: Vec<f64>,
    /// Of the master itself.
    pub(super) master: f64,
}

/// Takes some steps with a model that is thrown away, in this thread. Where that fails, all subsystems cost the same.
pub(super) fn measure(model: &ModelSpec) -> Costs {
    let mut copy = model.clone().nearby();
    copy.placement.execution = Execution::InThread;
    copy.master.threads = 1;
    copy.isolate_single_units();
    let report = with_default(NoSubscriber::new(), || run_briefly(&copy));
    // The run itself will tell.
    notices::take_errors();
    match report {
        Some(report) => Costs {
            subsystems: report.subsystems.iter().map(|subsystem| subsystem.seconds.total()).collect(),
            master: report.master.total(),
        },
        None => Costs { subsystems: vec![1.0; model.subsystems.len()], master: 0.0 },
    }
}

fn run_briefly(model: &ModelSpec) -> Option<RunReport> {
    let mut master = model.build_served(&server::command).ok()?;
    let position = RunPosition::start(master.time(), model.time.end, model.time.step);
    let ended = master.run_from(position, &mut Trial { since: Instant::now(), steps: 0 });
    ended.ok().filter(|report| report.steps > 0)
}

/// Ends the trial.
struct Trial {
    since: Instant,
    steps: u32,
}

impl Observer for Trial {
    fn step(&mut self, _record: &StepRecord<'_>) -> ControlFlow<()> {
        // The first is the initial state.
        self.steps += 1;
        let is_long = self.steps > STEPS || self.since.elapsed() > TIME;
        if self.steps > 1 && is_long { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
