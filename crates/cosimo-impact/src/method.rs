//! A scheme at work.

use cosimo_dynamics::{
    Collocation, Coordinates, GeneralizedAlpha, GeneralizedAlphaParameters, Motion, Multistep, StepRule,
    Theta,
};
use cosimo_mechanics::Restitution;
use cosimo_mechanics::StepBalance;

use crate::alpha::AlphaSolver;
use crate::error::ImpactError;
use crate::matrices::{ContactJacobian, StepMatrices};
use crate::outside::{OuterJump, StepWeights};
use crate::planned_step::{ImposedLevel, PlannedStep};
use crate::projection::Projection;
use crate::rules::{DissipativeTheta, HalfImplicitEuler, JoinedSchatzmanPaoli, SchatzmanPaoli};
use crate::scheme::{Activation, Scheme};
use crate::stage::{ActiveContacts, StageSolver};
use crate::state::ImpactState;
use crate::state_reader::StateReader;
use crate::step_problem::{ContactStep, StepEffort, StepProblem};

/// What solves the steps of a scheme.
#[derive(Debug)]
pub(crate) enum Method {
    /// One acceleration and one jump a step.
    Staged(Box<Staged>),
    /// The nonsmooth generalized-α method.
    Alpha(Box<AlphaSolver>),
}

/// Which contacts take part in a step.
#[derive(Debug, Clone, Copy)]
enum Selection {
    Predicted(Activation),
    /// Up to a gap (m), with this speed of correction at most (m/s).
    Near(f64, f64),
    All,
}

/// What a step leaves behind: its matrices, the position that they belong to, and directions of contacts.
pub(crate) struct Solved<'a> {
    pub(crate) matrices: &'a mut StepMatrices,
    pub(crate) jacobian: &'a ContactJacobian,
    pub(crate) place: &'a [f64],
}

/// A step rule with what solves its steps.
#[derive(Debug)]
pub(crate) struct Staged {
    pub(crate) rule: Box<dyn StepRule>,
    plan: PlannedStep,
    pub(crate) solver: StageSolver,
    selection: Selection,
    active: ActiveContacts,
    projection: Option<Projection>,
    /// Whether contacts had impulses in the step solved last.
    had_impulses: bool,
}

impl Method {
    pub(crate) fn new(scheme: &Scheme, p: &StepProblem<'_>) -> Result<Self, ImpactError> {
        let state = p.start;
        let (mut rule, selection): (Box<dyn StepRule>, _) = match *scheme {
            Scheme::MoreauJean { theta, activation, .. }
            | Scheme::ProjectedMoreauJean { theta, activation } => {
                (Box::new(Theta::of_any(theta)), Selection::Predicted(activation))
            }
            Scheme::DissipativeMoreauJean { theta, activation } => {
                (Box::new(DissipativeTheta(theta)), Selection::Predicted(activation))
            }
            Scheme::SchatzmanPaoli { theta } => (Box::new(SchatzmanPaoli::new(theta)), Selection::All),
            Scheme::Multistep { spectral_radius, activation } => (
                Box::new(Multistep::new(spectral_radius).map_err(ImpactError::of_rule)?),
                Selection::Predicted(activation),
            ),
            Scheme::Newmark { parameters, activation } => {
                (Box::new(GeneralizedAlpha::with_parameters(parameters)), Selection::Predicted(activation))
            }
            Scheme::Hht { alpha, activation } => {
                let rule = GeneralizedAlpha::with_parameters(GeneralizedAlphaParameters::hht(alpha));
                (Box::new(rule), Selection::Predicted(activation))
            }
            Scheme::HalfImplicitEuler { distance, correction_speed, .. } => {
                (Box::new(HalfImplicitEuler), Selection::Near(distance, correction_speed))
            }
            Scheme::NonsmoothGeneralizedAlpha { spectral_radius, smooth, restitution, correction } => {
                let solver = AlphaSolver::new(p, (spectral_radius, smooth, restitution), correction)?;
                return Ok(Self::Alpha(Box::new(solver)));
            }
        };
        rule.restart(p.coordinates());
        let imposed = match scheme {
            Scheme::SchatzmanPaoli { .. } => ImposedLevel::Position,
            Scheme::HalfImplicitEuler { .. } => ImposedLevel::Stabilized,
            _ => ImposedLevel::Velocity,
        };
        let projects = matches!(scheme, Scheme::ProjectedMoreauJean { .. });
        Ok(Self::Staged(Box::new(Staged {
            rule,
            plan: PlannedStep::new(state.v.len(), imposed),
            solver: StageSolver::new(p, scheme.contact_accuracy())?,
            selection,
            active: ActiveContacts::default(),
            projection: if projects { Some(Projection::new(p)?) } else { None },
            had_impulses: false,
        })))
    }

