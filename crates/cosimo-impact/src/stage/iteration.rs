//! Newton's method on acceleration, jump, multipliers and impulses.

use cosimo_dynamics::{Level, Motion};
use cosimo_smooth::dae::TangentPoint;

use super::answers::Answers;
use super::condition::{Condition, EndPoint};
use crate::contact_problem::{ContactAccuracy, ContactProblem, reverse};
use crate::error::ImpactError;
use crate::matrices::{CLOSING, ContactJacobian, HELD, StepMatrices};
use crate::norm::largest;
use crate::outside::OuterJump;
use crate::planned_step::{ImposedLevel, PlannedStep};
use crate::state::ImpactState;
use crate::step_problem::{ContactStep, Normal, StepEffort, StepProblem};

/// Which contacts take part, and what restitution adds to their normal velocities (m/s).
#[derive(Debug, Clone, Default)]
pub(crate) struct ActiveContacts {
    pub(crate) contacts: Vec<usize>,
    pub(crate) offsets: Vec<f64>,
    /// Rates at which contacts open at the start (m/s), where restitution does not see them; otherwise zero.
    pub(crate) openings: Vec<f64>,
}

/// Solves the step of a plan.
#[derive(Debug)]
pub(crate) struct StageSolver {
    pub(crate) matrices: StepMatrices,
    pub(crate) problem: ContactProblem,
    pub(crate) jacobian: ContactJacobian,
    condition: Condition,
    answers: Answers,
    /// Impulses and offsets on the rows of the active contacts.
    impulses: Vec<f64>,
    offset: Vec<f64>,
    /// `w` and its multipliers, and whether they are more than zeros.
    jump: Vec<f64>,
    has_jumped: bool,
    /// The part of `w` that impulses from outside make.
    pub(crate) outer: OuterJump,
    /// `δa₀` and `δμ₀`.
    change: Vec<f64>,
    /// Velocity, increment and position of the stage and of the end.
    pub(crate) stage: Place,
    pub(crate) end: Place,
    work: Vec<f64>,
    constraint: Vec<f64>,
}

#[derive(Debug, Default)]
pub(crate) struct Place {
    v: Vec<f64>,
    x: Vec<f64>,
    pub(crate) q: Vec<f64>,
}

impl StageSolver {
    pub(crate) fn new(p: &StepProblem<'_>, accuracy: ContactAccuracy) -> Result<Self, ImpactError> {
        let structure = p.system.structure();
        let (n, m) = (structure.velocities(), structure.rows());
        let place = || Place { v: vec![0.0; n], x: vec![0.0; n], q: p.start.q.clone() };
        Ok(Self {
            matrices: StepMatrices::new(p.system, p.start.time, &p.start.q)?,
            problem: ContactProblem::new(accuracy),
            jacobian: ContactJacobian::new(p.contacts.layout(), structure.coordinates()),
            condition: Condition::new(p),
            answers: Answers::new(),
            impulses: Vec::new(),
            offset: Vec::new(),
            jump: vec![0.0; n + m],
            has_jumped: false,
            outer: OuterJump::default(),
            change: vec![0.0; n + m],
            stage: place(),
            end: place(),
            work: vec![0.0; n],
            constraint: vec![0.0; m],
        })
    }

