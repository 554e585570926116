//! Who costs what: processor time of subsystems, master and recording, measured in some of the steps of a run.
//!
//! A step that is measured runs on one account after the other: [`enter`](Costs::enter) changes to another. What calls
//! shared among threads take is measured in those threads. How much a whole run has cost is known, and so the parts add up
//! to it; what subsystems elsewhere have cost, they tell.

use std::ops::Range;

use cosimo_subsystem::cost::{CallKind, Elsewhere, Sampling, Stopwatch, processor_seconds};

use super::slot::CallSlot;
use crate::run::cost_report::CostSeconds;

/// What reading a clock takes in the middle of a step, at least and at most, against what it takes in a loop (–).
const OVERHEAD: (f64, f64) = (0.5, 4.0);

/// On what time is spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Account {
    /// Calls of a kind to the subsystem of this number.
    Call(usize, CallKind),
    Signals,
    Coupling,
    Contacts,
    Books,
    Messages,
    Threads,
    /// What else the master does.
    Other,
    /// What observers are shown.
    Results,
    Checkpoints,
}

/// Those that are no calls.
const OTHERS: [Account; 9] = [
    Account::Signals,
    Account::Coupling,
    Account::Contacts,
    Account::Books,
    Account::Messages,
    Account::Threads,
    Account::Other,
    Account::Results,
    Account::Checkpoints,
];

impl Account {
    /// Its number among all of so many subsystems.
    fn index(self, subsystems: usize) -> usize {
        match self {
            Self::Call(i, kind) => CallKind::ALL.len() * i + kind as usize,
            other => CallKind::ALL.len() * subsystems + other.place(),
        }
    }

    fn place(self) -> usize {
        OTHERS.iter().position(|own| *own == self).unwrap_or_default()
    }

    /// All of so many subsystems, by number.
    fn all(subsystems: usize) -> impl Iterator<Item = Self> {
        let calls = (0..subsystems).flat_map(|i| CallKind::ALL.map(|kind| Self::Call(i, kind)));
        calls.chain(OTHERS)
    }

    /// Where it stands among the costs of a run.
    fn of_mut(self, costs: &mut CostSeconds) -> &mut f64 {
        let CostSeconds { subsystems, master, recording } = costs;
        match self {
            Self::Call(i, kind) => subsystems[i].of_mut(kind),
            Self::Signals => &mut master.signals,
            Self::Coupling => &mut master.coupling,
            Self::Contacts => &mut master.contacts,
            Self::Books => &mut master.books,
            Self::Messages => &mut master.messages,
            Self::Threads => &mut master.threads,
            Self::Other => &mut master.other,
            Self::Results => &mut recording.results,
            Self::Checkpoints => &mut recording.checkpoints,
        }
    }
}

/// Processor time up to some instant (s).
#[derive(Debug, Clone, Default)]
pub(crate) struct Spent {
    /// Of the thread that runs the model, and of those that share its calls.
    pub(crate) here: f64,
    /// What subsystems elsewhere tell.
    pub(crate) elsewhere: Vec<Option<Elsewhere>>,
}

/// Processor time of the present run; of none, outside of runs.
#[derive(Debug)]
pub(crate) struct Costs {
    is_measured: bool,
    /// The account on which time is spent at present.
    running: Account,
    sampling: Sampling,
    watch: Stopwatch,
    /// Whether the present step is measured, and not yet recorded.
    is_due: bool,
    /// What other threads have spent on reading clocks in it (s).
    elsewhere: f64,
    /// Seconds of all measured steps by account, each by its weight, and the laps of the stopwatch that they were.
    sums: Vec<f64>,
    laps: Vec<f64>,
    /// Seconds known as a whole.
    certain: Vec<f64>,
    start: Option<Spent>,
    subsystems: usize,
}

impl Costs {
    pub(crate) fn new(subsystems: usize) -> Self {
        Self {
            is_measured: false,
            running: Account::Other,
            sampling: Sampling::off(),
            watch: Stopwatch::start(),
            is_due: false,
            elsewhere: 0.0,
            sums: Vec::new(),
            laps: Vec::new(),
            certain: Vec::new(),
            start: None,
            subsystems,
        }
    }

    /// A run begins.
    pub(crate) fn begin_run(&mut self, spent: Spent) {
        let none = vec![0.0; CallKind::ALL.len() * self.subsystems + OTHERS.len()];
        *self = Self {
            sampling: Sampling::start(),
            sums: none.clone(),
            laps: none.clone(),
            certain: none,
            start: Some(spent),
            ..Self::new(self.subsystems)
        };
    }

    /// The run has ended.
    pub(crate) fn end_run(&mut self) {
        *self = Self::new(self.subsystems);
    }

    /// A macro step begins.
    #[inline]
    pub(crate) fn begin_step(&mut self) {
        if self.sampling.begin_step() {
            self.is_due = true;
            self.open(Account::Other);
        }
    }

    /// What is measured is interrupted: the step is taken.
    #[inline]
    pub(crate) fn end_step(&mut self) {
        if self.is_measured {
            self.switch(Account::Other);
            self.is_measured = false;
        }
    }

