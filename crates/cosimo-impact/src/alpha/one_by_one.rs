//! The three parts of a step, corrected one after the other.

use cosimo_dynamics::{Configuration, Motion};
use cosimo_mechanics::Restitution;
use nalgebra::DMatrix;

use super::jump::Jump;
use super::solver::{AlphaSolver, Corrected};
use crate::contact_problem::{ContactProblem, reverse};
use crate::error::ImpactError;
use crate::norm::largest;
use crate::state::ImpactState;
use crate::step_problem::StepProblem;

impl AlphaSolver {
    /// Corrects the three parts.
    pub(super) fn correct(
        &mut self,
        p: &StepProblem<'_>,
        end: &mut ImpactState,
    ) -> Result<Corrected, ImpactError> {
        let smooth = self.correct_smooth(p, end)?;
        self.move_position(p, end);
        let position = self.correct_position(p, end)? / p.h;
        self.move_position(p, end);
        self.move_velocity(end);
        let unsettling = position.max(self.correct_velocity(p, end)?);
        if self.slides(p) {
            self.move_position(p, end);
        }
        Ok(Corrected { all: smooth.max(unsettling), unsettling })
    }

    /// Accelerations of the smooth motion, with its multipliers.
    fn correct_smooth(&mut self, p: &StepProblem<'_>, end: &mut ImpactState) -> Result<f64, ImpactError> {
        self.residual_of_smooth(p, end);
        let (n, weight) = (end.a.len(), self.plan.end().0);
        self.matrices.step.solve(&mut self.unknowns);
        let set = &self.sets.sets[2];
        let values = set.iter().map(|c| -self.rows.accelerations[*c]);
        if self.sets.is_safe {
            self.shifts.clear();
            self.shifts.resize(set.len(), 0.0);
            let law = normals(&mut self.problem, p.start.time);
            self.parts[2].obey(&self.jacobian, (values, &self.shifts), law, &mut self.unknowns)?;
        } else {
            self.parts[2].impose(&self.jacobian, values, &mut self.unknowns);
        }
        self.forces.end.fill(0.0);
        for (contact, force) in set.iter().zip(&self.parts[2].multipliers) {
            self.forces.end[*contact] = *force;
        }
        end.a.iter_mut().zip(&self.unknowns).for_each(|(a, change)| *a += change);
        end.mu.iter_mut().zip(&self.unknowns[n..]).for_each(|(mu, change)| *mu += change);
        Ok(weight * largest(&self.unknowns[..n]))
    }

    /// `U` with its multipliers.
    fn correct_position(&mut self, p: &StepProblem<'_>, end: &ImpactState) -> Result<f64, ImpactError> {
        if end.mu.is_empty() && self.sets.sets[0].is_empty() {
            return Ok(nothing(&mut self.position));
        }
        self.residual_of_position(p, end);
        self.matrices.mass.solve(&mut self.unknowns);
        p.contacts.gaps(p.start.time + p.h, &self.q, &mut self.rows.gaps);
        let set = &self.sets.sets[0];
        let values = set.iter().map(|c| -self.rows.gaps[*c]);
        if self.sets.is_safe {
            let smooth = |c: &usize| self.forces.double_impulse(&self.rule, p.h, *c);
            self.shifts.clear();
            self.shifts.extend(set.iter().map(smooth));
            let law = normals(&mut self.problem, p.start.time);
            self.parts[0].obey(&self.jacobian, (values, &self.shifts), law, &mut self.unknowns)?;
        } else {
            self.parts[0].impose(&self.jacobian, values, &mut self.unknowns);
        }
        let d = p.contacts.layout().dimension();
        self.position.contacts.fill(0.0);
        for (contact, multiplier) in set.iter().zip(&self.parts[0].multipliers) {
            self.position.contacts[contact * d] = *multiplier;
        }
        Ok(take(&self.unknowns, &mut self.position))
    }

    /// `W` with its multipliers.
    fn correct_velocity(&mut self, p: &StepProblem<'_>, end: &ImpactState) -> Result<f64, ImpactError> {
        let by_law = self.has_law_of_velocities(p);
        self.slip.fill(0.0);
        let is_free = end.mu.is_empty() && self.sets.sets[usize::from(!by_law)].is_empty();
        if is_free && !self.outer.is_there() {
            return Ok(nothing(&mut self.velocity));
        }
        self.outer.take_forces(p, &self.x, Configuration { t: p.start.time + p.h, q: &self.q });
        self.residual_of_velocity(p, end);
        self.matrices.mass.solve(&mut self.unknowns);
        let motion = Motion { t: p.start.time + p.h, q: &self.q, v: &self.v };
        p.contacts.rates(motion, &mut self.rows.rates);
        self.velocity.contacts.fill(0.0);
        if by_law {
            self.rebound(p)?;
        } else {
            self.impose_rates();
        }
        Ok(take(&self.unknowns, &mut self.velocity))
    }

