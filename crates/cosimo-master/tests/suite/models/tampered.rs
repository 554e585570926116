//! A subsystem whose calls are seen, and its answers changed, from outside.
#![allow(dead_code, reason = "each test file uses some of the models")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::{
    MacroStep, RowMatrix, RowState, Snapshot, Statistics, StepLoads, StepResponse, Subsystem, SubsystemError,
    pass_on,
};

/// What was called, counted from outside.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    pub(crate) answers: AtomicU64,
    pub(crate) commits: AtomicU64,
    pub(crate) given_up: AtomicU64,
    pub(crate) drops: AtomicU64,
    /// Time inside begins, evaluations and commits.
    pub(crate) time: Mutex<Duration>,
}

impl Calls {
    pub(crate) fn numbers(&self) -> [u64; 3] {
        [&self.answers, &self.commits, &self.given_up].map(|count| count.load(Ordering::Relaxed))
    }
}

/// Called with the name of a call and the time of the step begun (s), before the call.
pub(crate) type Before = Box<dyn FnMut(&str, f64) + Send>;
/// Called with an answer and the time of the step begun (s).
pub(crate) type Change = Box<dyn FnMut(&mut StepResponse, f64) + Send>;
/// Called with the ledger of a step and the time of the step (s).
pub(crate) type Book = Box<dyn FnMut(&mut StepEnergy, f64) + Send>;

/// Passes every call on.
pub(crate) struct Tampered {
    inner: Box<dyn Subsystem>,
    calls: Arc<Calls>,
    before: Before,
    change: Change,
    book: Book,
    /// Whether a call has panicked: nothing may be asked of it any more.
    is_broken: bool,
    /// Rows that are shown from so many commits on.
    rows: Option<(u64, RowState)>,
    begun: Option<MacroStep>,
    response: StepResponse,
}

impl Tampered {
    /// Counts, and changes nothing.
    pub(crate) fn new(inner: Box<dyn Subsystem>, calls: &Arc<Calls>) -> Self {
        Self {
            inner,
            calls: calls.clone(),
            before: Box::new(|_, _| {}),
            change: Box::new(|_, _| {}),
            book: Box::new(|_, _| {}),
            is_broken: false,
            rows: None,
            begun: None,
            response: StepResponse::zeros(0),
        }
    }

    pub(crate) fn before(mut self, before: impl FnMut(&str, f64) + Send + 'static) -> Self {
        self.before = Box::new(before);
        self
    }

    pub(crate) fn change(mut self, change: impl FnMut(&mut StepResponse, f64) + Send + 'static) -> Self {
        self.change = Box::new(change);
        self
    }

    pub(crate) fn book(mut self, book: impl FnMut(&mut StepEnergy, f64) + Send + 'static) -> Self {
        self.book = Box::new(book);
        self
    }

    /// Shows these rows, from so many commits on.
    pub(crate) fn rows_after(mut self, commits: u64, rows: RowState) -> Self {
        self.rows = Some((commits, rows));
        self
    }

    fn see(&mut self, call: &str, time: f64) {
        self.check();
        self.is_broken = true;
        (self.before)(call, time);
        self.is_broken = false;
    }

    fn check(&self) {
        assert!(!self.is_broken, "called after a panic");
    }

    fn time(&self) -> f64 {
        self.begun.map_or(f64::NAN, |step| step.time)
    }

    fn take_time(&self, since: Instant) {
        if let Ok(mut time) = self.calls.time.lock() {
            *time += since.elapsed();
        }
    }

    fn give_up(&mut self) {
        self.calls.given_up.fetch_add(u64::from(self.begun.take().is_some()), Ordering::Relaxed);
    }

    fn answered(&mut self, since: Instant) -> &StepResponse {
        self.calls.answers.fetch_add(1, Ordering::Relaxed);
        let time = self.time();
        (self.change)(&mut self.response, time);
        self.take_time(since);
        &self.response
    }
}

impl Drop for Tampered {
    fn drop(&mut self) {
        self.calls.drops.fetch_add(1, Ordering::Relaxed);
    }
}

impl Subsystem for Tampered {
    pass_on!(inner: description, jump, project_positions, save, prefetch, is_asynchronous);

    fn rows(&self) -> &RowState {
        let commits = self.calls.commits.load(Ordering::Relaxed);
        match &self.rows {
            Some((from, rows)) if commits >= *from => rows,
            _ => self.inner.rows(),
        }
    }

    fn energy(&self) -> Energy {
        self.check();
        self.inner.energy()
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let since = Instant::now();
        self.give_up();
        self.see("begin", step.time);
        self.response.clone_from(self.inner.begin(step, start_loads)?);
        self.begun = Some(step);
        Ok(self.answered(since))
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let since = Instant::now();
        self.see("evaluate", self.time());
        self.response.clone_from(self.inner.evaluate(impulses)?);
        Ok(self.answered(since))
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let since = Instant::now();
        self.see("commit", self.time());
        let mut ledger = self.inner.commit(loads)?;
        let time = self.time();
        (self.book)(&mut ledger, time);
        self.begun = None;
        self.calls.commits.fetch_add(1, Ordering::Relaxed);
        self.take_time(since);
        Ok(ledger)
    }

    fn discard(&mut self) {
        self.check();
        self.give_up();
        self.inner.discard();
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        self.give_up();
        self.see("prepare_jump", f64::NAN);
        self.inner.prepare_jump(size)
    }

    fn observe(&self, out: &mut [f64]) {
        self.check();
        self.inner.observe(out);
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        self.calls.given_up.fetch_add(1, Ordering::Relaxed);
        self.begun = None;
        self.inner.restore(snapshot)
    }

    fn statistics(&self) -> Statistics {
        self.check();
        self.inner.statistics()
    }
}
