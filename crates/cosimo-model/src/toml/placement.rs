//! Where an instance of a template stands.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// A mirror, a rotation and a shift, in this order: `x ↦ R M x + p`.
///
/// Orientations are unit quaternions `[w, x, y, z]`, lengths are in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placement {
    rotation: UnitQuaternion<f64>,
    mirror: Mirror,
    shift: Vector3<f64>,
}

/// A reflection, by its signs along x, y and z: all positive, or one or three negative.
///
/// A mirrored body keeps a right-handed frame: the frame `R M A M` of what stood in the frame `A`, in whose axes the body is the mirror
/// image `M` of the original.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mirror([f64; 3]);

impl Default for Placement {
    fn default() -> Self {
        Self { rotation: UnitQuaternion::identity(), mirror: Mirror::NONE, shift: Vector3::zeros() }
    }
}

impl Placement {
    /// A shift behind a turn behind a mirror.
    pub(crate) fn new(mirror: Mirror, [w, x, y, z]: [f64; 4], shift: [f64; 3]) -> Self {
        let rotation = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
        Self { rotation, mirror, shift: shift.into() }
    }

    /// This behind another.
    pub(crate) fn after(&self, inner: &Self) -> Self {
        // R₂ M₂ R₁ M₁ = R₂ (M₂ R₁ M₂) M₂ M₁.
        let rotation = self.rotation * self.mirror.turn(inner.rotation);
        let (mirror, half_turn) = self.mirror.after(inner.mirror);
        Self { rotation: rotation * half_turn, mirror, shift: self.point(inner.shift.into()).into() }
    }

    /// Whether it leaves everything where it is.
    pub(crate) fn is_identity(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it shifts alone.
    pub(crate) fn keeps_directions(&self) -> bool {
        Self { shift: Vector3::zeros(), ..*self }.is_identity()
    }

    /// Whether it mirrors.
    pub(crate) fn is_mirrored(&self) -> bool {
        self.mirror != Mirror::NONE
    }

    /// The reflection in the axes of bodies.
    pub(crate) fn mirror(&self) -> Mirror {
        self.mirror
    }

    /// A point of space.
    pub(crate) fn point(&self, point: [f64; 3]) -> [f64; 3] {
        (Vector3::from(self.direction(point)) + self.shift).into()
    }

    /// A direction of space, such as that of a force.
    pub(crate) fn direction(&self, direction: [f64; 3]) -> [f64; 3] {
        self.turned(self.mirror.direction(direction))
    }

    /// An axis about which something turns, such as that of a moment.
    pub(crate) fn axis(&self, axis: [f64; 3]) -> [f64; 3] {
        self.turned(self.mirror.axis(axis))
    }

    /// The orientation of what has a frame of its own, which is reflected by `mirror` in its axes.
    pub(crate) fn orientation(&self, orientation: [f64; 4], mirror: Mirror) -> [f64; 4] {
        // R M A S = R (M A M) (M S).
        let (_, half_turn) = self.mirror.after(mirror);
        if self.rotation == UnitQuaternion::identity() && half_turn == UnitQuaternion::identity() {
            return self.mirror.orientation(orientation);
        }
        let [w, x, y, z] = self.mirror.orientation(orientation);
        let found = self.rotation.into_inner() * Quaternion::new(w, x, y, z) * half_turn.into_inner();
        // Of the two quaternions of a turn, that of the smaller angle.
        let sign = if found.w < 0.0 { -1.0 } else { 1.0 };
        [found.w, found.i, found.j, found.k].map(|part| sign * part + 0.0)
    }

    fn turned(&self, vector: [f64; 3]) -> [f64; 3] {
        if self.rotation == UnitQuaternion::identity() {
            return vector;
        }
        (self.rotation * Vector3::from(vector)).map(|part| part + 0.0).into()
    }
}

impl Mirror {
    /// Nothing is reflected.
    pub(crate) const NONE: Self = Self([1.0; 3]);

    /// Across the plane at right angles to an axis, counted from 0.
    pub(crate) fn across(axis: usize) -> Self {
        Self([0, 1, 2].map(|k| if k == axis { -1.0 } else { 1.0 }))
    }

    /// Whether something is reflected.
    pub(crate) fn is_some(self) -> bool {
        self != Self::NONE
    }

    /// The reflection of beams, whose own axis stays the first.
    pub(crate) fn of_beam(self) -> Self {
        if self.is_some() { Self::across(1) } else { Self::NONE }
    }

