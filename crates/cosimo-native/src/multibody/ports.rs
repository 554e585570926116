//! Points and frames of the bodies through which the outside acts.

use std::ops::Range;

use cosimo_multibody::spatial::{BodyState, SpatialSystem};
use nalgebra::{DMatrix, Matrix3, UnitQuaternion, Vector3};

use crate::BodyPort;

/// A port of a multibody system; points are in the body's frame (m).
#[derive(Debug, Clone, PartialEq)]
pub enum MultibodyPort {
    /// The position of a body point along a direction of world axes, which is normalised: 1 coordinate.
    Along {
        /// Name of the body.
        body: String,
        /// The point.
        point: Vector3<f64>,
        /// Direction in world axes.
        direction: Vector3<f64>,
    },
    /// The position of a body point in world axes: 3 coordinates.
    Point {
        /// Name of the body.
        body: String,
        /// The point.
        point: Vector3<f64>,
    },
    /// A body point and the orientation of a frame fixed to the body: 6 coordinates,
    /// [`PortSpec::frame`](cosimo_subsystem::PortSpec::frame).
    Frame {
        /// Name of the body.
        body: String,
        /// The point.
        point: Vector3<f64>,
        /// Turns vectors of the frame into vectors of the body.
        orientation: UnitQuaternion<f64>,
    },
}

impl MultibodyPort {
    /// A body point along a direction.
    #[must_use]
    pub fn along(body: impl Into<String>, point: [f64; 3], direction: [f64; 3]) -> Self {
        Self::Along { body: body.into(), point: point.into(), direction: direction.into() }
    }

    /// A body point.
    #[must_use]
    pub fn point(body: impl Into<String>, point: [f64; 3]) -> Self {
        Self::Point { body: body.into(), point: point.into() }
    }

    /// A frame at a body point, in body axes.
    #[must_use]
    pub fn frame(body: impl Into<String>, point: [f64; 3]) -> Self {
        Self::Frame { body: body.into(), point: point.into(), orientation: UnitQuaternion::identity() }
    }

    fn body(&self) -> &str {
        match self {
            Self::Along { body, .. } | Self::Point { body, .. } | Self::Frame { body, .. } => body,
        }
    }

    /// The port with its body found.
    pub(super) fn placed(&self, system: &SpatialSystem) -> Result<PlacedPort, String> {
        let Some(body) = system.bodies().iter().position(|body| body.name == self.body()) else {
            let known: Vec<&str> = system.bodies().iter().map(|body| body.name.as_str()).collect();
            return Err(format!("there is no body `{}`; the bodies are: {}", self.body(), known.join(", ")));
        };
        let arm = |point: &Vector3<f64>| point - system.bodies()[body].centre_of_mass;
        let port = match self {
            Self::Along { point, direction, .. } => {
                BodyPort::Along { arm: arm(point), direction: *direction }
            }
            Self::Point { point, .. } => BodyPort::Point { arm: arm(point) },
            Self::Frame { point, orientation, .. } => {
                BodyPort::Frame { arm: arm(point), orientation: *orientation }
            }
        };
        Ok(PlacedPort { body, port: port.checked()? })
    }
}

/// A port whose body is found.
#[derive(Debug, Clone)]
pub(super) struct PlacedPort {
    body: usize,
    port: BodyPort,
}

/// The rows of all ports. With the pose `x, R` of a port's body, its velocities `ẋ` and `ω`, the latter in body axes, and the
/// arm `s`, a point has
///
/// ```text
///   p = x + R s      ṗ = ẋ + R (ω × s)      f_x = F,  f_θ = s × Rᵀ F + Rᵀ M
/// ```
#[derive(Debug, Clone)]
pub(super) struct PortRows {
    ports: Vec<PlacedPort>,
    rows: usize,
}

