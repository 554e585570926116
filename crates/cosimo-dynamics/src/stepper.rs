//! One subsystem's time stepping: trial steps, their answer to loads, and the step that is taken.

use cosimo_linear::StructuredMatrix;
use nalgebra::DMatrix;

use crate::factors;
use crate::linear::check_vector;
use crate::linear_stage::LinearStage;
use crate::response::{Response, apply};
use crate::rows::RowSets;
use crate::stage::{NonlinearStage, StageProblem, transposed_multiply_add};
use crate::{
    Collocation, ConstraintLevel, DynamicsError, Energy, EquationsOfMotion, ImpulseMoments, Kinematics,
    LinearSystem, MotionState, NewtonSettings, Prediction, Stage, StepRule, StepWork, SystemError,
};

/// Values that a saved state begins with: time, two energies, and what tells which factors are at hand.
const HEAD: usize = 3 + factors::SAVED;

/// A system, the rule that steps it, and the rows through which the outside acts on it.
///
/// Call order for every step: [`begin`](Self::begin), any number of [`evaluate`](Self::evaluate), then
/// [`commit`](Self::commit), or nothing (a step begun and not committed leaves no trace).
/// Rows: those of the ports first, those of the contacts after.
pub struct Stepper {
    system: Box<dyn EquationsOfMotion>,
    rule: Box<dyn StepRule>,
    rows: RowSets,
    newton: NewtonSettings,
    state: MotionState,
    /// Multipliers of the constraints at the present state: first guess of the next step's.
    multipliers: Vec<f64>,
    energy: Energy,
    /// Power dissipated and put in by time-dependent loads at the present state, once known.
    power: Option<(f64, f64)>,
    /// The present state with an acceleration that balances the start loads, where the rule begins anew.
    restart: MotionState,
    is_restart: bool,
    trial: MotionState,
    /// Unknown and multipliers of a nonlinear trial step without loads: where every solve with loads starts.
    free: (Vec<f64>, Vec<f64>),
    prediction: Prediction,
    stage: Stage,
    h: f64,
    start_loads: Vec<f64>,
    /// Impulses that the trial step carries.
    loads: Vec<f64>,
    linear: LinearStage,
    /// The linear stage of a step of size zero: the mass matrix and the constraints.
    inertia: LinearStage,
    nonlinear: NonlinearStage,
    response: Response,
    scratch: Vec<f64>,
    newton_iterations: u64,
    factorizations: u64,
}

impl Stepper {
    /// Attaches ports and contacts to a system and starts it at `(t, q, v)`.
    ///
    /// # Errors
    /// Wrong lengths, numbers that are not finite, or no unique acceleration at the start.
    pub fn new(
        system: Box<dyn EquationsOfMotion>,
        rule: Box<dyn StepRule>,
        rows: (Box<dyn Kinematics>, Box<dyn Kinematics>),
        (t, q, v): (f64, Vec<f64>, Vec<f64>),
    ) -> Result<Self, SystemError> {
        let n = system.coordinates();
        let rows = RowSets::new(rows.0, rows.1);
        let r = rows.len();
        check_vector("initial position", &q, n)?;
        check_vector("initial velocity", &v, n)?;
        let state = MotionState { time: t, q, v, a: vec![0.0; n] };
        let (m, is_damped) = match system.as_linear() {
            Some(linear) => (0, !matches!(linear.damping, StructuredMatrix::Zero(_))),
            None => (system.constraints(), false),
        };
        let size = if system.as_linear().is_some() { (0, 0, 0) } else { (n, m, r) };
        let mut stepper = Self {
            trial: state.clone(),
            restart: state.clone(),
            is_restart: false,
            multipliers: vec![0.0; m],
            free: (vec![0.0; n], vec![0.0; m]),
            prediction: Prediction::zeros(n),
            stage: Stage::default(),
            h: 0.0,
            start_loads: vec![0.0; r],
            loads: vec![0.0; r],
            linear: LinearStage::default(),
            inertia: LinearStage::default(),
            nonlinear: NonlinearStage::new(size.0, size.1, size.2),
            response: Response::new(n, &rows, is_damped),
            energy: system.energy(t, &state.q, &state.v),
            power: None,
            scratch: vec![0.0; n],
            newton: NewtonSettings::default(),
            newton_iterations: 0,
            factorizations: 0,
            system,
            rule,
            rows,
            state,
        };
        stepper.balance_start()?;
        stepper.take_balanced_start();
        Ok(stepper)
    }

