//! Small vibrations about an equilibrium.

use cosimo_dynamics::ConstrainedSystem;
use cosimo_linear::{Operator, SparseNumber, largest_eigenvalues, needs_whole};
use nalgebra::{Complex, ComplexField, DMatrix, DVector};

use super::constraints::Constraints;
use super::matrices::{Linearised, Of};
use super::saddle::Saddle;
use super::{Equilibrium, ModesError};

/// Difference of eigenvalues, relative to their size and that of the frequencies wanted, below which they are the same.
const SAME: f64 = 1e-7;

/// Shares of the stiffness in the weights, tried in turn: the less, the less of the round-off of stiff parts enters the lengths of vectors.
const STIFF_SHARES: [f64; 3] = [1e-2, 1e-4, 0.0];

/// Share of a vector that other shapes must leave for it to be another one.
const ANOTHER: f64 = 1e-3;

type Shape = DVector<Complex<f64>>;

/// A solution `y = x exp(λ t)` of the linearised equations, and with it its conjugate.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// `λ` (1/s), with an imaginary part that is not negative.
    pub eigenvalue: Complex<f64>,
    /// `x`: increments of all bodies, in axes that turn with the system, and of states of elements, of length one. Shapes of the
    /// same eigenvalue differ, where there are several, and are orthogonal by the masses.
    pub shape: DVector<Complex<f64>>,
}

impl Mode {
    /// Frequency of the vibration, `Im λ/2π` (Hz).
    #[must_use]
    pub fn frequency(&self) -> f64 {
        self.eigenvalue.im / (2.0 * std::f64::consts::PI)
    }

    /// Damping ratio `−Re λ/|λ|`; zero for `λ = 0`.
    #[must_use]
    pub fn damping_ratio(&self) -> f64 {
        let size = self.eigenvalue.norm();
        if size == 0.0 { 0.0 } else { -self.eigenvalue.re / size }
    }

    /// Share of the kinetic energy of the motion in these increments of the bodies (such as the translations along an axis),
    /// by the masses given for all; helps to distinguish modes.
    #[must_use]
    pub fn share(&self, masses: &DVector<f64>, of: impl Fn(usize) -> bool) -> f64 {
        let energy = |k: usize| masses[k] * self.shape[k].norm_sqr();
        let all: f64 = (0..self.shape.len()).map(energy).sum();
        (0..self.shape.len()).filter(|k| of(*k)).map(energy).sum::<f64>() / all
    }
}

/// The equations of small vibrations.
struct Vibrating {
    matrices: Linearised,
    constraints: Constraints,
}

impl Vibrating {
    /// Saddle point of `λ² M + λ C + K`.
    fn at<T: SparseNumber + ComplexField<RealField = f64>>(&self, pole: &T) -> Option<Saddle<T>> {
        let one = <T as ComplexField>::from_real(1.0);
        let weights =
            [(Of::Mass, pole.clone() * pole.clone()), (Of::Damping, pole.clone()), (Of::Stiffness, one)];
        Saddle::new(self.matrices.sum(&weights), &self.constraints, &DMatrix::zeros(self.matrices.size(), 0))
    }

    /// The shape to an eigenvalue, by inverse iteration: the vector that the equations at `λ`, of which these are the factors, nearly
    /// take to zero. Where there is one, it is orthogonal, by the masses, to those found before for the same eigenvalue.
    fn shape(&self, factors: &Saddle<Complex<f64>>, before: &[&Shape]) -> Shape {
        let n = self.matrices.size();
        let turn = before.len() as f64;
        let start = |k: usize, _: usize| {
            let k = k as f64;
            Complex::new(1.0 + (k + turn).sin(), (k * (1.0 + turn)).cos())
        };
        let mut x = DVector::from_fn(n, start);
        for _ in 0..4 {
            let found = factors.increment(&x);
            let rest = self.apart(&found, before);
            // What the others leave of it grows as they do where there is another shape.
            let is_another = rest.norm() > ANOTHER * found.norm();
            x = if is_another { rest } else { found };
            let length = x.norm();
            x /= Complex::new(length, 0.0);
        }
        x
    }

    /// What is left of a vector without its parts along others, by the masses; by length where these have none.
    fn apart(&self, x: &Shape, others: &[&Shape]) -> Shape {
        let mut rest = x.clone();
        for _ in 0..2 {
            for other in others {
                let weighted = self.matrices.product(Of::Mass, *other);
                let of = if weighted.norm() > 0.0 { &weighted } else { *other };
                let share = of.dotc(&rest) / of.dotc(other);
                rest.axpy(-share, other, Complex::new(1.0, 0.0));
            }
        }
        rest
    }

