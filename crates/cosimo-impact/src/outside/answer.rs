//! How the rows answer.

use cosimo_linear::{DenseLu, set_square_zeros};
use nalgebra::DMatrix;

use crate::matrices::{ContactJacobian, HELD, StepMatrices};
use crate::outer_rows::OuterRows;
use crate::state::ImpactState;
use crate::step_problem::{ContactStep, StepProblem};

/// What is added to the diagonal of the operator of closed contacts, as a share of its largest entry. Some may imply others; and a body that its
/// contact holds is not one that nothing moves, as the contact may open under the next loads.
const SOFTNESS: f64 = 1e-6;

/// How velocity and position of the end of a step depend on its acceleration and its jump, and the balance of forces on the jump.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepWeights {
    /// `c_v` (s) and `c_q` (s²) of the end.
    pub(crate) by_acceleration: (f64, f64),
    /// `e_q` of the end (s); its `e_v` is one.
    pub(crate) way_of_jump: f64,
    /// `e_v` and `e_q` (s) where forces balance.
    pub(crate) balanced_by_jump: (f64, f64),
}

/// The step that is answered for.
pub(crate) struct Answered<'a> {
    pub(crate) problem: StepProblem<'a>,
    pub(crate) rows: &'a dyn OuterRows,
    pub(crate) weights: StepWeights,
    pub(crate) holds_contacts: bool,
    pub(crate) matrices: &'a mut StepMatrices,
    /// The position that the matrices belong to.
    pub(crate) place: &'a [f64],
    pub(crate) jacobian: &'a ContactJacobian,
    pub(crate) end: &'a ImpactState,
    pub(crate) found: &'a ContactStep,
}

/// Answers of the rows at the end of a step to unit impulses, and to moves of the start by `J⁻¹ Zᵀ m`,
///
/// ```text
///   V = (1 − c_v J⁻¹ (e_v C + e_q K)) M⁻¹        W = Z V (1 − Rᵀ (R V Rᵀ)⁻¹ R V) Zᵀ
///   D = (1 − c_q J⁻¹ K) J⁻¹                      Y = Z D (1 − Rᵀ (R D Rᵀ)⁻¹ R D) Zᵀ
/// ```
///
/// with the normals `R` of closed contacts. `W` is the tangent of the rates but for friction, and for the turning of rows and loads in a step: rows and constraints
/// are those where the matrices of the step are. Both are then symmetric, and `W − Y` is what stiffness makes; what a joint or a contact holds is held in both. With friction in
/// them neither would be: moves of a body that slides would feed on themselves, and a contact that sticks would seem to give no way to a joint that holds its body as
/// well, where it slides in truth.
#[derive(Debug, Default)]
pub(crate) struct OuterAnswer {
    /// `W` and `Y`, 1/kg.
    pub(crate) inverse_mass: DMatrix<f64>,
    pub(crate) move_mass: DMatrix<f64>,
    closed: Closed,
    /// Changes of velocity and position, one after the other; for jumps at an instant those of the velocity, row by row.
    change: Vec<f64>,
    jumps: Vec<f64>,
    work: Vec<f64>,
    displacement: Vec<f64>,
    /// `Zᵀ`, a column for each row.
    columns: DMatrix<f64>,
}

/// The rows of a stepper, what acts on them in the step at hand, and how they answer.
#[derive(Debug)]
pub(crate) struct Outer {
    pub(crate) rows: Box<dyn OuterRows>,
    pub(crate) impulses: Vec<f64>,
    pub(crate) answer: OuterAnswer,
}

impl OuterAnswer {
    /// Finds both with the matrices of the step.
    pub(crate) fn find(&mut self, step: &mut Answered<'_>) {
        self.make_room(step);
        self.closed.take(step, step.end.v.len());
        self.answer_to_impulses(step);
        self.answer_to_moves(step);
    }

    fn make_room(&mut self, step: &Answered<'_>) {
        let (n, m) = (step.end.v.len(), step.end.mu.len());
        self.change.resize(2 * n, 0.0);
        self.work.resize(n + m, 0.0);
        self.displacement.resize(n + m, 0.0);
        if self.columns.shape() != (n, step.rows.len()) {
            self.columns = DMatrix::zeros(n, step.rows.len());
        }
        step.rows.unit_forces(step.place, &mut self.columns);
    }

