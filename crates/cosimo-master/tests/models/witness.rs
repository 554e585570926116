//! A subsystem that tells which threads it was called in.
#![allow(dead_code, reason = "each test file uses some of the models")]

use std::sync::{Arc, Mutex};
use std::thread::ThreadId;
use std::time::Duration;

use cosimo_subsystem::{
    Call, Description, Energy, Ledger, MacroStep, RowState, Snapshot, Statistics, StepLoads, StepResponse,
    Subsystem, SubsystemError,
};
use nalgebra::DMatrix;

/// Threads seen, one entry a call.
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
    fn description(&self) -> &Description {
        self.inner.description()
    }

    fn rows(&self) -> &RowState {
        self.inner.rows()
    }

    fn energy(&self) -> Energy {
        self.inner.energy()
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.see();
        if step.time >= self.fails_at {
            let subsystem = self.description().name.clone();
            return Err(SubsystemError::BadStep {
                subsystem,
                time: step.time,
                size: step.size,
                reason: "enough",
            });
        }
        self.inner.begin(step, start_loads)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.see();
        self.inner.evaluate(impulses)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<Ledger, SubsystemError> {
        self.see();
        self.inner.commit(loads)
    }

    fn discard(&mut self) {
        self.inner.discard();
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&DMatrix<f64>, SubsystemError> {
        self.inner.prepare_jump(size)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.inner.jump(impulses)
    }

    fn shift(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.inner.shift(weights)
    }

    fn observe(&self, out: &mut [f64]) {
        self.inner.observe(out);
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        self.inner.save()
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        self.inner.restore(snapshot)
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }

    fn post(&mut self, call: Call<'_>) {
        self.inner.post(call);
    }
}
