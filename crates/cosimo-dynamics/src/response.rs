//! How the rows of a trial step answer to loads.

use nalgebra::DMatrix;

use crate::columns::Columns;
use crate::products::multiply_add;
use crate::rows::RowSets;
use crate::rules::StepFormula;
use crate::vectors::RowVector;
use crate::{LinearSystem, MotionState};

/// Motion and inverse mass of the rows, with their buffers.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) start_positions: RowVector,
    pub(crate) start_velocities: RowVector,
    pub(crate) end_positions: RowVector,
    pub(crate) end_velocities: RowVector,
    /// `J⁻¹ Zᵀ`, `n × r`.
    pub(crate) motion: Columns,
    /// Counts the changes of the inverse masses.
    pub(crate) revision: u64,
    pub(crate) inverse_masses: Box<InverseMasses>,
}

/// What is read or written only where it changes.
#[derive(Debug)]
pub(crate) struct InverseMasses {
    /// `∂z/∂t` at the start; empty where no row moves by itself.
    pub(crate) surface_velocities: Vec<f64>,
    /// `W`, `r × r`.
    pub(crate) inverse_mass: DMatrix<f64>,
    /// `Z J⁻¹ C J⁻¹ Zᵀ`, `r × r`; empty without damping.
    pub(crate) damped: DMatrix<f64>,
    /// `J⁻¹ C J⁻¹ Zᵀ`, `n × r`; empty without damping.
    pub(crate) damped_motion: Columns,
    /// `Y`, `r × r`; empty where it is `W`, or not asked for.
    pub(crate) move_mass: DMatrix<f64>,
    /// `J⁻¹ Zᵀ − c_q J⁻¹ K J⁻¹ Zᵀ`, `n × r`; empty with the move mass.
    moved: Columns,
    pub(crate) jacobian: DMatrix<f64>,
    /// `∂ż/∂q`, `r × n`; empty where the rows are constant.
    gradient: DMatrix<f64>,
}

impl Response {
    pub(crate) fn new(n: usize, rows: &RowSets, is_damped: bool) -> Self {
        let r = rows.len();
        let zero = RowVector::zeros(r);
        let (damped_rows, damped_motions) = if is_damped { (r, n) } else { (0, 0) };
        Self {
            start_positions: zero.clone(),
            start_velocities: zero.clone(),
            end_positions: zero.clone(),
            end_velocities: zero,
            motion: Columns::zeros(n, r),
            revision: 0,
            inverse_masses: Box::new(InverseMasses {
                surface_velocities: vec![0.0; if rows.depend_on_time() { r } else { 0 }],
                inverse_mass: DMatrix::zeros(r, r),
                damped: DMatrix::zeros(damped_rows, damped_rows),
                damped_motion: Columns::zeros(damped_motions, damped_rows),
                move_mass: DMatrix::zeros(0, 0),
                moved: Columns::zeros(0, 0),
                jacobian: DMatrix::zeros(r, n),
                gradient: if rows.are_constant() { DMatrix::zeros(0, 0) } else { DMatrix::zeros(r, n) },
            }),
        }
    }

    pub(crate) fn observe_start(&mut self, rows: &RowSets, start: &MotionState) {
        rows.observe(start.motion(), &mut self.start_positions, &mut self.start_velocities);
    }

    pub(crate) fn observe_end(&mut self, rows: &RowSets, end: &MotionState) {
        rows.observe(end.motion(), &mut self.end_positions, &mut self.end_velocities);
    }

    /// The trial step is taken: its end is the next start.
    pub(crate) fn advance(&mut self) {
        std::mem::swap(&mut self.start_positions, &mut self.end_positions);
        std::mem::swap(&mut self.start_velocities, &mut self.end_velocities);
    }

    /// Observes by how much the rows at `start` move by themselves; `still` is a velocity of zero.
    pub(crate) fn observe_own(&mut self, rows: &RowSets, start: &MotionState, still: &[f64]) {
        rows.surface_velocities(start.time, &start.q, still, &mut self.inverse_masses.surface_velocities);
    }

