//! The implicit stage: Newton's method on the equations of motion with constraints.

use cosimo_linear::{DenseLu, Factorization};
use nalgebra::DMatrix;

use crate::{
    ConstraintLevel, DynamicsError, EquationsOfMotion, Kinematics, LinearSystem, MotionState, Prediction,
    Stage,
};

/// When Newton's iteration for a nonlinear stage stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewtonSettings {
    /// Largest velocity correction accepted, relative to `1 + max |v|` (–). Default: 1e-10; convergence is
    /// quadratic, so that the error left is far below.
    pub tolerance: f64,
    /// Iterations allowed. Default: 30.
    pub max_iterations: usize,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 30 }
    }
}

/// Both row sets of a system seen as one: ports first, contacts after.
pub(crate) struct Rows<'a> {
    pub(crate) ports: &'a dyn Kinematics,
    pub(crate) contacts: &'a dyn Kinematics,
}

impl Rows<'_> {
    pub(crate) fn positions(&self, t: f64, q: &[f64], out: &mut [f64]) {
        let (ports, contacts) = out.split_at_mut(self.ports.rows());
        self.ports.positions(t, q, ports);
        self.contacts.positions(t, q, contacts);
    }

    pub(crate) fn velocities(&self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        let (ports, contacts) = out.split_at_mut(self.ports.rows());
        self.ports.velocities(t, q, v, ports);
        self.contacts.velocities(t, q, v, contacts);
    }

    pub(crate) fn jacobian(&self, t: f64, q: &[f64], out: &mut DMatrix<f64>) {
        self.ports.jacobian(t, q, 0, out);
        self.contacts.jacobian(t, q, self.ports.rows(), out);
    }

    pub(crate) fn velocity_gradient(&self, t: f64, q: &[f64], v: &[f64], out: &mut DMatrix<f64>) {
        self.ports.velocity_gradient(t, q, v, 0, out);
        self.contacts.velocity_gradient(t, q, v, self.ports.rows(), out);
    }
}

/// The factorised stage of a linear system: solved by one back-substitution a step.
#[derive(Debug, Default)]
pub(crate) struct LinearStage {
    factorization: Factorization,
    coefficients: (f64, f64),
    unknowns: Vec<f64>,
}

impl LinearStage {
    /// Factorises `[J Φᵀ; Φ 0]` where the stage's coefficients have changed; says whether it did.
    pub(crate) fn prepare(&mut self, system: &LinearSystem, stage: &Stage) -> Result<bool, DynamicsError> {
        let coefficients = (stage.velocity, stage.position);
        let (n, m) = (system.coordinates(), system.constraints.len());
        if self.coefficients == coefficients && !self.unknowns.is_empty() {
            return Ok(false);
        }
        self.unknowns.resize(n + m, 0.0);
        let terms =
            [(1.0, &system.mass), (stage.velocity, &system.damping), (stage.position, &system.stiffness)];
        if m == 0 {
            self.factorization.factorize_sum(&terms)?;
        } else {
            let mut kkt = DMatrix::zeros(n + m, n + m);
            terms.iter().for_each(|(factor, matrix)| matrix.add_to_dense(*factor, &mut kkt));
            add_constraint_blocks(&system.constraint_matrix(), &system.constraint_matrix(), &mut kkt);
            self.factorization.factorize_dense(&kkt)?;
        }
        self.coefficients = coefficients;
        Ok(true)
    }

    /// Solves for the stage's unknown `u` without loads; `state` is the start of the step of size `h`.
    pub(crate) fn solve_free(
        &mut self,
        system: &LinearSystem,
        stage: &Stage,
        (state, h, level): (&MotionState, f64, ConstraintLevel),
        prediction: &Prediction,
        u: &mut [f64],
    ) {
        let n = u.len();
        let (force, rows) = self.unknowns.split_at_mut(n);
        let t = state.time + stage.time_share * h;
        system.total_force(t, &prediction.stage_q, &prediction.stage_v, force);
        for (residual, row) in rows.iter_mut().zip(&system.constraints) {
            *residual = match level {
                ConstraintLevel::Position => (row.offset - row.dot(&prediction.end_q)) / stage.end_position,
                ConstraintLevel::Velocity => {
                    -(row.dot(&prediction.end_v) + (row.dot(&state.q) - row.offset) / h) / stage.end_velocity
                }
            };
        }
        self.factorization.solve(&mut self.unknowns);
        u.copy_from_slice(&self.unknowns[..n]);
    }

    /// Overwrites `x`, a generalised load of length `n`, with `J⁻¹ x` on the constrained motions.
    pub(crate) fn solve_load(&mut self, x: &mut [f64]) {
        let n = x.len();
        if self.unknowns.len() == n {
            self.factorization.solve(x);
            return;
        }
        self.unknowns[..n].copy_from_slice(x);
        self.unknowns[n..].fill(0.0);
        self.factorization.solve(&mut self.unknowns);
        x.copy_from_slice(&self.unknowns[..n]);
    }
}

