//! Newton's and Euler's equations by the classical Runge-Kutta rule of order four: it shares nothing with the step rule of
//! the bodies, nor with the coupling.

use cosimo_multibody::spatial::{BodyState, RigidBody};
use nalgebra::{Matrix3, Matrix6, Quaternion, UnitQuaternion, Vector3};

/// Position, orientation (not normalised between steps), velocity, angular velocity in body axes.
#[derive(Clone, Copy)]
pub(crate) struct Motion {
    pub(crate) position: Vector3<f64>,
    pub(crate) orientation: Quaternion<f64>,
    pub(crate) velocity: Vector3<f64>,
    pub(crate) spin: Vector3<f64>,
}

/// Force and moment about the centre of mass, in world axes.
pub(crate) type Load = (Vector3<f64>, Vector3<f64>);

impl Motion {
    pub(crate) fn of(state: &BodyState) -> Self {
        Self {
            position: state.position,
            orientation: state.orientation.into_inner(),
            velocity: state.velocity,
            spin: state.angular_velocity,
        }
    }

    pub(crate) fn state(&self) -> BodyState {
        BodyState {
            position: self.position,
            orientation: UnitQuaternion::new_normalize(self.orientation),
            velocity: self.velocity,
            angular_velocity: self.spin,
        }
    }

    fn rate(&self, body: &RigidBody, (force, moment): Load) -> Self {
        let inertia = body.inertia();
        let moment = self.state().orientation.inverse() * moment;
        Self {
            position: self.velocity,
            orientation: self.orientation * Quaternion::from_imag(self.spin) * 0.5,
            velocity: force / body.mass() + body.gravity(),
            spin: inertia.try_inverse().unwrap() * (moment - self.spin.cross(&(inertia * self.spin))),
        }
    }

    fn moved(&self, h: f64, rate: &Self) -> Self {
        Self {
            position: self.position + rate.position * h,
            orientation: self.orientation + rate.orientation * h,
            velocity: self.velocity + rate.velocity * h,
            spin: self.spin + rate.spin * h,
        }
    }
}

/// Bodies under the loads that `loads` finds from their states, from 0 to `end` in so many steps.
pub(crate) fn integrate<const N: usize>(
    bodies: &[RigidBody; N],
    start: [BodyState; N],
    loads: impl Fn(&[BodyState; N]) -> [Load; N],
    (end, steps): (f64, usize),
) -> [BodyState; N] {
    let h = end / steps as f64;
    let mut motions = start.map(|state| Motion::of(&state));
    for _ in 0..steps {
        let rates = |at: &[Motion; N]| {
            let loads = loads(&at.map(|motion| motion.state()));
            std::array::from_fn(|i| at[i].rate(&bodies[i], loads[i]))
        };
        let moved = |h: f64, rates: &[Motion; N]| -> [Motion; N] {
            std::array::from_fn(|i| motions[i].moved(h, &rates[i]))
        };
        let k1: [Motion; N] = rates(&motions);
        let k2 = rates(&moved(0.5 * h, &k1));
        let k3 = rates(&moved(0.5 * h, &k2));
        let k4 = rates(&moved(h, &k3));
        motions = std::array::from_fn(|i| {
            let ends = motions[i].moved(h / 6.0, &k1[i]).moved(h / 3.0, &k2[i]);
            let mut end = ends.moved(h / 3.0, &k3[i]).moved(h / 6.0, &k4[i]);
            end.orientation = end.orientation.normalize();
            end
        });
    }
    motions.map(|motion| motion.state())
}

/// The body that two bodies fixed to each other are, with axes of the first, and where the first is seen from it.
pub(crate) fn composite(parts: &[super::bodies::Part; 2]) -> (RigidBody, BodyState, Vector3<f64>) {
    let [a, b] = parts;
    let mass = a.body.mass() + b.body.mass();
    let centre = (a.start.position * a.body.mass() + b.start.position * b.body.mass()) / mass;
    let axes = a.start.orientation;
    let mut inertia = Matrix3::zeros();
    for part in parts {
        let turn = (axes.inverse() * part.start.orientation).to_rotation_matrix().into_inner();
        let arm = axes.inverse() * (part.start.position - centre);
        let steiner = Matrix3::from_diagonal_element(arm.norm_squared()) - arm * arm.transpose();
        inertia += turn * part.body.inertia() * turn.transpose() + steiner * part.body.mass();
    }
    let spin = a.start.angular_velocity_in_world();
    let start = BodyState {
        position: centre,
        orientation: axes,
        velocity: a.start.velocity + spin.cross(&(centre - a.start.position)),
        angular_velocity: a.start.angular_velocity,
    };
    let symmetric = 0.5 * (inertia + inertia.transpose());
    let arm = axes.inverse() * (a.start.position - centre);
    (RigidBody::new(mass, symmetric).unwrap().with_gravity(*a.body.gravity()), start, arm)
}

/// Loads of a bushing between body points, written down from its energy by matrices: rotations by series of the matrix
/// logarithm's derivative are avoided by differencing the energy itself.
pub(crate) fn bushing_loads(
    arms: [Vector3<f64>; 2],
    rest: UnitQuaternion<f64>,
    stiffness: &Matrix6<f64>,
    states: &[BodyState; 2],
) -> [Load; 2] {
    let energy = |states: &[BodyState; 2]| {
        let [a, b] = states;
        let into = b.orientation.inverse();
        let shift = into * (a.point(&arms[0]) - b.point(&arms[1]));
        let turn = (into * a.orientation * rest.inverse()).scaled_axis();
        let gap = nalgebra::Vector6::new(shift.x, shift.y, shift.z, turn.x, turn.y, turn.z);
        0.5 * gap.dot(&(stiffness * gap))
    };
    let size = 1e-4;
    let slope = |i: usize, displacement: Vector3<f64>, turn: Vector3<f64>| {
        let at = |scale: f64| {
            let mut moved = *states;
            moved[i].position += displacement * scale;
            moved[i].orientation = UnitQuaternion::from_scaled_axis(turn * scale) * moved[i].orientation;
            energy(&moved)
        };
        // Central differences of order four.
        (8.0 * (at(size) - at(-size)) - (at(2.0 * size) - at(-2.0 * size))) / (12.0 * size)
    };
    [0, 1].map(|i| {
        let zero = Vector3::zeros();
        let force = Vector3::from_fn(|k, _| -slope(i, Vector3::ith(k, 1.0), zero));
        (force, Vector3::from_fn(|k, _| -slope(i, zero, Vector3::ith(k, 1.0))))
    })
}
