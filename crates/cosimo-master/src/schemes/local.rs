//! The problem that a subsystem solves by itself in a sweep.
//!
//! At a joint one subsystem takes the force and gives its motion; the other takes that motion and finds the force from
//! its own inverse mass. The contact impulses of subsystem `i` and the forces `x` that it finds follow one after the other,
//!
//! ```text
//!   0 ≤ P ⟂ W_HH P + U_b + e min(U₀, 0) ≥ 0        A⁽ⁱ⁾ x = r + E P        A⁽ⁱ⁾ = (Q χ + V) W ρ + C
//! ```
//!
//! with `U_b` under the forces of the iterate and `r` from the motion of the other sides. Contacts see the iterate also
//! where the subsystem finds a force: a body whose port is led rigidly could not obey its contact as well. Which contacts
//! may carry impulses is decided before the sweeps and stays so over the step.

use cosimo_nonsmooth::{ContactRows, ImpactResolution};

use super::local_matrix::JointEquations;
use super::local_problem::{FoundForce, LocalProblem, Surroundings};
use crate::StepError;
use crate::contacts::Contacts;
use crate::contacts::names::ContactNames;
use crate::laws::coordinate::JointCoordinate;
use crate::linearisation::end_rows::set_end_rows;
use crate::rows::StepRows;
use crate::time::part::StepPart;

impl JointEquations<'_> {
    /// Motion of one side over the step in the equation of a joint coordinate, from its end rows.
    #[inline(always)]
    pub(super) fn motion(self, rows: &StepRows, coordinate: usize, side: usize) -> f64 {
        let coordinate = &self.condensation.coordinates[coordinate];
        if coordinate.is_single {
            let law = self.condensation.law(coordinate);
            return coordinate.motion(side, law, &rows.start_positions, rows.end());
        }
        self.coupled_motion(rows, coordinate, side)
    }

    fn coupled_motion(self, rows: &StepRows, coordinate: &JointCoordinate, side: usize) -> f64 {
        let joint = &self.model.topology.joints[coordinate.joint()];
        let (row, k) = (&self.condensation.rows[coordinate.joint()], coordinate.coordinate());
        let own = &joint.sides[side];
        let part = |l: usize| {
            let g = own.global_row + l;
            row.position[(k, l)] * (rows.end_positions[g] - rows.start_positions[g])
                + row.velocity[(k, l)] * rows.end_velocities[g]
        };
        own.sign * (0..joint.size).map(part).sum::<f64>()
    }

    /// Part of the gap at the start in the equation of a joint coordinate.
    fn start_term(self, rows: &StepRows, coordinate: usize) -> f64 {
        let (coordinate, forces) = (&self.condensation.coordinates[coordinate], &rows.relaxed_forces);
        if coordinate.is_single {
            let law = self.condensation.law(coordinate);
            return coordinate.start_term(law, &rows.start_positions, forces);
        }
        let joint = &self.model.topology.joints[coordinate.joint()];
        let (row, k) = (&self.condensation.rows[coordinate.joint()], coordinate.coordinate());
        let gap = |l: usize| joint.gap(l, &rows.start_positions) - row.known_gap(forces[joint.first + l]);
        let excess = self.model.frame(joint).map_or(0.0, |frame| frame.excess(&row.scaling, k));
        excess
            + row.lag * forces[coordinate.unknown()]
            + (0..joint.size).map(|l| row.position[(k, l)] * gap(l)).sum::<f64>()
    }

    /// The rate at which the ends of a joint part without impacts.
    fn parting(self, rows: &StepRows, force: &FoundForce, base: &[f64]) -> f64 {
        let weights = &self.condensation.law(&self.condensation.coordinates[force.index]).weights;
        let mean = base[force.unknown] / weights.load_weight;
        weights.lag * (mean - rows.relaxed_forces[force.unknown])
    }
}

