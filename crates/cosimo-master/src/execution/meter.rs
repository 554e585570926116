//! How the calls of a round are measured, in a step that is.

use std::sync::Mutex;
use std::thread::{self, ThreadId};

use cosimo_subsystem::cost::{CallKind, Stopwatch};

use super::cost::{Account, Costs};

/// Measures the calls of a round: one after the other by the stopwatch of the step, or, where they are shared among
/// threads, each by one of its own.
pub(crate) struct Meter<'a> {
    costs: Mutex<&'a mut Costs>,
    kind: CallKind,
    /// On what time was spent before the round.
    before: Account,
    /// The thread that asked for the round, where calls are shared.
    shared_by: Option<ThreadId>,
}

impl<'a> Meter<'a> {
    /// A meter for a round of calls, where the present step is measured.
    #[inline]
    pub(crate) fn of(costs: &'a mut Costs, kind: CallKind, is_shared: bool) -> Option<Self> {
        if costs.is_measured() { Some(Self::begin(costs, kind, is_shared)) } else { None }
    }

    #[cold]
    fn begin(costs: &'a mut Costs, kind: CallKind, is_shared: bool) -> Self {
        let before = costs.enter(Account::THREADS);
        if !is_shared {
            costs.enter(before);
        }
        let shared_by = is_shared.then(|| thread::current().id());
        Self { costs: Mutex::new(costs), kind, before, shared_by }
    }

    /// A call to the subsystem of this number begins.
    #[cold]
    fn begin_call(&self, index: usize) -> Option<Stopwatch> {
        if self.shared_by.is_some() {
            return Some(Stopwatch::start());
        }
        self.enter(Account::call(index, self.kind));
        None
    }

    /// It has been answered.
    #[cold]
    fn end_call(&self, index: usize, watch: &mut Option<Stopwatch>) {
        let Some(asking) = self.shared_by else { return self.enter(self.before) };
        // Told twice, it counts once.
        let Some(mut watch) = watch.take() else { return };
        let (seconds, spent) = (watch.lap(), watch.take_spent());
        let is_here = thread::current().id() == asking;
        if let Ok(mut costs) = self.costs.lock() {
            costs.book_shared(Account::call(index, self.kind), (seconds, spent), is_here);
        }
    }

    /// The round has ended.
    #[cold]
    pub(crate) fn end(&self) {
        self.enter(self.before);
    }

    fn enter(&self, account: Account) {
        if let Ok(mut costs) = self.costs.lock() {
            costs.enter(account);
        }
    }
}

/// One call of a round, which may be measured: from where the subsystem is asked until it has answered. What is done before
/// and after is the master's work.
pub(crate) struct CallMeter<'a> {
    meter: Option<&'a Meter<'a>>,
    index: usize,
    watch: Option<Stopwatch>,
}

impl<'a> CallMeter<'a> {
    /// Of a call to the subsystem of this number.
    #[inline(always)]
    pub(crate) fn new(meter: Option<&'a Meter<'a>>, index: usize) -> Self {
        Self { meter, index, watch: None }
    }

    /// The subsystem is asked.
    #[inline(always)]
    pub(crate) fn asks(&mut self) {
        if let Some(meter) = self.meter {
            self.watch = meter.begin_call(self.index);
        }
    }

    /// The subsystem has answered, or failed.
    #[inline(always)]
    pub(crate) fn answers(&mut self) {
        if let Some(meter) = self.meter {
            meter.end_call(self.index, &mut self.watch);
        }
    }
}