    /// Solves the step; `end` holds the first guess of acceleration and multipliers, `found` takes the impulses.
    pub(crate) fn solve(
        &mut self,
        p: &StepProblem<'_>,
        plan: &PlannedStep,
        active: &ActiveContacts,
        end: &mut ImpactState,
        found: &mut ContactStep,
    ) -> Result<StepEffort, ImpactError> {
        self.begin(p, plan, active);
        let before = self.matrices.factorizations;
        let is_exact = p.is_linear();
        let (mut change, mut last) = (f64::INFINITY, f64::INFINITY);
        for iteration in 0..=p.settings.max_iterations {
            self.move_to(p, plan, end);
            self.refresh(p, plan, end)?;
            self.correct(p, plan, end);
            self.find_impulses(p, plan, active)?;
            change = self.apply(plan, end);
            let allowed = p.settings.allowed(p.h, &self.end.q, &self.end.v);
            if !change.is_finite() {
                break;
            }
            // At round-off changes no longer shrink.
            let is_small = change <= allowed || (change <= 100.0 * allowed && change >= 0.5 * last);
            if is_small || is_exact {
                self.move_to(p, plan, end);
                self.finish(p, plan, end, found);
                let factorizations = self.matrices.factorizations - before;
                return Ok(StepEffort { iterations: iteration + usize::from(!is_small), factorizations });
            }
            last = change;
        }
        let (time, size, iterations) = (p.start.time, p.h, p.settings.max_iterations);
        let changing = active.contacts.iter().map(|c| p.contacts.name(*c)).collect();
        Err(ImpactError::NotConverged { time, size, iterations, change, changing })
    }

    fn begin(&mut self, p: &StepProblem<'_>, plan: &PlannedStep, active: &ActiveContacts) {
        let layout = p.contacts.layout();
        let d = layout.dimension();
        self.answers.activate(active.contacts.iter().flat_map(|contact| contact * d..(contact + 1) * d));
        self.impulses.clear();
        self.impulses.resize(self.answers.rows.len(), 0.0);
        self.jump.fill(0.0);
        self.has_jumped = false;
        self.outer.begin(p, plan.as_velocity());
        self.problem.begin(p, &active.contacts);
    }

    /// Velocities and positions of the stage and of the end.
    fn move_to(&mut self, p: &StepProblem<'_>, plan: &PlannedStep, end: &ImpactState) {
        let n = end.a.len();
        let (end_place, stage) = (&mut self.end, &mut self.stage);
        plan.end_at((&end.a, &self.jump[..n]), &mut end_place.v, &mut end_place.x);
        p.coordinates().move_by(&p.start.q, &end_place.x, &mut end_place.q);
        if !plan.is_balanced_at_end() {
            plan.stage_at((&end_place.v, &end_place.x), &mut stage.v, &mut stage.x);
            p.coordinates().move_by(&p.start.q, &stage.x, &mut stage.q);
        }
    }

    /// Matrices at the stage, and the answers to impulses.
    fn refresh(
        &mut self,
        p: &StepProblem<'_>,
        plan: &PlannedStep,
        end: &ImpactState,
    ) -> Result<(), ImpactError> {
        let motion = stage_motion(p, plan, (&self.stage, &self.end));
        let at = TangentPoint { motion, a: &end.a, mu: &end.mu };
        self.matrices.refresh(p.system, plan.balanced(), at)?;
        self.outer.take_forces(p, &self.end.x, motion.configuration());
        self.outer.solve(&mut self.matrices.mass);
        if !self.answers.rows.is_empty() {
            let (t, q) = directions(p, plan, (&self.stage, &self.end));
            self.jacobian.update(p.contacts, t, q);
            self.answers.update(plan, (&mut self.matrices, &self.jacobian), (end.a.len(), end.mu.len()));
        }
        Ok(())
    }

    /// The part of the present jump that is not to stay: that of contacts, and what has changed of that from outside.
    fn write_spent_jump(&mut self) {
        let n = self.work.len();
        self.work.copy_from_slice(&self.jump[..n]);
        self.work.iter_mut().zip(self.outer.velocities()).for_each(|(spent, outer)| *spent -= outer);
    }