    /// The shapes to eigenvalues in the order of their size, of length one; those of repeated ones differ.
    fn shapes(&self, eigenvalues: &[Complex<f64>], near: f64) -> Option<Vec<Shape>> {
        let mut found: Vec<Shape> = Vec::new();
        let mut last: Option<(Complex<f64>, Saddle<Complex<f64>>)> = None;
        for (k, eigenvalue) in eigenvalues.iter().enumerate() {
            let is_same =
                |other: &Complex<f64>| (other - eigenvalue).norm() <= SAME * (eigenvalue.norm() + near);
            let before: Vec<&Shape> = eigenvalues[..k]
                .iter()
                .zip(&found)
                .filter(|(other, _)| is_same(other))
                .map(|(_, x)| x)
                .collect();
            // Just off the eigenvalue, where there are factors.
            let at = eigenvalue * Complex::new(1.0 + 1e-11, 1e-12) + Complex::new(1e-14, 0.0);
            let factors = match last.take() {
                Some((other, factors)) if other == *eigenvalue => factors,
                _ => self.at(&at)?,
            };
            let shape = self.shape(&factors, &before);
            last = Some((*eigenvalue, factors));
            found.push(shape);
        }
        Some(found)
    }
}

/// `σ (A − σ)⁻¹` of the equations of first order `(y, ẏ)˙ = A (y, ẏ)`: its large eigenvalues `σ/(λ − σ)` are those of low frequency,
/// which keep their digits beside stiff ones. Velocities are in units of the shift `σ`.
///
/// Weights are those of an energy, `yᵀ (κ K + M) y + ẏᵀ M ẏ`, in which `A` is nearly skew.
struct Inverse<'a> {
    equations: &'a mut Vibrating,
    factors: Saddle<f64>,
    shift: f64,
    /// `κ` (s²).
    compliance: f64,
    /// State of the numbers in general position.
    seed: u64,
}

impl<'a> Inverse<'a> {
    fn new(equations: &'a mut Vibrating, shift: f64, compliance: f64) -> Option<Self> {
        let factors = equations.at(&shift)?;
        Some(Self { equations, factors, shift, compliance, seed: 0x9e37_79b9_7f4a_7c15 })
    }

    /// A number between −1 and 1, by Marsaglia's xorshift.
    fn number(&mut self) -> f64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

impl Operator for Inverse<'_> {
    fn dimension(&self) -> usize {
        2 * self.equations.constraints.free()
    }

    fn weigh(&self, x: &DVector<f64>) -> DVector<f64> {
        let matrices = &self.equations.matrices;
        let n = matrices.size();
        let (mut y, mut z) = (x.rows(0, n).into_owned(), x.rows(n, n).into_owned());
        matrices.states.iter().for_each(|k| (y[*k], z[*k]) = (0.0, 0.0));
        let mut by_position = matrices.product(Of::Mass, &y);
        if self.compliance > 0.0 {
            by_position += matrices.symmetric_product(Of::Stiffness, &y) * self.compliance;
        }
        let mut out = DVector::zeros(2 * n);
        out.rows_mut(0, n).copy_from(&by_position);
        out.rows_mut(n, n).copy_from(&matrices.product(Of::Mass, &z));
        matrices.states.iter().for_each(|k| (out[*k], out[n + k]) = (x[*k], x[n + k]));
        out
    }

    fn apply(&mut self, x: &DMatrix<f64>) -> DMatrix<f64> {
        // (A − σ)(y, z) = (f, g):  z = f + σ y,  (σ² M + σ C + K) y = −M g − (σ M + C) f.
        let matrices = &self.equations.matrices;
        let (n, shift) = (matrices.size(), self.shift);
        let mut out = DMatrix::zeros(x.nrows(), x.ncols());
        for (x, mut out) in x.column_iter().zip(out.column_iter_mut()) {
            let (f, g) = (x.rows(0, n).into_owned(), x.rows(n, n) * shift);
            let forces = matrices.product(Of::Mass, &(g + &f * shift)) + matrices.product(Of::Damping, &f);
            let y = self.factors.increment(&-forces) * shift;
            out.rows_mut(0, n).copy_from(&y);
            out.rows_mut(n, n).copy_from(&(f + y));
        }
        out
    }

