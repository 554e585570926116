//! The three parts of a step, corrected at once.

use super::full::AllAtOnce;
use super::solver::{AlphaSolver, Corrected};
use crate::norm::largest;
use crate::state::ImpactState;
use crate::step_problem::StepProblem;

impl AlphaSolver {
    /// Corrects all parts. `None` where parts are to be corrected one by one:
    /// that is what the scheme asks for, or contacts depend on each other so that the matrix is singular.
    pub(super) fn correct_all(&mut self, p: &StepProblem<'_>, end: &mut ImpactState) -> Option<Corrected> {
        let mut full = self.full.take()?;
        let done = self.correct_by(p, end, &mut full);
        self.full = Some(full);
        done
    }

    fn correct_by(
        &mut self,
        p: &StepProblem<'_>,
        end: &mut ImpactState,
        full: &mut AllAtOnce,
    ) -> Option<Corrected> {
        let (weights, sizes) = (self.plan.end(), (end.a.len(), end.mu.len()));
        let blocks = (self.matrices.tangents(), &self.jacobian);
        let rows = (&self.sets, self.matrices.step.left_out());
        full.matrix.factorize(weights, blocks, rows).ok()?;
        self.write_residuals(p, end, &mut full.levels);
        full.matrix.solve(&mut full.levels, sizes);
        Some(Corrected { all: self.take_levels(p, end, &full.levels), unsettling: 0.0 })
    }

    fn write_residuals(&mut self, p: &StepProblem<'_>, end: &ImpactState, levels: &mut [Vec<f64>; 3]) {
        let ((c_v, c_q), both) = (self.plan.end(), self.unknowns.len());
        levels.iter_mut().for_each(|level| level[both..].fill(0.0));
        self.residual_of_smooth(p, end);
        levels[0][..both].copy_from_slice(&self.unknowns);
        self.residual_of_position(p, end);
        levels[1].iter_mut().zip(&self.unknowns).for_each(|(level, x)| *level = x / c_q);
        self.residual_of_velocity(p, end);
        levels[2].iter_mut().zip(&self.unknowns).for_each(|(level, x)| *level = x / c_v);
        let [positions, velocities, accelerations] = &self.sets.sets;
        accelerations.iter().for_each(|c| levels[0][both + c] = -self.rows.accelerations[*c]);
        positions.iter().for_each(|c| levels[1][both + c] = -self.rows.gaps[*c] / c_q);
        velocities.iter().for_each(|c| levels[2][both + c] = -self.rows.rebounds[*c] / c_v);
    }

    fn take_levels(&mut self, p: &StepProblem<'_>, end: &mut ImpactState, levels: &[Vec<f64>; 3]) -> f64 {
        let ((c_v, c_q), (n, m)) = (self.plan.end(), (end.a.len(), end.mu.len()));
        let add = |out: &mut [f64], factor: f64, x: &[f64]| {
            out.iter_mut().zip(x).for_each(|(out, x)| *out += factor * x);
        };
        add(&mut end.a, 1.0, &levels[0][..n]);
        add(&mut end.mu, 1.0, &levels[0][n..n + m]);
        self.forces.end.copy_from_slice(&levels[0][n + m..]);
        for (jump, factor, level) in
            [(&mut self.position, c_q, &levels[1]), (&mut self.velocity, c_v, &levels[2])]
        {
            add(&mut jump.change, factor, &level[..n]);
            add(&mut jump.constraints, factor, &level[n..n + m]);
            jump.contacts.iter_mut().zip(&level[n + m..]).for_each(|(own, x)| *own = factor * x);
        }
        let sizes = levels.each_ref().map(|level| largest(&level[..n]));
        (c_v * sizes[0]).max(c_q / p.h * sizes[1]).max(c_v * sizes[2])
    }
}