    /// Lets others act on the system, at a start: a rule whose velocity sees impulses by halves takes the one that sees them whole.
    pub(crate) fn let_others_act(&mut self, scheme: &Scheme, coordinates: &Coordinates) {
        if let (Self::Staged(staged), Scheme::SchatzmanPaoli { theta }) = (self, scheme) {
            staged.rule = Box::new(JoinedSchatzmanPaoli::new(*theta));
            staged.rule.restart(coordinates);
        }
    }

    /// Forgets the past.
    pub(crate) fn restart(&mut self, coordinates: &Coordinates) {
        match self {
            Self::Staged(staged) => staged.rule.restart(coordinates),
            Self::Alpha(solver) => solver.restart(coordinates),
        }
    }

    /// Solves a step; `end` holds the first guess, `found` takes the impulses.
    pub(crate) fn solve(
        &mut self,
        p: &StepProblem<'_>,
        end: &mut ImpactState,
        found: &mut ContactStep,
    ) -> Result<StepEffort, ImpactError> {
        match self {
            Self::Staged(staged) => staged.solve(p, end, found),
            Self::Alpha(solver) => solver.solve(p, end, found),
        }
    }

    /// How the end of the step solved last depends on accelerations and jumps.
    pub(crate) fn weights(&self) -> StepWeights {
        match self {
            Self::Staged(staged) => {
                let plan = &staged.plan;
                let (as_velocity, (e_v, e_q)) = (plan.as_velocity(), plan.balanced_by_jump());
                StepWeights {
                    by_acceleration: plan.end(),
                    way_of_jump: plan.step.formula.jump.position / as_velocity,
                    balanced_by_jump: (e_v / as_velocity, e_q / as_velocity),
                }
            }
            Self::Alpha(solver) => StepWeights {
                by_acceleration: solver.plan.end(),
                way_of_jump: 0.5 * solver.plan.step.h,
                balanced_by_jump: (1.0, 0.5 * solver.plan.step.h),
            },
        }
    }

    /// Matrices of the step solved last, and the place that they belong to.
    pub(crate) fn solved(&mut self) -> Solved<'_> {
        match self {
            Self::Staged(staged) => {
                let StageSolver { matrices, jacobian, stage, end, .. } = &mut staged.solver;
                let place = if staged.plan.is_balanced_at_end() { end } else { stage };
                Solved { matrices, jacobian, place: &place.q }
            }
            Self::Alpha(solver) => {
                let AlphaSolver { matrices, jacobian, q, .. } = &mut **solver;
                Solved { matrices, jacobian, place: q }
            }
        }
    }

    /// Matrices of the mass and of the step.
    pub(crate) fn matrices(&mut self) -> &mut StepMatrices {
        match self {
            Self::Staged(staged) => &mut staged.solver.matrices,
            Self::Alpha(solver) => &mut solver.matrices,
        }
    }

    /// What acted from outside in the step solved last.
    pub(crate) fn outer(&self) -> &OuterJump {
        match self {
            Self::Staged(staged) => &staged.solver.outer,
            Self::Alpha(solver) => &solver.outer,
        }
    }

    /// `½ (v₀ + v₁)ᵀ Zᵀ X` (J).
    pub(crate) fn work_from_outside(&self, start: &[f64], end: &[f64]) -> f64 {
        self.outer()
            .force
            .iter()
            .zip(start.iter().zip(end))
            .map(|(force, (v0, v1))| 0.5 * force * (v0 + v1))
            .sum()
    }

    /// Takes the step of size `h` (s) that was solved last.
    pub(crate) fn accept(&mut self, h: f64, start: &ImpactState, end: &ImpactState) {
        match self {
            Self::Staged(staged) => staged.rule.accept(h, start.point(), &end.a, staged.had_impulses),
            Self::Alpha(solver) => solver.accept(h, start, end),
        }
    }

    /// The acceleration that the rule integrates in place of that of the smooth motion `a`; the same where there is none.
    pub(crate) fn algorithmic(&self, a: &[f64]) -> Vec<f64> {
        let own = match self {
            Self::Staged(staged) => staged.rule.algorithmic(),
            Self::Alpha(solver) => solver.rule.algorithmic(),
        };
        let own = own.filter(|own| own.is_started());
        own.map_or_else(|| a.to_vec(), |own| own.accelerations().collect())
    }

    /// Appends what of the past the next step uses.
    pub(crate) fn save(&self, out: &mut Vec<f64>) {
        match self {
            Self::Staged(staged) => staged.rule.save(out),
            Self::Alpha(solver) => solver.save(out),
        }
    }

    /// Takes that over; `None` if it does not fit.
    pub(crate) fn restore(&mut self, saved: &mut StateReader<'_>) -> Option<()> {
        match self {
            Self::Staged(staged) => saved.pass(|rest| staged.rule.restore(rest)),
            Self::Alpha(solver) => solver.restore(saved),
        }
    }
}

