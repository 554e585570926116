//! A box that stands for a mass and its inertia.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use crate::{Geometry, Role, Shape};

/// The homogeneous box of this mass (kg) and inertia about the centre of mass (kg m²), in principal axes: edges `a` with
/// `I_x = m (a_y² + a_z²)/12` and so on. `None` where mass and inertia are no body's.
///
/// ```
/// use cosimo_scene::{Geometry, equivalent_box};
/// use nalgebra::{Matrix3, Vector3};
/// let inertia = Matrix3::from_diagonal(&(Vector3::new(4.0 + 9.0, 1.0 + 9.0, 1.0 + 4.0) / 12.0));
/// let Some(Geometry::Box { size }) = equivalent_box(1.0, &inertia).map(|shape| shape.geometry) else { panic!() };
/// let mut edges = size;
/// edges.sort_by(f64::total_cmp);
/// assert!(edges.iter().zip([1.0, 2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-12));
/// ```
#[must_use]
pub fn equivalent_box(mass: f64, inertia: &Matrix3<f64>) -> Option<Shape> {
    if !(mass > 0.0 && inertia.iter().all(|x| x.is_finite())) {
        return None;
    }
    let eigen = inertia.symmetric_eigen();
    let moments = eigen.eigenvalues;
    let edge = |k: usize| (6.0 * (moments.sum() - 2.0 * moments[k]) / mass).max(0.0).sqrt();
    let mut axes = eigen.eigenvectors;
    if axes.determinant() < 0.0 {
        axes.column_mut(2).neg_mut();
    }
    let orientation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    let size = Vector3::from_fn(|k, _| edge(k));
    let shape = Shape::new(Geometry::Box { size: size.into() }).with_orientation(orientation);
    (size.amax() > 0.0).then(|| shape.standing_for(Role::Inertia))
}
