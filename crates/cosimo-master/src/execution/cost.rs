//! Who costs what: processor time of subsystems, master and recording, measured in some of the steps of a run.
//!
//! A step that is measured runs on one account after the other: [`enter`](Costs::enter) changes to another. What calls
//! shared among threads take is measured in those threads. How much a whole run has cost is known, and so the parts add up
//! to it; what subsystems elsewhere have cost, they tell.

use cosimo_subsystem::cost::{CallKind, RemoteCost, Sampling, Stopwatch, processor_seconds};

use crate::statistics::seconds::CostSeconds;

/// What reading a clock takes in the middle of a step, at least and at most, against what it takes in a loop (–).
const OVERHEAD: (f64, f64) = (0.5, 4.0);

/// On what time is spent, by its number: first what is no call to a subsystem, then the calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Account(usize);

impl Account {
    pub(crate) const SIGNALS: Self = Self(0);
    pub(crate) const COUPLING: Self = Self(1);
    pub(crate) const CONTACTS: Self = Self(2);
    pub(crate) const BOOKS: Self = Self(3);
    pub(crate) const MESSAGES: Self = Self(4);
    pub(crate) const THREADS: Self = Self(5);
    /// What else the master does.
    pub(crate) const OTHER: Self = Self(6);
    /// What observers are shown.
    pub(crate) const RESULTS: Self = Self(7);
    pub(crate) const CHECKPOINTS: Self = Self(8);
    const FIRST_CALL: usize = 9;

    /// Calls of a kind to the subsystem of this number.
    pub(crate) fn call(subsystem: usize, kind: CallKind) -> Self {
        Self(Self::FIRST_CALL + CallKind::ALL.len() * subsystem + kind as usize)
    }

    /// How many there are with so many subsystems.
    fn count(subsystems: usize) -> usize {
        Self::FIRST_CALL + CallKind::ALL.len() * subsystems
    }

    /// The subsystem called and the kind of the call, if it is one.
    fn of_call(self) -> Option<(usize, CallKind)> {
        let place = self.0.checked_sub(Self::FIRST_CALL)?;
        Some((place / CallKind::ALL.len(), CallKind::ALL[place % CallKind::ALL.len()]))
    }

    /// Where it stands among the costs of a run.
    fn of_mut(self, CostSeconds { subsystems, master, recording }: &mut CostSeconds) -> &mut f64 {
        if let Some((i, kind)) = self.of_call() {
            return subsystems[i].of_mut(kind);
        }
        match self {
            Self::SIGNALS => &mut master.signals,
            Self::COUPLING => &mut master.coupling,
            Self::CONTACTS => &mut master.contacts,
            Self::BOOKS => &mut master.accounts,
            Self::MESSAGES => &mut master.messages,
            Self::THREADS => &mut master.threads,
            Self::RESULTS => &mut recording.results,
            Self::CHECKPOINTS => &mut recording.checkpoints,
            _ => &mut master.other,
        }
    }
}

/// Processor time up to some instant (s).
#[derive(Debug, Clone, Default)]
pub(crate) struct Spent {
    /// Of the thread that runs the model, and of those that share its calls.
    pub(crate) here: f64,
    /// What subsystems elsewhere tell.
    pub(crate) elsewhere: Vec<Option<RemoteCost>>,
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
    spent: f64,
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
            running: Account::OTHER,
            sampling: Sampling::off(),
            watch: Stopwatch::start(),
            is_due: false,
            spent: 0.0,
            sums: Vec::new(),
            laps: Vec::new(),
            certain: Vec::new(),
            start: None,
            subsystems,
        }
    }

    /// A run begins.
    pub(crate) fn begin_run(&mut self, spent: Spent) {
        let none = vec![0.0; Account::count(self.subsystems)];
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
            self.open(Account::OTHER);
        }
    }

    /// What is measured is interrupted: the step is taken.
    #[inline]
    pub(crate) fn end_step(&mut self) {
        if self.is_measured {
            self.switch(Account::OTHER);
            self.is_measured = false;
        }
    }

    /// A step taken is recorded.
    #[inline]
    pub(crate) fn begin_recording(&mut self) {
        if self.is_due {
            self.open(Account::RESULTS);
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
        self.sampling.end_step(self.watch.take_spent() + std::mem::take(&mut self.spent));
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

    /// Accounts for a lap of a stopwatch.
    fn book(&mut self, account: Account, seconds: f64) {
        let weight = self.sampling.weight();
        self.sums[account.0] += weight * seconds;
        self.laps[account.0] += weight;
    }

    /// Accounts for a call of this time (s), measuring which took `spent` (s), in one of several threads that share calls; `is_here`
    /// says that it is the one in which time is being spent on [`Account::THREADS`].
    pub(crate) fn book_shared(&mut self, call: Account, (seconds, spent): (f64, f64), is_here: bool) {
        self.book(call, seconds);
        self.spent += spent;
        if is_here {
            self.sums[Account::THREADS.0] -= self.sampling.weight() * (seconds + spent);
        }
    }

    /// Adds what has been done on `account` since this thread had taken `since` (s), outside of steps.
    pub(crate) fn add_certain(&mut self, account: Account, since: f64) {
        if let Some(seconds) = self.certain.get_mut(account.0) {
            *seconds += processor_seconds() - since;
        }
    }

    /// Adds the costs of the present run, if there is one, to those before it.
    pub(crate) fn add_to(&self, costs: &mut CostSeconds, spent: impl FnOnce() -> Spent) {
        let Some(start) = &self.start else { return };
        let now = spent();
        let seconds = self.estimate(now.here - start.here);
        for (account, seconds) in seconds.into_iter().enumerate() {
            let runs_elsewhere = |i: usize| now.elsewhere.get(i).is_some_and(Option::is_some);
            let account = match Account(account) {
                // Here it is messages alone.
                own if own.of_call().is_some_and(|(i, _)| runs_elsewhere(i)) => Account::MESSAGES,
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
        let (threads, other) = (Account::THREADS.0, Account::OTHER.0);
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
