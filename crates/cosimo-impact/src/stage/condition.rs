//! What contacts ask of the end of a step.

use cosimo_dynamics::Motion;

use crate::planned_step::{ImposedLevel, PlannedStep};
use crate::step_problem::StepProblem;

/// Points at which the rows of contacts are evaluated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EndPoint<'a> {
    /// Time and position of the directions `G`.
    pub(crate) directions: (f64, &'a [f64]),
    /// End time (s), velocity and increment from the start.
    pub(crate) time: f64,
    pub(crate) velocity: &'a [f64],
    pub(crate) increment: &'a [f64],
}

/// Complements `F` of the impulses, row by row.
#[derive(Debug, Default)]
pub(crate) struct Condition {
    /// All rows.
    pub(crate) rows: Vec<f64>,
    gaps: Vec<f64>,
    q: Vec<f64>,
    x: Vec<f64>,
}

impl Condition {
    pub(crate) fn new(problem: &StepProblem<'_>) -> Self {
        let layout = problem.contacts.layout();
        Self {
            rows: vec![0.0; layout.rows()],
            gaps: vec![0.0; layout.contacts().len()],
            q: vec![0.0; problem.coordinates().positions()],
            x: vec![0.0; problem.coordinates().velocities()],
        }
    }

    /// Writes `F` of the active contacts; `offsets` is what restitution adds to their normal velocities (m/s).
    ///
    /// ```text
    ///   velocity      F_N = U_N(v₁) + e U⁻_N                        F_T = U_T(v₁)
    ///   stabilized    F_N = U_N(v₁) + g₀/h                          F_T = U_T(v₁)
    ///   position      F_N = (1 + e) g( (x₁ + e x₋₁)/(1 + e) )
    /// ```
    pub(crate) fn evaluate(
        &mut self,
        problem: &StepProblem<'_>,
        plan: &PlannedStep,
        at: EndPoint<'_>,
        (active, offsets): (&[usize], &[f64]),
    ) {
        let d = problem.contacts.layout().dimension();
        if plan.imposed == ImposedLevel::Position {
            for &contact in active {
                self.rows[contact * d] = self.position(problem, plan, at, contact);
            }
            return;
        }
        let (t, q) = at.directions;
        problem.contacts.rates(Motion { t, q, v: at.velocity }, &mut self.rows);
        for (&contact, offset) in active.iter().zip(offsets) {
            self.rows[contact * d] += offset;
        }
    }

    fn position(
        &mut self,
        problem: &StepProblem<'_>,
        plan: &PlannedStep,
        at: EndPoint<'_>,
        contact: usize,
    ) -> f64 {
        let e = problem.restitution(contact);
        for (x, (end, back)) in self.x.iter_mut().zip(at.increment.iter().zip(&plan.back)) {
            *x = (end + e * back) / (1.0 + e);
        }
        problem.coordinates().move_by(&problem.start.q, &self.x, &mut self.q);
        problem.contacts.gaps(at.time, &self.q, &mut self.gaps);
        (1.0 + e) * self.gaps[contact]
    }
}
