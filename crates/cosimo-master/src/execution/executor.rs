//! Subsystems stepped side by side by several threads.
//!
//! Every call to a subsystem reads what all share and writes to what is its own; what follows from the answers together
//! is worked out afterwards, in the order of the subsystems. Results therefore do not depend on the number of threads,
//! nor on who computed what.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cosimo_subsystem::SubsystemError;

use super::calls::{Round, SubsystemCalls};
use super::cost::Costs;
use super::meter::{CallMeter, Meter};
use super::shares::ShareStorage;
use super::slot::{Phase, SubsystemCall};
use super::spans;
use super::team::Team;
use crate::SetupError;

/// Work that a thread takes at a time from those that are shared.
const PART: Duration = Duration::from_micros(5);
/// Parts from which on a round of calls is worth sharing among threads that are awake, and a step worth waking them.
const SHARED_ROUND: usize = 2;
const SHARED_STEP: usize = 4;

/// Calls are weighed in every so many rounds, and oftener at the beginning, when the first ones are slow.
const WEIGHED: u64 = 128;

/// The threads that step the subsystems.
pub(crate) struct Executor {
    team: Option<Team>,
    shares: ShareStorage,
    /// Subsystems whose calls make up a [`PART`], by the kind of call; more than there are until their cost is known.
    parts: [usize; 3],
    /// Rounds of calls so far, by kind.
    rounds: [u64; 3],
}

impl Executor {
    /// An executor of `threads` threads, but no more than there are subsystems; with one, the caller does everything.
    pub(crate) fn new(threads: u32, subsystems: usize) -> Result<Self, SetupError> {
        let threads = threads.min(u32::try_from(subsystems).unwrap_or(u32::MAX));
        Ok(Self {
            team: if threads > 1 { Some(Team::new(threads)?) } else { None },
            shares: ShareStorage::default(),
            parts: [usize::MAX; 3],
            rounds: [0; 3],
        })
    }

    /// The threads, where the calls to so many subsystems are shared among them.
    #[inline]
    pub(crate) fn sharing(&self, subsystems: usize) -> Option<Team> {
        let is_long = |part: &usize| subsystems > part.saturating_mul(SHARED_STEP);
        self.team.clone().filter(|_| self.parts.iter().any(is_long))
    }

    /// Processor time that the threads have taken so far (s).
    pub(crate) fn seconds(&self) -> f64 {
        self.team.as_ref().map_or(0.0, Team::seconds)
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
        let is_weighed = self.team.is_some() && self.begin_round(phase);
        let part = self.parts[phase as usize];
        let is_long = calls.len() > part.saturating_mul(SHARED_ROUND);
        let team = self.team.as_ref().filter(|team| is_long && team.is_led_here());
        let meter = Meter::of(costs, phase.kind(), team.is_some());
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
        match team {
            Some(team) => self.shares.call(team, calls.reborrow(), part, &round),
            None => calls.call(&round),
        }
        if let Some(meter) = &meter {
            meter.end();
        }
        if is_weighed {
            let total: Duration = calls.slots.iter().map(|slot| slot.time).sum();
            self.parts[phase as usize] = part_of(total, calls.slots.len());
        }
        has_failed.into_inner()
    }

    /// Counts a round of calls; says whether they are to be weighed.
    fn begin_round(&mut self, phase: Phase) -> bool {
        let rounds = &mut self.rounds[phase as usize];
        *rounds += 1;
        rounds.is_multiple_of(WEIGHED) || (*rounds < WEIGHED && rounds.is_power_of_two())
    }
}

/// Does a whole step, led by one of the threads that share its calls, where they do.
#[inline]
pub(crate) fn among_threads<T: Send>(team: Option<Team>, step: impl FnOnce() -> T + Send) -> T {
    match team {
        None => step(),
        Some(team) => team.lead(step),
    }
}

/// Number of subsystems whose calls make up a [`PART`], if `count` of them took `total`.
fn part_of(total: Duration, count: usize) -> usize {
    let mean = total.as_secs_f64() / count.max(1) as f64;
    // Saturating by definition of `as`.
    ((PART.as_secs_f64() / mean.max(1e-12)).ceil() as usize).max(1)
}