impl PortRows {
    pub(super) fn new(ports: Vec<PlacedPort>) -> Self {
        let rows = ports.iter().map(|placed| placed.port.size()).sum();
        Self { ports, rows }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// Rows and body of every port.
    fn each(&self) -> impl Iterator<Item = (Range<usize>, usize, &BodyPort)> {
        self.ports.iter().scan(0, |next, PlacedPort { body, port }| {
            let first = *next;
            *next += port.size();
            Some((first..*next, *body, port))
        })
    }

    /// Adds `factor · Zᵀ ℓ`.
    pub(super) fn add_forces(&self, q: &[f64], (factor, loads): (f64, &[f64]), out: &mut [f64]) {
        for (rows, owner, port) in self.each() {
            let own = &loads[rows];
            if own.iter().any(|load| *load != 0.0) {
                let load = generalised(&body(q, &[], owner), port.arm(), &port.load(own));
                for (x, f) in out[6 * owner..].iter_mut().zip(load.iter().flat_map(|part| part.iter())) {
                    *x += factor * f;
                }
            }
        }
    }

    /// Writes the columns of `Zᵀ` of those rows that are `told`, ascending, `n ×` their number.
    pub(super) fn unit_forces(&self, q: &[f64], told: &[usize], out: &mut DMatrix<f64>) {
        out.fill(0.0);
        let mut told = told.iter().enumerate().peekable();
        for (rows, owner, port) in self.each() {
            let state = body(q, &[], owner);
            let mut unit = [0.0; 6];
            while let Some((column, row)) = told.next_if(|(_, row)| **row < rows.end) {
                let k = row - rows.start;
                unit[k] = 1.0;
                let load = generalised(&state, port.arm(), &port.load(&unit));
                unit[k] = 0.0;
                let mut own = out.view_mut((6 * owner, column), (6, 1));
                own.iter_mut().zip(load.iter().flat_map(|part| part.iter())).for_each(|(x, f)| *x = *f);
            }
        }
    }

    /// Tells `∂(Zᵀ ℓ)/∂q` of every loaded port, body and turn by turn: the derivative of `s × Rᵀ F + Rᵀ M`.
    pub(super) fn stiffness(&self, q: &[f64], loads: &[f64], mut tell: impl FnMut(usize, &Matrix3<f64>)) {
        for (rows, owner, port) in self.each() {
            let own = &loads[rows];
            if own.iter().any(|load| *load != 0.0) {
                let into_body = body(q, &[], owner).orientation.inverse();
                let [force, moment] = port.load(own).map(|part| into_body * part);
                let turning = port.arm().cross_matrix() * force.cross_matrix() + moment.cross_matrix();
                tell(owner, &turning);
            }
        }
    }

    /// Positions of the rows; those of the turns are the rotation `θ` by which the body has come from `start`, given by the
    /// increment `x` of the step, in world axes.
    pub(super) fn positions(&self, q: &[f64], (start, x): (&[f64], &[f64]), out: &mut [f64]) {
        for (rows, owner, port) in self.each() {
            let turn = x.get(6 * owner + 3..6 * owner + 6).map_or_else(Vector3::zeros, |theta| {
                body(start, &[], owner).orientation * Vector3::new(theta[0], theta[1], theta[2])
            });
            port.write(&body(q, &[], owner).point(port.arm()), &turn, &mut out[rows]);
        }
    }

    /// Velocities of the rows.
    pub(super) fn velocities(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for (rows, owner, port) in self.each() {
            let state = body(q, v, owner);
            let velocity = state.point_velocity(port.arm());
            port.write(&velocity, &state.angular_velocity_in_world(), &mut out[rows]);
        }
    }

    /// Change of the velocities of the rows with the increment `dq` of the position and the change `dv` of the velocity.
    pub(super) fn velocity_changes(
        &self,
        (q, v): (&[f64], &[f64]),
        (dq, dv): (&[f64], &[f64]),
        out: &mut [f64],
    ) {
        for (rows, owner, port) in self.each() {
            let state = body(q, v, owner);
            let (at, s) = (6 * owner, port.arm());
            let vector = |x: &[f64], k: usize| Vector3::new(x[at + k], x[at + k + 1], x[at + k + 2]);
            let (turn, spin) = (vector(dq, 3), vector(dv, 3));
            let omega = &state.angular_velocity;
            let of_arm = turn.cross(&omega.cross(s)) + spin.cross(s);
            let of_point = vector(dv, 0) + state.orientation * of_arm;
            port.write(&of_point, &(state.orientation * (turn.cross(omega) + spin)), &mut out[rows]);
        }
    }

    /// Orientations of the frames.
    pub(super) fn orientations(&self, q: &[f64], out: &mut Vec<UnitQuaternion<f64>>) {
        out.clear();
        out.extend(self.ports.iter().filter_map(|placed| {
            placed.port.orientation().map(|orientation| body(q, &[], placed.body).orientation * orientation)
        }));
    }
}

/// Force and moment about the centre of mass, the moment in body axes.
fn generalised(
    state: &BodyState,
    arm: &Vector3<f64>,
    [force, moment]: &[Vector3<f64>; 2],
) -> [Vector3<f64>; 2] {
    let into_body = state.orientation.inverse();
    [*force, arm.cross(&(into_body * force)) + into_body * moment]
}

/// The body of this number; at rest where `v` is empty.
fn body(q: &[f64], v: &[f64], number: usize) -> BodyState {
    let (q, v) = (&q[7 * number..7 * number + 7], v.get(6 * number..6 * number + 6).unwrap_or(&[0.0; 6]));
    let orientation = nalgebra::Quaternion::new(q[3], q[4], q[5], q[6]);
    BodyState {
        position: Vector3::new(q[0], q[1], q[2]),
        orientation: UnitQuaternion::new_unchecked(orientation),
        velocity: Vector3::new(v[0], v[1], v[2]),
        angular_velocity: Vector3::new(v[3], v[4], v[5]),
    }
}