    /// The impulses that give the active contacts the rates asked of them.
    fn impose_rates(&mut self) {
        let set = &self.sets.sets[1];
        let values = set.iter().map(|c| -(self.rows.rates[*c] + self.rows.offsets[*c]));
        self.parts[1].impose(&self.jacobian, values, &mut self.unknowns);
        for (contact, impulse) in set.iter().zip(&self.parts[1].multipliers) {
            self.velocity.contacts[*contact] = *impulse;
        }
        if self.outer.is_there() {
            self.slide(1);
        }
    }

    /// Whether a law between impulses and velocities of the closed contacts takes the place of the set B.
    pub(super) fn has_law_of_velocities(&self, p: &StepProblem<'_>) -> bool {
        p.contacts.layout().dimension() > 1 || self.sets.is_safe || self.opens(p)
    }

    /// Whether a closed contact opens at the start.
    pub(super) fn opens(&self, p: &StepProblem<'_>) -> bool {
        let leaves_openings = self.restitution == Restitution::Approaching;
        self.sets.sets[0].iter().any(|c| leaves_openings && p.opening(*c) > 0.0)
    }

    /// Newton's and Coulomb's law between the total impulses and the end velocities of the contacts that are closed: what the smooth
    /// motion has of the impulses is known.
    fn rebound(&mut self, p: &StepProblem<'_>) -> Result<(), ImpactError> {
        let (set, layout) = (&self.sets.sets[0], p.contacts.layout());
        let d = layout.dimension();
        self.shifts.clear();
        for contact in set {
            self.shifts.push(self.forces.impulse(&self.rule, p.h, *contact));
            self.shifts.resize(self.shifts.len() + d - 1, 0.0);
        }
        if self.obeying != *set {
            self.obeying.clone_from(set);
            self.problem.begin(p, set);
        }
        let (rows, problem) = (&self.rows, &mut self.problem);
        let rebound = |c: &usize, k: usize| if k == 0 { rows.offsets[*c] } else { p.slip_offset(*c, k) };
        let values = set.iter().flat_map(|c| (0..d).map(move |k| -(rows.rates[c * d + k] + rebound(c, k))));
        let (reversed, leaves_openings) = (&mut self.reversed, self.restitution == Restitution::Approaching);
        let law = |operator: &_, offset: &[f64], totals: &mut _| {
            reversed.clear();
            reversed.extend_from_slice(offset);
            let openings = set.iter().map(|c| if leaves_openings { p.opening(*c) } else { 0.0 });
            reversed.iter_mut().step_by(d).zip(openings).for_each(|(free, opening)| reverse(free, opening));
            problem.solve(p, set, (operator, reversed), totals)
        };
        self.parts[1].obey(&self.jacobian, (values, &self.shifts), law, &mut self.unknowns)?;
        for (c, impulses) in set.iter().zip(self.parts[1].multipliers.chunks_exact(d)) {
            self.velocity.contacts[c * d..(c + 1) * d].copy_from_slice(impulses);
        }
        if self.slides(p) {
            self.slide(d);
        }
        Ok(())
    }

    /// The part of `W` that friction and impulses from outside make and that leaves the gaps of closed contacts alone. That part is unique
    /// where the impulses of contacts are not, as those of a body on a hinge, whose slip and gap depend on one coordinate.
    fn slide(&mut self, d: usize) {
        self.outer.solve(&mut self.matrices.mass);
        self.slip.iter_mut().zip(&self.outer.jump).for_each(|(slip, outer)| *slip = *outer);
        self.shifts.clone_from(&self.parts[1].multipliers);
        self.shifts.iter_mut().step_by(d).for_each(|normal| *normal = 0.0);
        self.parts[1].add(&self.shifts, &mut self.slip);
        let values = self.sets.sets[0].iter().map(|_| 0.0);
        self.parts[0].impose(&self.jacobian, values, &mut self.slip);
    }
}

/// Complementarity of normals, as a law.
fn normals(
    problem: &mut ContactProblem,
    time: f64,
) -> impl FnOnce(&DMatrix<f64>, &[f64], &mut [f64]) -> Result<(), ImpactError> {
    move |operator, offset, totals| problem.solve_normals(time, operator, offset, totals)
}

/// Takes what no constraint and no contact makes, a jump of zero; returns the size of this correction.
fn nothing(jump: &mut Jump) -> f64 {
    let size = largest(&jump.change);
    jump.clear();
    size
}

/// Takes a correction; returns its size.
fn take(unknowns: &[f64], jump: &mut Jump) -> f64 {
    let (change, constraints) = unknowns.split_at(jump.change.len());
    // Multipliers of contacts are totals, and so the part of the jump that they make is in the correction.
    jump.change.iter_mut().zip(change).for_each(|(own, change)| *own += change);
    jump.constraints.iter_mut().zip(constraints).for_each(|(own, change)| *own += change);
    largest(change)
}
