//! What others do to a stepper from outside.

use cosimo_dynamics::ConstrainedSystem;
use cosimo_smooth::dae::TangentPoint;
use nalgebra::DMatrix;

use super::{NonsmoothStepper, StepReport, Trial, problem, start_method};
use crate::contacts::Contacts;
use crate::error::ImpactError;
use crate::method::Solved;
use crate::outer_rows::OuterRows;
use crate::outside::{Answered, Outer, OuterAnswer};
use crate::state::ImpactState;

impl<S: ConstrainedSystem, C: Contacts> NonsmoothStepper<S, C> {
    /// Lets others act on these rows.
    ///
    /// # Errors
    /// The scheme takes no impulses from outside.
    pub fn with_outer_rows(mut self, rows: Box<dyn OuterRows>) -> Result<Self, ImpactError> {
        self.scheme.takes_outer_impulses()?;
        self.method.let_others_act(&self.scheme, self.system.structure().coordinates());
        let impulses = vec![0.0; rows.len()];
        self.outer = Some(Box::new(Outer { rows, impulses, answer: OuterAnswer::default() }));
        Ok(self)
    }

    /// Solves a step of size `h` (s) with these impulses (N s) on the rows that others act on, without taking it.
    ///
    /// # Errors
    /// As [`solve_trial`](Self::solve_trial).
    pub fn solve_trial_under(&mut self, h: f64, impulses: &[f64]) -> Result<StepReport, ImpactError> {
        self.set_impulses(impulses);
        self.solve_from(h)
    }

    /// Moves the end of the step of size `h` (s) that was solved last, as if its start had been moved by `J⁻¹ Zᵀ m`, with `m` (kg m) the `moves`
    /// of the rows: `Δq = σ − c_q J⁻¹ K σ`, `Δv = −c_v J⁻¹ K σ`. What the step has decided about contacts stays, and those that are closed
    /// hold.
    ///
    /// # Errors
    /// The step is not solved.
    pub fn move_trial(&mut self, h: f64, moves: &[f64]) -> Result<StepReport, ImpactError> {
        let Some(Trial { report, .. }) = self.trial.take() else { return self.solve_from(h) };
        let (c_v, _) = self.method.weights().by_acceleration;
        self.before.copy_from_slice(&self.end.q);
        let Some((answer, mut step)) = self.answered(true) else { return Ok(report) };
        answer.move_end(&mut step, moves);
        let Some(outer) = &self.outer else { return Ok(report) };
        let [displacement, back] = outer.answer.moved();
        let coordinates = self.system.structure().coordinates();
        coordinates.move_by(&self.before, displacement, &mut self.end.q);
        let changes = self.end.v.iter_mut().zip(&mut self.end.a);
        for ((v, a), back) in changes.zip(back) {
            *v -= c_v * back;
            *a -= back;
        }
        let end = self.system.energy(self.end.motion());
        let report = StepReport { balance: self.balance(h, end), ..report };
        self.trial = Some(Trial { size: h, report, end });
        Ok(report)
    }

    /// How the rows that others act on answer at the end of the step solved last: changes of their rates for unit impulses, and of their
    /// positions for unit moves, both 1/kg. Where contacts that are closed do not hold, the former is an upper bound. `None` without such rows.
    pub fn outer_answer(&mut self, holds_contacts: bool) -> Option<[&DMatrix<f64>; 2]> {
        let (answer, mut step) = self.answered(holds_contacts)?;
        answer.find(&mut step);
        Some([&answer.inverse_mass, &answer.move_mass])
    }

    /// The step solved last, with what answers for it; with the contacts that are closed or without.
    fn answered(&mut self, holds_contacts: bool) -> Option<(&mut OuterAnswer, Answered<'_>)> {
        let Self { system, contacts, settings, state, gaps, rates, outer, method, end, trial_found, .. } =
            self;
        let Outer { rows, answer, .. } = outer.as_deref_mut()?;
        let h = end.time - state.time;
        let problem = problem((system, contacts), settings, state, h, (gaps, rates), None);
        let weights = method.weights();
        let Solved { matrices, jacobian, place } = method.solved();
        let (rows, found) = (&**rows, &*trial_found);
        Some((
            answer,
            Answered { problem, rows, weights, holds_contacts, matrices, place, jacobian, end, found },
        ))
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
    pub fn project_positions(&mut self, weights: &[f64]) -> Result<(), ImpactError> {
        if let Some(outer) = &self.outer {
            let mut displacement = vec![0.0; self.state.v.len()];
            outer.answer.add_jump(weights, &mut displacement);
            self.before.copy_from_slice(&self.state.q);
            let coordinates = self.system.structure().coordinates();
            coordinates.move_by(&self.before, &displacement, &mut self.state.q);
        }
        self.begin_anew()
    }

    /// Balances the accelerations of a state that was changed from outside.
    fn begin_anew(&mut self) -> Result<(), ImpactError> {
        (self.trial, self.present) = (None, None);
        let Self { method, scheme, system, contacts, settings, state, .. } = self;
        method.restart(system.structure().coordinates());
        start_method(method, scheme, (system, contacts), settings, state)
    }

    fn set_impulses(&mut self, impulses: &[f64]) {
        if let Some(outer) = &mut self.outer {
            outer.impulses.fill(0.0);
            outer.impulses.iter_mut().zip(impulses).for_each(|(own, x)| *own = *x);
        }
    }
}
