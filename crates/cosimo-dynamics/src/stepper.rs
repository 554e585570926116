//! One subsystem's time stepping: trial steps, their answer to loads, and the step that is taken.

use cosimo_linear::DenseLu;
use nalgebra::DMatrix;

use crate::linear::check_vector;
use crate::stage::{LinearStage, NonlinearStage, Rows, StageProblem};
use crate::{
    Collocation, DynamicsError, Energy, EquationsOfMotion, Kinematics, MotionState, NewtonSettings,
    Prediction, Stage, StepRule, SystemError,
};

/// Impulses inside a step, by their moments about the step's end; each vector has one entry a row.
///
/// An impulse `ξ` at the time `s` before the end moves the end state by
///
/// ```text
///   Δv = J⁻¹Zᵀ ξ + (c_v − s) J⁻¹ C J⁻¹Zᵀ ξ        Δq = s J⁻¹Zᵀ ξ + s (c_v − s/2) J⁻¹ C J⁻¹Zᵀ ξ
/// ```
///
/// so that any number of them is four sums.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImpulseMoments {
    /// `Σ ξ` (N s): velocity change.
    pub velocity: Vec<f64>,
    /// `Σ (c_v − s) ξ` (N s²): velocity change fed back through the damping.
    pub velocity_damped: Vec<f64>,
    /// `Σ s ξ` (N s²): position change.
    pub position: Vec<f64>,
    /// `Σ s (c_v − s/2) ξ` (N s³): position change fed back through the damping.
    pub position_damped: Vec<f64>,
}

/// Energies of one step (J), for the balance
/// `ΔE = port + contact + external − dissipated + jumps + numerical`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepWork {
    /// Energy at the end of the step.
    pub energy: Energy,
    /// Work of the loads on the ports.
    pub port: f64,
    /// Work of the loads on the contacts.
    pub contact: f64,
    /// Work of time-dependent loads.
    pub external: f64,
    /// Energy taken out by damping.
    pub dissipated: f64,
    /// Energy change by impulses inside the step.
    pub jumps: f64,
    /// What remains: energy that the step rule created (positive) or dissipated.
    pub numerical: f64,
}

/// A system, the rule that steps it, and the rows through which the outside acts on it.
///
/// Call order for every step: [`begin`](Self::begin), any number of [`evaluate`](Self::evaluate), then
/// [`commit`](Self::commit), or nothing (a step begun and not committed leaves no trace).
/// Rows: those of the ports first, those of the contacts after.
pub struct Stepper {
    system: Box<dyn EquationsOfMotion>,
    rule: Box<dyn StepRule>,
    ports: Box<dyn Kinematics>,
    contacts: Box<dyn Kinematics>,
    newton: NewtonSettings,
    state: MotionState,
    trial: MotionState,
    prediction: Prediction,
    stage: Stage,
    h: f64,
    start_loads: Vec<f64>,
    linear: LinearStage,
    nonlinear: NonlinearStage,
    response: Response,
    energy: Energy,
    scratch: Vec<f64>,
    newton_iterations: u64,
    factorizations: u64,
}