    fn answer_to_impulses(&mut self, step: &mut Answered<'_>) {
        let n = step.end.v.len();
        self.closed.changes.clear();
        for k in 0..self.closed.count() {
            self.displacement[..n].copy_from_slice(&self.closed.rows[k * n..(k + 1) * n]);
            self.displacement[n..].fill(0.0);
            step.matrices.mass.solve(&mut self.displacement);
            self.kick(step);
            self.closed.changes.extend_from_slice(&self.change);
        }
        self.closed.factorize(n);
        let r = step.rows.len();
        set_square_zeros(&mut self.inverse_mass, r);
        for k in 0..r {
            self.displacement[..n].copy_from_slice(self.columns.column(k).as_slice());
            self.displacement[n..].fill(0.0);
            step.matrices.mass.solve(&mut self.displacement);
            self.kick(step);
            self.closed.hold(&mut self.change);
            clear_held(step.matrices, self.columns.column(k).as_slice(), &mut self.change);
            project(&self.columns, &self.change[..n], &mut self.inverse_mass, k);
        }
    }

    /// What a jump does, in `displacement`, to velocity and position of the end.
    fn kick(&mut self, step: &mut Answered<'_>) {
        let n = step.end.v.len();
        let StepWeights { by_acceleration: (c_v, c_q), way_of_jump, balanced_by_jump, .. } = step.weights;
        step.matrices.tangent_product(balanced_by_jump, &self.displacement[..n], &mut self.work[..n]);
        self.work[n..].fill(0.0);
        step.matrices.step.solve(&mut self.work);
        let (velocity, position) = self.change.split_at_mut(n);
        for (k, (jump, back)) in self.displacement.iter().zip(&self.work).enumerate().take(n) {
            velocity[k] = jump - c_v * back;
            position[k] = way_of_jump * jump - c_q * back;
        }
    }

    fn answer_to_moves(&mut self, step: &mut Answered<'_>) {
        let n = step.end.v.len();
        self.hold_places(step);
        let r = step.rows.len();
        set_square_zeros(&mut self.move_mass, r);
        for k in 0..r {
            self.move_by(step, std::iter::once((k, 1.0)));
            clear_held(step.matrices, self.columns.column(k).as_slice(), &mut self.change);
            project(&self.columns, &self.change[..n], &mut self.move_mass, k);
        }
    }

    /// What closed contacts do not let move: the same that they do not let jump, so that `W − Y` is what stiffness and turns make.
    fn hold_places(&mut self, step: &mut Answered<'_>) {
        let n = step.end.v.len();
        self.closed.changes.clear();
        for k in 0..self.closed.count() {
            self.displacement[..n].copy_from_slice(&self.closed.rows[k * n..(k + 1) * n]);
            self.displacement[n..].fill(0.0);
            step.matrices.step.solve(&mut self.displacement);
            self.strain(step);
            self.closed.changes.extend_from_slice(&self.change);
        }
        self.closed.factorize(n);
    }

    /// Finds what moves of the rows (kg m) do to the end.
    pub(crate) fn move_end(&mut self, step: &mut Answered<'_>, moves: &[f64]) {
        let n = step.end.v.len();
        self.make_room(step);
        self.closed.take(step, n);
        self.hold_places(step);
        self.move_by(step, moves.iter().copied().enumerate());
    }

    /// The way of the position that [`move_end`](Self::move_end) has found, and `J⁻¹ K σ`.
    pub(crate) fn moved(&self) -> [&[f64]; 2] {
        let (position, strain) = self.change.split_at(self.change.len() / 2);
        [position, strain]
    }

    /// The same, in the place of the velocity in `change`.
    fn move_by(&mut self, step: &mut Answered<'_>, moves: impl Iterator<Item = (usize, f64)>) {
        self.displacement.fill(0.0);
        for (k, weight) in moves {
            self.displacement
                .iter_mut()
                .zip(self.columns.column(k).iter())
                .for_each(|(displacement, x)| *displacement += weight * x);
        }
        step.matrices.step.solve(&mut self.displacement);
        self.strain(step);
        self.closed.hold(&mut self.change);
    }

    /// What is left of the way `σ` in `displacement` after the stiffness has taken its part back, and `J⁻¹ K σ`.
    fn strain(&mut self, step: &mut Answered<'_>) {
        let n = step.end.v.len();
        step.matrices.tangent_product((0.0, 1.0), &self.displacement[..n], &mut self.work[..n]);
        self.work[n..].fill(0.0);
        step.matrices.step.solve(&mut self.work);
        let (_, c_q) = step.weights.by_acceleration;
        let (position, strain) = self.change.split_at_mut(n);
        for (k, (displacement, back)) in self.displacement.iter().zip(&self.work).enumerate().take(n) {
            (position[k], strain[k]) = (displacement - c_q * back, *back);
        }
    }

