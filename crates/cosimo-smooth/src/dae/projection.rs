//! Projections: positions and velocities put back on the constraints, as part of Newton's method.

use cosimo_dynamics::{Level, Motion};

use super::iteration::Iteration;
use super::kkt::Kkt;
use super::norm::largest;
use super::problem::StepProblem;
use super::state::DaeState;
use cosimo_dynamics::rules::PositionUpdate;

impl Iteration {
    /// One correction of `M U + Φᵀ ν = 0`, `φ = 0`; returns its size.
    pub(super) fn project_position(&mut self, p: &StepProblem<'_>, kkt: &mut Kkt, end: &DaeState) -> f64 {
        let (top, bottom) = self.unknowns.split_at_mut(end.v.len());
        p.system.mass_product(&end.q, &self.own.position, top);
        p.system.add_reactions(end.time, &end.q, &self.own.position_multipliers, top);
        let motion = Motion { t: end.time, q: &end.q, v: &end.v };
        p.system.constraints(Level::Position, motion, &end.a, bottom);
        self.unknowns.iter_mut().for_each(|x| *x = -*x);
        kkt.project(self.unknowns.as_chunks_mut::<1>().0);
        let (change, nu) = self.unknowns.split_at_mut(end.v.len());
        p.coordinates().rate(&self.increment, change, &mut self.work);
        self.own.position.iter_mut().zip(&self.work).for_each(|(u, d)| *u += d);
        self.own.position_multipliers.iter_mut().zip(&*nu).for_each(|(nu, d)| *nu += d);
        largest(change)
    }

    /// One correction of `M W + Φᵀ Λ = 0`, `φ̇ = 0`; returns its size.
    pub(super) fn project_velocity(&mut self, p: &StepProblem<'_>, kkt: &mut Kkt, end: &DaeState) -> f64 {
        let (top, bottom) = self.unknowns.split_at_mut(end.v.len());
        p.system.mass_product(&end.q, &self.own.velocity, top);
        p.system.add_reactions(end.time, &end.q, &self.own.velocity_multipliers, top);
        let motion = Motion { t: end.time, q: &end.q, v: &end.v };
        p.system.constraints(Level::Velocity, motion, &end.a, bottom);
        self.unknowns.iter_mut().for_each(|x| *x = -*x);
        kkt.project(self.unknowns.as_chunks_mut::<1>().0);
        let (change, lambda) = self.unknowns.split_at_mut(end.v.len());
        self.own.velocity.iter_mut().zip(&*change).for_each(|(w, d)| *w += d);
        self.own.velocity_multipliers.iter_mut().zip(&*lambda).for_each(|(l, d)| *l += d);
        if let PositionUpdate::Rate { weight } = p.plan.formula.position_update {
            self.carry_over(p, weight, end.v.len());
        }
        largest(&self.unknowns[..end.v.len()])
    }

    /// Where the rule gives the velocity by the increment, `y` takes over a change of the velocity, `b T⁻¹ δW`, and the
    /// projection of the position gives it back: accelerations and positions stay.
    fn carry_over(&mut self, p: &StepProblem<'_>, weight: f64, n: usize) {
        let (change, lambda) = self.unknowns.split_at(n);
        p.coordinates().rate(&self.increment, change, &mut self.work);
        for (i, d) in self.work.iter().enumerate() {
            self.own.rule[i] += weight * d;
            self.own.position[i] -= weight * d;
        }
        self.own.position_multipliers.iter_mut().zip(lambda).for_each(|(nu, d)| *nu -= weight * d);
    }
}