impl Staged {
    fn solve(
        &mut self,
        p: &StepProblem<'_>,
        end: &mut ImpactState,
        found: &mut ContactStep,
    ) -> Result<StepEffort, ImpactError> {
        self.plan.make(self.rule.as_mut(), p.h, p.start, p.coordinates());
        self.select(p);
        let mut effort = self.solver.solve(p, &self.plan, &self.active, end, found)?;
        while self.project(p, end)? {
            let more = self.solver.solve(p, &self.plan, &self.active, end, found)?;
            effort.iterations += more.iterations;
            effort.factorizations += more.factorizations;
        }
        self.had_impulses = p.outside.is_some() || found.impulses.iter().any(|impulse| *impulse != 0.0);
        Ok(effort)
    }

    /// Accounts for the work of pushing bodies apart that overlap, `P` times the speed of correction: it is not that of the contact law.
    pub(crate) fn book_corrections(&self, p: &StepProblem<'_>, found: &ContactStep, out: &mut StepBalance) {
        if self.plan.imposed != ImposedLevel::Stabilized {
            return;
        }
        let d = p.contacts.layout().dimension();
        for (contact, offset) in self.active.contacts.iter().zip(&self.active.offsets) {
            let work = found.impulses[contact * d] * (-offset).max(0.0);
            out.external += work;
            if p.start_rates[contact * d] < 0.0 { out.impact -= work } else { out.contact -= work }
        }
    }

    /// Where the works of a step from this time (s) are taken; `None` where that is done by the trapezoidal rule.
    pub(crate) fn place_of_works(&self, start: f64) -> Option<Motion<'_>> {
        let (v, q) = self.solver.balanced(&self.plan);
        let t = start + self.plan.step.formula.stage.time * self.plan.step.h;
        (self.rule.collocation() == Collocation::Mean).then_some(Motion { t, q, v })
    }

    /// Puts the end back; says whether contacts were closed by that which have not taken part yet, and adds them.
    fn project(&mut self, p: &StepProblem<'_>, end: &mut ImpactState) -> Result<bool, ImpactError> {
        let Some(projection) = &mut self.projection else { return Ok(false) };
        projection.project(p, end)?;
        let before = self.active.contacts.len();
        for &contact in &projection.pushed {
            if !self.active.contacts[..before].contains(&contact) {
                self.active.add(p, self.selection, contact);
            }
        }
        Ok(self.active.contacts.len() > before)
    }

    fn select(&mut self, p: &StepProblem<'_>) {
        self.active.clear();
        let d = p.contacts.layout().dimension();
        for (contact, gap) in p.start_gaps.iter().enumerate() {
            let takes_part = match self.selection {
                Selection::Predicted(Activation { gamma, .. }) => {
                    gap + gamma * p.h * p.start_rates[contact * d] <= 0.0
                }
                Selection::Near(distance, _) => *gap <= distance,
                Selection::All => true,
            };
            if takes_part {
                self.active.add(p, self.selection, contact);
            }
        }
    }
}

impl ActiveContacts {
    fn clear(&mut self) {
        self.contacts.clear();
        self.offsets.clear();
        self.openings.clear();
    }

    fn add(&mut self, p: &StepProblem<'_>, selection: Selection, contact: usize) {
        self.contacts.push(contact);
        self.offsets.push(offset(p, selection, contact));
        let is_seen = !matches!(
            selection,
            Selection::Predicted(Activation { restitution: Restitution::Approaching, .. })
        );
        self.openings.push(if is_seen { 0.0 } else { p.opening(contact) });
    }
}

/// What is added to the normal end velocity of a contact in its law (m/s).
fn offset(p: &StepProblem<'_>, selection: Selection, contact: usize) -> f64 {
    match selection {
        Selection::Predicted(Activation { restitution, .. }) => {
            let rate = p.start_rates[contact * p.contacts.layout().dimension()];
            p.restitution(contact) * restitution.seen(rate)
        }
        Selection::Near(_, most) => (p.start_gaps[contact] / p.h).max(-most),
        Selection::All => 0.0,
    }
}
