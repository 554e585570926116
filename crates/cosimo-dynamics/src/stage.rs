//! The implicit stage of a nonlinear system: Newton's method on the equations of motion with constraints.

use cosimo_linear::{DenseLu, FactorizationError};
use nalgebra::DMatrix;

use crate::products::{multiply_add, transposed_multiply_add};
use crate::rows::RowSets;
use crate::{ConstraintLevel, DynamicsError, EquationsOfMotion, MotionState, Prediction, Stage};

/// When Newton's iteration for a nonlinear stage stops; at the latest where what is left is round-off of the positions.
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

/// What one Newton solve works on.
pub(crate) struct StageProblem<'a> {
    pub(crate) system: &'a dyn EquationsOfMotion,
    pub(crate) rows: &'a RowSets,
    pub(crate) stage: &'a Stage,
    pub(crate) level: ConstraintLevel,
    pub(crate) start: &'a MotionState,
    pub(crate) prediction: &'a Prediction,
    pub(crate) h: f64,
    /// Impulses `X` on the rows (N s).
    pub(crate) loads: &'a [f64],
    pub(crate) newton: NewtonSettings,
}

/// Newton's method for the stage of a nonlinear system, with its buffers.
///
/// The iteration matrix is exact, constraints included, so that its inverse is the answer to loads.
#[derive(Debug, Default)]
pub(crate) struct NonlinearStage {
    mass: DMatrix<f64>,
    stiffness: DMatrix<f64>,
    damping: DMatrix<f64>,
    /// `Φ_q` at the stage: directions of the reactions.
    stage_constraints: DMatrix<f64>,
    /// `Φ_q` at the end of the step.
    end_constraints: DMatrix<f64>,
    /// Derivative of the constraint rows for the end velocity: `Φ_q`, at velocity level plus `χ ∂φ̇/∂q`.
    constraint_rows: DMatrix<f64>,
    row_jacobian: DMatrix<f64>,
    row_gradient: DMatrix<f64>,
    row_stiffness: Vec<f64>,
    kkt: DMatrix<f64>,
    lu: DenseLu,
    projection: DenseLu,
    unknowns: Vec<f64>,
    force: Vec<f64>,
    row_loads: Vec<f64>,
    start_residual: Vec<f64>,
    stage_q: Vec<f64>,
    stage_v: Vec<f64>,
    curvature: Vec<f64>,
    /// Constraint forces `μ` of the trial step, the first guess on entry.
    pub(crate) multipliers: Vec<f64>,
    /// Those at the present state: first guess of the next step's.
    pub(crate) start_multipliers: Vec<f64>,
    /// Unknown and multipliers of the trial step without loads: where every solve with loads starts.
    free: (Vec<f64>, Vec<f64>),
}

/// Round-off of a position, relative to the largest, below which a correction is none, and up to which one that does not
/// become smaller is none.
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;
const NOISE: f64 = 1e3 * ROUND_OFF;
/// A correction above this share of the one before has stopped becoming smaller.
const STAGNATION: f64 = 0.25;

/// Position corrections tried against the drift of velocity-level constraints: they converge quadratically.
const MAX_PROJECTIONS: usize = 6;

impl NonlinearStage {
    pub(crate) fn new(n: usize, m: usize, r: usize) -> Self {
        let square = DMatrix::zeros(n, n);
        let constraints = DMatrix::zeros(m, n);
        Self {
            mass: square.clone(),
            stiffness: square.clone(),
            damping: square,
            stage_constraints: constraints.clone(),
            end_constraints: constraints.clone(),
            constraint_rows: constraints,
            row_jacobian: DMatrix::zeros(r, n),
            row_gradient: DMatrix::zeros(r, n),
            row_stiffness: vec![0.0; n],
            kkt: DMatrix::zeros(n + m, n + m),
            lu: DenseLu::default(),
            projection: DenseLu::default(),
            unknowns: vec![0.0; n + m],
            force: vec![0.0; n],
            row_loads: vec![0.0; r],
            start_residual: vec![0.0; m],
            stage_q: vec![0.0; n],
            stage_v: vec![0.0; n],
            curvature: vec![0.0; m],
            multipliers: vec![0.0; m],
            start_multipliers: vec![0.0; m],
            free: (vec![0.0; n], vec![0.0; m]),
        }
    }

    /// Begins a trial step: its first guess of the multipliers is what they are.
    pub(crate) fn begin(&mut self) {
        self.multipliers.copy_from_slice(&self.start_multipliers);
    }

    /// Keeps the solution without loads, whose unknown is `u`.
    pub(crate) fn keep_free(&mut self, u: &[f64]) {
        self.free.0.copy_from_slice(u);
        self.free.1.copy_from_slice(&self.multipliers);
    }

