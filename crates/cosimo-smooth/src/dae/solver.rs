//! The solver of constrained systems.

use cosimo_dynamics::rules::StepPlan;
use cosimo_dynamics::{ConstrainedSystem, Coordinates, Level, Motion, StepRule};

use super::consistent::{Closing, LOOSE};
use super::effort::StepEffort;
use super::error::DaeError;
use super::frozen_matrix::FrozenMatrix;
use super::independent_rows::IndependentRows;
use super::iteration::Iteration;
use super::kkt::Kkt;
use super::method::Method;
use super::names::constraint_of_row;
use super::norm::largest;
use super::problem::StepProblem;
use super::settings::{DaeSettings, TangentPolicy};
use super::start::follow;
use super::state::DaeState;
use super::trial_step::Trial;

/// Advances a constrained system in time.
///
/// ```
/// use cosimo_dynamics::ConstrainedSystem;
/// use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, Method};
/// fn run(system: impl ConstrainedSystem, q: Vec<f64>, v: Vec<f64>) -> Result<Vec<f64>, DaeError> {
///     let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
///     let mut solver = DaeSolver::new(system, rule, DaeSettings::default(), (0.0, q, v))?;
///     solver.advance_to(1.0, 1e-3)?;
///     Ok(solver.state().q.clone())
/// }
/// ```
#[derive(Debug)]
pub struct DaeSolver<S> {
    pub(super) system: S,
    pub(super) rule: Box<dyn StepRule>,
    pub(super) settings: DaeSettings,
    /// Time (s) and position of the start.
    pub(super) first: (f64, Vec<f64>),
    pub(super) state: DaeState,
    pub(super) end: DaeState,
    pub(super) trial: Trial,
    pub(super) plan: StepPlan,
    /// First guess of the acceleration of a step.
    pub(super) acceleration: Vec<f64>,
    pub(super) iteration: Iteration,
    pub(super) closing: Closing,
    pub(super) kkt: Kkt,
    pub(super) is_factorized: bool,
    pub(super) frozen: FrozenMatrix,
    /// Whether no step has been taken since the start, or since the past was forgotten.
    pub(super) lacks_past: bool,
    pub(super) independent_rows: IndependentRows,
    residual: Vec<f64>,
    pub(super) unknowns: Vec<f64>,
    /// Unknowns of several right-hand sides.
    pub(super) columns: Vec<f64>,
    pub(super) effort: StepEffort,
    pub(super) steps: usize,
}

impl<S: ConstrainedSystem> DaeSolver<S> {
    /// Starts a system at the time `t` (s) near the positions `q` and the velocities `v`, given as `(t, q, v)`.
    ///
    /// # Errors
    /// Parameters out of range, wrong lengths, numbers that are not finite, or a start that cannot be made consistent: the
    /// constraint that stays open is named.
    pub fn new(
        system: S,
        method: Method,
        settings: DaeSettings,
        (time, q, v): (f64, Vec<f64>, Vec<f64>),
    ) -> Result<Self, DaeError> {
        let structure = system.structure();
        let (n, m) = (structure.velocities(), structure.rows());
        check("the position", &q, structure.coordinates().positions(), time)?;
        check("the velocity", &v, n, time)?;
        let rule = method.rule()?;
        settings.formulation.check()?;
        if method.takes_means() && settings.formulation.level() != Level::Velocity {
            let (quantity, rule) = ("formulation of the theta rule", "Velocity or PositionVelocity");
            return Err(DaeError::OutOfRange { quantity, found: f64::NAN, rule });
        }
        let kkt = Kkt::new(&system, time, &q);
        let state = DaeState { time, q, v, a: vec![0.0; n], mu: vec![0.0; m] };
        let mut solver = Self {
            kkt,
            closing: Closing::new(&system, settings.closing_tolerance),
            plan: StepPlan::zeros(n),
            acceleration: vec![0.0; n],
            iteration: Iteration::new(&state),
            end: state.clone(),
            trial: Trial::new(&state),
            residual: vec![0.0; m],
            unknowns: vec![0.0; n + m],
            columns: Vec::new(),
            first: (time, state.q.clone()),
            state,
            rule,
            settings,
            system,
            is_factorized: false,
            frozen: FrozenMatrix::default(),
            lacks_past: true,
            independent_rows: IndependentRows::new(m),
            effort: StepEffort::default(),
            steps: 0,
        };
        solver.lead_in();
        solver.closing.close(&solver.system, &mut solver.kkt, &mut solver.state)?;
        solver.check_branch()?;
        solver.first.1.copy_from_slice(&solver.state.q);
        if settings.tangent == TangentPolicy::Frozen {
            solver.frozen = FrozenMatrix::with_entries(solver.kkt.keep_assembled());
        }
        solver.choose_rows();
        solver.begin_anew();
        Ok(solver)
    }

