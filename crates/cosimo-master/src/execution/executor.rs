//! Subsystems stepped side by side by several threads.
//!
//! Every call to a subsystem reads what all share and writes to what is its own; what follows from the answers together
//! is worked out afterwards, in the order of the subsystems. Results therefore do not depend on the number of threads,
//! nor on who computed what.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cosimo_subsystem::cost::processor_seconds;
use cosimo_subsystem::{Subsystem, SubsystemError};

use super::cost::Costs;
use super::faults::panicked;
use super::meter::{CallMeter, Meter};
use super::slot::{CallSlot, Phase, SubsystemCall};
use super::spans;
use crate::SetupError;
use crate::linearisation::affine_model::AffineModel;
use crate::topology::subsystem::SubsystemLayout;

/// Work that is worth handing to another thread.
const WORTHWHILE: Duration = Duration::from_micros(20);

/// Calls are weighed in every so many rounds.
const WEIGHED: u64 = 128;

/// The threads that step the subsystems.
#[derive(Debug)]
pub(crate) struct Executor {
    pool: Option<Arc<rayon::ThreadPool>>,
    /// Subsystems that one thread takes at least, by the kind of call; all of them until their cost is known.
    grains: [usize; 3],
    /// Rounds of calls so far, by kind.
    rounds: [u64; 3],
}

/// One round of calls: what is called, and how.
struct Round<'a, F> {
    call: F,
    is_backward: bool,
    has_failed: &'a AtomicBool,
}

/// Subsystems with all that a call changes.
pub(crate) struct SubsystemCalls<'a> {
    pub(crate) subsystems: &'a mut [Box<dyn Subsystem>],
    pub(crate) layouts: &'a [SubsystemLayout],
    pub(crate) models: &'a mut [AffineModel],
    pub(crate) slots: &'a mut [CallSlot],
    /// Positions and velocities of their rows, which are those from `first_row` on.
    pub(crate) rows: (&'a mut [f64], &'a mut [f64]),
    pub(crate) first_row: usize,
    /// Number of the first of them.
    pub(crate) first: usize,
}

impl Executor {
    /// An executor of `threads` threads, but no more than there are subsystems; with one, the caller does everything.
    pub(crate) fn new(threads: u32, subsystems: usize) -> Result<Self, SetupError> {
        let threads = threads.min(u32::try_from(subsystems).unwrap_or(u32::MAX));
        let build = || {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(threads as usize);
            let builder = builder.thread_name(|index| format!("cosimo-{index}"));
            builder.build().map_err(|error| SetupError::Threads { threads, reason: error.to_string() })
        };
        Ok(Self {
            pool: if threads > 1 { Some(Arc::new(build()?)) } else { None },
            grains: [usize::MAX; 3],
            rounds: [0; 3],
        })
    }

    /// The threads, where the calls to so many subsystems are shared among them.
    #[inline]
    pub(crate) fn sharing(&self, subsystems: usize) -> Option<Arc<rayon::ThreadPool>> {
        self.pool.clone().filter(|_| self.grains.iter().any(|grain| subsystems > *grain))
    }

    /// Processor time that the threads have taken so far (s).
    pub(crate) fn seconds(&self) -> f64 {
        let seconds = |pool: &Arc<rayon::ThreadPool>| pool.broadcast(|_| processor_seconds()).iter().sum();
        self.pool.as_ref().map_or(0.0, seconds)
    }

    /// Calls every subsystem, and accounts for what that costs. Says whether any call failed; the failures stand in the slots.
    pub(crate) fn call(
        &mut self,
        mut calls: SubsystemCalls<'_>,
        phase: Phase,
        costs: &mut Costs,
        call: impl Fn(&mut SubsystemCall<'_>, &mut CallMeter<'_>) -> Result<(), SubsystemError> + Sync,
    ) -> bool {
        let has_failed = AtomicBool::new(false);
        let watched = spans::of_calls();
        let is_weighed = self.pool.is_some() && self.begin_round(phase);
        let grain = self.grains[phase as usize];
        let pool = self.pool.as_deref().filter(|_| calls.models.len() > grain);
        let meter = Meter::of(costs, phase.kind(), pool.is_some());
        let weighed = |own: &mut SubsystemCall<'_>| {
            let since = is_weighed.then(Instant::now);
            let mut meter = CallMeter::new(meter.as_ref(), own.index);
            if let Err(error) = call(own, &mut meter) {
                meter.answers();
                own.slot.failure = Some(Box::new(error));
                has_failed.store(true, Ordering::Relaxed);
            }
            if let Some(since) = since {
                own.slot.time = since.elapsed();
            }
        };
        let call = |mut own: SubsystemCall<'_>| match &watched {
            None => weighed(&mut own),
            Some(watched) => {
                let name = own.layout.name.clone();
                watched.call(&name, phase, || weighed(&mut own));
            }
        };
        let round = Round { call, is_backward: phase.is_backward(), has_failed: &has_failed };
        match pool {
            Some(pool) => pool.install(|| calls.share(grain, &round)),
            None => calls.call(&round),
        }
        if let Some(meter) = &meter {
            meter.end();
        }
        if is_weighed {
            let total: Duration = calls.slots.iter().map(|slot| slot.time).sum();
            self.grains[phase as usize] = grain_of(total, calls.slots.len());
        }
        has_failed.into_inner()
    }

    /// Counts a round of calls; says whether they are to be weighed.
    fn begin_round(&mut self, phase: Phase) -> bool {
        let rounds = &mut self.rounds[phase as usize];
        *rounds += 1;
        (*rounds - 1).is_multiple_of(WEIGHED)
    }
}