impl LocalProblem {
    /// Solves the problem. The forces found are written to `answer`, loads and end rows of the affine model to the
    /// master's rows.
    ///
    /// # Errors
    /// The problem of its contacts, which have these names, has no solution.
    pub(crate) fn solve(
        &mut self,
        joints: JointEquations<'_>,
        rows: &mut StepRows,
        (contacts, names): (&mut Contacts, ContactNames<'_>),
        given: &Surroundings<'_>,
        answer: &mut [f64],
    ) -> Result<(), StepError> {
        let model = &joints.model.models[self.subsystem];
        let candidates = given.candidates.filter(|_| !self.contacts.is_empty());
        if let Some(candidates) = candidates {
            self.set_given_loads(joints, rows, given.forces, true);
            set_end_rows(model, rows);
            self.solve_contacts(rows, contacts, names, candidates, given.part)?;
        }
        self.set_given_loads(joints, rows, given.forces, false);
        if candidates.is_some() {
            for (impulse, &c) in self.problem.solution().sustained.iter().zip(&self.rows) {
                rows.loads[names.topology.contact_rows[c].global_row] += impulse;
            }
        }
        set_end_rows(model, rows);
        if self.found.is_empty() {
            return Ok(());
        }
        self.find_forces(joints, rows, given);
        self.add_found_loads(joints, rows);
        set_end_rows(model, rows);
        for (x, force) in self.unknowns.iter().zip(&self.found) {
            answer[force.unknown] = *x;
        }
        Ok(())
    }

    /// Finds the forces from the motions of the other sides.
    fn find_forces(&mut self, joints: JointEquations<'_>, rows: &StepRows, given: &Surroundings<'_>) {
        for (x, force) in self.unknowns.iter_mut().zip(&self.found) {
            let motions = given.motions[force.unknown] + joints.motion(rows, force.index, force.side);
            *x = joints.start_term(rows, force.index) + motions;
            if self.passes_rigidly {
                // The joint gives way to what it passes without the impacts.
                let smooth = self.found.iter().filter(|other| other.joint == force.joint);
                *x -= smooth
                    .map(|other| joints.relaxation_between(force, other) * given.base[other.unknown])
                    .sum::<f64>();
                *x += joints.parting(rows, force, given.base);
            }
        }
        if self.is_met {
            let guess = |column: usize| given.forces[self.found[column].unknown];
            for (column, own) in self.matrix.column_iter().enumerate() {
                let x = guess(column);
                self.unknowns.iter_mut().zip(own.iter()).for_each(|(r, a)| *r -= a * x);
            }
            self.met.apply(&mut self.unknowns);
            self.unknowns.iter_mut().enumerate().for_each(|(column, x)| *x += guess(column));
        } else {
            self.lu.solve(&mut self.unknowns);
        }
    }

    /// Loads of the joints at these forces, and of the forces at the start; those that the subsystem finds itself only
    /// if `with_found`.
    #[inline(always)]
    pub(crate) fn set_given_loads(
        &self,
        joints: JointEquations<'_>,
        rows: &mut StepRows,
        forces: &[f64],
        with_found: bool,
    ) {
        let (topology, condensation) = (joints.model.topology, joints.condensation);
        rows.loads[topology.subsystems[self.subsystem].rows.clone()].fill(0.0);
        for load in &self.loads {
            let coordinate = &condensation.coordinates[load.coordinate];
            let x = if load.is_found && !with_found { 0.0 } else { forces[coordinate.unknown()] };
            let start = rows.start_forces[coordinate.unknown()];
            let impulse = condensation.law(coordinate).weights.impulse(load.side, x, start);
            // Several joints may share a port.
            rows.loads[coordinate.row(load.side)] += if load.side == 0 { -impulse } else { impulse };
        }
        // The couples of bushings that it carries.
        let carried = topology.bushings().filter(|(_, frame)| frame.carrier() == self.subsystem);
        carried.for_each(|(_, frame)| joints.model.add_couple(frame, &mut rows.loads));
    }

    fn add_found_loads(&self, joints: JointEquations<'_>, rows: &mut StepRows) {
        for (force, x) in self.found.iter().zip(&self.unknowns) {
            let load = joints.load_of(force, force.side);
            let own = &joints.model.topology.joints[force.joint].sides[force.side];
            rows.loads[own.global_row + force.coordinate] += load * x;
        }
    }

    fn solve_contacts(
        &mut self,
        rows: &StepRows,
        contacts: &mut Contacts,
        names: ContactNames<'_>,
        candidates: &[bool],
        part: StepPart,
    ) -> Result<(), StepError> {
        for (a, &c) in self.contacts.iter().enumerate() {
            self.gaps[a] = rows.start_gaps[c];
            self.memory[a] = contacts.remembered[c];
        }
        for (a, &row) in self.rows.iter().enumerate() {
            self.rates[0][a] = rows.rates_before[row];
            self.rates[1][a] = rows.end_velocities[names.topology.contact_rows[row].global_row];
        }
        let seen = ContactRows {
            time: part.time,
            step: part.size,
            macro_step: part.macro_size,
            damping_weight: 0.0,
            position_weight: 0.5 * part.size,
            load_weight: part.size,
            start_gaps: &self.gaps,
            start_rates: &self.rates[0],
            lengths: &[],
            speeds: &[],
            end_gaps: &self.gaps,
            end_rates: &self.rates[1],
            laws: &self.laws,
            delassus: (&self.delassus).into(),
            damped: &self.no_damping,
            impacts: None,
            partings: None,
            impact_lead: None,
        };
        let is_candidate = |a: usize| candidates[self.contacts[a]];
        let solved = self.problem.solve_on((ImpactResolution::Plain, is_candidate), &seen, &mut self.memory);
        if let Err(source) = solved {
            let contact = names.of(self.contacts[0]);
            return Err(StepError::Contacts { time: part.time, contact, source });
        }
        for (memory, &c) in self.memory.iter().zip(&self.contacts) {
            contacts.state.memory[c] = *memory;
        }
        Ok(())
    }
}
