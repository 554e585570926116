//! The three parts of a step, corrected one after the other.

use cosimo_dynamics::Motion;

use super::solver::{AlphaSolver, Corrected, Jump};
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
        let smooth = self.correct_smooth(p, end);
        self.move_position(p, end);
        let position = self.correct_position(p, end) / p.h;
        self.move_position(p, end);
        self.move_velocity(end);
        let unsettling = position.max(self.correct_velocity(p, end)?);
        Ok(Corrected { all: smooth.max(unsettling), unsettling })
    }

    /// Accelerations of the smooth motion, with its multipliers.
    fn correct_smooth(&mut self, p: &StepProblem<'_>, end: &mut ImpactState) -> f64 {
        self.residual_of_smooth(p, end);
        let (n, weight) = (end.a.len(), self.plan.end.by_acceleration.0);
        self.matrices.step.solve(&mut self.unknowns);
        let set = &self.sets.sets[2];
        let values = set.iter().map(|c| -self.rows.accelerations[*c]);
        self.parts[2].impose(&self.jacobian, values, &mut self.unknowns);
        self.forces.end.fill(0.0);
        for (contact, force) in set.iter().zip(&self.parts[2].multipliers) {
            self.forces.end[*contact] = *force;
        }
        end.a.iter_mut().zip(&self.unknowns).for_each(|(a, change)| *a += change);
        end.mu.iter_mut().zip(&self.unknowns[n..]).for_each(|(mu, change)| *mu += change);
        weight * largest(&self.unknowns[..n])
    }

    /// `U` with its multipliers.
    fn correct_position(&mut self, p: &StepProblem<'_>, end: &ImpactState) -> f64 {
        if end.mu.is_empty() && self.sets.sets[0].is_empty() {
            return nothing(&mut self.position);
        }
        self.residual_of_position(p, end);
        self.matrices.mass.solve(&mut self.unknowns);
        p.contacts.gaps(p.start.time + p.h, &self.q, &mut self.rows.gaps);
        let set = &self.sets.sets[0];
        let values = set.iter().map(|c| -self.rows.gaps[*c]);
        self.parts[0].impose(&self.jacobian, values, &mut self.unknowns);
        let d = p.contacts.layout().dimension();
        self.position.contacts.fill(0.0);
        for (contact, multiplier) in set.iter().zip(&self.parts[0].multipliers) {
            self.position.contacts[contact * d] = *multiplier;
        }
        take(&self.unknowns, &mut self.position)
    }

    /// `W` with its multipliers.
    fn correct_velocity(&mut self, p: &StepProblem<'_>, end: &ImpactState) -> Result<f64, ImpactError> {
        // Contacts with friction are those that are closed.
        let has_friction = p.contacts.layout().dimension() > 1;
        if end.mu.is_empty() && self.sets.sets[usize::from(!has_friction)].is_empty() {
            self.slip.fill(0.0);
            return Ok(nothing(&mut self.velocity));
        }
        self.residual_of_velocity(p, end);
        self.matrices.mass.solve(&mut self.unknowns);
        let motion = Motion { t: p.start.time + p.h, q: &self.q, v: &self.v };
        p.contacts.rates(motion, &mut self.rows.rates);
        self.velocity.contacts.fill(0.0);
        if has_friction {
            self.slide(p)?;
        } else {
            let set = &self.sets.sets[1];
            let values = set.iter().map(|c| -(self.rows.rates[*c] + self.rows.offsets[*c]));
            self.parts[1].impose(&self.jacobian, values, &mut self.unknowns);
            for (contact, impulse) in set.iter().zip(&self.parts[1].multipliers) {
                self.velocity.contacts[*contact] = *impulse;
            }
        }
        Ok(take(&self.unknowns, &mut self.velocity))
    }

    /// Coulomb's law between the total impulses and the end velocities of the contacts that are closed: what the smooth motion has of
    /// the impulses is known.
    fn slide(&mut self, p: &StepProblem<'_>) -> Result<(), ImpactError> {
        let (set, layout) = (&self.sets.sets[0], p.contacts.layout());
        let d = layout.dimension();
        let (part, rows) = (&self.parts[1], &self.rows);
        if set.is_empty() {
            self.slip.fill(0.0);
            return Ok(());
        }
        let smooth = |c: usize| self.forces.impulse(&self.parameters, p.h, c);
        let shifts: Vec<f64> =
            set.iter().flat_map(|c| (0..d).map(|k| if k == 0 { smooth(*c) } else { 0.0 })).collect();
        self.offset.clear();
        for (i, (c, k)) in set.iter().flat_map(|c| (0..d).map(move |k| (*c, k))).enumerate() {
            let row = c * d + k;
            let shifted: f64 = (0..shifts.len()).map(|j| part.delassus()[(i, j)] * shifts[j]).sum();
            let rebound = if k == 0 { rows.offsets[c] } else { 0.0 };
            let free = rows.rates[row] + self.jacobian.product(row, &self.unknowns);
            self.offset.push(free + rebound - shifted);
        }
        self.problem.coefficients.clear();
        let friction = set.iter().map(|c| layout.contacts()[*c].coefficients.friction);
        self.problem.coefficients.extend(friction);
        self.totals.clear();
        self.totals.extend(&shifts);
        self.problem.solve(p.start.time, part.delassus(), &self.offset, &mut self.totals)?;
        self.totals.iter_mut().zip(&shifts).for_each(|(total, shift)| *total -= shift);
        part.add(&self.totals, &mut self.unknowns);
        self.slip.fill(0.0);
        self.offset.clone_from(&self.totals);
        self.offset.iter_mut().step_by(d).for_each(|normal| *normal = 0.0);
        part.add(&self.offset, &mut self.slip);
        for (c, impulses) in set.iter().zip(self.totals.chunks_exact(d)) {
            self.velocity.contacts[c * d..(c + 1) * d].copy_from_slice(impulses);
        }
        Ok(())
    }
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
