//! Subsystems stepped side by side by several threads.
//!
//! Every call to a subsystem reads what all share and writes to what is its own; what follows from the answers together
//! is worked out afterwards, in the order of the subsystems. Results therefore do not depend on the number of threads,
//! nor on who computed what.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cosimo_subsystem::{ImpulseMoments, Ledger, StepLoads, Subsystem, SubsystemError};

use crate::faults::panicked;
use crate::layout::{Layout, Member};
use crate::{Master, SetupError, spans};

/// Work that is worth handing to another thread.
const WORTHWHILE: Duration = Duration::from_micros(20);

/// The threads that step the subsystems.
#[derive(Debug)]
pub(crate) struct Crew {
    pool: Option<Arc<rayon::ThreadPool>>,
    /// Subsystems that one thread takes at least, by the kind of call; all of them until their cost is known.
    grains: [usize; 3],
}

/// The calls of a step that are shared among the threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Begin,
    Evaluate,
    Commit,
}

impl Phase {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Evaluate => "evaluate",
            Self::Commit => "commit",
        }
    }

    /// Whether the last subsystem is called first. Of many subsystems the processor's cache holds those called last: a
    /// commit begins where the beginning of the step has ended, and the next step where the commit has.
    fn is_backward(self) -> bool {
        self == Self::Commit
    }
}

/// What is called at each place, and how.
struct Calls<'a, F> {
    call: F,
    is_backward: bool,
    has_failed: &'a AtomicBool,
}

/// What one subsystem is given in a call, and what the call leaves behind.
#[derive(Debug, Default)]
pub(crate) struct Seat {
    /// Loads to commit the step with.
    pub(crate) loads: StepLoads,
    pub(crate) ledger: Ledger,
    /// Whether the compliance has changed.
    pub(crate) has_changed: bool,
    pub(crate) failure: Option<Box<SubsystemError>>,
    /// Largest difference from the affine model (m/s), and the row where it is.
    pub(crate) difference: (f64, usize),
    /// The differences of all rows (m/s).
    pub(crate) differences: Vec<f64>,
    /// Time of the call, where it is measured.
    pub(crate) time: Duration,
}

impl Seat {
    /// The seat of a subsystem in a model that `is_plain`: affine, and without contacts. Then it needs no more than the
    /// impulses.
    fn new(rows: usize, is_plain: bool) -> Self {
        let others = if is_plain { 0 } else { rows };
        let (impulses, moments) = (vec![0.0; rows], ImpulseMoments::zeros(others));
        let loads = StepLoads { impulses, moments, ..StepLoads::default() };
        Self { loads, differences: vec![0.0; others], ..Self::default() }
    }
}

/// The seats of all subsystems.
pub(crate) fn seats(layout: &Layout) -> Vec<Seat> {
    let is_plain = layout.is_affine() && layout.contacts.is_empty();
    layout.members.iter().map(|member| Seat::new(member.rows.len(), is_plain)).collect()
}

/// Subsystems with all that a call changes.
pub(crate) struct Seats<'a> {
    pub(crate) subsystems: &'a mut [Box<dyn Subsystem>],
    pub(crate) members: &'a mut [Member],
    pub(crate) seats: &'a mut [Seat],
    /// Positions and velocities of their rows, which are those from `first_row` on.
    pub(crate) rows: (&'a mut [f64], &'a mut [f64]),
    pub(crate) first_row: usize,
}

/// One subsystem with all that a call changes.
pub(crate) struct Place<'a> {
    pub(crate) subsystem: &'a mut dyn Subsystem,
    pub(crate) member: &'a mut Member,
    pub(crate) seat: &'a mut Seat,
    pub(crate) positions: &'a mut [f64],
    pub(crate) velocities: &'a mut [f64],
}

impl Seat {
    /// Takes the loads over the whole step.
    pub(crate) fn take_loads(&mut self, impulses: &[f64]) {
        self.loads.impulses.iter_mut().zip(impulses).for_each(|(own, given)| *own = *given);
    }
}

impl Crew {
    /// A crew of `threads` threads, but no more than there are subsystems; with one, the caller does everything.
    pub(crate) fn new(threads: u32, subsystems: usize) -> Result<Self, SetupError> {
        let threads = threads.min(u32::try_from(subsystems).unwrap_or(u32::MAX));
        let build = || {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(threads as usize);
            let builder = builder.thread_name(|index| format!("cosimo-{index}"));
            builder.build().map_err(|error| SetupError::Threads { threads, reason: error.to_string() })
        };
        Ok(Self { pool: if threads > 1 { Some(Arc::new(build()?)) } else { None }, grains: [usize::MAX; 3] })
    }

    /// The threads, where the calls to so many subsystems are shared among them.
    fn sharing(&self, subsystems: usize) -> Option<Arc<rayon::ThreadPool>> {
        self.pool.clone().filter(|_| self.grains.iter().any(|grain| subsystems > *grain))
    }

