//! One macro step: begin, solve the interface problem, commit; in halves where that fails.

use std::ops::Range;

use cosimo_nonsmooth::ImpactResolution;
use cosimo_subsystem::SubsystemError;

use crate::{Impacts, Master, Scheme, StepError, spans};

/// How often a step is halved at most about an event inside a subsystem: enough for a millionth.
const EVENT_HALVINGS: u32 = 20;

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepSummary {
    /// Solves of the interface problem.
    pub solves: u32,
    /// Master iterations.
    pub iterations: u32,
    /// Parts the step was taken in: 1, or more where it was halved or split at impacts.
    pub parts: u32,
}

impl StepSummary {
    pub(crate) fn add(&mut self, other: Self) {
        self.solves += other.solves;
        self.iterations += other.iterations;
        self.parts += other.parts;
    }
}

impl Master {
    /// Takes a macro step of size `h` (s).
    ///
    /// # Errors
    /// The step failed; the model stands at the last communication point reached.
    pub fn step(&mut self, h: f64) -> Result<StepSummary, StepError> {
        self.among_threads(|master| master.take_step(h))
    }

    fn take_step(&mut self, h: f64) -> Result<StepSummary, StepError> {
        let _span = spans::step(self.counters.steps, self.clock.now, h);
        self.open_step(h)?;
        let before = self.clock;
        let summary = self.step_or_halve(h, 0)?;
        if summary.parts > 1 {
            // Parts of a step leave no round-off in the grid of communication points.
            self.clock = before;
            self.clock.advance(h);
        }
        self.close_step(summary, (before.now, h))?;
        Ok(summary)
    }

    /// Begins the books of a macro step, which will have this size (s) or be smaller.
    pub(crate) fn open_step(&mut self, h: f64) -> Result<(), StepError> {
        self.check_fallen()?;
        self.counters.begin_step();
        self.macro_size = h;
        self.contact_changes.clear();
        self.rows.clear_impulses();
        self.monitor.begin_step();
        self.begin_guarded_step();
        if self.counters.steps == 0 {
            self.settle_ladder(h)?;
            self.find_initial_forces(h)?;
        }
        Ok(())
    }

    /// Closes the books of a macro step, from a time and of a size (s).
    pub(crate) fn close_step(&mut self, summary: StepSummary, span: (f64, f64)) -> Result<(), StepError> {
        self.monitor.end_step();
        self.counters.interface_solves += u64::from(summary.solves);
        self.counters.end_step(u64::from(summary.iterations));
        self.watch_energy(span)?;
        self.watch_run(span)
    }

    /// Takes the step, itself halved as often as told; if that fails, what remains of it in two halves.
    #[inline]
    fn step_or_halve(&mut self, h: f64, halved: u32) -> Result<StepSummary, StepError> {
        let start = self.clock.now;
        match self.attempt(h) {
            Ok(summary) => Ok(summary),
            Err(error) => self.halve((start, h), halved, error),
        }
    }

    /// Takes what remains of a step that failed in two halves: as often as allowed, and about events until they are passed.
    #[cold]
    fn halve(
        &mut self,
        (start, h): (f64, f64),
        halved: u32,
        error: StepError,
    ) -> Result<StepSummary, StepError> {
        self.counters.failed_steps += 1;
        let unasked = if error.is_of_event() && self.all_can_halve() { EVENT_HALVINGS } else { 0 };
        let allowed = unasked.max(self.config.max_halvings);
        if halved >= allowed || !error.is_of_step_size() {
            return Err(error);
        }
        // A step split at impacts may have come a part of the way.
        let half = 0.5 * (h - (self.clock.now - start));
        let mut summary = self.step_or_halve(half, halved + 1)?;
        summary.add(self.step_or_halve(half, halved + 1)?);
        Ok(summary)
    }

    /// Whether all subsystems can take a step back and then a smaller one.
    fn all_can_halve(&self) -> bool {
        let mut all = self.subsystems.iter().map(|s| s.description().capabilities);
        all.all(|capabilities| capabilities.can_roll_back && capabilities.has_variable_step)
    }

    fn attempt(&mut self, h: f64) -> Result<StepSummary, StepError> {
        let trial = self.try_step(h)?;
        self.take_trial(h, trial)
    }

    /// Whether steps are split at their impacts.
    pub(crate) fn splits_at_impacts(&self) -> bool {
        self.config.impacts == Impacts::SubStep && !self.all_affine && !self.layout.contacts.is_empty()
    }

    /// Begins and solves a step without taking it: of one that is split at impacts, as if there were none.
    pub(crate) fn try_step(&mut self, h: f64) -> Result<StepSummary, StepError> {
        let split = self.splits_at_impacts();
        let resolution =
            if split { ImpactResolution::ClosedOnly } else { self.contact_problems.resolution() };
        let mut summary = StepSummary::default();
        self.try_part(h, resolution, &mut summary)?;
        Ok(summary)
    }

    /// Takes a step of size `h` (s) that was tried just now; returns `trial` with what came on top.
    #[inline]
    pub(crate) fn take_trial(&mut self, h: f64, trial: StepSummary) -> Result<StepSummary, StepError> {
        if self.splits_at_impacts() {
            return self.take_split_at_impacts(h, trial);
        }
        self.commit(h)?;
        Ok(trial)
    }

    /// Begins a step of size `h` and solves its interface problem by the scheme chosen.
    pub(crate) fn solve(&mut self, h: f64, resolution: ImpactResolution) -> Result<(u32, u32), StepError> {
        self.begin_guarded_part();
        self.begin(h)?;
        self.refresh(h)?;
        self.warn_of_redundant_joints();
        self.warn_of_soft_tikhonov_joints();
        match self.config.scheme {
            Scheme::Condensed => self.solve_condensed(h, resolution),
            Scheme::GaussSeidel | Scheme::Jacobi => self.solve_iteratively(h, resolution),
        }
    }

    pub(crate) fn discard(&mut self) {
        for i in 0..self.subsystems.len() {
            if !self.has_fallen(i) {
                self.subsystems[i].discard();
            }
        }
    }

    /// Books the times of the calls just made to the subsystems `group`; the first failure in the order of the
    /// subsystems is the step's.
    #[inline(always)]
    pub(crate) fn leave_seats(&mut self, group: Range<usize>, has_failed: bool) -> Option<SubsystemError> {
        if self.counters.is_timed() {
            self.book_times(group.clone());
        }
        if has_failed { self.first_failure(group) } else { None }
    }

    #[cold]
    fn book_times(&mut self, group: Range<usize>) {
        self.counters.add(group.start, self.seats[group].iter().map(|seat| seat.time));
    }

    #[cold]
    fn first_failure(&mut self, group: Range<usize>) -> Option<SubsystemError> {
        let mut found = None;
        for i in group {
            if let Some(failure) = self.seats[i].failure.take() {
                self.note_fall(i, &failure);
                found = found.or(Some(*failure));
            }
        }
        found
    }
}