    /// Replaces the settings of Newton's iteration.
    #[must_use]
    pub fn with_newton(mut self, newton: NewtonSettings) -> Self {
        self.newton = newton;
        self
    }

    /// Begins a trial step of size `h` (s) from the present state. `start_loads` are the finite loads on the rows
    /// at the start (N), zero where unknown; rules that begin anew and the work of end loads use them.
    ///
    /// # Errors
    /// A step size that is not positive, a singular iteration matrix or a Newton iteration that does not converge.
    pub fn begin(&mut self, h: f64, start_loads: &[f64]) -> Result<(), DynamicsError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(DynamicsError::StepSize { found: h });
        }
        for ((start, load), given) in self.start_loads.iter_mut().zip(&mut self.loads).zip(start_loads) {
            (*start, *load) = (*given, 0.0);
        }
        if !self.multipliers.is_empty() {
            self.nonlinear.multipliers.copy_from_slice(&self.multipliers);
        }
        self.is_restart = self.rule.needs_acceleration();
        if self.is_restart {
            self.balance_start().map_err(into_step_error)?;
            self.rule.restart(&self.restart);
        }
        self.h = h;
        self.stage = self.rule.stage(h);
        let start = if self.is_restart { &self.restart } else { &self.state };
        self.rule.predict(h, start, &mut self.prediction);
        if self.system.as_linear().is_some() {
            self.begin_linear()
        } else {
            self.trial.a.copy_from_slice(&self.prediction.guess);
            self.solve_nonlinear()?;
            self.free.0.copy_from_slice(&self.trial.a);
            self.free.1.copy_from_slice(&self.nonlinear.multipliers);
            Ok(())
        }
    }

    /// Solves the trial step again with these impulses `X` on the rows (N s, length `r`).
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    pub fn evaluate(&mut self, impulses: &[f64]) -> Result<(), DynamicsError> {
        let is_free = !is_loaded(&self.loads);
        self.loads.copy_from_slice(impulses);
        if self.system.as_linear().is_none() {
            // Always from the same guess: the answer must not depend on what was asked before.
            self.trial.a.copy_from_slice(&self.free.0);
            self.nonlinear.multipliers.copy_from_slice(&self.free.1);
            return self.solve_nonlinear();
        }
        if !is_free {
            self.linear_free_end();
        }
        let (motion, MotionState { q, v, .. }) = (&self.response.motion, &mut self.trial);
        apply(motion, &self.loads, (1.0, v), Some((self.stage.position_weight(), q)));
        self.observe_end();
        Ok(())
    }

    /// Takes the step with the impulses `X` on the rows, and the impulses inside the step if there are any.
    ///
    /// A trial step that carries other impulses is solved once more.
    ///
    /// # Errors
    /// The step cannot be solved or the new state is not finite; the state is then unchanged.
    pub fn commit(
        &mut self,
        impulses: &[f64],
        moments: Option<&ImpulseMoments>,
    ) -> Result<StepWork, DynamicsError> {
        if self.loads != impulses {
            self.evaluate(impulses)?;
        }
        if !is_finite(&self.trial) {
            return Err(DynamicsError::NotFinite { quantity: "the state at the end of the step" });
        }
        if self.system.as_linear().is_some() && is_loaded(impulses) {
            apply(&self.response.motion, impulses, (1.0 / self.stage.end_velocity, &mut self.trial.a), None);
        }
        let mut work = self.smooth_work();
        if let Some(moments) = moments {
            let before = work.energy.total();
            self.apply_moments(moments);
            self.observe_end();
            work.energy = self.system.energy(self.trial.time, &self.trial.q, &self.trial.v);
            work.jumps = work.energy.total() - before;
        }
        let start = if self.is_restart { &self.restart } else { &self.state };
        self.rule.accept(self.h, start, &mut self.trial);
        std::mem::swap(&mut self.state, &mut self.trial);
        if !self.multipliers.is_empty() {
            self.multipliers.copy_from_slice(&self.nonlinear.multipliers);
        }
        self.energy = work.energy;
        self.linear.note_step(self.h);
        self.response.advance();
        self.observe_own();
        if moments.is_some() && self.rule.collocation() == Collocation::End {
            self.start_anew()?;
        }
        Ok(work)
    }

    /// Prepares a velocity jump at the present state for steps of size `h` (s): after it
    /// [`compliance`](Self::compliance) is the change of the row velocities for a unit impulse now.
    ///
    /// # Errors
    /// The tangent is singular.
    pub fn prepare_jump(&mut self, h: f64) -> Result<(), DynamicsError> {
        self.stage = self.rule.stage(h);
        self.h = h;
        if let Some(system) = self.system.as_linear() {
            let is_new = self.linear.prepare(system, &self.stage)?;
            if is_new || !self.rows.are_constant() {
                self.rows.jacobian(self.state.time, &self.state.q, &mut self.response.jacobian);
                self.linear_motion();
                self.response.fill_compliance();
            }
            return Ok(());
        }
        self.nonlinear.linearize_at(self.system.as_ref(), &self.stage, &self.state)?;
        self.factorizations += 1;
        self.rows.jacobian(self.state.time, &self.state.q, &mut self.response.jacobian);
        self.response.fill_motion(|x| self.nonlinear.solve_load(x));
        self.response.fill_compliance();
        Ok(())
    }

    /// Changes the velocity at the present state by the impulses `ξ` (N s) on the rows, as prepared by
    /// [`prepare_jump`](Self::prepare_jump); the rule begins anew.
    ///
    /// # Errors
    /// The new velocity is not finite, or no unique acceleration follows from it.
    pub fn jump(&mut self, impulses: &[f64]) -> Result<(), DynamicsError> {
        apply(&self.response.motion, impulses, (1.0, &mut self.state.v), None);
        self.start_anew()
    }

    /// Moves the present position by `J⁻¹ Zᵀ y` (`y` in kg m, one a row): the smallest move, in the metric of the
    /// tangent, for a prescribed change of the rows; as prepared by [`prepare_jump`](Self::prepare_jump).
    ///
    /// # Errors
    /// As [`jump`](Self::jump).
    pub fn shift(&mut self, weights: &[f64]) -> Result<(), DynamicsError> {
        apply(&self.response.motion, weights, (1.0, &mut self.state.q), None);
        self.start_anew()
    }

    /// Sets the time of the present state (s), so that communication points do not accumulate round-off.
    pub fn set_time(&mut self, time: f64) {
        if self.state.time.to_bits() != time.to_bits() {
            self.state.time = time;
            self.power = None;
            if self.rows.depend_on_time() {
                self.observe_start();
            }
        }
    }

    /// Row positions at the present state (m).
    #[must_use]
    pub fn start_positions(&self) -> &[f64] {
        &self.response.start_positions
    }

    /// Row velocities at the present state (m/s).
    #[must_use]
    pub fn start_velocities(&self) -> &[f64] {
        &self.response.start_velocities
    }

    /// Row velocities at the present state if the system stood still, `∂z/∂t` (m/s); empty where no row moves by
    /// itself.
    #[must_use]
    pub fn own_velocities(&self) -> &[f64] {
        &self.response.own_velocities
    }

    /// Row positions at the end of the trial step, with the loads of the last solve (m).
    #[must_use]
    pub fn end_positions(&self) -> &[f64] {
        &self.response.end_positions
    }

    /// Row velocities at the end of the trial step, with the loads of the last solve (m/s).
    #[must_use]
    pub fn end_velocities(&self) -> &[f64] {
        &self.response.end_velocities
    }

    /// `W = Z J⁻¹ Zᵀ`, `r × r` (1/kg): change of the end velocities for unit impulses.
    #[must_use]
    pub fn compliance(&self) -> &DMatrix<f64> {
        &self.response.compliance
    }

    /// `Z J⁻¹ C J⁻¹ Zᵀ`, `r × r` (1/(kg s)), or `0 × 0` without damping: the first-order change of the answer to
    /// an impulse with its time in the step.
    #[must_use]
    pub fn damped_compliance(&self) -> &DMatrix<f64> {
        &self.response.damped
    }

    /// Counts the changes of the compliance.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.response.revision
    }

    /// Coefficients of the trial step.
    #[must_use]
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The present state.
    #[must_use]
    pub fn state(&self) -> &MotionState {
        &self.state
    }

    /// The equations that are stepped.
    #[must_use]
    pub fn system(&self) -> &dyn EquationsOfMotion {
        self.system.as_ref()
    }

    /// The step rule.
    #[must_use]
    pub fn rule(&self) -> &dyn StepRule {
        self.rule.as_ref()
    }

    /// Energy of the present state (J).
    #[must_use]
    pub fn energy(&self) -> Energy {
        self.energy
    }

    /// Whether the answer to loads is exactly affine.
    #[must_use]
    pub fn is_affine(&self) -> bool {
        self.system.as_linear().is_some() && self.rows.are_constant()
    }

    /// Newton iterations and numeric factorisations so far.
    #[must_use]
    pub fn work_counts(&self) -> (u64, u64) {
        (self.newton_iterations, self.factorizations + self.linear.count())
    }

    /// Appends everything that influences the future to `out`.
    pub fn save(&self, out: &mut Vec<f64>) {
        out.extend([self.state.time, self.energy.kinetic, self.energy.potential]);
        self.linear.save(out);
        for part in [&self.state.q, &self.state.v, &self.state.a, &self.multipliers] {
            out.extend_from_slice(part);
        }
        self.rule.save(out);
    }

    /// Reads back what [`save`](Self::save) wrote; `None`, and no change, when it does not fit.
    pub fn restore(&mut self, saved: &[f64]) -> Option<()> {
        let mut present = Vec::with_capacity(saved.len());
        self.save(&mut present);
        let own = HEAD + 3 * self.state.q.len() + self.multipliers.len();
        if saved.len() != present.len() || self.rule.restore(&saved[own..])? != saved.len() - own {
            return None;
        }
        let (head, mut rest) = saved[..own].split_at(HEAD);
        self.state.time = head[0];
        self.energy = Energy { kinetic: head[1], potential: head[2] };
        self.linear.restore(&head[3..]);
        let MotionState { q, v, a, .. } = &mut self.state;
        for part in [q, v, a, &mut self.multipliers] {
            let (values, after) = rest.split_at(part.len());
            part.copy_from_slice(values);
            rest = after;
        }
        self.power = None;
        self.observe_start();
        Some(())
    }

    fn begin_linear(&mut self) -> Result<(), DynamicsError> {
        let Some(system) = self.system.as_linear() else { return Ok(()) };
        let is_new = self.linear.prepare(system, &self.stage)?;
        let start = (&self.state, self.h, self.rule.constraint_level());
        self.linear.solve_free(system, &self.stage, start, &self.prediction, &mut self.trial.a);
        self.trial.time = self.state.time + self.h;
        self.linear_free_end();
        if is_new || !self.rows.are_constant() {
            self.linear_response();
        }
        self.observe_end();
        Ok(())
    }

    /// End of a linear trial step without loads from its acceleration.
    fn linear_free_end(&mut self) {
        let (s, MotionState { q, v, a, .. }) = (&self.stage, &mut self.trial);
        write_sum(&self.prediction.end_v, (s.end_velocity, a), v);
        write_sum(&self.prediction.end_q, (s.end_position, a), q);
    }

    /// The answer of a linear system's rows: loads act where the load-free motion has the rows at the stage, and
    /// are observed where it has them at the end.
    fn linear_response(&mut self) {
        write_sum(&self.prediction.stage_q, (self.stage.position, &self.trial.a), &mut self.scratch);
        let t = self.state.time + self.stage.time_share * self.h;
        self.rows.jacobian(t, &self.scratch, &mut self.response.jacobian);
        self.linear_motion();
        if !self.rows.are_constant() {
            self.response.observe_end_jacobian(&self.rows, &self.stage, &self.trial);
        }
        self.response.fill_compliance();
    }

    /// `J⁻¹ Zᵀ` of a linear system and its damped companion.
    fn linear_motion(&mut self) {
        let Some(system) = self.system.as_linear() else { return };
        let (linear, scratch) = (&mut self.linear, &mut self.scratch);
        self.response.fill_motion(|x| {
            system.project_load(x, scratch);
            linear.solve_load(x);
        });
        self.response.fill_damped_motion(system, |x| linear.solve_load(x));
    }

    /// Newton's iteration with the impulses that the trial step carries, then the rows' answer.
    fn solve_nonlinear(&mut self) -> Result<(), DynamicsError> {
        let problem = StageProblem {
            system: self.system.as_ref(),
            rows: &self.rows,
            stage: &self.stage,
            level: self.rule.constraint_level(),
            start: &self.state,
            prediction: &self.prediction,
            h: self.h,
            loads: &self.loads,
            newton: self.newton,
        };
        let solved = self.nonlinear.solve(&problem, &mut self.trial);
        if solved.is_err() {
            // What the trial step holds is not the solution for these impulses.
            self.loads.fill(f64::NAN);
        }
        let iterations = solved? as u64;
        self.newton_iterations += iterations;
        self.factorizations += iterations;
        self.nonlinear_response();
        self.observe_end();
        Ok(())
    }

    fn nonlinear_response(&mut self) {
        let r = &mut self.response;
        r.jacobian.copy_from(self.nonlinear.row_jacobian());
        r.fill_motion(|x| self.nonlinear.solve_load(x));
        r.observe_end_jacobian(&self.rows, &self.stage, &self.trial);
        r.fill_compliance();
        let is_projected =
            self.rule.constraint_level() == ConstraintLevel::Velocity && !self.multipliers.is_empty();
        if !is_projected || self.rows.are_constant() {
            return;
        }
        let weight = self.stage.position_weight();
        for k in 0..r.motion.ncols() {
            self.scratch.copy_from_slice(r.motion.column(k).as_slice());
            self.nonlinear.project_direction(&mut self.scratch);
            for (change, moved) in self.scratch.iter_mut().zip(r.motion.column(k).as_slice()) {
                *change = weight * (*change - moved);
            }
            r.add_position_change(k, &self.scratch);
        }
    }

    fn observe_end(&mut self) {
        self.response.observe_end(&self.rows, &self.trial);
    }

    fn observe_start(&mut self) {
        self.response.observe_start(&self.rows, &self.state);
        self.observe_own();
    }

    /// What the rows do by themselves, with the scratch space for a system that stands still.
    fn observe_own(&mut self) {
        if self.rows.depend_on_time() {
            self.scratch.fill(0.0);
            self.response.observe_own(&self.rows, &self.state, &self.scratch);
        }
    }

    fn apply_moments(&mut self, moments: &ImpulseMoments) {
        let (response, MotionState { q, v, .. }) = (&self.response, &mut self.trial);
        apply(&response.motion, &moments.velocity, (1.0, v), None);
        apply(&response.motion, &moments.position, (1.0, q), None);
        apply(&response.damped_motion, &moments.velocity_damped, (1.0, v), None);
        apply(&response.damped_motion, &moments.position_damped, (1.0, q), None);
        if self.rule.constraint_level() == ConstraintLevel::Velocity && !self.multipliers.is_empty() {
            self.nonlinear.project(self.system.as_ref(), &mut self.trial);
        }
    }

    /// Energy balance of the trial step before impulses inside it.
    fn smooth_work(&mut self) -> StepWork {
        let energy = self.system.energy(self.trial.time, &self.trial.q, &self.trial.v);
        let is_mean = self.rule.collocation() == Collocation::Mean;
        let (port, contact) = self.work_of_loads(is_mean);
        let (dissipated, external) = if is_mean { self.mean_work() } else { self.end_work() };
        let numerical = energy.total() - self.energy.total() - port - contact - external + dissipated;
        StepWork { energy, port, contact, external, dissipated, jumps: 0.0, numerical }
    }

    /// Work of the impulses on ports and contacts: their mean, or end and start loads, over the way of the rows at
    /// one instant, so that rows that move by themselves do not count.
    fn work_of_loads(&mut self, is_mean: bool) -> (f64, f64) {
        if !is_loaded(&self.loads) && (is_mean || !is_loaded(&self.start_loads)) {
            return (0.0, 0.0);
        }
        let Response { start_positions: start, end_positions: end, .. } = &mut self.response;
        self.rows.positions(self.trial.time, &self.state.q, start);
        let work = |k: usize| {
            let load = self.loads[k] / self.stage.end_velocity;
            (end[k] - start[k]) * if is_mean { load } else { 0.5 * (load + self.start_loads[k]) }
        };
        let ports = self.rows.ports();
        ((0..ports).map(work).sum(), (ports..self.loads.len()).map(work).sum())
    }

    /// Energy dissipated and put in by time-dependent loads, from the powers at the stage.
    fn mean_work(&mut self) -> (f64, f64) {
        let system = self.system.as_ref();
        if system.as_linear().is_some_and(LinearSystem::is_passive) {
            return (0.0, 0.0);
        }
        let (s, h) = (&self.stage, self.h);
        // The trial step needs neither the first guess nor the scratch space any more.
        let (q, v) = (&mut self.prediction.guess, &mut self.scratch);
        write_sum(&self.prediction.stage_q, (s.position, &self.trial.a), q);
        write_sum(&self.prediction.stage_v, (s.velocity, &self.trial.a), v);
        let t = self.state.time + s.time_share * h;
        (h * system.dissipated_power(t, q, v), h * system.external_power(t, q, v))
    }

    /// Energy dissipated and put in by time-dependent loads, by the trapezoidal rule.
    fn end_work(&mut self) -> (f64, f64) {
        let system = self.system.as_ref();
        if system.as_linear().is_some_and(LinearSystem::is_passive) {
            return (0.0, 0.0);
        }
        let at = |s: &MotionState| {
            (system.dissipated_power(s.time, &s.q, &s.v), system.external_power(s.time, &s.q, &s.v))
        };
        let (start, end) = (self.power.unwrap_or_else(|| at(&self.state)), at(&self.trial));
        self.power = Some(end);
        let half = 0.5 * self.h;
        (half * (start.0 + end.0), half * (start.1 + end.1))
    }

    fn start_anew(&mut self) -> Result<(), DynamicsError> {
        if !is_finite(&self.state) {
            return Err(DynamicsError::NotFinite { quantity: "the state after a jump" });
        }
        self.start_loads.fill(0.0);
        self.balance_start().map_err(into_step_error)?;
        self.take_balanced_start();
        self.energy = self.system.energy(self.state.time, &self.state.q, &self.state.v);
        Ok(())
    }

    fn take_balanced_start(&mut self) {
        self.state.a.copy_from_slice(&self.restart.a);
        self.multipliers.copy_from_slice(&self.nonlinear.multipliers);
        self.rule.restart(&self.state);
        self.power = None;
        self.observe_start();
    }

    /// Solves `M a + Φᵀ μ = f + Zᵀ ℓ₀`, `φ̈ = 0` at the present state into `restart`.
    fn balance_start(&mut self) -> Result<(), SystemError> {
        let start = &mut self.restart;
        start.time = self.state.time;
        start.q.copy_from_slice(&self.state.q);
        start.v.copy_from_slice(&self.state.v);
        match self.system.as_linear() {
            Some(system) => {
                self.inertia.prepare(system, &Stage::default())?;
                self.rows.jacobian(start.time, &start.q, &mut self.response.jacobian);
                start.a.fill(0.0);
                transposed_multiply_add(&self.response.jacobian, (1.0, &self.start_loads), &mut start.a);
                system.project_load(&mut start.a, &mut self.scratch);
                system.total_force(start.time, &start.q, &start.v, &mut self.scratch);
                start.a.iter_mut().zip(&self.scratch).for_each(|(a, f)| *a += f);
                self.inertia.solve_load(&mut start.a);
            }
            None => self.nonlinear.balance(self.system.as_ref(), (&self.rows, &self.start_loads), start)?,
        }
        if start.a.iter().all(|x| x.is_finite()) {
            Ok(())
        } else {
            Err(SystemError::NotFinite { quantity: "the acceleration at the start" })
        }
    }
}

impl std::fmt::Debug for Stepper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stepper")
            .field("rule", &self.rule.name())
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

fn into_step_error(error: SystemError) -> DynamicsError {
    match error {
        SystemError::NoAcceleration(source) => DynamicsError::Factorization(source),
        _ => DynamicsError::NotFinite { quantity: "the acceleration at the start" },
    }
}

fn is_loaded(loads: &[f64]) -> bool {
    loads.iter().any(|load| *load != 0.0)
}

/// Whether positions and velocities are finite; without branches in the loop.
fn is_finite(state: &MotionState) -> bool {
    let all = |x: &[f64]| x.iter().fold(true, |finite, xi| finite & xi.is_finite());
    all(&state.q) & all(&state.v)
}

/// `out ← first + factor · second`.
fn write_sum(first: &[f64], (factor, second): (f64, &[f64]), out: &mut [f64]) {
    for ((o, a), b) in out.iter_mut().zip(first).zip(second) {
        *o = a + factor * b;
    }
}
