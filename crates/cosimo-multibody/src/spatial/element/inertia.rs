//! Inertia about a point that need not be the centre of mass.

use nalgebra::{Matrix3, Rotation3, Vector3};

/// Mass, first and second moment of a rigid distribution of mass about the origin of a frame, in its axes. Those of two
/// distributions about the same origin add.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialInertia {
    /// `m` (kg).
    pub mass: f64,
    /// `∫ r dm` (kg m).
    pub first_moment: Vector3<f64>,
    /// `∫ (r² 1 − r rᵀ) dm` (kg m²), about the origin.
    pub about_origin: Matrix3<f64>,
}

impl Default for SpatialInertia {
    fn default() -> Self {
        Self { mass: 0.0, first_moment: Vector3::zeros(), about_origin: Matrix3::zeros() }
    }
}

/// `r² 1 − r rᵀ`.
fn moment_of(r: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::from_diagonal_element(r.norm_squared()) - r * r.transpose()
}

impl SpatialInertia {
    /// From mass, centre of mass and inertia about the centre of mass.
    #[must_use]
    pub fn about_centre(mass: f64, centre: &Vector3<f64>, inertia: &Matrix3<f64>) -> Self {
        Self { mass, first_moment: centre * mass, about_origin: inertia + moment_of(centre) * mass }
    }

    /// Adds another about the same origin.
    pub fn add(&mut self, other: &Self) {
        self.mass += other.mass;
        self.first_moment += other.first_moment;
        self.about_origin += other.about_origin;
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    /// The same seen from another frame: this frame has its origin at `point` of that one, and `turn` takes vectors of this
    /// frame into that one.
    #[must_use]
    pub fn seen_from(&self, point: &Vector3<f64>, turn: &Rotation3<f64>) -> Self {
        let first = turn * self.first_moment;
        let about_own = turn.matrix() * self.about_origin * turn.matrix().transpose();
        // ∫ |p + r|² 1 − (p + r)(p + r)ᵀ dm.
        let crossed = point * first.transpose();
        let across = Matrix3::from_diagonal_element(2.0 * point.dot(&first)) - crossed - crossed.transpose();
        Self {
            mass: self.mass,
            first_moment: first + point * self.mass,
            about_origin: about_own + across + moment_of(point) * self.mass,
        }
    }

    /// Centre of mass.
    #[must_use]
    pub fn centre(&self) -> Vector3<f64> {
        self.first_moment / self.mass
    }

    /// Inertia about the centre of mass.
    #[must_use]
    pub fn central(&self) -> Matrix3<f64> {
        let inertia = self.about_origin - moment_of(&self.centre()) * self.mass;
        (inertia + inertia.transpose()) * 0.5
    }
}