    /// A point or a direction.
    pub(crate) fn direction(self, vector: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|k| self.0[k] * vector[k] + 0.0)
    }

    /// An axis about which something turns.
    pub(crate) fn axis(self, axis: [f64; 3]) -> [f64; 3] {
        let sign = self.sign();
        self.direction(axis.map(|x| sign * x))
    }

    /// The orientation of a frame.
    pub(crate) fn orientation(self, [w, x, y, z]: [f64; 4]) -> [f64; 4] {
        let [x, y, z] = self.axis([x, y, z]);
        [w, x, y, z]
    }

    /// The sign of the entry `(i, j)` of a matrix in these axes.
    pub(crate) fn of_entry(self, i: usize, j: usize) -> f64 {
        self.0[i] * self.0[j]
    }

    fn sign(self) -> f64 {
        self.0.iter().product()
    }

    fn turn(self, turn: UnitQuaternion<f64>) -> UnitQuaternion<f64> {
        let [w, x, y, z] = self.orientation([turn.w, turn.i, turn.j, turn.k]);
        UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z))
    }

    /// This behind another: a reflection, or none behind a half turn.
    fn after(self, inner: Self) -> (Self, UnitQuaternion<f64>) {
        let product = Self([0, 1, 2].map(|k| self.0[k] * inner.0[k]));
        if product.sign() < 0.0 {
            return (product, UnitQuaternion::identity());
        }
        // diag(1, −1, −1) is the half turn about x.
        let about = (0..3).find(|&k| product.0[k] > 0.0).filter(|_| product.is_some());
        let turn = about.map_or(UnitQuaternion::identity(), |axis| {
            let mut parts = [0.0; 3];
            parts[axis] = 1.0;
            UnitQuaternion::new_unchecked(Quaternion::new(0.0, parts[0], parts[1], parts[2]))
        });
        (Self::NONE, turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rotation(orientation: [f64; 4]) -> UnitQuaternion<f64> {
        let [w, x, y, z] = orientation;
        UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z))
    }

    fn near(a: [f64; 3], b: [f64; 3]) -> bool {
        (Vector3::from(a) - Vector3::from(b)).norm() < 1e-14
    }

    const TURN: [f64; 4] = [0.8, 0.36, -0.48, 0.0];
    const FRAME: [f64; 4] = [0.6, 0.0, 0.64, -0.48];
    const POINT: [f64; 3] = [0.3, -1.2, 2.5];

    /// A point of a body is where the placement puts it: by its position in the body, and by its place in space.
    #[test]
    fn bodies_carry_their_points_along() {
        for mirror in [Mirror::NONE, Mirror::across(0), Mirror::across(1), Mirror::across(2)] {
            let placement = Placement::new(mirror, TURN, [1.0, 2.0, 3.0]);
            for own in [mirror, mirror.of_beam()] {
                let origin = [0.2, 0.5, -0.1];
                let in_space = (rotation(FRAME) * Vector3::from(POINT) + Vector3::from(origin)).into();
                let placed = rotation(placement.orientation(FRAME, own))
                    * Vector3::from(own.direction(POINT))
                    + Vector3::from(placement.point(origin));
                assert!(near(placed.into(), placement.point(in_space)), "{mirror:?} {own:?}");
            }
        }
    }

    /// A moment is that of the mirrored forces.
    #[test]
    fn axes_are_those_of_mirrored_moments() {
        for axis in 0..3 {
            let placement = Placement::new(Mirror::across(axis), TURN, [0.0; 3]);
            let (arm, force) = (Vector3::new(0.3, 0.1, -0.7), Vector3::new(-1.0, 2.0, 0.4));
            let [arm_there, force_there] =
                [arm, force].map(|vector| Vector3::from(placement.direction(vector.into())));
            let moment = placement.axis(arm.cross(&force).into());
            assert!(near(arm_there.cross(&force_there).into(), moment));
        }
    }

    #[test]
    fn placements_follow_one_another() {
        for (first, second) in [(0, 0), (0, 1), (1, 2), (2, 0)] {
            let inner = Placement::new(Mirror::across(first), TURN, [1.0, 0.0, -2.0]);
            let outer = Placement::new(Mirror::across(second), FRAME, [0.0, 0.5, 0.0]);
            let both = outer.after(&inner);
            assert!(near(both.point(POINT), outer.point(inner.point(POINT))));
            assert!(near(both.axis(POINT), outer.axis(inner.axis(POINT))));
            assert!(!both.mirror().is_some());
        }
        assert!(Placement::default().after(&Placement::default()).is_identity());
    }
}
