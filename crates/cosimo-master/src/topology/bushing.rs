//! A bushing: a spring and dashpot of six coordinates between two frames, at any angle between them.
//!
//! The frame of side b carries it. Seen from there, frame a is displaced and turned by
//!
//! ```text
//!   u = R_bᵀ (p_a − p_b) − offset        ψ = log(R_bᵀ R_a R₀ᵀ)        g = (u, ψ)        V = ½ gᵀ K g
//!   u̇ = R_bᵀ (ṗ_a − ṗ_b − ω_b × d)       ψ̇ = T⁻¹(ψ) R_bᵀ (ω_a − ω_b)       (f, m) = K g + D ġ
//! ```
//!
//! with `T` the left Jacobian of the rotation group. By virtual work
//!
//! ```text
//!   F = R_b f        M = R_b T⁻ᵀ(ψ) m        on a: −F, −M        on b: F, M + d × F
//! ```
//!
//! so that momentum and angular momentum are kept. The angle of `ψ` is less than half a turn.

use nalgebra::{Matrix3, Matrix6, UnitQuaternion, Vector3, Vector6};

/// Two frames and how they move, sides a and b, in world axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FramePair {
    pub(crate) points: [Vector3<f64>; 2],
    pub(crate) orientations: [UnitQuaternion<f64>; 2],
    pub(crate) velocities: [Vector3<f64>; 2],
    pub(crate) spins: [Vector3<f64>; 2],
}

impl FramePair {
    /// `d = p_a − p_b`.
    fn distance(&self) -> Vector3<f64> {
        self.points[0] - self.points[1]
    }
}

/// Stiffness (N/m, N, N m) and damping in the frame of side b, `6 × 6`, and the relative position at rest.
#[derive(Debug, Clone)]
pub(crate) struct Bushing {
    pub(crate) stiffness: Matrix6<f64>,
    pub(crate) damping: Matrix6<f64>,
    /// `R₀`, orientation of frame a seen from frame b at rest.
    pub(crate) rest: UnitQuaternion<f64>,
    /// Position of frame a seen from frame b at rest (m).
    pub(crate) offset: Vector3<f64>,
}

impl Bushing {
    /// `g` in the frame of side b.
    pub(crate) fn gap(&self, pair: &FramePair) -> Vector6<f64> {
        let [a, b] = pair.orientations;
        let displaced = b.inverse() * pair.distance() - self.offset;
        join(&displaced, &(b.inverse() * a * self.rest.inverse()).scaled_axis())
    }

    /// The gap in world axes.
    pub(crate) fn world_gap(&self, pair: &FramePair) -> Vector6<f64> {
        let gap = self.gap(pair);
        let turn = |part: usize| pair.orientations[1] * gap.fixed_rows::<3>(part).into_owned();
        join(&turn(0), &turn(3))
    }

    /// `V` (J).
    pub(crate) fn energy(&self, pair: &FramePair) -> f64 {
        let gap = self.gap(pair);
        0.5 * gap.dot(&(self.stiffness * gap))
    }

    /// `(F, M)` and the couple `d × F`, in world axes.
    pub(crate) fn load(&self, pair: &FramePair) -> (Vector6<f64>, Vector3<f64>) {
        let (b, distance) = (pair.orientations[1], pair.distance());
        let gap = self.gap(pair);
        let turning = inverse_left_jacobian(&gap.fixed_rows::<3>(3).into_owned());
        let relative = pair.velocities[0] - pair.velocities[1] - pair.spins[1].cross(&distance);
        let turned = turning * (b.inverse() * (pair.spins[0] - pair.spins[1]));
        let load = self.stiffness * gap + self.damping * join(&(b.inverse() * relative), &turned);
        let force = b * load.fixed_rows::<3>(0).into_owned();
        let moment = b * (turning.transpose() * load.fixed_rows::<3>(3));
        (join(&force, &moment), distance.cross(&force))
    }

    /// Stiffness and damping in world axes for small motions from here: without the part that comes of the turning of
    /// the load itself, which is small against the inertia that a step resolves.
    pub(crate) fn tangents(&self, pair: &FramePair) -> (Matrix6<f64>, Matrix6<f64>) {
        let into_frame = pair.orientations[1].inverse().to_rotation_matrix().into_inner();
        let turning = inverse_left_jacobian(&self.gap(pair).fixed_rows::<3>(3).into_owned());
        let mut map = Matrix6::zeros();
        map.fixed_view_mut::<3, 3>(0, 0).copy_from(&into_frame);
        map.fixed_view_mut::<3, 3>(3, 3).copy_from(&(turning * into_frame));
        (map.transpose() * self.stiffness * map, map.transpose() * self.damping * map)
    }
}

