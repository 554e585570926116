//! What others do to a stepper from outside.

use cosimo_dynamics::ConstrainedSystem;
use cosimo_smooth::dae::TangentPoint;
use nalgebra::DMatrix;

use super::{NonsmoothStepper, StepReport, problem, start_method};
use crate::contacts::Contacts;
use crate::error::ImpactError;
use crate::method::Solved;
use crate::outside::{Answered, Outer, OuterAnswer, OuterRows};
use crate::state::ImpactState;

impl<S: ConstrainedSystem, C: Contacts> NonsmoothStepper<S, C> {
    /// Lets others act on these rows.
    ///
    /// # Errors
    /// The scheme takes no impulses from outside.
    pub fn with_outer_rows(mut self, rows: Box<dyn OuterRows>) -> Result<Self, ImpactError> {
        self.scheme.takes_outer_impulses()?;
        let (impulses, moved) = (vec![0.0; rows.len()], self.state.clone());
        self.outer = Some(Box::new(Outer { rows, impulses, answer: OuterAnswer::default(), moved }));
        Ok(self)
    }

    /// Solves a step of size `h` (s) with these impulses (N s) on the rows that others act on, without taking it.
    ///
    /// # Errors
    /// As [`solve_trial`](Self::solve_trial).
    pub fn solve_trial_under(&mut self, h: f64, impulses: &[f64]) -> Result<StepReport, ImpactError> {
        self.set_impulses(impulses);
        self.solve_from(h, false)
    }

    /// Solves the step of size `h` (s) that was solved last once more, from a start that is moved by `J⁻¹ Zᵀ m`, with `m` (kg m) the
    /// `moves` of the rows.
    ///
    /// # Errors
    /// As [`solve_trial`](Self::solve_trial).
    pub fn move_trial(&mut self, h: f64, moves: &[f64]) -> Result<StepReport, ImpactError> {
        let Some(outer) = &mut self.outer else { return self.solve_from(h, false) };
        let (n, m) = (self.state.v.len(), self.state.mu.len());
        let mut way = vec![0.0; n + m];
        for (column, weight) in self.method.outer().columns.column_iter().zip(moves) {
            way.iter_mut().zip(column.iter()).for_each(|(way, x)| *way += weight * x);
        }
        self.method.matrices().step.solve(&mut way);
        outer.moved.copy(&self.state);
        let coordinates = self.system.structure().coordinates();
        coordinates.move_by(&self.state.q, &way[..n], &mut outer.moved.q);
        self.solve_from(h, true)
    }

    /// How the rows that others act on answer at the end of the step solved last: changes of their rates for unit impulses, and of their
    /// positions for unit moves, both 1/kg. `None` without such rows.
    pub fn outer_answer(&mut self) -> Option<[&DMatrix<f64>; 2]> {
        let Self { system, contacts, settings, state, gaps, rates, outer, method, end, trial_found, .. } = self;
        let Outer { rows, answer, .. } = outer.as_deref_mut()?;
        let h = end.time - state.time;
        let problem = problem((system, contacts), settings, state, h, (gaps, rates), None);
        let weights = method.weights();
        let Solved { matrices, jacobian, outer: jump, at } = method.solved(&problem);
        let found = trial_found;
        answer.find(&mut Answered { problem, rows: &**rows, weights, matrices, at, jump, jacobian, end, found });
        Some([&answer.inverse_mass, &answer.move_mass])
    }

    /// The end of the step solved last.
    #[must_use]
    pub fn trial_end(&self) -> &ImpactState {
        &self.end
    }

    /// Prepares impulses on the rows that others act on, at the present instant: how their rates answer, 1/kg. `None` without such rows.
    ///
    /// # Errors
    /// The matrix of the mass is singular.
    pub fn prepare_jump(&mut self) -> Result<Option<&DMatrix<f64>>, ImpactError> {
        self.trial = None;
        let Some(outer) = self.outer.as_deref_mut() else { return Ok(None) };
        let motion = self.state.motion();
        let at = TangentPoint { motion, a: &self.state.a, mu: &self.state.mu };
        let matrices = self.method.matrices();
        matrices.take_mass(&self.system, at)?;
        outer.answer.jump(&*outer.rows, (matrices, &self.state));
        Ok(Some(&outer.answer.inverse_mass))
    }

    /// Changes the velocity by the impulses prepared (N s), contacts left alone.
    ///
    /// # Errors
    /// The start of the next step cannot be balanced.
    pub fn jump(&mut self, impulses: &[f64]) -> Result<(), ImpactError> {
        if let Some(outer) = &self.outer {
            outer.answer.add_jump(impulses, &mut self.state.v);
        }
        self.begin_anew()
    }

    /// Moves the position by what [`jump`](Self::jump) would change the velocity by.
    ///
    /// # Errors
    /// As [`jump`](Self::jump).
    pub fn shift(&mut self, weights: &[f64]) -> Result<(), ImpactError> {
        if let Some(outer) = &self.outer {
            let mut way = vec![0.0; self.state.v.len()];
            outer.answer.add_jump(weights, &mut way);
            self.end.q.copy_from_slice(&self.state.q);
            let coordinates = self.system.structure().coordinates();
            coordinates.move_by(&self.end.q, &way, &mut self.state.q);
        }
        self.begin_anew()
    }

    /// Balances the accelerations of a state that was changed from outside.
    fn begin_anew(&mut self) -> Result<(), ImpactError> {
        (self.trial, self.present) = (None, None);
        let Self { method, scheme, system, contacts, settings, state, .. } = self;
        start_method(method, scheme, (system, contacts), settings, state)
    }

    fn set_impulses(&mut self, impulses: &[f64]) {
        if let Some(outer) = &mut self.outer {
            outer.impulses.fill(0.0);
            outer.impulses.iter_mut().zip(impulses).for_each(|(own, x)| *own = *x);
        }
    }
}