    /// Calls every subsystem at its place; `is_timed` measures each call. Says whether any call failed; the failures
    /// stand in the seats.
    pub(crate) fn call(
        &mut self,
        mut seats: Seats<'_>,
        (phase, is_timed): (Phase, bool),
        call: impl Fn(&mut Place<'_>) -> Result<(), SubsystemError> + Sync,
    ) -> bool {
        let has_failed = AtomicBool::new(false);
        let watched = spans::of_calls();
        let timed = |place: &mut Place<'_>| {
            let since = is_timed.then(Instant::now);
            if let Err(error) = call(place) {
                place.seat.failure = Some(Box::new(error));
                has_failed.store(true, Ordering::Relaxed);
            }
            if let Some(since) = since {
                place.seat.time = since.elapsed();
            }
        };
        let call = |mut place: Place<'_>| match &watched {
            None => timed(&mut place),
            Some(watched) => {
                let name = place.member.name.clone();
                watched.call(&name, phase, || timed(&mut place));
            }
        };
        let grain = self.grains[phase as usize];
        let calls = Calls { call, is_backward: phase.is_backward(), has_failed: &has_failed };
        match &self.pool {
            Some(pool) if seats.members.len() > grain => pool.install(|| seats.share(grain, &calls)),
            _ => seats.call(&calls),
        }
        if is_timed && self.pool.is_some() {
            let total: Duration = seats.seats.iter().map(|seat| seat.time).sum();
            self.grains[phase as usize] = grain_of(total, seats.seats.len());
        }
        has_failed.into_inner()
    }
}

impl Master {
    /// Does a whole step as one of the threads that share its calls: to hand over one call after the other from outside
    /// would put a thread to sleep, and wake another, as often.
    #[inline]
    pub(crate) fn among_threads<T: Send>(&mut self, step: impl FnOnce(&mut Self) -> T + Send) -> T {
        match self.crew.sharing(self.subsystems.len()) {
            None => step(self),
            Some(pool) => {
                let watched = spans::Watched::here();
                pool.install(|| watched.follow(|| step(self)))
            }
        }
    }
}

/// Number of subsystems whose calls are worth handing over, if `count` of them took `total`.
fn grain_of(total: Duration, count: usize) -> usize {
    let mean = total.as_secs_f64() / count.max(1) as f64;
    // Saturating by definition of `as`.
    ((WORTHWHILE.as_secs_f64() / mean.max(1e-12)).ceil() as usize).max(1)
}

impl Seats<'_> {
    /// Calls one after the other. A panic is the failure of the subsystem, and the others are called all the same.
    fn call(&mut self, calls: &Calls<'_, impl Fn(Place<'_>)>) {
        let mut done = 0;
        while let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.call_from(&mut done, calls))) {
            let i = self.turn(done - 1, calls.is_backward);
            self.seats[i].failure = Some(Box::new(panicked(&self.members[i].name, &*panic)));
            calls.has_failed.store(true, Ordering::Relaxed);
        }
    }

    /// Whose turn it is after so many others.
    #[inline]
    fn turn(&self, done: usize, is_backward: bool) -> usize {
        if is_backward { self.members.len() - 1 - done } else { done }
    }

    /// Calls those whose turn it is after `done` others; the one at hand counts as done.
    #[inline]
    fn call_from(&mut self, done: &mut usize, calls: &Calls<'_, impl Fn(Place<'_>)>) {
        let first_row = self.first_row;
        while *done < self.members.len() {
            let i = self.turn(*done, calls.is_backward);
            *done += 1;
            let member = &mut self.members[i];
            let rows = member.rows.start - first_row..member.rows.end - first_row;
            (calls.call)(Place {
                subsystem: self.subsystems[i].as_mut(),
                member,
                seat: &mut self.seats[i],
                positions: &mut self.rows.0[rows.clone()],
                velocities: &mut self.rows.1[rows],
            });
        }
    }

    /// Halves the subsystems until a share is small enough, for other threads to take.
    fn share(&mut self, grain: usize, calls: &Calls<'_, impl Fn(Place<'_>) + Sync>) {
        let count = self.members.len();
        if count <= grain {
            self.call(calls);
            return;
        }
        let half = count / 2;
        let row = self.members[half].rows.start - self.first_row;
        let (positions, velocities) = (self.rows.0.split_at_mut(row), self.rows.1.split_at_mut(row));
        let (subsystems, members) = (self.subsystems.split_at_mut(half), self.members.split_at_mut(half));
        let seats = self.seats.split_at_mut(half);
        let mut left = Seats {
            subsystems: subsystems.0,
            members: members.0,
            seats: seats.0,
            rows: (positions.0, velocities.0),
            first_row: self.first_row,
        };
        let mut right = Seats {
            subsystems: subsystems.1,
            members: members.1,
            seats: seats.1,
            rows: (positions.1, velocities.1),
            first_row: self.first_row + row,
        };
        rayon::join(|| left.share(grain, calls), || right.share(grain, calls));
    }
}