    fn start(&mut self, columns: usize) -> DMatrix<f64> {
        let scale = |mass: f64| if mass > 0.0 { 1.0 / mass.sqrt() } else { 1.0 };
        let scales = self.equations.matrices.diagonal(Of::Mass).map(scale);
        let n = scales.len();
        let mut out = DMatrix::zeros(2 * n, columns);
        for k in 0..2 * columns {
            let any = DVector::from_fn(n, |k, _| self.number() * scales[k]);
            let along = self.equations.constraints.increment_along(&any);
            out.view_mut((n * (k % 2), k / 2), (n, 1)).copy_from(&along);
        }
        out
    }
}

/// The `count` slowest modes about an equilibrium, by `|λ|`, decays without vibration among them; `near` (rad/s, positive) is of
/// the order of the frequencies wanted, which get the most digits. Rigid motions that nothing holds are modes with `λ = 0`.
///
/// # Errors
/// Eigenvalues that are not found; `near` itself is one.
pub fn modes(
    system: &dyn ConstrainedSystem,
    equilibrium: &Equilibrium,
    (count, near): (usize, f64),
) -> Result<Vec<Mode>, ModesError> {
    let matrices = equilibrium.linearised(system);
    let constraints = equilibrium.constraints(system, &matrices)?;
    let size = constraints.free();
    let failed = ModesError::Eigenvalues { size };
    let mut equations = Vibrating { matrices, constraints };
    let mut found = slowest(&mut equations, (count, near))?.ok_or(failed.clone())?;
    found.retain(|eigenvalue| eigenvalue.im >= 0.0);
    found.truncate(count);
    let shapes = equations.shapes(&found, near).ok_or(failed)?;
    let mode = |(eigenvalue, shape): (Complex<f64>, Shape)| Mode { eigenvalue, shape };
    Ok(found.into_iter().zip(shapes).map(mode).collect())
}

/// The slowest eigenvalues, conjugates among them, by size.
fn slowest(
    equations: &mut Vibrating,
    (count, near): (usize, f64),
) -> Result<Option<Vec<Complex<f64>>>, ModesError> {
    // States of first order have no second eigenvalue: what stands for it is infinite.
    let finite = 2 * equations.constraints.free() - equations.matrices.states.len();
    let whole = needs_whole(2 * equations.constraints.free(), 2 * count);
    let wanted = |inverses: &[Complex<f64>]| within_reach(inverses, (count, near));
    let mut inverses = None;
    // Where the stiffness is negative in some direction, a smaller share of it leaves the weights positive.
    for share in if whole { &[0.0][..] } else { &STIFF_SHARES[..] } {
        let inverse = Inverse::new(equations, near, share / (near * near));
        inverses = largest_eigenvalues(&mut inverse.ok_or(ModesError::Singular)?, 2 * count, &wanted);
        if inverses.is_some() {
            break;
        }
    }
    let Some(inverses) = inverses else { return Ok(None) };
    let mut found: Vec<Complex<f64>> =
        inverses.into_iter().map(|inverse| of_inverse(inverse, near)).collect();
    found.retain(|eigenvalue| eigenvalue.norm().is_finite());
    found.sort_by(|a, b| a.norm().total_cmp(&b.norm()));
    found.truncate(finite);
    Ok(Some(found))
}

/// `λ` of `σ/(λ − σ)`.
fn of_inverse(inverse: Complex<f64>, shift: f64) -> Complex<f64> {
    (Complex::new(1.0, 0.0) + inverse.inv()) * shift
}

/// How many of these `σ/(λ − σ)`, by size, may belong to the slowest: a decay is as far from the shift as `|λ| + σ`, beyond
/// vibrations that are faster.
fn within_reach(inverses: &[Complex<f64>], (count, shift): (usize, f64)) -> usize {
    let slow = inverses.iter().map(|inverse| of_inverse(*inverse, shift)).filter(|own| own.im >= 0.0);
    let mut sizes: Vec<f64> = slow.map(|own| own.norm()).collect();
    sizes.sort_by(f64::total_cmp);
    let Some(last) = count.checked_sub(1).and_then(|last| sizes.get(last)) else { return inverses.len() };
    inverses.iter().take_while(|inverse| shift <= (last + shift) * (1.0 + SAME) * inverse.norm()).count()
}

#[cfg(test)]
mod tests;