    /// `δa₀` and `δμ₀`: the correction without impulses of contacts.
    fn correct(&mut self, p: &StepProblem<'_>, plan: &PlannedStep, end: &ImpactState) {
        let n = end.a.len();
        let has_spent = self.has_jumped || self.outer.is_there();
        self.write_spent_jump();
        let motion = stage_motion(p, plan, (&self.stage, &self.end));
        let (top, bottom) = self.change.split_at_mut(n);
        top.fill(0.0);
        if has_spent {
            self.matrices.tangent_product(plan.balanced_by_jump(), &self.work, top);
        }
        p.system.balance(motion, &end.a, &end.mu, &mut self.work);
        top.iter_mut().zip(&self.work).for_each(|(change, r)| *change -= r);
        let (time, place) = (p.start.time + p.h, &self.end);
        match plan.imposed {
            ImposedLevel::Velocity => {
                let motion = Motion { t: time, q: &place.q, v: &place.v };
                p.system.constraints(Level::Velocity, motion, &end.a, bottom);
            }
            ImposedLevel::Position => {
                let motion = Motion { t: time, q: &place.q, v: &place.v };
                p.system.constraints(Level::Position, motion, &end.a, bottom);
            }
            ImposedLevel::Stabilized => {
                let motion = Motion { t: p.start.time, q: &p.start.q, v: &place.v };
                p.system.constraints(Level::Position, motion, &end.a, &mut self.constraint);
                p.system.constraints(Level::Velocity, motion, &end.a, bottom);
                bottom.iter_mut().zip(&self.constraint).for_each(|(row, phi)| *row += phi / p.h);
            }
        }
        let weight = plan.imposed_weight();
        bottom.iter_mut().for_each(|row| *row /= -weight);
        self.matrices.step.solve(&mut self.change);
    }

    /// Impulses of the active contacts for the linearised answer of the end.
    fn find_impulses(
        &mut self,
        p: &StepProblem<'_>,
        plan: &PlannedStep,
        active: &ActiveContacts,
    ) -> Result<(), ImpactError> {
        if self.answers.rows.is_empty() {
            return Ok(());
        }
        self.write_spent_jump();
        let (n, weight) = (self.work.len(), plan.imposed_weight());
        let (change, jump) = (&self.change[..n], &self.work[..]);
        let at = EndPoint {
            directions: directions(p, plan, (&self.stage, &self.end)),
            time: p.start.time + p.h,
            velocity: &self.end.v,
            increment: &self.end.x,
        };
        self.condition.evaluate(p, plan, at, (&active.contacts, &active.offsets));
        self.offset.clear();
        for &row in &self.answers.rows {
            let [by_change, by_jump] = [change, jump].map(|x| self.jacobian.product(row, x));
            self.offset.push(self.condition.rows[row] + weight * by_change - by_jump);
        }
        self.add_restitution_of_slips(p, active);
        self.let_openings_reverse(p.contacts.layout().dimension(), active);
        if self.offset.iter().any(|x| !x.is_finite()) {
            let (time, size) = (p.start.time, p.h);
            let (iterations, change, changing) = (0, f64::INFINITY, Vec::new());
            return Err(ImpactError::NotConverged { time, size, iterations, change, changing });
        }
        self.find_held(p, plan)?;
        let problem = (&self.answers.operator, self.offset.as_slice());
        self.problem.solve(p, &active.contacts, problem, &mut self.impulses)
    }

    /// What restitution adds to slips of contacts that are hit.
    fn add_restitution_of_slips(&mut self, p: &StepProblem<'_>, active: &ActiveContacts) {
        let d = p.contacts.layout().dimension();
        for (own, contact) in active.contacts.iter().enumerate() {
            (1..d).for_each(|k| self.offset[own * d + k] += p.slip_offset(*contact, k));
        }
    }

    /// Lets contacts that open be [reversed](reverse) by others.
    fn let_openings_reverse(&mut self, d: usize, active: &ActiveContacts) {
        let free = self.offset.iter_mut().step_by(d);
        free.zip(&active.openings).for_each(|(free, opening)| reverse(free, *opening));
    }

    /// Refuses contacts that close where nothing gives way; those that only seem to by round-off are left alone.
    fn find_held(&mut self, p: &StepProblem<'_>, plan: &PlannedStep) -> Result<(), ImpactError> {
        let d = p.contacts.layout().dimension();
        let allowed = CLOSING * (1.0 + largest(&self.end.v));
        for (k, &row) in self.answers.rows.iter().enumerate().filter(|(_, row)| *row % d == 0) {
            let mobility = self.answers.operator[(k, k)];
            if self.matrices.share_of_free(&self.jacobian, row, mobility) > HELD {
                continue;
            }
            let rate = plan.as_velocity() * self.offset[k];
            if rate < -allowed {
                return Err(ImpactError::Jammed {
                    time: p.start.time,
                    contact: p.contacts.name(row / d),
                    rate,
                });
            }
            self.offset[k] = self.offset[k].max(0.0);
        }
        Ok(())
    }