/// How the rows answer to impulses.
#[derive(Default)]
struct Response {
    start_positions: Vec<f64>,
    start_velocities: Vec<f64>,
    end_positions: Vec<f64>,
    end_velocities: Vec<f64>,
    /// `J⁻¹ Zᵀ`, `n × r`.
    motion: DMatrix<f64>,
    /// `W`, `r × r`.
    compliance: DMatrix<f64>,
    /// `Z J⁻¹ C J⁻¹ Zᵀ`, `r × r`; empty without damping.
    damped: DMatrix<f64>,
    end_jacobian: DMatrix<f64>,
    end_gradient: DMatrix<f64>,
    revision: u64,
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
        let (n, m) = (system.coordinates(), system.constraints());
        let (ports, contacts) = rows;
        let r = ports.rows() + contacts.rows();
        check_vector("initial position", &q, n)?;
        check_vector("initial velocity", &v, n)?;
        let state = MotionState { time: t, q, v, a: vec![0.0; n] };
        let mut stepper = Self {
            trial: state.clone(),
            prediction: Prediction::zeros(n),
            stage: Stage::default(),
            h: 0.0,
            start_loads: vec![0.0; r],
            linear: LinearStage::default(),
            nonlinear: if system.as_linear().is_some() {
                NonlinearStage::default()
            } else {
                NonlinearStage::new(n, m, r)
            },
            response: Response {
                start_positions: vec![0.0; r],
                start_velocities: vec![0.0; r],
                end_positions: vec![0.0; r],
                end_velocities: vec![0.0; r],
                motion: DMatrix::zeros(n, r),
                compliance: DMatrix::zeros(r, r),
                damped: DMatrix::zeros(0, 0),
                end_jacobian: DMatrix::zeros(r, n),
                end_gradient: DMatrix::zeros(r, n),
                revision: 0,
            },
            energy: system.energy(t, &state.q, &state.v),
            scratch: vec![0.0; n.max(r)],
            newton: NewtonSettings::default(),
            newton_iterations: 0,
            factorizations: 0,
            system,
            rule,
            ports,
            contacts,
            state,
        };
        stepper.make_acceleration_consistent()?;
        stepper.rule.restart(&stepper.state);
        stepper.observe_start();
        Ok(stepper)
    }

    /// Replaces the settings of Newton's iteration.
    #[must_use]
    pub fn with_newton(mut self, newton: NewtonSettings) -> Self {
        self.newton = newton;
        self
    }

    /// Begins a trial step of size `h` (s) from the present state. `start_loads` are the finite loads on the rows
    /// at the start (N), zero where unknown; only rules that begin anew use them.
    ///
    /// # Errors
    /// A singular iteration matrix or a Newton iteration that does not converge.
    pub fn begin(&mut self, h: f64, start_loads: &[f64]) -> Result<(), DynamicsError> {
        self.start_loads.copy_from_slice(start_loads);
        if self.rule.needs_acceleration() {
            self.make_acceleration_consistent().map_err(|error| match error {
                SystemError::NoAcceleration(source) => DynamicsError::Factorization(source),
                _ => DynamicsError::NotFinite { quantity: "the acceleration" },
            })?;
            self.rule.restart(&self.state);
        }
        self.h = h;
        self.stage = self.rule.stage(h);
        self.rule.predict(h, &self.state, &mut self.prediction);
        match self.system.as_linear() {
            Some(_) => self.begin_linear(),
            None => {
                self.scratch.fill(0.0);
                self.trial.a.copy_from_slice(&self.prediction.guess);
                self.solve_nonlinear()
            }
        }
    }

    /// Solves the trial step again with these impulses `X` on the rows (N s, length `r`).
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    pub fn evaluate(&mut self, impulses: &[f64]) -> Result<(), DynamicsError> {
        self.scratch[..impulses.len()].copy_from_slice(impulses);
        if self.system.as_linear().is_some() {
            let r = impulses.len();
            self.linear_free_end();
            apply(&self.response.motion, &impulses[..r], (1.0, &mut self.trial.v), None);
            apply(
                &self.response.motion,
                &impulses[..r],
                (self.stage.position_weight(), &mut self.trial.q),
                None,
            );
            self.observe_end();
            Ok(())
        } else {
            self.solve_nonlinear()
        }
    }

    /// Takes the step with the impulses `X` on the rows, and the impulses inside the step if there are any.
    ///
    /// For a nonlinear system the last [`evaluate`](Self::evaluate) must have had the same `X`.
    ///
    /// # Errors
    /// The new state is not finite; the state is then unchanged.
    pub fn commit(
        &mut self,
        impulses: &[f64],
        moments: Option<&ImpulseMoments>,
    ) -> Result<StepWork, DynamicsError> {
        if self.system.as_linear().is_some() {
            self.linear_free_end();
            let (end_v, weight) = (self.stage.end_velocity, self.stage.position_weight());
            let motion = &self.response.motion;
            apply(motion, impulses, (1.0, &mut self.trial.v), Some((weight, &mut self.trial.q)));
            apply(motion, impulses, (1.0 / end_v, &mut self.trial.a), None);
        }
        if !self.trial.q.iter().chain(&self.trial.v).all(|x| x.is_finite()) {
            return Err(DynamicsError::NotFinite { quantity: "the state at the end of the step" });
        }
        let mut work = self.smooth_work(impulses);
        if let Some(moments) = moments {
            let before = work.energy.total();
            self.apply_moments(moments);
            work.energy = self.system.energy(self.trial.time, &self.trial.q, &self.trial.v);
            work.jumps = work.energy.total() - before;
        }
        self.rule.accept(self.h, &self.state, &mut self.trial);
        std::mem::swap(&mut self.state, &mut self.trial);
        self.energy = work.energy;
        self.observe_start();
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
            if self.linear.prepare(system, &self.stage)? || !self.rows_are_constant() {
                self.linear_response(self.state.time);
            }
            return Ok(());
        }
        self.nonlinear.linearize_at(self.system.as_ref(), &self.stage, &self.state)?;
        self.factorizations += 1;
        rows(self.ports.as_ref(), self.contacts.as_ref()).jacobian(
            self.state.time,
            &self.state.q,
            &mut self.response.end_jacobian,
        );
        for k in 0..self.response.motion.ncols() {
            let mut column = self.response.motion.column_mut(k);
            column.tr_copy_from(&self.response.end_jacobian.row(k));
            self.nonlinear.solve_load(column.as_mut_slice());
        }
        self.response.end_jacobian.mul_to(&self.response.motion, &mut self.response.compliance);
        self.response.revision += 1;
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
        self.system.as_linear().is_some() && self.rows_are_constant()
    }

    /// Newton iterations and numeric factorisations so far.
    #[must_use]
    pub fn work_counts(&self) -> (u64, u64) {
        (self.newton_iterations, self.factorizations)
    }

    /// Appends everything that influences the future to `out`.
    pub fn save(&self, out: &mut Vec<f64>) {
        out.push(self.state.time);
        for part in [&self.state.q, &self.state.v, &self.state.a, &self.nonlinear.multipliers] {
            out.extend_from_slice(part);
        }
        self.rule.save(out);
    }

    /// Reads back what [`save`](Self::save) wrote; `None`, and no change, when it does not fit.
    pub fn restore(&mut self, saved: &[f64]) -> Option<()> {
        let (n, m) = (self.state.q.len(), self.nonlinear.multipliers.len());
        let own = 1 + 3 * n + m;
        if saved.len() < own || self.rule.restore(&saved[own..])? != saved.len() - own {
            return None;
        }
        self.state.time = saved[0];
        self.state.q.copy_from_slice(&saved[1..=n]);
        self.state.v.copy_from_slice(&saved[1 + n..=2 * n]);
        self.state.a.copy_from_slice(&saved[1 + 2 * n..=3 * n]);
        self.nonlinear.multipliers.copy_from_slice(&saved[1 + 3 * n..own]);
        self.energy = self.system.energy(self.state.time, &self.state.q, &self.state.v);
        self.observe_start();
        Some(())
    }

    fn rows_are_constant(&self) -> bool {
        self.ports.is_constant() && self.contacts.is_constant()
    }

    fn begin_linear(&mut self) -> Result<(), DynamicsError> {
        let Some(system) = self.system.as_linear() else { return Ok(()) };
        let is_new = self.linear.prepare(system, &self.stage)?;
        self.factorizations += u64::from(is_new);
        let level = self.rule.constraint_level();
        let start = (&self.state, self.h, level);
        self.linear.solve_free(system, &self.stage, start, &self.prediction, &mut self.trial.a);
        self.trial.time = self.state.time + self.h;
        if is_new || !self.rows_are_constant() {
            self.linear_response(self.trial.time);
        }
        self.linear_free_end();
        self.observe_end();
        Ok(())
    }

    fn linear_free_end(&mut self) {
        let s = &self.stage;
        let prediction = &self.prediction;
        for i in 0..self.trial.a.len() {
            self.trial.v[i] = prediction.end_v[i] + s.end_velocity * self.trial.a[i];
            self.trial.q[i] = prediction.end_q[i] + s.end_position * self.trial.a[i];
        }
    }

    /// `J⁻¹Zᵀ`, `W` and its damped companion of a linear system, with the rows' Jacobian at time `t`.
    fn linear_response(&mut self, t: f64) {
        let r = &mut self.response;
        rows(self.ports.as_ref(), self.contacts.as_ref()).jacobian(t, &self.state.q, &mut r.end_jacobian);
        let Some(system) = self.system.as_linear() else { return };
        for k in 0..r.motion.ncols() {
            let mut column = r.motion.column_mut(k);
            column.tr_copy_from(&r.end_jacobian.row(k));
            if let Some(projection) = &system.load_projection {
                let projected = projection * &column;
                column.copy_from(&projected);
            }
            self.linear.solve_load(column.as_mut_slice());
        }
        r.end_jacobian.mul_to(&r.motion, &mut r.compliance);
        if !matches!(system.damping, cosimo_linear::StructuredMatrix::Zero(_)) {
            let mut fed_back = DMatrix::zeros(r.motion.nrows(), r.motion.ncols());
            for k in 0..r.motion.ncols() {
                let mut column = fed_back.column_mut(k);
                system.damping.multiply_add(1.0, r.motion.column(k).as_slice(), column.as_mut_slice());
                self.linear.solve_load(column.as_mut_slice());
            }
            r.damped = &r.end_jacobian * fed_back;
        }
        r.revision += 1;
    }

    /// Newton's iteration with the impulses in `scratch`, then the rows' answer.
    fn solve_nonlinear(&mut self) -> Result<(), DynamicsError> {
        let r = self.response.motion.ncols();
        let problem = StageProblem {
            system: self.system.as_ref(),
            rows: rows(self.ports.as_ref(), self.contacts.as_ref()),
            stage: &self.stage,
            level: self.rule.constraint_level(),
            start: &self.state,
            prediction: &self.prediction,
            h: self.h,
            loads: &self.scratch[..r],
            newton: self.newton,
        };
        let iterations = self.nonlinear.solve(&problem, &mut self.trial)? as u64;
        self.newton_iterations += iterations;
        self.factorizations += iterations;
        self.nonlinear_response();
        self.observe_end();
        Ok(())
    }

    fn nonlinear_response(&mut self) {
        let (r, end) = (&mut self.response, &self.trial);
        for k in 0..r.motion.ncols() {
            let mut column = r.motion.column_mut(k);
            column.tr_copy_from(&self.nonlinear.row_jacobian().row(k));
            self.nonlinear.solve_load(column.as_mut_slice());
        }
        let all = rows(self.ports.as_ref(), self.contacts.as_ref());
        all.jacobian(end.time, &end.q, &mut r.end_jacobian);
        all.velocity_gradient(end.time, &end.q, &end.v, &mut r.end_gradient);
        let weight = self.stage.position_weight();
        r.end_jacobian.zip_apply(&r.end_gradient, |z, g| *z += weight * g);
        r.end_jacobian.mul_to(&r.motion, &mut r.compliance);
        r.revision += 1;
    }

    fn observe_end(&mut self) {
        let (r, end) = (&mut self.response, &self.trial);
        let all = rows(self.ports.as_ref(), self.contacts.as_ref());
        all.positions(end.time, &end.q, &mut r.end_positions);
        all.velocities(end.time, &end.q, &end.v, &mut r.end_velocities);
    }

    fn observe_start(&mut self) {
        let (r, start) = (&mut self.response, &self.state);
        let all = rows(self.ports.as_ref(), self.contacts.as_ref());
        all.positions(start.time, &start.q, &mut r.start_positions);
        all.velocities(start.time, &start.q, &start.v, &mut r.start_velocities);
    }

    fn apply_moments(&mut self, moments: &ImpulseMoments) {
        let motion = &self.response.motion;
        apply(motion, &moments.velocity, (1.0, &mut self.trial.v), None);
        apply(motion, &moments.position, (1.0, &mut self.trial.q), None);
        let Some(system) = self.system.as_linear() else { return };
        if self.response.damped.is_empty() {
            return;
        }
        let n = self.trial.q.len();
        for (loads, is_velocity) in [(&moments.velocity_damped, true), (&moments.position_damped, false)] {
            self.scratch[..n].fill(0.0);
            apply(motion, loads, (1.0, &mut self.scratch[..n]), None);
            // The rate of the moved state, damped: reuse the prediction, which the step no longer needs.
            self.prediction.guess.fill(0.0);
            system.damping.multiply_add(1.0, &self.scratch[..n], &mut self.prediction.guess);
            self.linear.solve_load(&mut self.prediction.guess);
            let target = if is_velocity { &mut self.trial.v } else { &mut self.trial.q };
            target.iter_mut().zip(&self.prediction.guess).for_each(|(x, d)| *x += d);
        }
    }

    /// Energy balance of the trial step before impulses inside it.
    fn smooth_work(&mut self, impulses: &[f64]) -> StepWork {
        let (start, end, h) = (&self.state, &self.trial, self.h);
        let energy = self.system.energy(end.time, &end.q, &end.v);
        let r = impulses.len();
        rows(self.ports.as_ref(), self.contacts.as_ref()).positions(
            end.time,
            &end.q,
            &mut self.response.end_positions,
        );
        let is_mean = self.rule.collocation() == Collocation::Mean;
        let work_on = |range: std::ops::Range<usize>| -> f64 {
            let row = |k: usize| {
                let moved = self.response.end_positions[k] - self.response.start_positions[k];
                let load = impulses[k] / self.stage.end_velocity;
                moved * if is_mean { load } else { 0.5 * (load + self.start_loads[k]) }
            };
            range.map(row).sum()
        };
        let (port, contact) = (work_on(0..self.ports.rows()), work_on(self.ports.rows()..r));
        let n = end.q.len();
        let (dissipated, external) = if is_mean {
            let mean = &mut self.scratch[..n];
            mean.iter_mut().zip(end.q.iter().zip(&start.q)).for_each(|(m, (q1, q0))| *m = (q1 - q0) / h);
            let t = start.time + self.stage.time_share * h;
            let system = &self.system;
            (h * system.dissipated_power(t, &end.q, mean), h * system.external_power(t, &end.q, mean))
        } else {
            let at = |s: &MotionState| {
                (
                    self.system.dissipated_power(s.time, &s.q, &s.v),
                    self.system.external_power(s.time, &s.q, &s.v),
                )
            };
            let ((d0, e0), (d1, e1)) = (at(start), at(end));
            (0.5 * h * (d0 + d1), 0.5 * h * (e0 + e1))
        };
        let numerical = energy.total() - self.energy.total() - port - contact - external + dissipated;
        StepWork { energy, port, contact, external, dissipated, jumps: 0.0, numerical }
    }

    fn start_anew(&mut self) -> Result<(), DynamicsError> {
        if !self.state.q.iter().chain(&self.state.v).all(|x| x.is_finite()) {
            return Err(DynamicsError::NotFinite { quantity: "the state after a jump" });
        }
        self.start_loads.fill(0.0);
        self.make_acceleration_consistent()
            .map_err(|_| DynamicsError::NotFinite { quantity: "the acceleration after a jump" })?;
        self.rule.restart(&self.state);
        self.energy = self.system.energy(self.state.time, &self.state.q, &self.state.v);
        self.observe_start();
        Ok(())
    }

    /// Solves `M a + Φᵀ μ = f + Zᵀ ℓ₀`, `Φ a = −curvature` at the present state. Allocates: only at starts.
    fn make_acceleration_consistent(&mut self) -> Result<(), SystemError> {
        let (n, m) = (self.system.coordinates(), self.system.constraints());
        let MotionState { time: t, q, v, .. } = &self.state;
        let mut mass = DMatrix::zeros(n, n);
        self.system.mass(q, &mut mass);
        let mut phi = DMatrix::zeros(m, n);
        self.system.constraint_jacobian(*t, q, &mut phi);
        let mut kkt = DMatrix::zeros(n + m, n + m);
        kkt.view_mut((0, 0), (n, n)).copy_from(&mass);
        kkt.view_mut((n, 0), (m, n)).copy_from(&phi);
        kkt.view_mut((0, n), (n, m)).copy_from(&phi.transpose());
        let mut unknowns = vec![0.0; n + m];
        self.system.force(*t, q, v, &mut unknowns[..n]);
        self.system.constraint_curvature(*t, q, v, &mut unknowns[n..]);
        unknowns[n..].iter_mut().for_each(|c| *c = -*c);
        let mut z = DMatrix::zeros(self.start_loads.len(), n);
        rows(self.ports.as_ref(), self.contacts.as_ref()).jacobian(*t, q, &mut z);
        for (k, load) in self.start_loads.iter().enumerate() {
            (0..n).for_each(|j| unknowns[j] += z[(k, j)] * load);
        }
        let mut lu = DenseLu::default();
        lu.factorize(&kkt)?;
        lu.solve(&mut unknowns);
        if !unknowns.iter().all(|x| x.is_finite()) {
            return Err(SystemError::NotFinite { quantity: "initial acceleration" });
        }
        self.state.a.copy_from_slice(&unknowns[..n]);
        Ok(())
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

fn rows<'a>(ports: &'a dyn Kinematics, contacts: &'a dyn Kinematics) -> Rows<'a> {
    Rows { ports, contacts }
}

/// `target ← target + factor · motion · loads`, for one or two targets.
fn apply(
    motion: &DMatrix<f64>,
    loads: &[f64],
    (factor, first): (f64, &mut [f64]),
    mut second: Option<(f64, &mut Vec<f64>)>,
) {
    let n = motion.nrows().max(1);
    for (column, load) in motion.as_slice().chunks_exact(n).zip(loads) {
        if *load == 0.0 {
            continue;
        }
        first.iter_mut().zip(column).for_each(|(x, c)| *x += factor * load * c);
        if let Some((weight, target)) = &mut second {
            target.iter_mut().zip(column).for_each(|(x, c)| *x += *weight * load * c);
        }
    }
}
