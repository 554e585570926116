//! Small vibrations about an equilibrium.

use cosimo_dynamics::ConstrainedSystem;
use cosimo_linear::eigenvalues;
use nalgebra::{Complex, DMatrix, DVector};

use super::matrices::Linearised;
use super::null_space::NullSpace;
use super::{Equilibrium, ModesError};

/// Difference of eigenvalues, relative to their size and that of the frequencies wanted, below which they are the same.
const SAME: f64 = 1e-7;

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

/// The matrices in the coordinates that constraints leave free.
struct Reduced {
    mass: DMatrix<f64>,
    damping: DMatrix<f64>,
    stiffness: DMatrix<f64>,
    free: NullSpace,
    /// States of first order.
    states: usize,
}

impl Reduced {
    fn new(all: &Linearised) -> Self {
        let free = NullSpace::of(&all.jacobian);
        let reduce = |matrix: &DMatrix<f64>| free.along.tr_mul(&(matrix * &free.along));
        let [mass, damping, stiffness] = [&all.mass, &all.damping, &all.stiffness].map(reduce);
        Self { mass, damping, stiffness, free, states: all.states.len() }
    }

    /// `(A − σ)⁻¹` of the equations of first order `(y, ẏ)˙ = A (y, ẏ)`: its large eigenvalues `1/(λ − σ)` are those of low
    /// frequency, which keep their digits beside stiff ones.
    fn inverse(&self, shift: f64) -> Option<DMatrix<f64>> {
        // (A − σ)(y, z) = (f, g):  z = f + σ y,  (σ² M + σ C + K) y = −M g − (σ M + C) f.
        let n = self.mass.nrows();
        let by_shift = &self.mass * shift + &self.damping;
        let dynamic = (&self.mass * (shift * shift) + &self.damping * shift + &self.stiffness).lu();
        let by_position = dynamic.solve(&(-&by_shift))?;
        let by_velocity = dynamic.solve(&(-&self.mass))?;
        let mut out = DMatrix::zeros(2 * n, 2 * n);
        out.view_mut((n, 0), (n, n)).copy_from(&(DMatrix::identity(n, n) + &by_position * shift));
        out.view_mut((n, n), (n, n)).copy_from(&(&by_velocity * shift));
        out.view_mut((0, 0), (n, n)).copy_from(&by_position);
        out.view_mut((0, n), (n, n)).copy_from(&by_velocity);
        // Velocities in units of the shift, so that no entry depends on the unit of time.
        out.view_mut((0, n), (n, n)).scale_mut(shift);
        out.view_mut((n, 0), (n, n)).scale_mut(1.0 / shift);
        Some(out)
    }

    /// The shape to an eigenvalue, in the free coordinates: the vector that the equations at `λ` nearly take to zero, by inverse
    /// iteration. Where there is one, it is orthogonal, by the masses, to those found before for the same eigenvalue.
    fn shape(&self, eigenvalue: Complex<f64>, before: &[&Shape]) -> Option<Shape> {
        let n = self.mass.nrows();
        let off = Complex::new(1.0 + 1e-11, 1e-12);
        let at = eigenvalue * off + Complex::new(1e-14, 0.0);
        let matrix = DMatrix::from_fn(n, n, |i, j| {
            at * at * self.mass[(i, j)] + at * self.damping[(i, j)] + self.stiffness[(i, j)]
        });
        let lu = matrix.lu();
        let turn = before.len() as f64;
        let start = |k: usize, _: usize| {
            let k = k as f64;
            Complex::new(1.0 + (k + turn).sin(), (k * (1.0 + turn)).cos())
        };
        let mut x = self.apart(&DVector::from_fn(n, start), before);
        for _ in 0..3 {
            let found = lu.solve(&x)?;
            let rest = self.apart(&found, before);
            // What the others leave of it grows as they do where there is another shape.
            let is_another = rest.norm() > ANOTHER * found.norm();
            x = if is_another { rest } else { found };
            let length = x.norm();
            x /= Complex::new(length, 0.0);
        }
        Some(x)
    }

    /// What is left of a vector without its parts along others, by the masses; by length where these have none.
    fn apart(&self, x: &Shape, others: &[&Shape]) -> Shape {
        let mut rest = x.clone();
        for _ in 0..2 {
            for other in others {
                let weighted = self.mass.map(|entry| Complex::new(entry, 0.0)) * *other;
                let of = if weighted.norm() > 0.0 { &weighted } else { *other };
                let share = of.dotc(&rest) / of.dotc(other);
                rest.axpy(-share, other, Complex::new(1.0, 0.0));
            }
        }
        rest
    }

    /// The increments of all bodies, of length one.
    fn whole(&self, x: &Shape) -> Shape {
        let whole = self.free.along.map(|entry| Complex::new(entry, 0.0)) * x;
        let length = whole.norm();
        whole / Complex::new(length, 0.0)
    }

    /// The shapes to eigenvalues in the order of their size; those of repeated ones differ.
    fn shapes(&self, eigenvalues: &[Complex<f64>], near: f64) -> Option<Vec<Shape>> {
        let mut found: Vec<Shape> = Vec::new();
        for (k, eigenvalue) in eigenvalues.iter().enumerate() {
            let is_same =
                |other: &Complex<f64>| (other - eigenvalue).norm() <= SAME * (eigenvalue.norm() + near);
            let before: Vec<&Shape> = eigenvalues[..k]
                .iter()
                .zip(&found)
                .filter(|(other, _)| is_same(other))
                .map(|(_, x)| x)
                .collect();
            let shape = self.shape(*eigenvalue, &before)?;
            found.push(shape);
        }
        Some(found)
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
    let reduced = Reduced::new(&equilibrium.linearised(system));
    let size = reduced.mass.nrows();
    let failed = ModesError::Eigenvalues { size };
    let inverse = reduced.inverse(near).ok_or(ModesError::Singular)?;
    let inverses = eigenvalues(&inverse).ok_or(failed.clone())?;
    let one = Complex::new(1.0, 0.0);
    let eigenvalue = |inverse: &Complex<f64>| one / inverse + Complex::new(near, 0.0);
    let mut found: Vec<Complex<f64>> = inverses.iter().map(eigenvalue).collect();
    found.retain(|eigenvalue| eigenvalue.norm().is_finite());
    // States of first order have no second eigenvalue: what stands for it is infinite.
    found.sort_by(|a, b| a.norm().total_cmp(&b.norm()));
    found.truncate(2 * size - reduced.states);
    found.retain(|eigenvalue| eigenvalue.im >= 0.0);
    found.truncate(count);
    let shapes = reduced.shapes(&found, near).ok_or(failed)?;
    let mode = |(eigenvalue, shape): (Complex<f64>, &Shape)| Mode { eigenvalue, shape: reduced.whole(shape) };
    Ok(found.into_iter().zip(&shapes).map(mode).collect())
}
