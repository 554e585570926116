//! The jump that impulses from outside make.

use cosimo_smooth::dae::SaddlePoint;

use crate::step_problem::StepProblem;

/// `w` with `M w + Φᵀ Λ = Zᵀ X`, `Φ w = 0`, directions at the middle of the step.
#[derive(Debug, Default)]
pub(crate) struct OuterJump {
    /// `Zᵀ`, one column a row.
    pub(crate) columns: Vec<f64>,
    /// `Zᵀ X`.
    pub(crate) force: Vec<f64>,
    /// `w` and `Λ`.
    pub(crate) jump: Vec<f64>,
    increment: Vec<f64>,
    middle: Vec<f64>,
}

impl OuterJump {
    /// Forgets the last step: without rows there is no jump.
    pub(crate) fn begin(&mut self, p: &StepProblem<'_>) {
        let Some(outside) = p.outside else { return };
        let structure = p.system.structure();
        let (n, m) = (structure.velocities(), structure.rows());
        self.columns.resize(n * outside.rows.len(), 0.0);
        self.force.resize(n, 0.0);
        self.jump.resize(n + m, 0.0);
        self.increment.resize(n, 0.0);
        self.middle.resize(p.start.q.len(), 0.0);
        self.jump.fill(0.0);
    }

    /// Whether there are rows.
    pub(crate) fn is_there(&self) -> bool {
        !self.jump.is_empty()
    }

    /// Takes the forces for a step that ends after this increment.
    pub(crate) fn take_forces(&mut self, p: &StepProblem<'_>, increment: &[f64]) {
        let Some(outside) = p.outside else { return };
        self.increment.iter_mut().zip(increment).for_each(|(half, x)| *half = 0.5 * x);
        p.coordinates().move_by(&p.start.q, &self.increment, &mut self.middle);
        outside.rows.unit_forces(&self.middle, &mut self.columns);
        self.force.fill(0.0);
        for (column, x) in self.columns.chunks_exact(self.force.len()).zip(outside.impulses) {
            self.force.iter_mut().zip(column).for_each(|(force, own)| *force += x * own);
        }
    }

    /// Finds the jump with this matrix of the mass and the constraints.
    pub(crate) fn solve(&mut self, mass: &mut SaddlePoint) {
        if self.is_there() {
            let (top, bottom) = self.jump.split_at_mut(self.force.len());
            top.copy_from_slice(&self.force);
            bottom.fill(0.0);
            mass.solve(&mut self.jump);
        }
    }

    /// `w`; nothing where there are no rows.
    pub(crate) fn velocities(&self) -> &[f64] {
        &self.jump[..self.force.len()]
    }
}
