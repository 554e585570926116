//! How the rows answer.

use cosimo_linear::{DenseLu, set_square_zeros};
use nalgebra::DMatrix;

use crate::contacts::ContactLayout;
use crate::matrices::{ContactJacobian, StepMatrices};
use crate::step_problem::ContactStep;

/// What is added to the diagonal of the operator of closed contacts, as a share of its largest entry: some may imply others.
const SOFTNESS: f64 = 1e-9;
/// Share of the largest friction up to which a contact sticks.
const STICKS: f64 = 1.0 - 1e-9;

/// How the end of a step depends on its acceleration, and the balance of forces on a jump.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepWeights {
    /// `c_v` (s) and `c_q` (s²) of the end.
    pub(crate) by_acceleration: (f64, f64),
    /// `e_v` and `e_q` (s) where forces balance.
    pub(crate) by_jump: (f64, f64),
    /// Whether closed contacts are held at the level of positions.
    pub(crate) holds_positions: bool,
}

/// Answers of the rows at the end of a step to unit impulses, and to moves of the start by `J⁻¹ Zᵀ m`,
///
/// ```text
///   V = (1 − c_v J⁻¹ (e_v C + e_q K)) M⁻¹        W = Z V (1 − Fᵀ (R V Fᵀ)⁻¹ R V) Zᵀ
///   D = J⁻¹ Zᵀ                                   Y = Z (D − c_q J⁻¹ K D)
/// ```
///
/// with the rows `R` of closed contacts and the directions `F` of their impulses: those of a contact that slides have its friction in them. With
/// contacts that slide in changing directions, and with rows that turn, `W` is a tangent but for terms of higher order in the size of the step.
#[derive(Debug, Default)]
pub(crate) struct OuterAnswer {
    /// `W` and `Y`, 1/kg.
    pub(crate) inverse_mass: DMatrix<f64>,
    pub(crate) move_mass: DMatrix<f64>,
    /// Rows `R` and directions `F` of closed contacts, and what the directions do, as columns.
    rows: Vec<f64>,
    directions: Vec<f64>,
    changes: Vec<f64>,
    /// Of every column, whether it is that of a gap.
    is_gap: Vec<bool>,
    operator: DMatrix<f64>,
    lu: DenseLu,
    is_regular: bool,
    /// What the impulses of a row do, to velocities and to closed contacts.
    change: Vec<f64>,
    work: Vec<f64>,
    held: Vec<f64>,
    row: Vec<f64>,
}

/// The step that is answered for.
pub(crate) struct Answered<'a> {
    pub(crate) weights: StepWeights,
    pub(crate) contacts: (&'a ContactLayout, &'a ContactJacobian, &'a ContactStep),
    /// `Zᵀ`, `n` numbers a row.
    pub(crate) columns: &'a [f64],
    pub(crate) sizes: (usize, usize),
}

impl OuterAnswer {
    /// Finds both with the matrices of the step.
    pub(crate) fn find(&mut self, matrices: &mut StepMatrices, step: &Answered<'_>) {
        let (n, m) = step.sizes;
        self.change.resize(n + m, 0.0);
        self.work.resize(n + m, 0.0);
        self.row.resize(n, 0.0);
        self.take_closed(step);
        self.answer_to_impulses(matrices, step);
        self.answer_to_moves(matrices, step);
    }