fn join(first: &Vector3<f64>, second: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(first.x, first.y, first.z, second.x, second.y, second.z)
}

/// Angle below which the coefficient of `T⁻¹` comes from its series.
const SMALL: f64 = 0.3;

/// `T⁻¹(ψ) = I − ½ ψ̂ + (1 − (ψ/2) cot(ψ/2))/ψ² ψ̂²`.
fn inverse_left_jacobian(psi: &Vector3<f64>) -> Matrix3<f64> {
    let (square, angle) = (psi.norm_squared(), psi.norm());
    let factor = if angle < SMALL {
        let terms = [1.0 / 47_900_160.0, 1.0 / 1_209_600.0, 1.0 / 30_240.0, 1.0 / 720.0, 1.0 / 12.0];
        terms.iter().fold(0.0, |sum, term| sum * square + term)
    } else {
        (1.0 - 0.5 * angle / (0.5 * angle).tan()) / square
    };
    let cross = psi.cross_matrix();
    Matrix3::identity() - cross * 0.5 + cross * cross * factor
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> FramePair {
        let turned = |x: f64, y: f64, z: f64| UnitQuaternion::from_scaled_axis(Vector3::new(x, y, z));
        FramePair {
            points: [Vector3::new(1.0, 2.0, 3.0), Vector3::new(1.1, 1.7, 3.2)],
            orientations: [turned(1.0, -2.0, 0.5), turned(0.2, -1.0, 1.4)],
            velocities: [Vector3::zeros(); 2],
            spins: [Vector3::zeros(); 2],
        }
    }

    fn bushing() -> Bushing {
        let factor = Matrix6::from_fn(|i, j| ((7 * i + 3 * j + i * j) as f64).sin());
        Bushing {
            stiffness: factor * factor.transpose(),
            damping: Matrix6::zeros(),
            rest: UnitQuaternion::from_scaled_axis(Vector3::new(-0.3, 0.2, 0.4)),
            offset: Vector3::new(0.05, 0.1, -0.2),
        }
    }

    /// The pair with side `side` moved and turned.
    fn moved(side: usize, displacement: Vector3<f64>, turn: Vector3<f64>) -> FramePair {
        let mut pair = pair();
        pair.points[side] += displacement;
        pair.orientations[side] = UnitQuaternion::from_scaled_axis(turn) * pair.orientations[side];
        pair
    }

    #[test]
    fn loads_are_the_derivatives_of_the_energy() {
        let (bushing, size) = (bushing(), 1e-6);
        let (load, couple) = bushing.load(&pair());
        for side in 0..2 {
            for k in 0..6 {
                let step = |size: f64| {
                    let unit = Vector3::ith(k % 3, size);
                    let (displacement, turn) =
                        if k < 3 { (unit, Vector3::zeros()) } else { (Vector3::zeros(), unit) };
                    bushing.energy(&moved(side, displacement, turn))
                };
                let slope = (step(size) - step(-size)) / (2.0 * size);
                let turned = if k < 3 { 0.0 } else { couple[k - 3] };
                let stated = if side == 0 { load[k] } else { -load[k] - turned };
                assert!((slope - stated).abs() < 1e-8, "{side} {k}: {slope} {stated}");
            }
        }
    }

    #[test]
    fn forces_of_the_bushing_have_no_moment_together() {
        let (bushing, pair) = (bushing(), pair());
        let (load, couple) = bushing.load(&pair);
        let force = load.fixed_rows::<3>(0).into_owned();
        let total = pair.points[1].cross(&force) - pair.points[0].cross(&force) + couple;
        assert!(total.norm() < 1e-14, "{total}");
    }

    #[test]
    fn inverse_jacobian_is_smooth_where_series_and_closed_form_meet() {
        let direction = Vector3::new(0.3, -0.5, 0.8).normalize();
        let [below, above] =
            [0.3 - 1e-12, 0.3 + 1e-12].map(|angle| inverse_left_jacobian(&(direction * angle)));
        assert!((above - below).amax() < 1e-11);
    }
}
