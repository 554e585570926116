//! Interface quasi-Newton with an inverse Jacobian from a least-squares model.
//!
//! The secants `V = [Δr …]`, `W = [ΔH …]` of the last iterates, the latest first, give the next iterate
//!
//! ```text
//!   x ← H(x) + W α      α = argmin |V α + r|
//! ```
//!
//! which solves an affine map of `n` unknowns after `n + 1` sweeps, whatever its eigenvalues. Secants of former steps
//! go on serving. `V` is orthogonalised from the latest secant to the oldest, and one of which less than a share
//! `filter` is independent of those before it is dropped for good: round-off would be all it had to say.
//!
//! Reference: J. Degroote, K.-J. Bathe, J. Vierendeels, *Comput. Struct.* 87, 2009; R. Haelterman et al., *Comput.
//! Struct.* 171, 2016 (filtering).

use super::relaxation::relax;
use super::secant::{Secant, dot, norm};

/// Share of the residual taken while there is no secant (–).
const FIRST: f64 = 0.1;
/// Secants kept at most.
const MAX_SECANTS: usize = 100;
/// A change of the residual below this share of the answer is round-off; so is what a secant has that the others have not below
/// this share of it, whatever the `filter`.
const ROUND_OFF: f64 = 1e-12;
/// Share of the residual below which a step of the iterate stands still. Secants that leave it there are of another map:
/// subsystems that are not affine have reported newer answers since.
const STILL: f64 = 1e-6;
/// Sweeps, beside as many as there are secants, after which an iteration that has not converged forgets them.
const RESTART: usize = 20;

/// The quasi-Newton accelerator.
#[derive(Debug)]
pub(crate) struct IqnIls {
    reuse: u32,
    filter: f64,
    /// Storage of all secants; the first `count` are in use, the latest first.
    secants: Vec<Secant>,
    count: usize,
    /// Orthonormal columns of `V = Q R`, `n` numbers each.
    q: Vec<f64>,
    /// `R`, by columns of the length of `secants`.
    r: Vec<f64>,
    coefficients: Vec<f64>,
    residual: Vec<f64>,
    answer: Vec<f64>,
    has_previous: bool,
    /// Sweeps of this step.
    sweeps: usize,
}

impl IqnIls {
    pub(crate) fn new(reuse: u32, filter: f64, size: usize) -> Self {
        // One more than can be independent: the latest is taken in before another is dropped.
        let limit = size.min(MAX_SECANTS) + 1;
        let zero = vec![0.0; size];
        let secant = Secant { residual: zero.clone(), answer: zero.clone(), age: 0 };
        Self {
            reuse,
            filter,
            secants: vec![secant; limit],
            count: 0,
            q: vec![0.0; size * limit],
            r: vec![0.0; limit * limit],
            coefficients: vec![0.0; limit],
            residual: zero.clone(),
            answer: zero,
            has_previous: false,
            sweeps: 0,
        }
    }

    pub(crate) fn begin(&mut self) {
        self.has_previous = false;
        self.sweeps = 0;
    }

    pub(crate) fn reset(&mut self) {
        self.count = 0;
        self.has_previous = false;
    }

    pub(crate) fn secants(&self) -> &[Secant] {
        &self.secants[..self.count]
    }

    pub(crate) fn fits(&self, secants: &[Secant]) -> bool {
        let size = self.residual.len();
        secants.len() < self.secants.len()
            && secants.iter().all(|secant| secant.residual.len() == size && secant.answer.len() == size)
    }

    pub(crate) fn restore(&mut self, secants: &[Secant]) {
        self.reset();
        self.secants.iter_mut().zip(secants).for_each(|(own, other)| own.clone_from(other));
        self.count = secants.len();
    }

    pub(crate) fn advance(&mut self, x: &mut [f64], answer: &[f64]) {
        self.take_secant(x, answer);
        self.sweeps += 1;
        if self.sweeps.is_multiple_of(RESTART + self.secants.len()) {
            self.count = 0;
        }
        self.orthogonalise();
        if self.count == 0 {
            relax(x, answer, FIRST);
            return;
        }
        self.solve_least_squares();
        x.copy_from_slice(answer);
        for (secant, coefficient) in self.secants[..self.count].iter().zip(&self.coefficients) {
            x.iter_mut().zip(&secant.answer).for_each(|(x, w)| *x += coefficient * w);
        }
    }

    /// Ends a step: its last secant is taken in, and all grow older.
    pub(crate) fn accept(&mut self, x: &[f64], answer: &[f64]) {
        self.take_secant(x, answer);
        self.orthogonalise();
        for secant in &mut self.secants[..self.count] {
            secant.age += 1;
        }
        while self.count > 0 && self.secants[self.count - 1].age > self.reuse {
            self.count -= 1;
        }
        self.has_previous = false;
    }

    /// Takes in the secant between the last iterate and this one.
    fn take_secant(&mut self, x: &[f64], answer: &[f64]) {
        if self.has_previous {
            // At most as many secants as are independent are in use: the place after them is free.
            let latest = &mut self.secants[self.count];
            let mut moved = 0.0_f64;
            for k in 0..x.len() {
                latest.residual[k] = (answer[k] - x[k]) - self.residual[k];
                latest.answer[k] = answer[k] - self.answer[k];
                moved += (latest.answer[k] - latest.residual[k]).powi(2);
            }
            latest.age = 0;
            let change = norm(&latest.residual);
            if moved.sqrt() <= STILL * norm(&self.residual) {
                self.count = 0;
            } else if change > ROUND_OFF * norm(answer) {
                self.count += 1;
                self.secants[..self.count].rotate_right(1);
            }
        }
        for k in 0..x.len() {
            self.residual[k] = answer[k] - x[k];
            self.answer[k] = answer[k];
        }
        self.has_previous = true;
    }

    /// `V = Q R` from the latest secant to the oldest (Gram-Schmidt, twice); drops those that depend on later ones.
    fn orthogonalise(&mut self) {
        let (size, limit) = (self.residual.len(), self.secants.len());
        let mut k = 0;
        while k < self.count {
            let (done, rest) = self.q.split_at_mut(k * size);
            let own = &mut rest[..size];
            own.copy_from_slice(&self.secants[k].residual);
            let length = norm(own);
            let column = &mut self.r[k * limit..(k + 1) * limit];
            column.fill(0.0);
            for _ in 0..2 {
                take_off(done, own, column);
            }
            let left = norm(own);
            if k < size.min(limit - 1) && left > self.filter.max(ROUND_OFF) * length {
                column[k] = left;
                own.iter_mut().for_each(|own| *own /= left);
                k += 1;
            } else {
                self.secants[k..self.count].rotate_left(1);
                self.count -= 1;
            }
        }
    }

    /// `R α = −Qᵀ r`.
    fn solve_least_squares(&mut self) {
        let (size, limit) = (self.residual.len(), self.secants.len());
        for k in (0..self.count).rev() {
            let mut sum = -dot(&self.q[k * size..(k + 1) * size], &self.residual);
            for j in k + 1..self.count {
                sum -= self.r[j * limit + k] * self.coefficients[j];
            }
            self.coefficients[k] = sum / self.r[k * limit + k];
        }
    }
}

/// Takes off what a vector has along orthonormal others, and adds it to their shares.
#[inline]
fn take_off(others: &[f64], own: &mut [f64], shares: &mut [f64]) {
    for (other, sum) in others.chunks_exact(own.len()).zip(shares) {
        let share = dot(other, own);
        *sum += share;
        own.iter_mut().zip(other).for_each(|(own, other)| *own -= share * other);
    }
}
