//! What is left of the three parts of a step at the present point.

use cosimo_dynamics::{Level, Motion};

use super::solver::AlphaSolver;
use crate::scheme::SmoothConstraints;
use crate::state::ImpactState;
use crate::step_problem::StepProblem;

/// Residuals with their signs changed, forces and then constraints, without the forces of contacts.
impl AlphaSolver {
    /// Of the smooth motion.
    pub(super) fn residual_of_smooth(&mut self, p: &StepProblem<'_>, end: &ImpactState) {
        let (n, weight) = (end.a.len(), self.plan.end().0);
        let motion = Motion { t: p.start.time + p.h, q: &self.q, v: &self.v };
        let (top, bottom) = self.unknowns.split_at_mut(n);
        p.system.balance(motion, &end.a, &end.mu, top);
        if self.smooth == SmoothConstraints::Acceleration {
            p.system.constraints(Level::Acceleration, motion, &end.a, bottom);
        } else {
            let without_jump = self.v.iter().zip(&self.velocity.change).map(|(v, jump)| v - jump);
            self.work.iter_mut().zip(without_jump).for_each(|(work, v)| *work = v);
            let motion = Motion { v: &self.work, ..motion };
            p.system.constraints(Level::Velocity, motion, &end.a, bottom);
            bottom.iter_mut().for_each(|row| *row /= weight);
        }
        self.unknowns.iter_mut().for_each(|x| *x = -*x);
    }

    /// Of the position correction.
    pub(super) fn residual_of_position(&mut self, p: &StepProblem<'_>, end: &ImpactState) {
        let n = end.a.len();
        let motion = Motion { t: p.start.time + p.h, q: &self.q, v: &self.v };
        let (top, bottom) = self.unknowns.split_at_mut(n);
        p.system.mass_product(motion.q, &self.position.change, top);
        p.system.add_reactions(motion.t, motion.q, &self.position.constraints, top);
        p.system.constraints(Level::Position, motion, &end.a, bottom);
        self.unknowns.iter_mut().for_each(|x| *x = -*x);
    }

    /// Of the velocity jump.
    pub(super) fn residual_of_velocity(&mut self, p: &StepProblem<'_>, end: &ImpactState) {
        let n = end.a.len();
        let motion = Motion { t: p.start.time + p.h, q: &self.q, v: &self.v };
        let (top, bottom) = self.unknowns.split_at_mut(n);
        p.system.mass_product(motion.q, &self.velocity.change, top);
        p.system.add_reactions(motion.t, motion.q, &self.velocity.constraints, top);
        top.iter_mut().zip(&self.outer.force).for_each(|(top, force)| *top -= force);
        p.system.constraints(Level::Velocity, motion, &end.a, bottom);
        self.unknowns.iter_mut().for_each(|x| *x = -*x);
    }
}
