//! Directions and rotations given by vectors of any length.

use nalgebra::{Quaternion, UnitQuaternion};

/// The unit vector along a vector that is not zero, however small or large it is.
pub(crate) fn unit<const N: usize>(vector: [f64; N]) -> [f64; N] {
    let largest = vector.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let scaled = vector.map(|x| x / largest);
    let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    scaled.map(|x| x / length)
}

/// The rotation of a quaternion `[w, x, y, z]` of any length that is not zero.
pub(crate) fn rotation(quaternion: [f64; 4]) -> UnitQuaternion<f64> {
    let [w, x, y, z] = unit(quaternion);
    UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z))
}

#[cfg(test)]
mod tests {
    use super::unit;

    #[test]
    fn directions_of_any_length_have_a_unit_vector() {
        assert_eq!(unit([0.0, -3.0]), [0.0, -1.0]);
        assert_eq!(unit([3e-200, 0.0, 4e-200]), [0.6, 0.0, 0.8]);
        assert_eq!(unit([3e200, 4e200]), [0.6, 0.8]);
    }
}
