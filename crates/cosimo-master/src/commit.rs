//! The end of a step: all subsystems take it, and its books are made.

use cosimo_subsystem::Call;

use crate::inner_impulses::InnerImpulses;
use crate::monitor::JointBalance;
use crate::parallel::{Phase, Seats};
use crate::step_rows::copy_rows;
use crate::{Master, StepError};

impl Master {
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
            first_row: 0,
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
        let has_joints = !self.layout.joints.is_empty();
        if has_joints {
            self.book_interfaces(h);
        }
        self.clock.advance(h);
        self.take_next_rows();
        if has_joints {
            self.book_joint_forces(h);
        }
        if self.contact_problems.solution().problems > 0 {
            self.book_contacts(h);
        }
        if has_moved && !self.contact_problems.solution().has_moments {
            self.monitor.follow_springs(&self.layout, &self.rows);
        }
        Ok(())
    }

    /// Books what the contacts did in the step just taken.
    fn book_contacts(&mut self, h: f64) {
        self.add_contact_impulses();
        let solution = self.contact_problems.solution();
        self.monitor.book_obstacles(&self.rows, solution, h);
        if solution.has_moments {
            self.book_damping(h);
        }
        let solution = self.contact_problems.solution();
        self.monitor.close_step(&self.layout, &self.rows, solution);
        self.counters.count_contacts(solution);
        self.contact_changes.extend_from_slice(&solution.changes);
        self.report_gains();
    }

    /// Books what impulses inside the step just taken lose to damping, besides what the ledgers of the subsystems say.
    fn book_damping(&mut self, h: f64) {
        let solution = self.contact_problems.solution();
        self.monitor.book_dashpots(&self.layout, &self.rows, solution, h);
        let mut loads = std::mem::take(&mut self.rows.inner_loads);
        for (number, cluster) in self.layout.clusters.iter().enumerate() {
            let own = (cluster, self.condensation.contacts(number));
            let inside = InnerImpulses::of(own, solution, (self.clock.now, h), &mut loads);
            if let Some(loss) = inside.and_then(InnerImpulses::loss) {
                self.monitor.book_inner_loss(&self.layout, cluster, &self.rows, loss);
            }
        }
        self.rows.inner_loads = loads;
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
        let (rows, joint) = ((&self.rows, self.config.scheme), &self.layout.joints[joint]);
        let wires = &self.condensation.wires[joint.wires()];
        self.monitor.of_joint(&self.layout, &self.condensation, rows, (wires, h))
    }

    /// Books what the joints did in the step that the subsystems have just taken.
    fn book_interfaces(&mut self, h: f64) {
        self.read_affine_ends();
        self.read_explicit_ends();
        self.monitor.book_joints(&self.layout, &self.condensation, (&self.rows, self.config.scheme), h);
    }

    /// End rows of affine subsystems: those that they have just told, unless impulses inside the step are in them. Those of
    /// others have been evaluated.
    fn read_affine_ends(&mut self) {
        if self.all_affine && !self.has_moments {
            self.rows.end_positions.copy_from_slice(&self.rows.next_positions);
            self.rows.end_velocities.copy_from_slice(&self.rows.next_velocities);
        } else if self.all_affine {
            self.end_rows_with_loads();
        } else if !self.has_moments {
            for member in self.layout.members.iter().filter(|member| member.is_affine) {
                let (own, rows) = (member.rows.clone(), &mut self.rows);
                rows.end_positions[own.clone()].copy_from_slice(&rows.next_positions[own.clone()]);
                rows.end_velocities[own.clone()].copy_from_slice(&rows.next_velocities[own]);
            }
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

    /// Forces at the end of the step just taken of the joints that are not compliant, and the impulses of all: of their
    /// forces, and of impacts inside it.
    fn book_joint_forces(&mut self, h: f64) {
        for wire in &self.condensation.wires {
            let (unknown, weights) = (wire.unknown(), &self.condensation.law(wire).weights);
            let (x, start) = (self.rows.unknowns[unknown], self.rows.start_forces[unknown]);
            let impulse = weights.impulse(0, x, start);
            self.rows.joint_impulses[unknown] += h * weights.mean_force(0, impulse, start);
            if wire.passes_impulses {
                self.rows.end_forces[unknown] = x / weights.load_weight;
            }
        }
        self.add_inner_joint_impulses();
    }
}
