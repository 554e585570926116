//! Systems with constant matrices.

mod equations;

use cosimo_linear::StructuredMatrix;
use cosimo_mechanics::TimeFunction;
use nalgebra::{DMatrix, DVector};

use crate::products::multiply_add;
use crate::{CoordinateVector, LinearRow, SystemError};

/// A force over time: `direction · size(t)` (N).
#[derive(Debug, Clone, PartialEq)]
pub struct TimeLoad {
    /// Coordinate and weight.
    pub direction: LinearRow,
    /// Magnitude over time (N).
    pub size: TimeFunction,
}

/// `M a + C v + K q = f + Σ loads(t) − Φᵀ μ`, `Φ q = c`, all matrices constant.
///
/// Shapes: `M, C, K` are `n × n`, `f` has length `n`, `Φ` is `m × n`, `c` has length `m`.
///
/// ```
/// use cosimo_dynamics::LinearSystem;
/// use nalgebra::dmatrix;
/// let oscillator = LinearSystem::new(dmatrix![2.0])?.with_stiffness(dmatrix![50.0])?.with_force(vec![-20.0])?;
/// assert_eq!(oscillator.mass_matrix()[(0, 0)], 2.0);
/// # Ok::<(), cosimo_dynamics::SystemError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LinearSystem {
    pub(crate) mass: StructuredMatrix,
    pub(crate) damping: StructuredMatrix,
    pub(crate) stiffness: StructuredMatrix,
    pub(crate) force: CoordinateVector,
    pub(crate) loads: Vec<TimeLoad>,
    pub(crate) constraints: Vec<LinearRow>,
    /// Applied to every load from ports and contacts; `None` for the identity.
    pub(crate) load_projection: Option<Box<DMatrix<f64>>>,
    /// Stiffness and force of the potential where they differ from those of the equations.
    pub(crate) potential: Option<Box<(StructuredMatrix, CoordinateVector)>>,
    pub(crate) potential_constant: f64,
}

impl LinearSystem {
    /// Free masses with this mass matrix (kg), `n × n`.
    ///
    /// # Errors
    /// The matrix is not square or not finite.
    pub fn new(mass: DMatrix<f64>) -> Result<Self, SystemError> {
        let n = mass.nrows();
        check_matrix("mass matrix", &mass, n)?;
        Ok(Self {
            mass: StructuredMatrix::from_dense(&mass),
            damping: StructuredMatrix::Zero(n),
            stiffness: StructuredMatrix::Zero(n),
            force: CoordinateVector::zeros(n),
            loads: Vec::new(),
            constraints: Vec::new(),
            load_projection: None,
            potential: None,
            potential_constant: 0.0,
        })
    }

    /// Free masses (kg), one per coordinate.
    ///
    /// ```
    /// use cosimo_dynamics::LinearSystem;
    /// let falling = LinearSystem::masses([1.0, 2.0])?.with_force([-10.0, -20.0])?;
    /// assert_eq!(falling.mass_matrix()[(1, 1)], 2.0);
    /// # Ok::<(), cosimo_dynamics::SystemError>(())
    /// ```
    ///
    /// # Errors
    /// A mass is not finite.
    pub fn masses(masses: impl Into<Vec<f64>>) -> Result<Self, SystemError> {
        Self::new(DMatrix::from_diagonal(&DVector::from_vec(masses.into())))
    }

    /// Sets the stiffness matrix (N/m), `n × n`.
    ///
    /// # Errors
    /// The matrix has another size or is not finite.
    pub fn with_stiffness(mut self, stiffness: DMatrix<f64>) -> Result<Self, SystemError> {
        check_matrix("stiffness matrix", &stiffness, self.mass.dimension())?;
        self.stiffness = StructuredMatrix::from_dense(&stiffness);
        Ok(self)
    }

    /// Sets the damping matrix (N s/m), `n × n`.
    ///
    /// # Errors
    /// The matrix has another size or is not finite.
    pub fn with_damping(mut self, damping: DMatrix<f64>) -> Result<Self, SystemError> {
        check_matrix("damping matrix", &damping, self.mass.dimension())?;
        self.damping = StructuredMatrix::from_dense(&damping);
        Ok(self)
    }