    /// A step taken is recorded.
    #[inline]
    pub(crate) fn begin_recording(&mut self) {
        if self.is_due {
            self.open(Account::Results);
        }
    }

    /// A step taken has been recorded.
    #[inline]
    pub(crate) fn end_recording(&mut self) {
        if self.is_due {
            self.close();
        }
    }

    #[cold]
    fn open(&mut self, account: Account) {
        self.watch.resume();
        (self.is_measured, self.running) = (true, account);
    }

    #[cold]
    fn close(&mut self) {
        self.end_step();
        self.is_due = false;
        self.sampling.end_step(self.watch.take_spent() + std::mem::take(&mut self.elsewhere));
    }

    /// Whether the present step is measured.
    #[inline]
    pub(crate) fn is_measured(&self) -> bool {
        self.is_measured
    }

    /// From here on time is spent on `account`; returns that on which it was spent before.
    #[inline]
    pub(crate) fn enter(&mut self, account: Account) -> Account {
        if self.is_measured { self.switch(account) } else { account }
    }

    #[cold]
    fn switch(&mut self, account: Account) -> Account {
        let seconds = self.watch.lap();
        self.book(self.running, seconds);
        std::mem::replace(&mut self.running, account)
    }

    /// Books a lap of the stopwatch.
    fn book(&mut self, account: Account, seconds: f64) {
        let (k, weight) = (account.index(self.subsystems), self.sampling.weight());
        self.sums[k] += weight * seconds;
        self.laps[k] += weight;
    }

    /// Books calls made to the subsystems `group` by several threads, this one among them, while time was spent on
    /// [`Account::Threads`].
    pub(crate) fn book_shared(&mut self, group: Range<usize>, kind: CallKind, slots: &[CallSlot]) {
        for (i, slot) in group.zip(slots) {
            let measured = slot.measured;
            self.book(Account::Call(i, kind), measured.seconds);
            self.elsewhere += measured.spent;
            if measured.is_here {
                let k = Account::Threads.index(self.subsystems);
                self.sums[k] -= self.sampling.weight() * (measured.seconds + measured.spent);
            }
        }
    }

    /// Adds what has been done on `account` since this thread had taken `since` (s), outside of steps.
    pub(crate) fn add_certain(&mut self, account: Account, since: f64) {
        if let Some(seconds) = self.certain.get_mut(account.index(self.subsystems)) {
            *seconds += processor_seconds() - since;
        }
    }

    /// Adds the costs of the present run, if there is one, to those before it.
    pub(crate) fn add_to(&self, costs: &mut CostSeconds, spent: impl FnOnce() -> Spent) {
        let Some(start) = &self.start else { return };
        let now = spent();
        let seconds = self.estimate(now.here - start.here);
        for (account, seconds) in Account::all(self.subsystems).zip(seconds) {
            let runs_elsewhere = |i: usize| now.elsewhere.get(i).is_some_and(Option::is_some);
            let account = match account {
                // Here it is messages alone.
                Account::Call(i, _) if runs_elsewhere(i) => Account::Messages,
                own => own,
            };
            *account.of_mut(costs) += seconds;
        }
        for (i, now) in now.elsewhere.iter().enumerate() {
            let Some(now) = now else { continue };
            let before = start.elsewhere.get(i).copied().flatten().unwrap_or_default();
            let since = |now: f64, before: f64| (now - before).max(0.0);
            for kind in CallKind::ALL {
                *costs.subsystems[i].of_mut(kind) += since(now.calls.of(kind), before.calls.of(kind));
            }
            costs.master.messages += since(now.messages, before.messages);
        }
    }

    /// Estimated seconds by account, of `all` that the threads here have taken since the run began.
    fn estimate(&self, all: f64) -> Vec<f64> {
        let sampled = (all - self.certain.iter().sum::<f64>()).max(0.0);
        let scale = self.sampling.scale();
        let (sum, laps) = (scale * self.sums.iter().sum::<f64>(), scale * self.laps.iter().sum::<f64>());
        let reading = self.watch.overhead();
        let overhead = ((sum - sampled) / laps.max(1.0)).clamp(OVERHEAD.0 * reading, OVERHEAD.1 * reading);
        let parts = self.sums.iter().zip(&self.laps);
        let mut parts: Vec<f64> =
            parts.map(|(sum, laps)| (scale * (sum - overhead * laps)).max(0.0)).collect();
        let found: f64 = parts.iter().sum();
        let (threads, other) =
            (Account::Threads.index(self.subsystems), Account::Other.index(self.subsystems));
        match () {
            // Nothing was measured.
            () if found == 0.0 => parts[other] = sampled,
            // Threads that share calls look for some in between, too.
            () if self.laps[threads] > 0.0 && found < sampled => parts[threads] += sampled - found,
            () => parts.iter_mut().for_each(|part| *part *= sampled / found),
        }
        parts.iter_mut().zip(&self.certain).for_each(|(part, certain)| *part += certain);
        parts
    }
}