    /// Takes the solution without loads as the first guess.
    pub(crate) fn guess_free(&mut self, u: &mut [f64]) {
        u.copy_from_slice(&self.free.0);
        self.multipliers.copy_from_slice(&self.free.1);
    }

    /// The trial step is taken.
    pub(crate) fn accept(&mut self) {
        self.start_multipliers.copy_from_slice(&self.multipliers);
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
        let mut correction = f64::INFINITY;
        for iteration in 1..=p.newton.max_iterations {
            finish(p, end);
            self.assemble(p, end);
            self.lu.factorize(&self.kkt)?;
            self.lu.solve(&mut self.unknowns);
            let last = std::mem::replace(&mut correction, self.correct(p, end)?);
            if correction <= p.newton.tolerance * (1.0 + largest(&end.v))
                || is_noise(p, end, correction, last)
            {
                finish(p, end);
                if p.level == ConstraintLevel::Velocity && !self.multipliers.is_empty() {
                    self.prepare_projection(p, end)?;
                    self.project_positions(p.system, end);
                }
                return Ok(iteration);
            }
        }
        Err(DynamicsError::NotConverged { iterations: p.newton.max_iterations, correction })
    }

    /// Solves `M a + Φᵀ μ = f + Zᵀ ℓ`, `φ̈ = 0` for the acceleration of `state` and the multipliers.
    pub(crate) fn balance(
        &mut self,
        system: &dyn EquationsOfMotion,
        (rows, loads): (&RowSets, &[f64]),
        state: &mut MotionState,
    ) -> Result<(), FactorizationError> {
        let (t, n) = (state.time, state.q.len());
        system.mass(&state.q, &mut self.mass);
        system.constraint_jacobian(t, &state.q, &mut self.stage_constraints);
        rows.jacobian(t, &state.q, &mut self.row_jacobian);
        fill_kkt(&[(1.0, &self.mass)], &self.stage_constraints, &self.stage_constraints, &mut self.kkt);
        self.lu.factorize(&self.kkt)?;
        let (top, bottom) = self.unknowns.split_at_mut(n);
        system.force(t, &state.q, &state.v, top);
        transposed_multiply_add(&self.row_jacobian, (1.0, loads), top);
        system.constraint_curvature(t, &state.q, &state.v, bottom);
        bottom.iter_mut().for_each(|c| *c = -*c);
        self.lu.solve(&mut self.unknowns);
        state.a.copy_from_slice(&self.unknowns[..n]);
        self.multipliers.copy_from_slice(&self.unknowns[n..]);
        Ok(())
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
    ) -> Result<(), FactorizationError> {
        let (t, q, v) = (state.time, &state.q, &state.v);
        self.force.fill(0.0);
        system.mass(q, &mut self.mass);
        system.tangents(t, q, v, &self.force, &mut self.stiffness, &mut self.damping);
        system.constraint_jacobian(t, q, &mut self.stage_constraints);
        let tangent = [(1.0, &self.mass), (stage.velocity, &self.damping), (stage.position, &self.stiffness)];
        fill_kkt(&tangent, &self.stage_constraints, &self.stage_constraints, &mut self.kkt);
        self.lu.factorize(&self.kkt)
    }

    /// Jacobian of all rows at the stage of the last solve, `r × n`.
    pub(crate) fn row_jacobian(&self) -> &DMatrix<f64> {
        &self.row_jacobian
    }

    /// Removes from `x`, a change of the end position, what the position projection takes back.
    pub(crate) fn project_direction(&mut self, x: &mut [f64]) {
        let (top, bottom) = self.unknowns.split_at_mut(x.len());
        top.fill(0.0);
        bottom.fill(0.0);
        multiply_add(&self.end_constraints, (-1.0, x), bottom);
        self.projection.solve(&mut self.unknowns);
        x.iter_mut().zip(&self.unknowns).for_each(|(xi, d)| *xi += d);
    }

    /// Puts a state that impulses have moved back on velocity-level constraints, position first.
    pub(crate) fn project(&mut self, system: &dyn EquationsOfMotion, end: &mut MotionState) {
        self.project_positions(system, end);
        system.constraint_jacobian(end.time, &end.q, &mut self.end_constraints);
        let speed = largest(&end.v).max(1.0);
        for _ in 0..MAX_PROJECTIONS {
            let (top, bottom) = self.unknowns.split_at_mut(end.v.len());
            top.fill(0.0);
            system.constraint_rate(end.time, &end.q, bottom);
            multiply_add(&self.end_constraints, (1.0, &end.v), bottom);
            if largest(bottom) <= 4.0 * f64::EPSILON * speed {
                return;
            }
            bottom.iter_mut().for_each(|rate| *rate = -*rate);
            self.projection.solve(&mut self.unknowns);
            end.v.iter_mut().zip(&self.unknowns).for_each(|(v, dv)| *v += dv);
        }
    }

