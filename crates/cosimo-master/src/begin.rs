//! The beginning of a step: free responses of all subsystems, and the interface matrix brought up to date.

use std::sync::atomic::{AtomicBool, Ordering};

use cosimo_subsystem::{Call, MacroStep};

use crate::interface_rows::Mode;
use crate::parallel::{Phase, Seats};
use crate::step_rows::copy_rows;
use crate::{Discretisation, Master, StepError, Tangent};

impl Master {
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
            first_row: 0,
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

    /// Forces of the joints at the start of the step: of compliant joints from the state, of position rows those of
    /// the last step; the unknown mean force of impulse rows does not exist at an instant. At the very start the subsystems
    /// are told also of rigid joints what was found, for their accelerations.
    fn set_start_forces(&mut self) {
        if self.layout.joints.is_empty() {
            return;
        }
        let is_position = self.config.discretisation == Discretisation::Position;
        let is_first = self.counters.steps == 0;
        for wire in &self.condensation.wires {
            let is_known = is_position || !wire.passes_impulses;
            let force = if is_known { self.rows.end_forces[wire.unknown()] } else { 0.0 };
            self.rows.start_forces[wire.unknown()] = force;
            let force = if is_first { self.rows.end_forces[wire.unknown()] } else { force };
            self.rows.start_loads[wire.row(0)] = -force;
            self.rows.start_loads[wire.row(1)] = force;
        }
        for &j in &self.layout.frames {
            let couples = self.layout.joints[j].frame.as_ref().and_then(|frame| frame.couples());
            if let Some(([couple, _], first)) = couples {
                (0..3).for_each(|k| self.rows.start_loads[first + k] += couple[k]);
            }
        }
    }

    /// Brings the interface matrix up to date if a compliance, a weight or the step size has changed.
    #[inline]
    pub(crate) fn refresh(&mut self, h: f64) -> Result<(), StepError> {
        let mode = Mode::Step { size: h, macro_size: self.macro_size.max(h) };
        if self.condensation.is_stale(mode) { self.refresh_to(mode) } else { Ok(()) }
    }

    fn refresh_to(&mut self, mode: Mode) -> Result<(), StepError> {
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
}
