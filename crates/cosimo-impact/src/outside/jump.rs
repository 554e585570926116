//! The jump that impulses from outside make.

use cosimo_dynamics::Configuration;
use cosimo_smooth::dae::SaddlePoint;
use nalgebra::DMatrix;

use crate::step_problem::StepProblem;

/// `w` with `M w + Φᵀ Λ = Zᵀ X`, `Φ w = 0`, directions at the middle of the step.
#[derive(Debug, Default)]
pub(crate) struct OuterJump {
    /// `Zᵀ`, one column per row.
    pub(crate) columns: DMatrix<f64>,
    /// `Zᵀ X`.
    pub(crate) force: Vec<f64>,
    /// `w` and `Λ`.
    pub(crate) jump: Vec<f64>,
    increment: Vec<f64>,
    middle: Vec<f64>,
    reaction: Vec<f64>,
    /// What a jump as the rule takes it is as a velocity (1, or 1/s).
    as_velocity: f64,
}

impl OuterJump {
    /// Forgets the last step: without rows there is no jump. A jump of the rule is by so much one of velocities.
    pub(crate) fn begin(&mut self, p: &StepProblem<'_>, as_velocity: f64) {
        let Some(outside) = p.outside else { return };
        self.as_velocity = as_velocity;
        let structure = p.system.structure();
        let (n, m) = (structure.velocities(), structure.rows());
        if self.columns.shape() != (n, outside.rows.len()) {
            self.columns = DMatrix::zeros(n, outside.rows.len());
        }
        self.force.resize(n, 0.0);
        self.jump.resize(n + m, 0.0);
        self.increment.resize(n, 0.0);
        self.middle.resize(p.start.q.len(), 0.0);
        self.reaction.resize(n, 0.0);
        self.jump.fill(0.0);
    }

    /// Whether there are rows.
    pub(crate) fn is_there(&self) -> bool {
        !self.jump.is_empty()
    }

    /// Takes the forces for a step that ends after this increment. Constraints react to impulses from outside along their directions at
    /// the middle of the step as well, not along those at the time (s) and the position of the matrices: the difference is taken with the
    /// last reactions.
    pub(crate) fn take_forces(&mut self, p: &StepProblem<'_>, increment: &[f64], at: Configuration<'_>) {
        let Some(outside) = p.outside else { return };
        self.increment.iter_mut().zip(increment).for_each(|(half, x)| *half = 0.5 * x);
        p.coordinates().move_by(&p.start.q, &self.increment, &mut self.middle);
        outside.rows.unit_forces(&self.middle, &mut self.columns);
        self.force.fill(0.0);
        for (column, x) in self.columns.column_iter().zip(outside.impulses) {
            self.force.iter_mut().zip(column.iter()).for_each(|(force, own)| *force += x * own);
        }
        let Self { force, jump, middle, reaction, as_velocity, .. } = self;
        redirect(p, middle, at, (&jump[force.len()..], *as_velocity), (reaction, force));
    }

    /// Finds the jump with this matrix of the mass and the constraints.
    pub(crate) fn solve(&mut self, mass: &mut SaddlePoint) {
        if self.is_there() {
            let (top, bottom) = self.jump.split_at_mut(self.force.len());
            top.copy_from_slice(&self.force);
            bottom.fill(0.0);
            mass.solve(&mut self.jump);
            self.jump.iter_mut().for_each(|jump| *jump /= self.as_velocity);
        }
    }

    /// `w`; nothing where there are no rows.
    pub(crate) fn velocities(&self) -> &[f64] {
        &self.jump[..self.force.len()]
    }
}

/// Adds what reactions of constraints, of this weight, do along their directions at this time (s) and position more than along those at the middle.
fn redirect(
    p: &StepProblem<'_>,
    middle: &[f64],
    at: Configuration<'_>,
    (reactions, weight): (&[f64], f64),
    (own, force): (&mut [f64], &mut [f64]),
) {
    if reactions.iter().all(|own| *own == 0.0) {
        return;
    }
    for (sign, t, q) in [(1.0, at.t, at.q), (-1.0, p.start.time + 0.5 * p.h, middle)] {
        own.fill(0.0);
        p.system.add_reactions(t, q, reactions, own);
        force.iter_mut().zip(&*own).for_each(|(force, own)| *force += sign * weight * own);
    }
}