    /// Begins at the present state without a past.
    pub(super) fn begin_anew(&mut self) {
        self.rule.restart(self.system.structure().coordinates());
        self.lacks_past = true;
        self.drop_factors();
        let DaeState { time, q, v, .. } = &self.state;
        let motion = Motion { t: *time, q, v };
        self.system.accept(motion);
        if *time == self.first.0 {
            self.system.start(motion);
        }
    }

    /// Replaces the accelerations of the start by ones that need not be consistent: what an impact leaves behind.
    ///
    /// # Errors
    /// A wrong length, or a number that is not finite.
    pub fn with_start_acceleration(mut self, a: &[f64]) -> Result<Self, DaeError> {
        check("the acceleration", a, self.state.a.len(), self.state.time)?;
        self.state.a.copy_from_slice(a);
        self.rule.restart(self.system.structure().coordinates());
        Ok(self)
    }

    /// Takes one step of size `h` (s), positive.
    ///
    /// # Errors
    /// The step cannot be solved; the state is then unchanged.
    pub fn step(&mut self, h: f64) -> Result<StepEffort, DaeError> {
        let effort = self.try_step(h)?;
        self.take_step(h);
        Ok(effort)
    }

    /// Solves a step without taking it.
    pub(super) fn try_step(&mut self, h: f64) -> Result<StepEffort, DaeError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(DaeError::OutOfRange {
                quantity: "step size",
                found: h,
                rule: "positive and finite",
            });
        }
        self.find_past(h)?;
        match self.solve_step(h) {
            Err(_) if self.has_other_rows() => self.solve_step(h),
            solved => solved,
        }
    }

    fn solve_step(&mut self, h: f64) -> Result<StepEffort, DaeError> {
        self.recall_factors()?;
        let coordinates = self.system.structure().coordinates();
        plan_step(
            (h, &self.state, coordinates),
            self.rule.as_mut(),
            (&mut self.plan, &mut self.acceleration),
        );
        let problem = StepProblem {
            system: &self.system,
            plan: &self.plan,
            acceleration: &self.acceleration,
            start: &self.state,
            settings: &self.settings,
            guess: None,
        };
        let factors = (&mut self.kkt, &mut self.is_factorized);
        let solved = self.iteration.solve(&problem, factors, &mut self.end);
        let effort = solved.map_err(|error| self.give_up(error, h))?;
        self.count(effort);
        self.check_turns(h)?;
        self.check_redundant()?;
        Ok(effort)
    }

    pub(super) fn count(&mut self, effort: StepEffort) {
        self.effort.iterations += effort.iterations;
        self.effort.factorizations += effort.factorizations;
        if effort.factorizations > 0 {
            self.replace_factors();
        }
    }

    /// Takes the step solved.
    pub(super) fn take_step(&mut self, h: f64) {
        self.rule.accept(h, self.state.point(), &self.end.a, false);
        self.lacks_past = false;
        self.keep_factors();
        self.state.copy(&self.end);
        self.watch_rows();
        self.note_step();
    }

    pub(super) fn note_step(&mut self) {
        let DaeState { time, q, v, .. } = &self.state;
        self.system.accept(Motion { t: *time, q, v });
        self.steps += 1;
    }

    /// Error of the step solved, for this order, as a share of the tolerance.
    pub(super) fn local_error(&mut self, h: f64, order: usize, tolerance: f64) -> Option<f64> {
        let coordinates = self.system.structure().coordinates();
        let ends = [self.state.point(), self.end.point()];
        let [position, velocity] = self.rule.variable_order()?.local_errors(h, order, ends, coordinates)?;
        let share = |error: f64, x: &[f64]| error / (tolerance * (1.0 + largest(x)));
        Some(share(position, &self.state.q).max(share(velocity, &self.state.v)))
    }

    /// Goes on as from a start.
    pub(super) fn forget_past(&mut self) {
        self.rule.restart(self.system.structure().coordinates());
        self.drop_factors();
    }

    pub(super) fn set_time(&mut self, time: f64) {
        self.state.time = time;
    }

    /// Points of the past that the rule wants at a start, at equal steps back.
    pub(super) fn find_past(&mut self, h: f64) -> Result<(), DaeError> {
        if !self.lacks_past || self.rule.wanted_past() == 0 {
            return Ok(());
        }
        self.check_turns_before(h)?;
        // A step tried before may have been of another size.
        self.rule.restart(self.system.structure().coordinates());
        let mut point = self.state.clone();
        for _ in 0..self.rule.wanted_past() {
            self.spoil_factors();
            follow(&self.system, &mut self.closing, &mut self.kkt, &mut point, -h)?;
            self.rule.take_past(self.state.time - point.time, point.point());
        }
        Ok(())
    }

    /// Refuses an end at which a row left out is violated.
    pub(super) fn check_redundant(&mut self) -> Result<(), DaeError> {
        if !self.independent_rows.has_redundant {
            return Ok(());
        }
        let DaeState { time, q, v, a, .. } = &self.end;
        self.system.constraints(Level::Position, Motion { t: *time, q, v }, a, &mut self.residual);
        // Velocity-level formulations drift: what is left out drifts with them.
        let drift = self.residual.iter().zip(self.kkt.left_out()).filter(|(_, out)| !**out);
        let drift = drift.fold(0.0, |m: f64, (row, _)| m.max(row.abs()));
        let scale = 1.0 + largest(q);
        let misfit = LOOSE * self.kkt.misfit() * scale;
        let allowed = 100.0 * (self.settings.closing_tolerance * scale + drift) + misfit;
        for (row, out) in self.kkt.left_out().iter().enumerate() {
            if *out && !(self.residual[row].abs() <= allowed) {
                let constraint = constraint_of_row(&self.system, row);
                return Err(DaeError::NotRedundant { constraint, residual: self.residual[row], time: *time });
            }
        }
        Ok(())
    }

    /// The present state.
    #[must_use]
    pub fn state(&self) -> &DaeState {
        &self.state
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &S {
        &self.system
    }

    /// Largest residual of the constraints at this level, rows left out included.
    pub fn violation(&mut self, level: Level) -> f64 {
        let DaeState { time, q, v, a, .. } = &self.state;
        self.system.constraints(level, Motion { t: *time, q, v }, a, &mut self.residual);
        largest(&self.residual)
    }

    /// Steps taken, and the work that they took.
    #[must_use]
    pub fn effort(&self) -> (usize, StepEffort) {
        (self.steps, self.effort)
    }

    /// Energy of the present state.
    #[must_use]
    pub fn energy(&self) -> cosimo_mechanics::Energy {
        let DaeState { time, q, v, .. } = &self.state;
        self.system.energy(Motion { t: *time, q, v })
    }
}

/// Plans a step of size `h` (s), and guesses its acceleration.
pub(super) fn plan_step(
    (h, start, coordinates): (f64, &DaeState, &Coordinates),
    rule: &mut dyn StepRule,
    (plan, acceleration): (&mut StepPlan, &mut [f64]),
) {
    plan.make(rule, h, start.point(), coordinates);
    rule.guess(h, start.point(), acceleration);
}

fn check(quantity: &'static str, x: &[f64], expected: usize, time: f64) -> Result<(), DaeError> {
    if x.len() != expected {
        return Err(DaeError::Length { quantity, found: x.len(), expected });
    }
    if x.iter().any(|x| !x.is_finite()) {
        return Err(DaeError::NotFinite { quantity, time });
    }
    Ok(())
}
