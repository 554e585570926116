//! One correction of the answer: the rule's share and the multipliers, and the projections.

use cosimo_dynamics::Level;

use super::derivation::Derivation;
use super::residual::Residual;
use crate::dae::kkt::Kkt;
use crate::dae::norm::largest;
use crate::dae::solved::Solved;
use cosimo_dynamics::rules::PositionUpdate;

/// Increments and velocities of a projection (m, rad, m/s, rad/s) above which the change of its equations at fixed increments
/// counts: it is as large against theirs as these are against the size of bodies, and theirs is of the order of the step.
const NOTICED: f64 = 1e-6;

impl<const L: usize> Derivation<L> {
    /// Writes `M δa + C δv + K δq + Φᵀ δμ` where forces balance.
    fn balance(&mut self, solved: &Solved<'_>) {
        let directions = self.directions;
        let Self { acceleration, velocity, position, stage, matrices, residual, .. } = self;
        residual.balance.clear();
        let [mut position, mut velocity] = [&*position, &*velocity];
        if !solved.problem.plan.formula.stage.is_end() {
            stage.derive(solved, directions, [position, velocity]);
            [position, velocity] = [&stage.position, &stage.velocity];
        }
        matrices.stage.add_balance([acceleration, velocity, position], &mut residual.balance);
        matrices.stage.add_reactions(&self.multipliers, &mut residual.balance);
    }

    /// Writes the residual of balance and constraints, the latter in the scale of accelerations; at the first correction there
    /// is nothing but the forces.
    pub(super) fn write_residual(&mut self, solved: &Solved<'_>, is_first: bool) {
        if is_first {
            self.residual.balance.clear();
        } else {
            self.balance(solved);
        }
        let Residual { balance, rows, .. } = &mut self.residual;
        *balance -= &self.forces;
        rows.clear();
        if is_first {
            return;
        }
        let (position, velocity, end) = (&self.position, &self.velocity, &self.matrices.end);
        let formulation = solved.problem.formulation();
        match formulation.level() {
            Level::Position => end.add_rows(position, rows),
            Level::Velocity => {
                end.add_rows(velocity, rows);
                end.add_gradient(position, rows);
            }
            Level::Acceleration => {
                end.add_rows(&self.acceleration, rows);
                self.differences.add_curvature(solved, self.directions, [position, velocity], rows);
            }
        }
        if let Some(weights) = formulation.feedback() {
            self.feed_back(weights);
        }
        let plan = solved.problem.plan;
        self.residual.rows /= formulation.row_scale(plan.formula.end.velocity, plan.formula.end.position);
    }

    /// Adds these multiples of the rates and of the values of the constraints to the rows.
    fn feed_back(&mut self, [of_rate, of_value]: [f64; 2]) {
        // There are no projections beside the feedback, whose room is free.
        let (motion, turned) = (&mut self.work.change, &mut self.work.reactions);
        motion.copy_from(&self.velocity);
        *motion *= of_rate;
        turned.copy_from(&self.position);
        *turned *= of_value;
        *motion += &*turned;
        turned.copy_from(&self.position);
        *turned *= of_rate;
        self.matrices.end.add_rows(motion, &mut self.residual.rows);
        self.matrices.end.add_gradient(turned, &mut self.residual.rows);
    }

    /// One correction of the rule's share and the multipliers; returns its size as a velocity.
    pub(super) fn correct(&mut self, solved: &Solved<'_>, kkt: &mut Kkt) -> f64 {
        let plan = solved.problem.plan;
        let size =
            self.residual.correct(kkt, (&mut self.rule, plan.formula.end.position), &mut self.multipliers);
        self.refresh(solved);
        plan.formula.end.velocity * size
    }

    /// One correction of `M U + Φᵀ ν = 0`, `φ = 0`; returns its size as a velocity. `changes` says whether the
    /// change of `M U + Φᵀ ν` at fixed `U` and `ν` is found anew.
    pub(super) fn project_positions(&mut self, solved: &Solved<'_>, kkt: &mut Kkt, changes: bool) -> f64 {
        let (p, (x, own)) = (solved.problem, solved.increments);
        let Residual { balance, rows, .. } = &mut self.residual;
        let projection = &mut self.position_projection;
        if changes {
            projection.reactions.clear();
            if largest(&own.position) > NOTICED {
                let of = (&own.position[..], &own.position_multipliers[..]);
                let out = &mut projection.reactions;
                self.differences.add_projection(solved, self.directions, of, &self.position, out);
            }
        }
        balance.copy_from(&projection.reactions);
        if !projection.is_zero() {
            let rate = |change: &[f64], out: &mut [f64]| p.coordinates().rate(x, change, out);
            self.differences.add_mass_products(solved, self.directions, rate, &projection.change, balance);
            self.matrices.end.add_reactions(&projection.multipliers, balance);
        }
        rows.clear();
        self.matrices.end.add_rows(&self.position, rows);
        let size = self.residual.project(kkt, projection);
        self.refresh(solved);
        size * p.plan.formula.end.velocity / p.plan.formula.end.position
    }

    /// One correction of `M W + Φᵀ Λ = 0`, `φ̇ = 0`, likewise; returns its size.
    pub(super) fn project_velocities(&mut self, solved: &Solved<'_>, kkt: &mut Kkt, changes: bool) -> f64 {
        let (p, (_, own)) = (solved.problem, solved.increments);
        let Residual { balance, rows, .. } = &mut self.residual;
        let projection = &mut self.velocity_projection;
        if changes {
            projection.reactions.clear();
            if largest(&own.velocity) > NOTICED {
                let of = (&own.velocity[..], &own.velocity_multipliers[..]);
                let out = &mut projection.reactions;
                self.differences.add_projection(solved, self.directions, of, &self.position, out);
            }
        }
        balance.copy_from(&projection.reactions);
        if !projection.is_zero() {
            let same = |change: &[f64], out: &mut [f64]| out.copy_from_slice(change);
            self.differences.add_mass_products(solved, self.directions, same, &projection.change, balance);
            self.matrices.end.add_reactions(&projection.multipliers, balance);
        }
        rows.clear();
        self.matrices.end.add_rows(&self.velocity, rows);
        self.matrices.end.add_gradient(&self.position, rows);
        self.work.change.copy_from(&projection.change);
        self.work.multipliers.copy_from(&projection.multipliers);
        let size = self.residual.project(kkt, projection);
        if let PositionUpdate::Rate { weight } = p.plan.formula.position_update {
            self.carry_over(weight);
        }
        self.refresh(solved);
        size
    }

    /// As Newton's method does: the rule takes over a change of the velocity, the projection of the position gives it back.
    fn carry_over(&mut self, weight: f64) {
        self.work.change -= &self.velocity_projection.change;
        self.work.multipliers -= &self.velocity_projection.multipliers;
        self.work.change *= weight;
        self.work.multipliers *= weight;
        self.rule -= &self.work.change;
        self.position_projection.change += &self.work.change;
        self.position_projection.multipliers += &self.work.multipliers;
    }
}
