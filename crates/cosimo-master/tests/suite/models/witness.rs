//! A subsystem that records which threads it was called in.
#![allow(dead_code, reason = "each test file uses some of the models")]

use std::sync::{Arc, Mutex};
use std::thread::ThreadId;
use std::time::Duration;

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{MacroStep, StepLoads, StepResponse, Subsystem, SubsystemError, pass_on};

/// Threads seen, one entry per call.
pub(crate) type Threads = Arc<Mutex<Vec<ThreadId>>>;

/// Passes every call on; begins, evaluations and commits are slow.
pub(crate) struct Witness {
    pub(crate) inner: Box<dyn Subsystem>,
    pub(crate) threads: Threads,
    pub(crate) delay: Duration,
    /// Time (s) from which on `begin` fails.
    pub(crate) fails_at: f64,
}

impl Witness {
    fn see(&self) {
        if let Ok(mut threads) = self.threads.lock() {
            threads.push(std::thread::current().id());
        }
        std::thread::sleep(self.delay);
    }
}

impl Subsystem for Witness {
    pass_on!(inner: description, rows, energy, discard, prepare_jump, jump, project_positions, observe, save, restore);
    pass_on!(inner: statistics, prefetch, is_asynchronous);

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.see();
        if step.time >= self.fails_at {
            let subsystem = self.description().name.clone();
            return Err(SubsystemError::BadStep {
                subsystem,
                time: step.time,
                size: step.size,
                reason: "enough".into(),
            });
        }
        self.inner.begin(step, start_loads)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.see();
        self.inner.evaluate(impulses)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.see();
        self.inner.commit(loads)
    }
}
