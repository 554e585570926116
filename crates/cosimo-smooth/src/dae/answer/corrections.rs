//! One correction of the answer: the rule's share and the multipliers, and the projections.

use cosimo_dynamics::Level;
use nalgebra::DMatrix;

use super::products::{Balance, Reactions, Rows};
use super::residual::Residual;
use super::{Solved, StepAnswer};
use crate::dae::iteration::largest;
use crate::dae::kkt::Kkt;
use crate::dae::rule::Link;

/// Increments and velocities of a projection (m, rad, m/s, rad/s) above which the change of its equations at fixed increments
/// counts: it is as large against theirs as these are against the size of bodies, and theirs is of the order of the step.
const NOTICED: f64 = 1e-6;

impl StepAnswer {
    /// Writes `M δa + C δv + K δq + Φᵀ δμ` where forces balance: at a share `c` of the step `δv` is `c` times that of the end,
    /// and `δq = c T(c x) T(x)⁻¹` times that of the end.
    fn balance(&mut self, solved: &Solved<'_>) {
        let (p, end, stage) = (solved.problem, solved.end, solved.stage);
        let structure = p.system.structure();
        let Self { acceleration, velocity, position, stage: at_stage, residual, .. } = self;
        let balance = &mut residual.balance;
        balance.fill(0.0);
        let [mut stage_position, mut stage_velocity] = [&*position, &*velocity];
        if p.plan.share < 1.0 {
            at_stage.derive(solved, [position, velocity]);
            [stage_position, stage_velocity] = [&at_stage.position, &at_stage.velocity];
        }
        let mut products = Balance {
            structure,
            acceleration,
            velocity: stage_velocity,
            position: stage_position,
            out: &mut *balance,
        };
        p.system.tangents(stage, &end.a, &end.mu, &mut products);
        let multipliers = &self.multipliers;
        p.system.jacobian(stage.t, stage.q, &mut Reactions { structure, multipliers, out: balance });
    }

    /// Writes the residual of balance and constraints, the latter in the scale of accelerations; at the first correction there
    /// is nothing but the forces.
    pub(super) fn write_residual(&mut self, solved: &Solved<'_>, forces: &DMatrix<f64>, is_first: bool) {
        let (p, end) = (solved.problem, solved.end);
        if is_first {
            self.residual.balance.fill(0.0);
        } else {
            self.balance(solved);
        }
        let Residual { balance, rows, .. } = &mut self.residual;
        *balance -= forces;
        rows.fill(0.0);
        if is_first {
            return;
        }
        let level = p.formulation().level();
        let of_jacobian = match level {
            Level::Position => &self.position,
            Level::Velocity => &self.velocity,
            Level::Acceleration => &self.acceleration,
        };
        let structure = p.system.structure();
        let (position, velocity) = (&self.position, &self.velocity);
        let mut products = Rows { structure, of_jacobian, of_gradient: position, out: rows };
        p.system.jacobian(end.time, &end.q, &mut products);
        match level {
            Level::Position => {}
            Level::Velocity => p.system.rate_gradient(solved.motion(), &mut products),
            Level::Acceleration => self.differences.add_curvature(solved, (position, velocity), rows),
        }
        if let Some(weights) = p.formulation().feedback() {
            self.feed_back(solved, weights);
        }
        self.residual.rows /= p.formulation().row_scale(p.plan.velocity_weight, p.plan.position_weight);
    }

    /// Adds these multiples of the rates and of the values of the constraints to the rows.
    fn feed_back(&mut self, solved: &Solved<'_>, [of_rate, of_value]: [f64; 2]) {
        let (p, end) = (solved.problem, solved.end);
        // There are no projections beside the feedback, whose room is free.
        let (motion, turned) = (&mut self.work.change, &mut self.work.reactions);
        motion.copy_from(&self.velocity);
        *motion *= of_rate;
        turned.copy_from(&self.position);
        *turned *= of_value;
        *motion += &*turned;
        turned.copy_from(&self.position);
        *turned *= of_rate;
        let structure = p.system.structure();
        let mut products =
            Rows { structure, of_jacobian: motion, of_gradient: turned, out: &mut self.residual.rows };
        p.system.jacobian(end.time, &end.q, &mut products);
        p.system.rate_gradient(solved.motion(), &mut products);
    }