    /// Adds Newton's correction to the unknowns; returns the largest velocity correction.
    fn correct(&mut self, p: &StageProblem<'_>, end: &mut MotionState) -> Result<f64, DynamicsError> {
        let (du, dmu) = self.unknowns.split_at(end.a.len());
        if self.unknowns.iter().any(|x| !x.is_finite()) {
            return Err(DynamicsError::NotFinite { quantity: "the acceleration" });
        }
        end.a.iter_mut().zip(du).for_each(|(a, d)| *a += d);
        self.multipliers.iter_mut().zip(dmu).for_each(|(mu, d)| *mu += d);
        Ok(largest(du) * p.stage.end_velocity)
    }

    fn assemble(&mut self, p: &StageProblem<'_>, end: &MotionState) {
        let s = p.stage;
        for (i, a) in end.a.iter().enumerate() {
            self.stage_q[i] = p.prediction.stage_q[i] + s.position * a;
            self.stage_v[i] = p.prediction.stage_v[i] + s.velocity * a;
        }
        let t = p.start.time + s.time_share * p.h;
        for (load, x) in self.row_loads.iter_mut().zip(p.loads) {
            *load = x / s.end_velocity;
        }
        p.system.mass(&self.stage_q, &mut self.mass);
        p.system.force(t, &self.stage_q, &self.stage_v, &mut self.force);
        p.system.tangents(t, &self.stage_q, &self.stage_v, &end.a, &mut self.stiffness, &mut self.damping);
        p.system.constraint_jacobian(t, &self.stage_q, &mut self.stage_constraints);
        p.system.constraint_stiffness(t, &self.stage_q, &self.multipliers, &mut self.stiffness);
        p.rows.jacobian(t, &self.stage_q, &mut self.row_jacobian);
        if !p.rows.are_constant() && self.row_loads.iter().any(|load| *load != 0.0) {
            self.subtract_load_stiffness(p.rows, t);
        }
        p.system.constraint_jacobian(end.time, &end.q, &mut self.end_constraints);
        self.constraint_rows.copy_from(&self.end_constraints);
        if p.level == ConstraintLevel::Velocity && !self.multipliers.is_empty() {
            self.add_rate_gradient(p, end);
        }
        let tangent = [(1.0, &self.mass), (s.velocity, &self.damping), (s.position, &self.stiffness)];
        fill_kkt(&tangent, &self.stage_constraints, &self.constraint_rows, &mut self.kkt);
        self.assemble_residual(p, end);
    }

    /// Subtracts `∂(Zᵀ ℓ)/∂q`, the stiffness of loads that turn with the motion: `∂ż/∂q` is affine in `v`, and its
    /// part in the direction `e_j` is the derivative of `Z e_j`.
    fn subtract_load_stiffness(&mut self, rows: &RowSets, t: f64) {
        // The residual is assembled afterwards: its buffer serves as the probing velocity.
        let n = self.stage_q.len();
        let probe = &mut self.unknowns[..n];
        probe.fill(0.0);
        rows.velocity_gradient(t, &self.stage_q, probe, &mut self.row_gradient);
        let at_rest = &mut self.row_stiffness;
        at_rest.fill(0.0);
        transposed_multiply_add(&self.row_gradient, (1.0, &self.row_loads), at_rest);
        for j in 0..n {
            probe[j] = 1.0;
            rows.velocity_gradient(t, &self.stage_q, probe, &mut self.row_gradient);
            probe[j] = 0.0;
            let mut column = self.stiffness.column_mut(j);
            let column = column.as_mut_slice();
            column.iter_mut().zip(at_rest.iter()).for_each(|(k, rest)| *k += rest);
            transposed_multiply_add(&self.row_gradient, (-1.0, &self.row_loads), column);
        }
    }

    /// Adds `χ ∂φ̇/∂q` at the end to the constraint rows.
    ///
    /// `φ̈ − Φ_q a` is quadratic in `v` with the linear part `2 ∂Φ_q/∂t v`, so that its central difference in the
    /// direction `e_j` is `4 ∂φ̇/∂q_j` for any size of the difference.
    fn add_rate_gradient(&mut self, p: &StageProblem<'_>, end: &MotionState) {
        let weight = p.stage.position_weight();
        let size = largest(&end.v).max(1.0);
        // The residual is assembled afterwards: its buffer serves as the probing velocity.
        let probe = &mut self.unknowns[..end.v.len()];
        probe.copy_from_slice(&end.v);
        for j in 0..end.v.len() {
            for sign in [1.0, -1.0] {
                probe[j] = end.v[j] + sign * size;
                p.system.constraint_curvature(end.time, &end.q, probe, &mut self.curvature);
                for (k, c) in self.curvature.iter().enumerate() {
                    self.constraint_rows[(k, j)] += sign * weight * c / (4.0 * size);
                }
            }
            probe[j] = end.v[j];
        }
    }

