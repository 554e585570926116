//! Small vibrations about an equilibrium.

use cosimo_dynamics::ConstrainedSystem;
use nalgebra::{Complex, DMatrix, DVector, Schur};

use super::matrices::Linearised;
use super::null_space::NullSpace;
use super::{Equilibrium, ModesError};

/// Sweeps of the QR algorithm allowed for every eigenvalue.
const SWEEPS: usize = 200;

/// A solution `y = x exp(λ t)` of the linearised equations, and with it its conjugate.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// `λ` (1/s), with an imaginary part that is not negative.
    pub eigenvalue: Complex<f64>,
    /// `x`: increments of all bodies, in axes that turn with the system, and of states of elements, of length one.
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
    /// by the masses given for all; helps to tell modes apart.
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

    /// The shape to an eigenvalue: the vector that the equations at `λ` nearly take to zero, by inverse iteration.
    fn shape(&self, eigenvalue: Complex<f64>) -> Option<DVector<Complex<f64>>> {
        let n = self.mass.nrows();
        let off = Complex::new(1.0 + 1e-11, 1e-12);
        let at = eigenvalue * off + Complex::new(1e-14, 0.0);
        let matrix = DMatrix::from_fn(n, n, |i, j| {
            at * at * self.mass[(i, j)] + at * self.damping[(i, j)] + self.stiffness[(i, j)]
        });
        let lu = matrix.lu();
        let start = |k: usize, _: usize| Complex::new(1.0 + (k as f64).sin(), (k as f64).cos());
        let mut x = DVector::from_fn(n, start);
        for _ in 0..3 {
            x = lu.solve(&x)?;
            let length = x.norm();
            x /= Complex::new(length, 0.0);
        }
        let along = self.free.along.map(|entry| Complex::new(entry, 0.0));
        let whole = along * x;
        let length = whole.norm();
        Some(whole / Complex::new(length, 0.0))
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
    let schur = Schur::try_new(inverse, f64::EPSILON, 2 * size * SWEEPS).ok_or(failed.clone())?;
    let one = Complex::new(1.0, 0.0);
    let eigenvalue = |inverse: &Complex<f64>| one / inverse + Complex::new(near, 0.0);
    let mut found: Vec<Complex<f64>> = schur.complex_eigenvalues().iter().map(eigenvalue).collect();
    // States of first order have no second eigenvalue: what stands for it is infinite.
    found.sort_by(|a, b| a.norm().total_cmp(&b.norm()));
    found.truncate(2 * size - reduced.states);
    found.retain(|eigenvalue| eigenvalue.im >= 0.0 && eigenvalue.norm().is_finite());
    found.truncate(count);
    let mode = |eigenvalue| Some(Mode { eigenvalue, shape: reduced.shape(eigenvalue)? });
    found.into_iter().map(mode).collect::<Option<Vec<_>>>().ok_or(failed)
}