    /// Takes the correction; returns its size as a velocity.
    fn apply(&mut self, plan: &PlannedStep, end: &mut ImpactState) -> f64 {
        let (n, weight) = (end.a.len(), plan.imposed_weight());
        self.answers.acceleration.add(-1.0, &self.impulses, &mut self.change);
        let (change, of_constraints) = self.change.split_at(n);
        let old = change.iter().zip(&self.jump);
        self.work.iter_mut().zip(old).for_each(|(moved, (a, jump))| *moved = weight * a - jump);
        self.jump.fill(0.0);
        self.answers.jump.add(1.0, &self.impulses, &mut self.jump);
        self.jump.iter_mut().zip(&self.outer.jump).for_each(|(jump, outer)| *jump += outer);
        self.has_jumped = !self.impulses.is_empty();
        self.work.iter_mut().zip(&self.jump).for_each(|(moved, jump)| *moved += jump);
        end.a.iter_mut().zip(change).for_each(|(a, change)| *a += change);
        end.mu.iter_mut().zip(of_constraints).for_each(|(mu, change)| *mu += change);
        plan.as_velocity() * largest(&self.work)
    }

    fn finish(
        &self,
        p: &StepProblem<'_>,
        plan: &PlannedStep,
        end: &mut ImpactState,
        found: &mut ContactStep,
    ) {
        end.time = p.start.time + p.h;
        end.q.copy_from_slice(&self.end.q);
        end.v.copy_from_slice(&self.end.v);
        for (found, own) in found.constraint_impulses.iter_mut().zip(&self.jump[self.work.len()..]) {
            *found = plan.as_velocity() * own;
        }
        self.write_contacts(p, plan, found);
    }

    fn write_contacts(&self, p: &StepProblem<'_>, plan: &PlannedStep, found: &mut ContactStep) {
        found.impulses.fill(0.0);
        found.is_active.fill(false);
        found.forces.fill(0.0);
        let d = p.contacts.layout().dimension();
        for (k, (&row, impulse)) in self.answers.rows.iter().zip(&self.impulses).enumerate() {
            found.impulses[row] = plan.as_velocity() * impulse;
            found.is_active[row / d] = true;
            if row % d == 0 {
                let (impulse, mobility) = (found.impulses[row], self.answers.operator[(k, k)]);
                found.forces[row / d] = p.force(row / d, Normal { impulse, mobility });
            }
        }
    }

    /// Velocity and position where forces balance in the last step solved, by this plan.
    pub(crate) fn balanced(&self, plan: &PlannedStep) -> (&[f64], &[f64]) {
        let place = if plan.is_balanced_at_end() { &self.end } else { &self.stage };
        (&place.v, &place.q)
    }
}

/// Time, position and velocity at which forces balance.
fn stage_motion<'a>(
    p: &StepProblem<'_>,
    plan: &PlannedStep,
    (stage, end): (&'a Place, &'a Place),
) -> Motion<'a> {
    let place = if plan.is_balanced_at_end() { end } else { stage };
    Motion { t: p.start.time + plan.step.formula.stage.time * p.h, q: &place.q, v: &place.v }
}

/// Time and position at which contacts have their directions: those of the stage, or of the end where positions are imposed.
fn directions<'a>(
    p: &StepProblem<'_>,
    plan: &PlannedStep,
    (stage, end): (&'a Place, &'a Place),
) -> (f64, &'a [f64]) {
    if plan.imposed == ImposedLevel::Position {
        return (p.start.time + p.h, &end.q);
    }
    let motion = stage_motion(p, plan, (stage, end));
    (motion.t, motion.q)
}
