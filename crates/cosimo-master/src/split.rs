//! Steps of models that are not affine, split at their impacts.
//!
//! An affine model takes all impacts of a step from one solve. Where forces and directions change with the motion, a
//! jump changes the rest of the step in a way that no superposition tells: there the step is taken up to the impact,
//! the velocities jump at that communication point with the compliances of the configuration reached, and the rest
//! of the step goes on from there. Chatter falls back to the plain problem, as in affine models.

use cosimo_nonsmooth::ImpactResolution;

use crate::faults::guarded;
use crate::step::StepSummary;
use crate::{Master, StepError};

/// Impacts in one step after which the plain problem takes the rest of it.
const MAX_IMPACTS: u32 = 8;
/// Impacts closer than this share of the step are one; shorter parts of a step are not taken.
const TIE: f64 = 1e-9;

impl Master {
    /// Takes a step of size `h` (s), which was tried just now, in parts that end at impacts; returns `summary` with what
    /// came on top.
    pub(crate) fn take_split_at_impacts(
        &mut self,
        h: f64,
        mut summary: StepSummary,
    ) -> Result<StepSummary, StepError> {
        let mut rest = h;
        for _ in 0..MAX_IMPACTS {
            let Some((first, is_isolated)) = self.next_impact(rest, h) else {
                self.commit(rest)?;
                return Ok(summary);
            };
            self.retreat();
            if !is_isolated {
                break;
            }
            if first > TIE * h {
                rest -= self.step_to_impact(first.min(rest), &mut summary)?;
            }
            self.collide(h)?;
            if rest <= TIE * h {
                return Ok(summary);
            }
            self.try_part(rest, ImpactResolution::ClosedOnly, &mut summary)?;
        }
        self.retreat();
        self.try_part(rest, ImpactResolution::Plain, &mut summary)?;
        self.commit(rest)?;
        Ok(summary)
    }

    /// Begins and solves a part of a step without committing it.
    pub(crate) fn try_part(
        &mut self,
        size: f64,
        resolution: ImpactResolution,
        summary: &mut StepSummary,
    ) -> Result<(), StepError> {
        let solved = self.solve(size, resolution);
        let (solves, iterations) = solved.inspect_err(|_| self.discard())?;
        summary.add(StepSummary { solves, iterations, parts: 1 });
        Ok(())
    }

    /// Forgets a part that was tried.
    pub(crate) fn retreat(&mut self) {
        self.discard();
        self.memory.copy_from_slice(self.counters.remembered());
    }

    /// Time to the first impact of the part just tried, and whether all contacts hit then are hit in isolation.
    /// Collects the hit contacts.
    pub(crate) fn next_impact(&mut self, size: f64, h: f64) -> Option<(f64, bool)> {
        let memory = self.counters.remembered();
        let rows = &self.rows;
        let time_to = |c: usize| -> Option<(f64, f64, f64)> {
            let row = self.layout.contacts[c].global_row;
            let (gap, rate) = (rows.start_gaps[c], rows.start_velocities[row]);
            let (end_gap, end_rate) = (rows.end_positions[row], rows.end_velocities[row]);
            if memory[c].is_closed() || end_gap > 0.0 || end_rate >= 0.0 {
                return None;
            }
            let acceleration = (end_rate - rate) / size;
            let time = cosimo_nonsmooth::root_of_parabola(gap, rate, acceleration, size).unwrap_or(0.0);
            Some((time, rate + time * acceleration, acceleration))
        };
        let first = (0..memory.len()).filter_map(time_to).map(|found| found.0).fold(f64::INFINITY, f64::min);
        if !first.is_finite() {
            return None;
        }
        self.hits.clear();
        let mut is_isolated = true;
        for c in 0..memory.len() {
            let Some((time, rate, acceleration)) = time_to(c).filter(|found| found.0 <= first + TIE * h)
            else {
                continue;
            };
            let e = self.layout.law(c).restitution;
            let outruns = cosimo_nonsmooth::is_isolated(e * rate.abs(), h * acceleration, memory[c]);
            let is_penetrated = rows.start_gaps[c] < 0.0
                && time == 0.0
                && rows.start_rates[self.layout.contacts[c].gap] >= 0.0;
            is_isolated &= !is_penetrated && (e == 0.0 || outruns);
            self.hits.push(c);
        }
        Some((first, is_isolated))
    }

    /// Steps to the impact, whose time is improved once by Newton's method on the gap; returns the time stepped.
    fn step_to_impact(&mut self, first: f64, summary: &mut StepSummary) -> Result<f64, StepError> {
        self.try_part(first, ImpactResolution::ClosedOnly, summary)?;
        let Some(&hit) = self.hits.first() else { return Ok(0.0) };
        let row = self.layout.contacts[hit].global_row;
        let correction = -self.rows.end_positions[row] / self.rows.end_velocities[row];
        let is_usable = correction.is_finite() && correction.abs() < 0.5 * first;
        let reached = if is_usable && correction.abs() > TIE * first { first + correction } else { first };
        if reached.to_bits() != first.to_bits() {
            self.retreat();
            self.try_part(reached, ImpactResolution::ClosedOnly, summary)?;
        }
        self.commit(reached)?;
        Ok(reached)
    }

    /// The impact law at the present communication point on the contacts that are hit.
    fn collide(&mut self, h: f64) -> Result<(), StepError> {
        let time = self.clock.now;
        self.prepare_instant(h)?;
        self.collide_clusters(h)?;
        for (i, (member, subsystem)) in self.layout.members.iter().zip(&mut self.subsystems).enumerate() {
            let loads = &self.rows.loads[member.rows.clone()];
            if loads.iter().any(|x| *x != 0.0) {
                let jumped = guarded(subsystem.as_mut(), &member.name, |subsystem| subsystem.jump(loads));
                if let Err(source) = jumped {
                    self.note_fall(i, &source);
                    return Err(StepError::NotCommitted { time, source });
                }
                self.monitor.drive(subsystem.jump_work());
            }
        }
        self.read_rows();
        self.check_rows().map_err(|source| StepError::NotCommitted { time, source })?;
        self.add_contact_impulses();
        self.add_jump_impulses();
        let solution = self.contact_problems.solution();
        self.monitor.book_jump(&self.subsystems, &self.rows, &solution.sustained);
        self.monitor.close_step(&self.layout, &self.rows, solution);
        self.counters.count_contacts(solution);
        self.contact_changes.extend_from_slice(&solution.changes);
        self.report_gains();
        Ok(())
    }
}