    /// One correction of the rule's share and the multipliers; returns its size as a velocity.
    pub(super) fn correct(&mut self, solved: &Solved<'_>, kkt: &mut Kkt) -> f64 {
        let p = solved.problem;
        let (c_q, c_v) = (p.plan.position_weight, p.plan.velocity_weight);
        let mut size = 0.0_f64;
        for (k, (z, change)) in self.residual.solve(kkt).enumerate() {
            size = size.max(c_v * largest(z));
            self.rule.column_mut(k).iter_mut().zip(&*z).for_each(|(y, z)| *y += c_q * *z);
            self.multipliers.column_mut(k).iter_mut().zip(&*change).for_each(|(mu, d)| *mu += d);
        }
        self.refresh(solved);
        size
    }

    /// One correction of `M U + Φᵀ ν = 0`, `φ = 0`; returns its size as a velocity. `changes` says whether the
    /// change of `M U + Φᵀ ν` at fixed `U` and `ν` is found anew.
    pub(super) fn project_positions(&mut self, solved: &Solved<'_>, kkt: &mut Kkt, changes: bool) -> f64 {
        let (p, end, (x, own)) = (solved.problem, solved.end, solved.increments);
        let structure = p.system.structure();
        let Residual { balance, rows, .. } = &mut self.residual;
        let projection = &mut self.position_projection;
        if changes {
            projection.reactions.fill(0.0);
            if largest(&own.position) > NOTICED {
                let of = (&own.position[..], &own.position_multipliers[..]);
                self.differences.add_projection(solved, of, &self.position, &mut projection.reactions);
            }
        }
        balance.copy_from(&projection.reactions);
        if !projection.is_zero() {
            let rate = |change: &[f64], out: &mut [f64]| p.coordinates().rate(x, change, out);
            self.differences.add_mass_products(solved, rate, &projection.change, balance);
            let multipliers = &projection.multipliers;
            p.system.jacobian(end.time, &end.q, &mut Reactions { structure, multipliers, out: balance });
        }
        rows.fill(0.0);
        let position = &self.position;
        let mut products = Rows { structure, of_jacobian: position, of_gradient: position, out: rows };
        p.system.jacobian(end.time, &end.q, &mut products);
        let size = self.residual.project(kkt, projection);
        self.refresh(solved);
        size * p.plan.velocity_weight / p.plan.position_weight
    }

    /// One correction of `M W + Φᵀ Λ = 0`, `φ̇ = 0`, likewise; returns its size.
    pub(super) fn project_velocities(&mut self, solved: &Solved<'_>, kkt: &mut Kkt, changes: bool) -> f64 {
        let (p, end, (_, own)) = (solved.problem, solved.end, solved.increments);
        let structure = p.system.structure();
        let Residual { balance, rows, .. } = &mut self.residual;
        let projection = &mut self.velocity_projection;
        if changes {
            projection.reactions.fill(0.0);
            if largest(&own.velocity) > NOTICED {
                let of = (&own.velocity[..], &own.velocity_multipliers[..]);
                self.differences.add_projection(solved, of, &self.position, &mut projection.reactions);
            }
        }
        balance.copy_from(&projection.reactions);
        if !projection.is_zero() {
            let same = |change: &[f64], out: &mut [f64]| out.copy_from_slice(change);
            self.differences.add_mass_products(solved, same, &projection.change, balance);
            let multipliers = &projection.multipliers;
            p.system.jacobian(end.time, &end.q, &mut Reactions { structure, multipliers, out: balance });
        }
        rows.fill(0.0);
        let mut products =
            Rows { structure, of_jacobian: &self.velocity, of_gradient: &self.position, out: rows };
        p.system.jacobian(end.time, &end.q, &mut products);
        p.system.rate_gradient(solved.motion(), &mut products);
        let before = (&mut self.work.change, &mut self.work.multipliers);
        before.0.copy_from(&projection.change);
        before.1.copy_from(&projection.multipliers);
        let size = self.residual.project(kkt, projection);
        if let Link::Rate { weight } = p.plan.link {
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
