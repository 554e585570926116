//! One macro step: begin, solve the interface problem, commit.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use cosimo_nonsmooth::ImpactResolution;
use cosimo_subsystem::{Call, MacroStep, SubsystemError};

use crate::interface_rows::Mode;
use crate::layout::Side;
use crate::master::copy_rows;
use crate::monitor::JointBalance;
use crate::parallel::{Phase, Seats};
use crate::{Discretisation, Impacts, Master, Scheme, StepError, Tangent, spans};

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
        let _span = spans::step(self.counters.steps, self.clock.now, h);
        self.open_step(h)?;
        let before = self.clock;
        let summary = self.step_or_halve(h, self.config.max_halvings)?;
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
        self.watch_energy(span)
    }

    /// Takes the step; if that fails, what remains of it in two halves.
    #[inline]
    fn step_or_halve(&mut self, h: f64, halvings: u32) -> Result<StepSummary, StepError> {
        let start = self.clock.now;
        match self.attempt(h) {
            Ok(summary) => Ok(summary),
            Err(error) => self.halve((start, h), halvings, error),
        }
    }

    /// Takes what remains of a step that failed in two halves.
    #[cold]
    fn halve(
        &mut self,
        (start, h): (f64, f64),
        halvings: u32,
        error: StepError,
    ) -> Result<StepSummary, StepError> {
        self.counters.failed_steps += 1;
        if halvings == 0 || !error.is_of_step_size() {
            return Err(error);
        }
        // A step split at impacts may have come a part of the way.
        let half = 0.5 * (h - (self.clock.now - start));
        let mut summary = self.step_or_halve(half, halvings - 1)?;
        summary.add(self.step_or_halve(half, halvings - 1)?);
        Ok(summary)
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

    /// Begins the step in all subsystems and takes over their free response.
    pub(crate) fn begin(&mut self, h: f64) -> Result<(), StepError> {
        let time = self.clock.now;
        let step = MacroStep { time, size: h };
        self.set_start_forces();
        if self.has_posts {
            for (member, subsystem) in self.layout.members.iter().zip(&mut self.subsystems) {
                subsystem.post(Call::Begin(step, &self.rows.start_loads[member.rows.clone()]));
            }
        }
        let rows = &mut self.rows;
        let start_loads = &rows.start_loads;
        let seats = Seats {
            subsystems: &mut self.subsystems,
            members: &mut self.layout.members,
            seats: &mut self.seats,
            rows: (&mut rows.free_positions, &mut rows.free_velocities),
        };
        let (tangent, has_changed) = (self.config.tangent, AtomicBool::new(false));
        let has_failed = self.crew.call(seats, (Phase::Begin, self.counters.is_timed()), |place| {
            let response = place.subsystem.begin(step, &start_loads[place.member.rows.clone()])?;
            let is_finite =
                copy_rows((&response.positions, &response.velocities), (place.positions, place.velocities));
            place.seat.has_changed = match tangent {
                Tangent::Exact => place.member.take(response),
                Tangent::Frozen => place.member.keep_or_take(response),
            };
            if place.seat.has_changed {
                has_changed.store(true, Ordering::Relaxed);
                place.check_compliance()?;
            }
            if is_finite { Ok(()) } else { Err(place.rows_not_finite()) }
        });
        if has_changed.into_inner() {
            self.note_changed_compliances();
        }
        let failed = |source| StepError::Subsystem { time, source };
        self.leave_seats(0..self.seats.len(), has_failed).map_or(Ok(()), |source| Err(failed(source)))
    }

    /// Notes the clusters of the subsystems whose compliance has changed in the calls just made.
    pub(crate) fn note_changed_compliances(&mut self) {
        for (member, seat) in self.layout.members.iter().zip(&self.seats) {
            self.condensation.note(member.cluster, seat.has_changed);
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

    /// Forces of the joints at the start of the step: of compliant joints from the state, of position rows those of
    /// the last step; the unknown mean force of impulse rows does not exist at an instant.
    fn set_start_forces(&mut self) {
        if self.layout.joints.is_empty() {
            return;
        }
        let is_position = self.config.discretisation == Discretisation::Position;
        for wire in &self.condensation.wires {
            let is_known = is_position || !wire.passes_impulses;
            let force = if is_known { self.rows.end_forces[wire.unknown] } else { 0.0 };
            self.rows.start_forces[wire.unknown] = force;
            self.rows.start_loads[wire.rows[0]] = -force;
            self.rows.start_loads[wire.rows[1]] = force;
        }
        for &j in &self.layout.frames {
            let couples = self.layout.joints[j].frame.as_ref().and_then(|frame| frame.couples());
            if let Some(([couple, _], first)) = couples {
                (0..3).for_each(|k| self.rows.start_loads[first + k] += couple[k]);
            }
        }
    }

    /// Brings the interface matrix up to date if a compliance, a weight or the step size has changed.
    pub(crate) fn refresh(&mut self, h: f64) -> Result<(), StepError> {
        let mode = Mode::Step { size: h, macro_size: self.macro_size.max(h) };
        if !self.condensation.is_stale(mode) {
            return Ok(());
        }
        self.check_rules()?;
        let refreshed = self.condensation.refresh(&self.layout, mode, self.config.discretisation);
        refreshed.map_err(|unknown| self.singular_interface(unknown))
    }

    /// In impulse rows the unknown is the impulse of both sides: their rules must take a constant force alike.
    fn check_rules(&self) -> Result<(), StepError> {
        if self.config.discretisation == Discretisation::Position {
            return Ok(());
        }
        for joint in self.layout.joints.iter().filter(|joint| joint.law.passes_impulses()) {
            let weights = [0, 1].map(|side: usize| {
                let weights = self.layout.members[joint.sides[side].subsystem].weights;
                weights.end + weights.start
            });
            if (weights[0] - weights[1]).abs() > 1e-12 * weights[0].abs() {
                let (time, interface) = (self.clock.now, joint.name.clone());
                return Err(StepError::IncompatibleRules { time, interface, weights });
            }
        }
        Ok(())
    }

    pub(crate) fn singular_interface(&self, unknown: usize) -> StepError {
        let joint = self.layout.joints.iter().find(|joint| joint.unknowns().contains(&unknown));
        StepError::SingularInterface {
            time: self.clock.now,
            interface: joint.map_or_else(String::new, |joint| joint.name.clone()),
            coordinate: joint.map_or(0, |joint| unknown - joint.first),
        }
    }

    /// Commits the step with the loads found, if their energy is admitted, and books its energies.
    pub(crate) fn commit(&mut self, h: f64) -> Result<(), StepError> {
        self.admit_energy(h)?;
        let time = self.clock.now;
        let has_moved = self.close_gaps(h);
        if self.has_posts {
            self.post_commits();
        }
        let loads = &self.rows.loads;
        let seats = Seats {
            subsystems: &mut self.subsystems,
            members: &mut self.layout.members,
            seats: &mut self.seats,
            rows: (&mut self.rows.next_positions, &mut self.rows.next_velocities),
        };
        let has_failed = self.crew.call(seats, (Phase::Commit, self.counters.is_timed()), |place| {
            place.seat.take_loads(&loads[place.member.rows.clone()]);
            place.seat.ledger = place.subsystem.commit(&place.seat.loads)?;
            let rows = place.subsystem.rows();
            if !copy_rows((&rows.positions, &rows.velocities), (place.positions, place.velocities)) {
                return Err(place.rows_not_finite());
            }
            if !rows.orientations.is_empty() {
                place.check_orientations()?;
            }
            place.check_ledger()
        });
        if let Some(source) = self.leave_seats(0..self.seats.len(), has_failed) {
            return Err(StepError::NotCommitted { time, source });
        }
        for (i, seat) in self.seats.iter().enumerate() {
            self.monitor.book_subsystem(i, &seat.ledger);
        }
        self.book_interfaces(h);
        self.clock.advance(h);
        self.take_next_rows();
        self.set_end_forces();
        self.add_contact_impulses();
        self.add_joint_impulses(h);
        let solution = self.contact_problems.solution();
        self.monitor.book_obstacles(&self.layout, &self.rows, solution, h);
        self.monitor.close_step(&self.layout, &self.rows, solution);
        if has_moved && !solution.has_moments {
            self.monitor.follow_springs(&self.layout, &self.rows);
        }
        self.counters.count_contacts(solution);
        self.contact_changes.extend_from_slice(&solution.changes);
        self.report_gains();
        Ok(())
    }

    /// Tells the subsystems that take posts what they will be committed with.
    fn post_commits(&mut self) {
        for ((member, subsystem), seat) in
            self.layout.members.iter().zip(&mut self.subsystems).zip(&mut self.seats)
        {
            seat.take_loads(&self.rows.loads[member.rows.clone()]);
            subsystem.post(Call::Commit(&seat.loads));
        }
    }

    /// What a joint does in the step whose ends stand in the rows.
    pub(crate) fn joint_balance(&self, joint: usize, h: f64) -> JointBalance {
        let rows = (&self.rows, self.config.scheme);
        self.monitor.of_joint(&self.layout, &self.condensation, rows, (joint, h))
    }

    /// Books what joints and contacts did in the step that the subsystems have just taken.
    fn book_interfaces(&mut self, h: f64) {
        if self.layout.joints.is_empty() {
            return;
        }
        if self.all_affine {
            self.end_rows_with_loads();
        }
        self.read_explicit_ends();
        self.monitor.book_joints(&self.layout, &self.condensation, (&self.rows, self.config.scheme), h);
        let sustained = &self.contact_problems.solution().sustained;
        self.monitor.book_contacts(&self.layout, (&self.rows, &self.subsystems), sustained, h);
    }

    /// Forces at the end of the step of the joints that are not compliant.
    fn set_end_forces(&mut self) {
        for wire in self.condensation.wires.iter().filter(|wire| wire.passes_impulses) {
            self.rows.end_forces[wire.unknown] = self.rows.unknowns[wire.unknown] / wire.load_weight;
        }
    }

    /// Adds the impulses of the contacts in the last solution to those of the macro step.
    pub(crate) fn add_contact_impulses(&mut self) {
        let solution = self.contact_problems.solution();
        if solution.problems > 0 {
            let impulses = self.rows.contact_impulses.iter_mut().zip(&solution.impulses);
            impulses.for_each(|(sum, impulse)| *sum += impulse);
            self.rows.has_contact_impulses = true;
        }
    }

    /// Adds the impulses of the joints in the step just taken: of their forces, and of impacts inside it.
    fn add_joint_impulses(&mut self, h: f64) {
        for wire in &self.condensation.wires {
            let start = self.rows.start_forces[wire.unknown];
            let impulse = wire.impulse(0, self.rows.unknowns[wire.unknown], start);
            self.rows.joint_impulses[wire.unknown] += h * wire.mean_force(0, impulse, start);
        }
        self.add_inner_joint_impulses();
    }

    /// The error of Newton's iteration whose largest mismatch is in this row.
    pub(crate) fn row_not_converged(
        &self,
        h: f64,
        (iterations, row, residual): (u32, usize, f64),
    ) -> StepError {
        let is_at = |side: &&Side, size: usize| (side.global_row..side.global_row + size).contains(&row);
        let found = self.layout.joints.iter().find_map(|joint| {
            joint.sides.iter().find(|side| is_at(side, joint.size)).map(|side| (joint, side))
        });
        let member = self.layout.members.iter().position(|member| member.rows.contains(&row));
        let name = |i: usize| self.subsystems[i].description().name.clone();
        StepError::NotConverged {
            time: self.clock.now,
            size: h,
            iterations,
            interface: found.map_or_else(|| "none".to_owned(), |(joint, _)| joint.name.clone()),
            subsystem: found
                .map_or_else(|| member.map_or_else(String::new, name), |(_, side)| side.label.clone()),
            residual,
            contraction: String::new(),
            remedy: "use a smaller step, or allow max_halvings",
        }
    }

    pub(crate) fn not_converged(
        &self,
        h: f64,
        (iterations, unknown, residual): (u32, usize, f64),
        contraction: &str,
    ) -> StepError {
        let joint = self.layout.joints.iter().find(|joint| joint.unknowns().contains(&unknown));
        let side = joint.map(|joint| &joint.sides[1]);
        StepError::NotConverged {
            time: self.clock.now,
            size: h,
            iterations,
            interface: joint.map_or_else(|| "none".to_owned(), |joint| joint.name.clone()),
            subsystem: side.map_or_else(|| "none".to_owned(), |side| side.label.clone()),
            residual,
            contraction: contraction.to_owned(),
            remedy: "use scheme = \"condensed\", a smaller step, or allow max_halvings",
        }
    }
}
