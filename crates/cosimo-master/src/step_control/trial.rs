//! Steps that are tried, judged and taken.

use cosimo_nonsmooth::ContactChangeKind;

use super::error::{ErrorControl, Excess, Verdict};
use super::impact::Hit;
use crate::step::StepSummary;
use crate::{Master, StepError, spans};

impl Master {
    /// Takes a step of at most this size (s), as large as the control allows; tells the size taken.
    ///
    /// A refused size leaves no trace: neither in the subsystems nor in the contacts. An iterative scheme keeps its
    /// solution, as a first guess.
    pub(super) fn step_judged(
        &mut self,
        control: &mut ErrorControl,
        mut size: f64,
    ) -> Result<f64, StepError> {
        let wanted = size;
        size = self.seen_size(control, control.widen(size));
        let is_narrowed = size < wanted;
        let _span = spans::step(self.counters.steps, self.clock.now, size);
        self.open_step(size)?;
        let (before, mut work) = (self.clock, StepSummary::default());
        let taken = loop {
            self.macro_size = size;
            let tried = self.try_judged(control, size, &mut work);
            let error = match tried {
                Ok(Verdict::Retry(smaller)) => {
                    self.retreat();
                    self.counters.interfaces.forget_residuals();
                    self.counters.sizes.refused += 1;
                    size = self.seen_size(control, smaller);
                    continue;
                }
                Ok(Verdict::Take) => {
                    match self.take_trial(size, StepSummary { parts: 1, ..StepSummary::default() }) {
                        Ok(summary) => {
                            work.add(summary);
                            break size;
                        }
                        Err(error) => error,
                    }
                }
                Err(error) => error,
            };
            self.counters.failed_steps += 1;
            if !error.is_of_step_size() {
                return Err(error);
            }
            // A step split at impacts may have come a part of the way, which stands.
            if self.clock.now > before.now {
                break self.clock.now - before.now;
            }
            let smaller = control.after_failure(size).ok_or(error)?;
            size = self.seen_size(control, smaller);
        };
        if work.parts > 1 && taken.to_bits() == size.to_bits() {
            self.clock = before;
            self.clock.advance(size);
        }
        self.tell_judge(control, (taken, size));
        control.note_narrowed(taken, is_narrowed);
        self.warn_of_unseen(control, (before.now, taken));
        self.close_step(work, (before.now, taken))?;
        Ok(taken)
    }

    fn try_judged(
        &mut self,
        control: &mut ErrorControl,
        size: f64,
        work: &mut StepSummary,
    ) -> Result<Verdict, StepError> {
        self.counters.remember(&self.memory);
        let trial = self.try_step(size)?;
        work.add(StepSummary { parts: 0, ..trial });
        let hit = self.first_hit(size);
        if let Some(hit) = hit.filter(|hit| control.matters(size, hit.jump)) {
            return Ok(control.judge_impact(self.clock.now, size, &hit));
        }
        if self.all_affine {
            self.end_rows_with_loads();
        }
        let rows = &self.rows;
        let all = pairs(&rows.start_velocities, &rows.end_velocities);
        Ok(control.judge_motion(size, all.chain(pairs(&rows.start_rates, &rows.end_rates))))
    }

    /// Tells the control what was taken of the step that it wanted.
    fn tell_judge(&mut self, control: &mut ErrorControl, (taken, size): (f64, f64)) {
        let is_jump = |change: &cosimo_nonsmooth::ContactChange| {
            is_hit(change.kind) && control.matters(taken, change.rate_after - change.rate_before)
        };
        let has_jumped = taken.to_bits() != size.to_bits() || self.contact_changes.iter().any(is_jump);
        let Some(excess) = control.accept(taken, self.clock.now, has_jumped) else { return };
        let now = self.clock.now;
        let text = match excess {
            Excess::Step => format!(
                "step to {now} s: the error is larger than error_tolerance allows, and the step is the smallest allowed, \
                 {taken:e} s; allow more max_refinements"
            ),
            Excess::Impact(error) => format!(
                "step to {now} s: its impact errs by about {error:.1e} m, error_tolerance is {:.1e}; it was taken in \
                 {taken:e} s all the same: what it meets is stiffer than the steps spent on an impact resolve; use a smaller \
                 step, more max_refinements, or a larger error_tolerance",
                control.tolerance()
            ),
        };
        self.warn(text);
    }

    /// The first impact in the step just tried.
    fn first_hit(&mut self, size: f64) -> Option<Hit> {
        let (contact, after, jump) = if self.splits_at_impacts() {
            let (after, _) = self.next_impact(size, size)?;
            let contact = *self.hits.first()?;
            let row = self.layout.contacts[contact].global_row;
            let (start, end) = (self.rows.start_velocities[row], self.rows.end_velocities[row]);
            let rate = start + after / size * (end - start);
            (contact, after, (1.0 + self.layout.law(contact).restitution) * rate.abs())
        } else {
            let changes = &self.contact_problems.solution().changes;
            let change = changes.iter().find(|change| is_hit(change.kind))?;
            let jump = (change.rate_after - change.rate_before).abs();
            (change.contact, change.time - self.clock.now, jump)
        };
        let cluster = self.layout.members[self.layout.contacts[contact].subsystem].cluster;
        self.condensation.refresh_contacts(&self.layout, cluster);
        let local = contact - self.layout.clusters[cluster].contacts.start;
        let compliance = self.condensation.contacts(cluster).delassus()[(local, local)];
        Some(Hit { contact, after, jump, compliance })
    }
}

fn is_hit(kind: ContactChangeKind) -> bool {
    matches!(kind, ContactChangeKind::Impact | ContactChangeKind::Closing)
}

fn pairs<'a>(start: &'a [f64], end: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
    start.iter().copied().zip(end.iter().copied())
}