    /// The answer of the present velocity to impulses now: `W = Z M⁻¹ Zᵀ`.
    pub(crate) fn jump(
        &mut self,
        rows: &dyn OuterRows,
        (matrices, state): (&mut StepMatrices, &ImpactState),
    ) {
        let (n, m, r) = (state.v.len(), state.mu.len(), rows.len());
        let mut columns = DMatrix::zeros(n, r);
        rows.unit_forces(&state.q, &mut columns);
        self.displacement.resize(n + m, 0.0);
        self.jumps.clear();
        set_square_zeros(&mut self.inverse_mass, r);
        for k in 0..r {
            self.displacement[..n].copy_from_slice(columns.column(k).as_slice());
            self.displacement[n..].fill(0.0);
            matrices.mass.solve(&mut self.displacement);
            clear_held(matrices, columns.column(k).as_slice(), &mut self.displacement);
            self.jumps.extend_from_slice(&self.displacement[..n]);
            for i in 0..r {
                self.inverse_mass[(i, k)] = dot(columns.column(i).as_slice(), &self.displacement[..n]);
            }
        }
    }

    /// Adds what these impulses change of the velocity, as [`jump`](Self::jump) has found it.
    pub(crate) fn add_jump(&self, impulses: &[f64], out: &mut [f64]) {
        let n = out.len();
        for (change, impulse) in self.jumps.chunks_exact(n.max(1)).zip(impulses) {
            out.iter_mut().zip(change).for_each(|(out, x)| *out += impulse * x);
        }
    }
}

/// The normals `R` of the contacts that are closed, and what unit impulses along them do, as columns.
#[derive(Debug, Default)]
struct Closed {
    rows: Vec<f64>,
    /// Changes of velocity and position, one after the other.
    changes: Vec<f64>,
    operator: DMatrix<f64>,
    lu: DenseLu,
    is_regular: bool,
    held: Vec<f64>,
    row: Vec<f64>,
}

impl Closed {
    fn take(&mut self, step: &Answered<'_>, n: usize) {
        let layout = step.problem.contacts.layout();
        let d = layout.dimension();
        self.row.resize(n, 0.0);
        self.rows.clear();
        for contact in 0..layout.contacts().len() {
            if step.found.is_active[contact] && step.found.impulses[contact * d] > 0.0 && step.holds_contacts
            {
                step.jacobian.row(contact * d, &mut self.row);
                self.rows.extend_from_slice(&self.row);
            }
        }
    }

    /// Number of the contacts.
    fn count(&self) -> usize {
        self.rows.len() / self.row.len().max(1)
    }

    /// The operator of the contacts.
    fn factorize(&mut self, n: usize) {
        let count = self.count();
        set_square_zeros(&mut self.operator, count);
        for k in 0..count {
            let change = &self.changes[2 * k * n..(2 * k + 1) * n];
            for i in 0..count {
                self.operator[(i, k)] = dot(&self.rows[i * n..(i + 1) * n], change);
            }
        }
        let softness = SOFTNESS * self.operator.amax();
        for k in 0..count {
            self.operator[(k, k)] += softness;
        }
        self.is_regular = count > 0 && self.lu.factorize(&self.operator).is_ok();
    }

    /// Takes from a change what the contacts do not let happen.
    fn hold(&mut self, change: &mut [f64]) {
        if !self.is_regular {
            return;
        }
        let n = change.len() / 2;
        self.held.clear();
        self.held.extend(self.rows.chunks_exact(n).map(|row| dot(row, &change[..n])));
        self.lu.solve(&mut self.held);
        for (impulse, own) in self.held.iter().zip(self.changes.chunks_exact(2 * n)) {
            change.iter_mut().zip(own).for_each(|(x, change)| *x -= impulse * change);
        }
    }
}

/// Clears the answer to a force that nothing gives way to: it is round-off.
fn clear_held(matrices: &StepMatrices, force: &[f64], change: &mut [f64]) {
    if dot(force, &change[..force.len()]).abs() <= HELD * matrices.free_mobility(force) {
        change.fill(0.0);
    }
}

/// Writes what a change does to the rows as a column.
fn project(rows: &DMatrix<f64>, change: &[f64], out: &mut DMatrix<f64>, k: usize) {
    for i in 0..rows.ncols() {
        out[(i, k)] = dot(rows.column(i).as_slice(), change);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