/// Newton's method for the stage of a nonlinear system, with its buffers.
#[derive(Debug, Default)]
pub(crate) struct NonlinearStage {
    mass: DMatrix<f64>,
    stiffness: DMatrix<f64>,
    damping: DMatrix<f64>,
    stage_constraints: DMatrix<f64>,
    end_constraints: DMatrix<f64>,
    row_jacobian: DMatrix<f64>,
    kkt: DMatrix<f64>,
    lu: DenseLu,
    unknowns: Vec<f64>,
    force: Vec<f64>,
    start_residual: Vec<f64>,
    stage_q: Vec<f64>,
    stage_v: Vec<f64>,
    pub(crate) multipliers: Vec<f64>,
}

/// What one Newton solve works on.
pub(crate) struct StageProblem<'a> {
    pub(crate) system: &'a dyn EquationsOfMotion,
    pub(crate) rows: Rows<'a>,
    pub(crate) stage: &'a Stage,
    pub(crate) level: ConstraintLevel,
    pub(crate) start: &'a MotionState,
    pub(crate) prediction: &'a Prediction,
    pub(crate) h: f64,
    pub(crate) loads: &'a [f64],
    pub(crate) newton: NewtonSettings,
}

impl NonlinearStage {
    pub(crate) fn new(n: usize, m: usize, r: usize) -> Self {
        let square = DMatrix::zeros(n, n);
        Self {
            mass: square.clone(),
            stiffness: square.clone(),
            damping: square,
            stage_constraints: DMatrix::zeros(m, n),
            end_constraints: DMatrix::zeros(m, n),
            row_jacobian: DMatrix::zeros(r, n),
            kkt: DMatrix::zeros(n + m, n + m),
            lu: DenseLu::default(),
            unknowns: vec![0.0; n + m],
            force: vec![0.0; n],
            start_residual: vec![0.0; m],
            stage_q: vec![0.0; n],
            stage_v: vec![0.0; n],
            multipliers: vec![0.0; m],
        }
    }

    /// Solves the stage into `end`: positions, velocities and, in `end.a`, the unknown `u`, which on entry is the
    /// first guess. Returns the iterations done.
    pub(crate) fn solve(
        &mut self,
        p: &StageProblem<'_>,
        end: &mut MotionState,
    ) -> Result<usize, DynamicsError> {
        p.system.constraint(p.start.time, &p.start.q, &mut self.start_residual);
        end.time = p.start.time + p.h;
        for iteration in 1..=p.newton.max_iterations {
            finish(p, end);
            self.assemble(p, end);
            self.lu.factorize(&self.kkt)?;
            self.lu.solve(&mut self.unknowns);
            let n = end.a.len();
            let mut correction: f64 = 0.0;
            for (a, du) in end.a.iter_mut().zip(&self.unknowns[..n]) {
                *a += du;
                correction = correction.max((du * p.stage.end_velocity).abs());
            }
            self.multipliers.iter_mut().zip(&self.unknowns[n..]).for_each(|(mu, d)| *mu += d);
            if !correction.is_finite() {
                return Err(DynamicsError::NotFinite { quantity: "the acceleration" });
            }
            let speed = end.v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            if correction <= p.newton.tolerance * (1.0 + speed) {
                finish(p, end);
                self.project_positions(p, end);
                return Ok(iteration);
            }
            if iteration == p.newton.max_iterations {
                return Err(DynamicsError::NotConverged { iterations: iteration, correction });
            }
        }
        Err(DynamicsError::NotConverged { iterations: 0, correction: f64::NAN })
    }

    /// Overwrites `x`, a generalised load of length `n`, with `J⁻¹ x` for the last tangent.
    pub(crate) fn solve_load(&mut self, x: &mut [f64]) {
        let n = x.len();
        self.unknowns[..n].copy_from_slice(x);
        self.unknowns[n..].fill(0.0);
        self.lu.solve(&mut self.unknowns);
        x.copy_from_slice(&self.unknowns[..n]);
    }

    /// Factorises the tangent of a step of these coefficients at a given state, without loads.
    pub(crate) fn linearize_at(
        &mut self,
        system: &dyn EquationsOfMotion,
        stage: &Stage,
        state: &MotionState,
    ) -> Result<(), DynamicsError> {
        self.force.fill(0.0);
        system.mass(&state.q, &mut self.mass);
        system.tangents(state.time, &state.q, &state.v, &self.force, &mut self.stiffness, &mut self.damping);
        system.constraint_jacobian(state.time, &state.q, &mut self.stage_constraints);
        self.assemble_matrix(stage, false);
        Ok(self.lu.factorize(&self.kkt)?)
    }

