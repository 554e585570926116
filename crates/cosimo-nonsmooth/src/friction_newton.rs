//! Newton's method on Coulomb's law of a few contacts, to round-off.
//!
//! In the form of Alart and Curnier, with `u = W r + q` and a step `ρ` (kg) of each contact, its impulse obeys
//!
//! ```text
//!   r_N = max(0, d)          d = r_N − ρ u_N
//!   r_T = P(r_T − ρ u_T)     P the projection onto the disk of radius μ max(0, d)
//! ```
//!
//! Each piece is smooth, and where no contact is at an edge the method converges to the last bit. It is a local method: it
//! takes the guess of another solver to round-off.
//!
//! Reference: P. Alart, A. Curnier, *A mixed formulation for frictional contact problems prone to Newton like solution
//! methods*, Comput. Methods Appl. Mech. Eng. 92 (1991).

use cosimo_complementarity::friction::solve_contact;
use cosimo_linear::DenseLu;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// Iterations after which it gives up.
const MAX_ITERATIONS: usize = 40;
/// Halvings of a Newton step.
const MAX_HALVINGS: usize = 12;

/// Buffers of the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct FrictionNewton {
    matrix: DMatrix<f64>,
    lu: DenseLu,
    residual: Vec<f64>,
    change: Vec<f64>,
    trial: Vec<f64>,
}

/// The problem: blocks of `W` row by row, `q`, and the coefficients of friction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Blocks<'a> {
    pub(crate) blocks: &'a [Matrix3<f64>],
    pub(crate) offset: &'a [f64],
    pub(crate) friction: &'a [f64],
}

impl Blocks<'_> {
    fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// The impulse that contact `a` would have alone.
    pub(crate) fn alone(&self, a: usize) -> Vector3<f64> {
        solve_contact(self.block(a, a), &of(self.offset, a), self.friction[a]).unwrap_or_default()
    }

    fn block(&self, a: usize, b: usize) -> &Matrix3<f64> {
        &self.blocks[a * self.contacts() + b]
    }

    fn velocity(&self, a: usize, r: &[f64]) -> Vector3<f64> {
        let start = of(self.offset, a);
        (0..self.contacts()).fold(start, |u, b| u + self.block(a, b) * of(r, b))
    }

    /// `ρ`: the mass that the contact meets.
    fn mass(&self, a: usize) -> f64 {
        self.block(a, a).diagonal().max().recip()
    }

    /// What the law says of contact `a`, and its derivative by its own impulse and by its velocity.
    fn law(&self, a: usize, r: &[f64]) -> (Vector3<f64>, Matrix3<f64>, Matrix3<f64>) {
        let (own, u, rho) = (of(r, a), self.velocity(a, r), self.mass(a));
        let mut by_impulse = Matrix3::identity();
        let mut by_velocity = Matrix3::zeros();
        let mut value = own;
        let pressed = own.x - rho * u.x;
        if pressed <= 0.0 {
            return (value, by_impulse, by_velocity);
        }
        value.x = rho * u.x;
        (by_impulse[(0, 0)], by_velocity[(0, 0)]) = (0.0, rho);
        let (s, bound) = ((own - u * rho).yz(), self.friction[a] * pressed);
        let length = s.norm();
        let has_tangent = |k: usize| self.block(a, a)[(k, k)] > 0.0;
        for k in 0..2 {
            let row = k + 1;
            if !has_tangent(row) {
                continue;
            }
            if length <= bound {
                value[row] = rho * u[row];
                (by_impulse[(row, row)], by_velocity[(row, row)]) = (0.0, rho);
                continue;
            }
            let direction = s / length;
            value[row] = own[row] - bound * direction[k];
            let along = self.friction[a] * direction[k];
            by_impulse[(row, 0)] = -along;
            by_velocity[(row, 0)] = along * rho;
            for l in 0..2 {
                let same = if k == l { 1.0 } else { 0.0 };
                let turn = bound / length * (same - direction[k] * direction[l]);
                by_impulse[(row, l + 1)] -= turn;
                by_velocity[(row, l + 1)] += turn * rho;
            }
        }
        (value, by_impulse, by_velocity)
    }
}

impl FrictionNewton {
    /// Improves the impulses `r` as far as it can.
    pub(crate) fn improve(&mut self, problem: Blocks<'_>, r: &mut [f64]) {
        let n = r.len();
        if self.matrix.nrows() != n {
            self.matrix = DMatrix::zeros(n, n);
        }
        self.trial.resize(n, 0.0);
        let mut norm = self.evaluate(problem, r);
        for _ in 0..MAX_ITERATIONS {
            if norm == 0.0 || self.lu.factorize(&self.matrix).is_err() {
                return;
            }
            self.change.clear();
            self.change.extend_from_slice(&self.residual);
            self.lu.solve(&mut self.change);
            let Some(found) = self.search(problem, (r, norm)) else { return };
            r.copy_from_slice(&self.trial);
            norm = found;
        }
    }

    /// Writes residual and derivative at `r`; returns the norm of the residual (N s).
    fn evaluate(&mut self, problem: Blocks<'_>, r: &[f64]) -> f64 {
        self.residual.clear();
        for a in 0..problem.contacts() {
            let (value, by_impulse, by_velocity) = problem.law(a, r);
            self.residual.extend_from_slice(value.as_slice());
            for b in 0..problem.contacts() {
                let mut part = by_velocity * problem.block(a, b);
                if a == b {
                    part += by_impulse;
                }
                self.matrix.view_mut((3 * a, 3 * b), (3, 3)).copy_from(&part);
            }
        }
        norm(&self.residual)
    }

    /// Goes along the Newton step as far as the residual falls, into `trial`; returns its norm there.
    fn search(&mut self, problem: Blocks<'_>, (r, norm): (&[f64], f64)) -> Option<f64> {
        let mut share = 1.0;
        for _ in 0..MAX_HALVINGS {
            for ((trial, r), change) in self.trial.iter_mut().zip(r).zip(&self.change) {
                *trial = r - share * change;
            }
            let trial = std::mem::take(&mut self.trial);
            let found = self.evaluate(problem, &trial);
            self.trial = trial;
            if found < (1.0 - 1e-4 * share) * norm {
                return Some(found);
            }
            share *= 0.5;
        }
        None
    }
}

fn of(x: &[f64], contact: usize) -> Vector3<f64> {
    Vector3::from_column_slice(&x[3 * contact..3 * contact + 3])
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