    /// Rows and directions of the contacts that are closed.
    fn take_closed(&mut self, step: &Answered<'_>) {
        let (layout, jacobian, found) = step.contacts;
        let d = layout.dimension();
        self.rows.clear();
        self.directions.clear();
        self.is_gap.clear();
        for (contact, own) in layout.contacts().iter().enumerate() {
            let impulses = &found.impulses[contact * d..(contact + 1) * d];
            if !found.is_active[contact] || impulses[0] <= 0.0 {
                continue;
            }
            let friction = impulses[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
            let most = own.coefficients.friction * impulses[0];
            self.push(jacobian, contact * d, true);
            if most > 0.0 && friction < STICKS * most {
                (1..d).for_each(|k| self.push(jacobian, contact * d + k, false));
            } else if friction > 0.0 {
                let first = self.directions.len() - self.row.len();
                for (k, impulse) in impulses.iter().enumerate().skip(1) {
                    jacobian.row(contact * d + k, &mut self.row);
                    let share = most / impulses[0] * impulse / friction;
                    self.directions[first..].iter_mut().zip(&self.row).for_each(|(f, x)| *f += share * x);
                }
            }
        }
    }

    fn push(&mut self, jacobian: &ContactJacobian, row: usize, is_gap: bool) {
        jacobian.row(row, &mut self.row);
        self.rows.extend_from_slice(&self.row);
        self.directions.extend_from_slice(&self.row);
        self.is_gap.push(is_gap);
    }

    fn answer_to_impulses(&mut self, matrices: &mut StepMatrices, step: &Answered<'_>) {
        let n = step.sizes.0;
        self.changes.clear();
        for k in 0..self.is_gap.len() {
            self.change[..n].copy_from_slice(&self.directions[k * n..(k + 1) * n]);
            self.kick(matrices, step);
            self.changes.extend_from_slice(&self.change[..n]);
        }
        self.factorize(n, |_| true);
        let r = step.columns.len() / n;
        set_square_zeros(&mut self.inverse_mass, r);
        for k in 0..r {
            self.change[..n].copy_from_slice(&step.columns[k * n..(k + 1) * n]);
            self.kick(matrices, step);
            self.hold(n, |_| true);
            for i in 0..r {
                self.inverse_mass[(i, k)] = dot(&step.columns[i * n..(i + 1) * n], &self.change[..n]);
            }
        }
    }

    /// `change ← V change`.
    fn kick(&mut self, matrices: &mut StepMatrices, step: &Answered<'_>) {
        let n = step.sizes.0;
        let StepWeights { by_acceleration: (c_v, _), by_jump, .. } = step.weights;
        self.change[n..].fill(0.0);
        matrices.mass.solve(&mut self.change);
        matrices.tangent_product(by_jump, &self.change[..n], &mut self.work[..n]);
        self.work[n..].fill(0.0);
        matrices.step.solve(&mut self.work);
        self.change.iter_mut().zip(&self.work).take(n).for_each(|(x, back)| *x -= c_v * back);
    }

    fn answer_to_moves(&mut self, matrices: &mut StepMatrices, step: &Answered<'_>) {
        let n = step.sizes.0;
        let holds = step.weights.holds_positions;
        self.changes.clear();
        for k in 0..self.is_gap.len() {
            self.change[..n].copy_from_slice(&self.rows[k * n..(k + 1) * n]);
            self.shift(matrices, step);
            self.changes.extend_from_slice(&self.change[..n]);
        }
        self.factorize(n, |is_gap| holds && is_gap);
        let r = step.columns.len() / n;
        set_square_zeros(&mut self.move_mass, r);
        for k in 0..r {
            self.change[..n].copy_from_slice(&step.columns[k * n..(k + 1) * n]);
            self.shift(matrices, step);
            self.hold(n, |is_gap| holds && is_gap);
            for i in 0..r {
                self.move_mass[(i, k)] = dot(&step.columns[i * n..(i + 1) * n], &self.change[..n]);
            }
        }
    }

    /// `change ← (D − c_q J⁻¹ K D) change`.
    fn shift(&mut self, matrices: &mut StepMatrices, step: &Answered<'_>) {
        let n = step.sizes.0;
        self.change[n..].fill(0.0);
        matrices.step.solve(&mut self.change);
        matrices.tangent_product((0.0, 1.0), &self.change[..n], &mut self.work[..n]);
        self.work[n..].fill(0.0);
        matrices.step.solve(&mut self.work);
        let (_, c_q) = step.weights.by_acceleration;
        self.change.iter_mut().zip(&self.work).take(n).for_each(|(x, back)| *x -= c_q * back);
    }

    /// The operator of these closed contacts, for what their directions do; the others are left alone.
    fn factorize(&mut self, n: usize, is_held: impl Fn(bool) -> bool) {
        let count = self.is_gap.len();
        set_square_zeros(&mut self.operator, count);
        for k in 0..count {
            for i in 0..count {
                if is_held(self.is_gap[i]) && is_held(self.is_gap[k]) {
                    let (row, change) = (&self.rows[i * n..(i + 1) * n], &self.changes[k * n..(k + 1) * n]);
                    self.operator[(i, k)] = dot(row, change);
                }
            }
        }
        let softness = SOFTNESS * self.operator.amax();
        for k in 0..count {
            self.operator[(k, k)] += if is_held(self.is_gap[k]) { softness } else { 1.0 };
        }
        self.is_regular = count > 0 && self.lu.factorize(&self.operator).is_ok();
    }

    /// Takes from `change` what these closed contacts do not let happen.
    fn hold(&mut self, n: usize, is_held: impl Fn(bool) -> bool) {
        if !self.is_regular {
            return;
        }
        self.held.clear();
        for k in 0..self.is_gap.len() {
            let rate = dot(&self.rows[k * n..(k + 1) * n], &self.change[..n]);
            self.held.push(if is_held(self.is_gap[k]) { rate } else { 0.0 });
        }
        self.lu.solve(&mut self.held);
        for (k, impulse) in self.held.iter().enumerate() {
            let own = &self.changes[k * n..(k + 1) * n];
            self.change.iter_mut().zip(own).for_each(|(x, change)| *x -= impulse * change);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