    /// Jacobian of all rows at the stage of the last solve, `r × n`.
    pub(crate) fn row_jacobian(&self) -> &DMatrix<f64> {
        &self.row_jacobian
    }

    fn assemble(&mut self, p: &StageProblem<'_>, end: &MotionState) {
        let (n, s) = (end.a.len(), p.stage);
        for i in 0..n {
            self.stage_q[i] = p.prediction.stage_q[i] + s.position * end.a[i];
            self.stage_v[i] = p.prediction.stage_v[i] + s.velocity * end.a[i];
        }
        let t = p.start.time + s.time_share * p.h;
        p.system.mass(&self.stage_q, &mut self.mass);
        p.system.force(t, &self.stage_q, &self.stage_v, &mut self.force);
        p.system.tangents(t, &self.stage_q, &self.stage_v, &end.a, &mut self.stiffness, &mut self.damping);
        p.system.constraint_jacobian(t, &self.stage_q, &mut self.stage_constraints);
        p.system.constraint_jacobian(end.time, &end.q, &mut self.end_constraints);
        p.system.constraint_stiffness(t, &self.stage_q, &self.multipliers, &mut self.stiffness);
        p.rows.jacobian(t, &self.stage_q, &mut self.row_jacobian);
        self.assemble_matrix(s, true);
        self.assemble_residual(p, end);
    }

    fn assemble_matrix(&mut self, stage: &Stage, is_step: bool) {
        let n = self.mass.nrows();
        self.kkt.fill(0.0);
        for j in 0..n {
            for i in 0..n {
                self.kkt[(i, j)] = self.mass[(i, j)]
                    + stage.velocity * self.damping[(i, j)]
                    + stage.position * self.stiffness[(i, j)];
            }
        }
        let lower = if is_step { &self.end_constraints } else { &self.stage_constraints };
        add_constraint_blocks(&self.stage_constraints, lower, &mut self.kkt);
    }

    /// Right-hand side `−residual`: forces on top, constraints below.
    fn assemble_residual(&mut self, p: &StageProblem<'_>, end: &MotionState) {
        let n = end.a.len();
        let (top, bottom) = self.unknowns.split_at_mut(n);
        for (i, residual) in top.iter_mut().enumerate() {
            let inertia: f64 = (0..n).map(|j| self.mass[(i, j)] * end.a[j]).sum();
            let reaction: f64 =
                self.multipliers.iter().enumerate().map(|(k, mu)| self.stage_constraints[(k, i)] * mu).sum();
            let load: f64 = p.loads.iter().enumerate().map(|(k, x)| self.row_jacobian[(k, i)] * x).sum();
            *residual = self.force[i] - inertia - reaction + load / p.stage.end_velocity;
        }
        match p.level {
            ConstraintLevel::Position => {
                p.system.constraint(end.time, &end.q, bottom);
                bottom.iter_mut().for_each(|phi| *phi /= -p.stage.end_position);
            }
            ConstraintLevel::Velocity => {
                for (k, row) in bottom.iter_mut().enumerate() {
                    let rate: f64 = (0..n).map(|j| self.end_constraints[(k, j)] * end.v[j]).sum();
                    *row = -(rate + self.start_residual[k] / p.h) / p.stage.end_velocity;
                }
            }
        }
    }

    /// Takes the drift of velocity-level constraints out of the end position: `O(h³)`, with the last tangent.
    fn project_positions(&mut self, p: &StageProblem<'_>, end: &mut MotionState) {
        if p.level == ConstraintLevel::Position || self.multipliers.is_empty() {
            return;
        }
        let n = end.q.len();
        for _ in 0..2 {
            let (top, bottom) = self.unknowns.split_at_mut(n);
            top.fill(0.0);
            p.system.constraint(end.time, &end.q, bottom);
            bottom.iter_mut().for_each(|phi| *phi = -*phi);
            self.lu.solve(&mut self.unknowns);
            end.q.iter_mut().zip(&self.unknowns[..n]).for_each(|(q, dq)| *q += dq);
        }
    }
}

/// End of the step from the stage's unknown in `end.a`.
fn finish(p: &StageProblem<'_>, end: &mut MotionState) {
    for i in 0..end.a.len() {
        end.v[i] = p.prediction.end_v[i] + p.stage.end_velocity * end.a[i];
        end.q[i] = p.prediction.end_q[i] + p.stage.end_position * end.a[i];
    }
}

/// Writes `Φᵀ` right of and `Φ` below the leading block of `kkt`.
fn add_constraint_blocks(force: &DMatrix<f64>, row: &DMatrix<f64>, kkt: &mut DMatrix<f64>) {
    let (m, n) = row.shape();
    for k in 0..m {
        for j in 0..n {
            kkt[(n + k, j)] = row[(k, j)];
            kkt[(j, n + k)] = force[(k, j)];
        }
    }
}