    /// Fills the columns of `motion` by `solve`, which overwrites a row of `Z` with `J⁻¹ Zᵀ`; `jacobian` holds `Z`.
    pub(crate) fn fill_motion(&mut self, mut solve: impl FnMut(&mut [f64])) {
        for k in 0..self.motion.count() {
            let column = self.motion.column_mut(k);
            column.iter_mut().zip(&self.inverse_masses.jacobian.row(k)).for_each(|(x, z)| *x = *z);
            solve(column);
            drop_negligible(column);
        }
    }

    /// Fills `damped_motion` of a linear system from `motion`.
    pub(crate) fn fill_damped_motion(&mut self, system: &LinearSystem, mut solve: impl FnMut(&mut [f64])) {
        let damped_motion = &mut self.inverse_masses.damped_motion;
        for k in 0..damped_motion.count() {
            let column = damped_motion.column_mut(k);
            column.fill(0.0);
            system.damping.multiply_add(1.0, self.motion.column(k), column);
            solve(column);
            drop_negligible(column);
        }
    }

    /// Fills the columns that the move mass is made of from `motion`; `position` is `c_q`, and `solve` overwrites a load by `J⁻¹` times it.
    pub(crate) fn fill_move_mass(
        &mut self,
        system: &LinearSystem,
        position: f64,
        mut solve: impl FnMut(&mut [f64]),
    ) {
        let moved = &mut self.inverse_masses.moved;
        for k in 0..moved.count() {
            let (motion, column) = (self.motion.column(k), moved.column_mut(k));
            column.fill(0.0);
            system.stiffness.multiply_add(-position, motion, column);
            solve(column);
            column.iter_mut().zip(motion).for_each(|(moved, motion)| *moved += motion);
        }
    }

    /// Fills the inverse masses with the rows that `jacobian` holds.
    pub(crate) fn fill_inverse_mass(&mut self) {
        let own = &mut *self.inverse_masses;
        product(&own.jacobian, &self.motion, &mut own.inverse_mass);
        product(&own.jacobian, &own.damped_motion, &mut own.damped);
        product(&own.jacobian, &own.moved, &mut own.move_mass);
        self.revision += 1;
    }

    /// Puts into `jacobian` the derivative of the end velocities of the rows by a change of the end velocity that
    /// moves the position along: `Z + χ ∂ż/∂q`.
    pub(crate) fn observe_end_jacobian(&mut self, rows: &RowSets, formula: &StepFormula, end: &MotionState) {
        let InverseMasses { jacobian, gradient, .. } = &mut *self.inverse_masses;
        rows.jacobian(end.time, &end.q, jacobian);
        if !rows.are_constant() {
            rows.velocity_gradient(end.time, &end.q, &end.v, gradient);
            let weight = formula.position_weight();
            jacobian.zip_apply(gradient, |z, g| *z += weight * g);
        }
    }
}

impl InverseMasses {
    /// Makes room for the move mass, or takes it away.
    pub(crate) fn size_move_mass(&mut self, is_wanted: bool) {
        let (r, n) = if is_wanted { self.jacobian.shape() } else { (0, 0) };
        self.move_mass = DMatrix::zeros(r, r);
        self.moved = Columns::zeros(n, r);
    }
}

/// Far from a row its motion decays to subnormal numbers, with which a processor is slow: entries this much
/// smaller than the largest are dropped.
const NEGLIGIBLE: f64 = 1e-100;

fn drop_negligible(x: &mut [f64]) {
    let least = NEGLIGIBLE * x.iter().fold(0.0_f64, |m, xi| m.max(xi.abs()));
    for xi in x {
        if xi.abs() < least {
            *xi = 0.0;
        }
    }
}

/// `out ← A B`.
fn product(a: &DMatrix<f64>, b: &Columns, out: &mut DMatrix<f64>) {
    for k in 0..b.count() {
        let mut column = out.column_mut(k);
        column.fill(0.0);
        multiply_add(a, (1.0, b.column(k)), column.as_mut_slice());
    }
}
