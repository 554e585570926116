//! What of a rigid body is observed.

use cosimo_multibody::spatial::BodyState;
use nalgebra::Vector3;

/// The thirteen values of the quantities of a rigid body.
pub(crate) fn observe(state: &BodyState, out: &mut [f64]) {
    let q = state.orientation;
    let spin: Vector3<f64> = state.angular_velocity_in_world();
    let orientation = [q.w, q.i, q.j, q.k];
    let parts = [state.position.as_slice(), &orientation, state.velocity.as_slice(), spin.as_slice()];
    for (value, x) in out.iter_mut().zip(parts.into_iter().flatten()) {
        *value = *x;
    }
}