/// Does a whole step as one of the threads that share its calls, where they do: to hand over one call after the other
/// from outside would put a thread to sleep, and wake another, as often.
#[inline]
pub(crate) fn among_threads<T: Send>(
    pool: Option<Arc<rayon::ThreadPool>>,
    step: impl FnOnce() -> T + Send,
) -> T {
    match pool {
        None => step(),
        Some(pool) => {
            let watched = spans::Watched::here();
            pool.install(|| watched.follow(step))
        }
    }
}

/// Number of subsystems whose calls are worth handing over, if `count` of them took `total`.
fn grain_of(total: Duration, count: usize) -> usize {
    let mean = total.as_secs_f64() / count.max(1) as f64;
    // Saturating by definition of `as`.
    ((WORTHWHILE.as_secs_f64() / mean.max(1e-12)).ceil() as usize).max(1)
}

impl SubsystemCalls<'_> {
    /// Calls one after the other. A panic is the failure of the subsystem, and the others are called all the same.
    fn call(&mut self, round: &Round<'_, impl Fn(SubsystemCall<'_>)>) {
        let mut done = 0;
        while let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.call_from(&mut done, round))) {
            let i = self.turn(done - 1, round.is_backward);
            self.slots[i].failure = Some(Box::new(panicked(&self.layouts[i].name, &*panic)));
            round.has_failed.store(true, Ordering::Relaxed);
        }
    }

    /// Whose turn it is after so many others.
    #[inline]
    fn turn(&self, done: usize, is_backward: bool) -> usize {
        if is_backward { self.models.len() - 1 - done } else { done }
    }

    /// Calls those whose turn it is after `done` others; the current one counts as done.
    #[inline]
    fn call_from(&mut self, done: &mut usize, round: &Round<'_, impl Fn(SubsystemCall<'_>)>) {
        let first_row = self.first_row;
        while *done < self.models.len() {
            let i = self.turn(*done, round.is_backward);
            *done += 1;
            let model = &mut self.models[i];
            let rows = model.rows.start - first_row..model.rows.end - first_row;
            (round.call)(SubsystemCall {
                index: self.first + i,
                subsystem: self.subsystems[i].as_mut(),
                layout: &self.layouts[i],
                model,
                slot: &mut self.slots[i],
                positions: &mut self.rows.0[rows.clone()],
                velocities: &mut self.rows.1[rows],
            });
        }
    }

    /// Halves the subsystems until a share is small enough, for other threads to take.
    fn share(&mut self, grain: usize, round: &Round<'_, impl Fn(SubsystemCall<'_>) + Sync>) {
        let count = self.models.len();
        if count <= grain {
            self.call(round);
            return;
        }
        let half = count / 2;
        let row = self.models[half].rows.start - self.first_row;
        let (positions, velocities) = (self.rows.0.split_at_mut(row), self.rows.1.split_at_mut(row));
        let (subsystems, models) = (self.subsystems.split_at_mut(half), self.models.split_at_mut(half));
        let layouts = self.layouts.split_at(half);
        let slots = self.slots.split_at_mut(half);
        let mut left = SubsystemCalls {
            subsystems: subsystems.0,
            layouts: layouts.0,
            models: models.0,
            slots: slots.0,
            rows: (positions.0, velocities.0),
            first_row: self.first_row,
            first: self.first,
        };
        let mut right = SubsystemCalls {
            subsystems: subsystems.1,
            layouts: layouts.1,
            models: models.1,
            slots: slots.1,
            rows: (positions.1, velocities.1),
            first_row: self.first_row + row,
            first: self.first + half,
        };
        rayon::join(|| left.share(grain, round), || right.share(grain, round));
    }
}