    /// Sets the constant force (N), length `n`.
    ///
    /// # Errors
    /// The vector has another length or is not finite.
    pub fn with_force(mut self, force: impl Into<Vec<f64>>) -> Result<Self, SystemError> {
        let force = force.into();
        check_vector("force", &force, self.mass.dimension())?;
        self.force = force.into();
        Ok(self)
    }

    /// Adds a force over time.
    #[must_use]
    pub fn with_load(mut self, load: TimeLoad) -> Self {
        self.loads.push(load);
        self
    }

    /// Adds the bilateral constraint `row = 0`, that is `Σ weight · q = offset`.
    #[must_use]
    pub fn with_constraint(mut self, row: LinearRow) -> Self {
        self.constraints.push(row);
        self
    }

    /// Checks the rows of loads and constraints.
    ///
    /// # Errors
    /// Those of [`LinearRow::check`].
    pub fn check_rows(&self) -> Result<(), SystemError> {
        let n = self.coordinates();
        self.loads.iter().try_for_each(|load| load.direction.check("load", n))?;
        self.constraints.iter().try_for_each(|row| row.check("constraint", n))
    }

    /// Adds a constant to the potential energy (J), e.g. `½ k l₀²` of springs with a rest length.
    #[must_use]
    pub fn with_potential_constant(mut self, energy: f64) -> Self {
        self.potential_constant += energy;
        self
    }

    /// The mass matrix (kg), dense.
    #[must_use]
    pub fn mass_matrix(&self) -> DMatrix<f64> {
        self.mass.to_dense()
    }

    /// The forces over time, each with the largest acceleration (m/s²) that 1 N of it gives to a coordinate while the others
    /// are held.
    pub fn load_accelerations(&self) -> impl Iterator<Item = (&TimeFunction, f64)> {
        let mass = match &self.mass {
            StructuredMatrix::Diagonal(mass) => Some(&**mass),
            StructuredMatrix::Banded(mass) => Some(mass.diagonal(0)),
            _ => None,
        };
        let mass = move |i: usize| match (mass, &self.mass) {
            (Some(mass), _) => mass[i],
            (None, StructuredMatrix::Dense(mass)) => mass[(i, i)],
            _ => 0.0,
        };
        self.loads.iter().map(move |load| {
            let accelerations = load.direction.weights.iter().map(|&(i, w)| w.abs() / mass(i));
            (&load.size, accelerations.fold(0.0, f64::max))
        })
    }

    /// Whether no force depends on the positions.
    #[must_use]
    pub fn is_strain_free(&self) -> bool {
        matches!(self.stiffness, StructuredMatrix::Zero(_))
    }

    /// Whether nothing dissipates energy and no load depends on time.
    pub(crate) fn is_passive(&self) -> bool {
        matches!(self.damping, StructuredMatrix::Zero(_)) && self.loads.is_empty()
    }

    /// Overwrites a load from ports and contacts, length `n`, with what of it acts; `scratch` has length `n`.
    pub(crate) fn project_load(&self, load: &mut [f64], scratch: &mut [f64]) {
        if let Some(projection) = &self.load_projection {
            scratch.fill(0.0);
            multiply_add(projection, (1.0, load), scratch);
            load.copy_from_slice(scratch);
        }
    }

    /// Writes `f + Σ loads(t) − C v − K q`.
    pub(crate) fn total_force(&self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&self.force);
        for load in &self.loads {
            let value = load.size.value(t);
            load.direction.weights.iter().for_each(|&(i, w)| out[i] += w * value);
        }
        self.damping.multiply_add(-1.0, v, out);
        self.stiffness.multiply_add(-1.0, q, out);
    }
}

fn check_matrix(quantity: &'static str, matrix: &DMatrix<f64>, n: usize) -> Result<(), SystemError> {
    for found in [matrix.nrows(), matrix.ncols()] {
        if found != n {
            return Err(SystemError::Size { quantity, expected: n, found });
        }
    }
    if matrix.iter().any(|x| !x.is_finite()) {
        return Err(SystemError::NotFinite { quantity });
    }
    Ok(())
}

pub(crate) fn check_vector(quantity: &'static str, vector: &[f64], n: usize) -> Result<(), SystemError> {
    if vector.len() != n {
        return Err(SystemError::Size { quantity, expected: n, found: vector.len() });
    }
    if vector.iter().any(|x| !x.is_finite()) {
        return Err(SystemError::NotFinite { quantity });
    }
    Ok(())
}