    /// Right-hand side `−residual`: forces on top, constraints below.
    fn assemble_residual(&mut self, p: &StageProblem<'_>, end: &MotionState) {
        let (top, bottom) = self.unknowns.split_at_mut(end.a.len());
        top.copy_from_slice(&self.force);
        multiply_add(&self.mass, (-1.0, &end.a), top);
        transposed_multiply_add(&self.stage_constraints, (-1.0, &self.multipliers), top);
        transposed_multiply_add(&self.row_jacobian, (1.0, &self.row_loads), top);
        match p.level {
            ConstraintLevel::Position => {
                p.system.constraint(end.time, &end.q, bottom);
                bottom.iter_mut().for_each(|phi| *phi /= -p.stage.end_position);
            }
            ConstraintLevel::Velocity => {
                p.system.constraint_rate(end.time, &end.q, bottom);
                multiply_add(&self.end_constraints, (1.0, &end.v), bottom);
                for (row, phi) in bottom.iter_mut().zip(&self.start_residual) {
                    *row = -(*row + phi / p.h) / p.stage.end_velocity;
                }
            }
        }
    }

    /// Factorises the last tangent with the constraints at the end.
    fn prepare_projection(
        &mut self,
        p: &StageProblem<'_>,
        end: &MotionState,
    ) -> Result<(), FactorizationError> {
        p.system.constraint_jacobian(end.time, &end.q, &mut self.end_constraints);
        let s = p.stage;
        let tangent = [(1.0, &self.mass), (s.velocity, &self.damping), (s.position, &self.stiffness)];
        fill_kkt(&tangent, &self.stage_constraints, &self.end_constraints, &mut self.kkt);
        self.projection.factorize(&self.kkt)
    }

    /// Takes the drift of velocity-level constraints, `O(h³)`, out of the end position.
    fn project_positions(&mut self, system: &dyn EquationsOfMotion, end: &mut MotionState) {
        let n = end.q.len();
        for _ in 0..MAX_PROJECTIONS {
            let (top, bottom) = self.unknowns.split_at_mut(n);
            top.fill(0.0);
            system.constraint(end.time, &end.q, bottom);
            if largest(bottom) <= 4.0 * f64::EPSILON * largest(&end.q).max(1.0) {
                return;
            }
            bottom.iter_mut().for_each(|phi| *phi = -*phi);
            self.projection.solve(&mut self.unknowns);
            end.q.iter_mut().zip(&self.unknowns).for_each(|(q, dq)| *q += dq);
        }
    }
}

/// Whether a velocity correction is what rounding of the positions leaves of constraints at position level: `ε |q|` over the
/// time `end_position / end_velocity`, which short steps and places far out make larger than any tolerance.
fn is_noise(p: &StageProblem<'_>, end: &MotionState, correction: f64, last: f64) -> bool {
    if p.level != ConstraintLevel::Position {
        return false;
    }
    let place = largest(&end.q).max(1.0) * p.stage.end_velocity / p.stage.end_position;
    correction <= ROUND_OFF * place || (correction > STAGNATION * last && correction <= NOISE * place)
}

/// End of the step from the stage's unknown in `end.a`.
fn finish(p: &StageProblem<'_>, end: &mut MotionState) {
    for (i, a) in end.a.iter().enumerate() {
        end.v[i] = p.prediction.end_v[i] + p.stage.end_velocity * a;
        end.q[i] = p.prediction.end_q[i] + p.stage.end_position * a;
    }
}

/// Largest absolute value.
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, xi| m.max(xi.abs()))
}

/// Fills `kkt` with `[Σ factor · matrix, forceᵀ; rows, 0]`.
fn fill_kkt(
    terms: &[(f64, &DMatrix<f64>)],
    force: &DMatrix<f64>,
    rows: &DMatrix<f64>,
    kkt: &mut DMatrix<f64>,
) {
    let (m, n) = rows.shape();
    kkt.fill(0.0);
    for j in 0..n {
        let mut column = kkt.column_mut(j);
        let top = &mut column.as_mut_slice()[..n];
        for (factor, matrix) in terms {
            let source = &matrix.as_slice()[j * n..(j + 1) * n];
            top.iter_mut().zip(source).for_each(|(sum, x)| *sum += factor * x);
        }
        column.as_mut_slice()[n..].copy_from_slice(&rows.as_slice()[j * m..(j + 1) * m]);
    }
    for k in 0..m {
        for j in 0..n {
            kkt[(j, n + k)] = force[(k, j)];
        }
    }
}
