//! Points and frames of the bodies, and coordinates between them, through which the outside acts.

use std::ops::Range;

use cosimo_dynamics::{State, StateChange};
use cosimo_multibody::spatial::{BodyState, Coordinate, SpatialSystem};
use nalgebra::{DMatrix, Matrix3, UnitQuaternion, Vector3};

use crate::BodyPort;
use crate::constrained::Increment;

/// A port of a multibody system; points are in the body's frame (m).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
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
    /// The distance, displacement or angle that a sensor measures, for example the angle of a hinge: 1 coordinate. Its load
    /// (N or N m) acts towards a greater number, of an angle on the second body about the axis and against it on the first.
    Sensor {
        /// Name of the sensor.
        sensor: String,
    },
}

impl MultibodyPort {
    /// A body point along a direction.
    #[must_use]
    pub fn along(
        body: impl Into<String>,
        point: impl Into<Vector3<f64>>,
        direction: impl Into<Vector3<f64>>,
    ) -> Self {
        Self::Along { body: body.into(), point: point.into(), direction: direction.into() }
    }

    /// A body point.
    #[must_use]
    pub fn point(body: impl Into<String>, point: impl Into<Vector3<f64>>) -> Self {
        Self::Point { body: body.into(), point: point.into() }
    }

    /// A frame at a body point, in body axes.
    #[must_use]
    pub fn frame(body: impl Into<String>, point: impl Into<Vector3<f64>>) -> Self {
        Self::Frame { body: body.into(), point: point.into(), orientation: UnitQuaternion::identity() }
    }

    /// The coordinate that a sensor measures.
    pub fn sensor(sensor: impl Into<String>) -> Self {
        Self::Sensor { sensor: sensor.into() }
    }

    /// The body and the point that it is at; `None` of a sensor's.
    pub(crate) fn place(&self) -> Option<(&str, &Vector3<f64>)> {
        match self {
            Self::Along { body, point, .. }
            | Self::Point { body, point }
            | Self::Frame { body, point, .. } => Some((body, point)),
            Self::Sensor { .. } => None,
        }
    }

    /// The port with its body or its sensor found.
    pub(super) fn placed(&self, system: &SpatialSystem) -> Result<PlacedPort, String> {
        let (body, port) = match self {
            Self::Along { body, point, direction } => {
                let (body, arm) = arm(system, body, point)?;
                (body, BodyPort::Along { arm, direction: *direction })
            }
            Self::Point { body, point } => {
                let (body, arm) = arm(system, body, point)?;
                (body, BodyPort::Point { arm })
            }
            Self::Frame { body, point, orientation } => {
                let (body, arm) = arm(system, body, point)?;
                (body, BodyPort::Frame { arm, orientation: *orientation })
            }
            Self::Sensor { sensor } => return coordinate(system, sensor),
        };
        Ok(PlacedPort::Body { body, port: port.checked()? })
    }
}

/// Number of the body of this name, and the arm of a point from its centre of mass.
fn arm(system: &SpatialSystem, name: &str, point: &Vector3<f64>) -> Result<(usize, Vector3<f64>), String> {
    let Some(body) = system.bodies().iter().position(|body| body.name == name) else {
        let known: Vec<&str> = system.bodies().iter().map(|body| body.name.as_str()).collect();
        return Err(format!("there is no body `{name}`; the bodies are: {}", known.join(", ")));
    };
    Ok((body, point - system.bodies()[body].centre_of_mass))
}

fn coordinate(system: &SpatialSystem, sensor: &str) -> Result<PlacedPort, String> {
    system.coordinate(sensor).map(PlacedPort::Coordinate).ok_or_else(|| {
        let known: Vec<&str> = system.coordinate_names().collect();
        format!(
            "there is no sensor `{sensor}` of a distance, a displacement or an angle; there are: {}",
            known.join(", ")
        )
    })
}

/// A port whose body or sensor is found.
#[derive(Debug, Clone)]
pub(super) enum PlacedPort {
    /// A point or frame of the body of this number.
    Body { body: usize, port: BodyPort },
    /// What a sensor measures.
    Coordinate(Coordinate),
}

impl PlacedPort {
    /// Number of its rows.
    fn size(&self) -> usize {
        match self {
            Self::Body { port, .. } => port.size(),
            Self::Coordinate(_) => 1,
        }
    }

    /// Adds `Zᵀ ℓ` of its rows.
    fn add_force(&self, q: &[f64], loads: &[f64], out: &mut [f64]) {
        match self {
            Self::Body { body: owner, port } => {
                let load = generalised(&body(q, &[], *owner), port.arm(), &port.load(loads));
                let own = out[6 * owner..].iter_mut();
                own.zip(load.iter().flat_map(|part| part.iter())).for_each(|(x, f)| *x += f);
            }
            Self::Coordinate(coordinate) => coordinate.add_force(q, loads[0], out),
        }
    }
}

/// The rows of all ports. With the pose `x, R` of a port's body, its velocities `ẋ` and `ω`, the latter in body axes, and the
/// arm `s`, a point has
///
/// ```text
///   p = x + R s      ṗ = ẋ + R (ω × s)      f_x = F,  f_θ = s × Rᵀ F + Rᵀ M
/// ```
#[derive(Debug, Clone)]
pub(crate) struct PortRows {
    ports: Vec<PlacedPort>,
    rows: usize,
}

impl PortRows {
    pub(super) fn new(ports: Vec<PlacedPort>) -> Self {
        let rows = ports.iter().map(PlacedPort::size).sum();
        Self { ports, rows }
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    /// Coordinates along which loads act.
    pub(super) fn coordinates(&self) -> impl Iterator<Item = &Coordinate> {
        self.ports.iter().filter_map(|placed| match placed {
            PlacedPort::Coordinate(coordinate) => Some(coordinate),
            PlacedPort::Body { .. } => None,
        })
    }

    /// ConstrainedRows of every port.
    fn each(&self) -> impl Iterator<Item = (Range<usize>, &PlacedPort)> {
        self.ports.iter().scan(0, |next, placed| {
            let first = *next;
            *next += placed.size();
            Some((first..*next, placed))
        })
    }

    /// Adds `factor · Zᵀ ℓ`.
    pub(super) fn add_forces(&self, q: &[f64], factor: f64, loads: &[f64], out: &mut [f64]) {
        for (rows, placed) in self.each() {
            if loads[rows.clone()].iter().any(|load| *load != 0.0) {
                let mut own = [0.0; 6];
                own.iter_mut().zip(&loads[rows]).for_each(|(own, load)| *own = factor * load);
                placed.add_force(q, &own[..placed.size()], out);
            }
        }
    }

    /// Writes the columns of `Zᵀ` of these rows, ascending, `n ×` their number.
    pub(crate) fn unit_forces(&self, q: &[f64], wanted: &[usize], out: &mut DMatrix<f64>) {
        out.fill(0.0);
        let mut wanted = wanted.iter().enumerate().peekable();
        for (rows, placed) in self.each() {
            let mut unit = [0.0; 6];
            while let Some((column, row)) = wanted.next_if(|(_, row)| **row < rows.end) {
                let k = row - rows.start;
                unit[k] = 1.0;
                placed.add_force(q, &unit[..placed.size()], out.column_mut(column).as_mut_slice());
                unit[k] = 0.0;
            }
        }
    }

    /// Gives the blocks of `∂(Zᵀ ℓ)/∂q` of every loaded port: two bodies and 36 numbers by columns. Of a point it is the
    /// derivative of `s × Rᵀ F + Rᵀ M` by the turn of its body.
    pub(super) fn stiffness(&self, q: &[f64], loads: &[f64], mut give: impl FnMut(usize, usize, &[f64])) {
        for (rows, placed) in self.each() {
            let own = &loads[rows];
            if own.iter().all(|load| *load == 0.0) {
                continue;
            }
            match placed {
                PlacedPort::Body { body: owner, port } => {
                    let into_body = body(q, &[], *owner).orientation.inverse();
                    let [force, moment] = port.load(own).map(|part| into_body * part);
                    let turning = port.arm().cross_matrix() * force.cross_matrix() + moment.cross_matrix();
                    give(*owner, *owner, &turning_block(&turning));
                }
                PlacedPort::Coordinate(coordinate) => coordinate.give_stiffness(q, own[0], &mut give),
            }
        }
    }

    /// Positions of the rows; those of the turns are the rotation `θ` by which the body has come from `start`, given by the
    /// increment of the step, in world axes.
    pub(crate) fn positions(
        &self,
        system: &SpatialSystem,
        q: &[f64],
        Increment { start, by }: Increment<'_>,
        out: &mut [f64],
    ) {
        for (rows, placed) in self.each() {
            match placed {
                PlacedPort::Body { body: owner, port } => {
                    let turn = by.get(6 * owner + 3..6 * owner + 6).map_or_else(Vector3::zeros, |theta| {
                        body(start, &[], *owner).orientation * Vector3::new(theta[0], theta[1], theta[2])
                    });
                    port.write(&body(q, &[], *owner).point(port.arm()), &turn, &mut out[rows]);
                }
                PlacedPort::Coordinate(coordinate) => {
                    out[rows.start] = system.coordinate_value(coordinate, q);
                }
            }
        }
    }

    /// Velocities of the rows.
    pub(crate) fn velocities(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for (rows, placed) in self.each() {
            match placed {
                PlacedPort::Body { body: owner, port } => {
                    let state = body(q, v, *owner);
                    let velocity = state.point_velocity(port.arm());
                    port.write(&velocity, &state.angular_velocity_in_world(), &mut out[rows]);
                }
                PlacedPort::Coordinate(coordinate) => out[rows.start] = coordinate.rate(q, v),
            }
        }
    }

    /// Change of the velocities of the rows with the increment `dq` of the position and the change `dv` of the velocity.
    pub(super) fn velocity_changes(&self, state: State<'_>, change: StateChange<'_>, out: &mut [f64]) {
        for (rows, placed) in self.each() {
            match placed {
                PlacedPort::Body { body: owner, port } => {
                    write_change(
                        &body(state.q, state.v, *owner),
                        port,
                        [change.dq, change.dv].map(|x| &x[6 * owner..]),
                        &mut out[rows],
                    );
                }
                PlacedPort::Coordinate(coordinate) => {
                    out[rows.start] = coordinate.rate_change(state, change);
                }
            }
        }
    }

    /// Orientations of the frames.
    pub(crate) fn orientations(&self, q: &[f64], out: &mut Vec<UnitQuaternion<f64>>) {
        out.clear();
        out.extend(self.ports.iter().filter_map(|placed| match placed {
            PlacedPort::Body { body: owner, port } => {
                port.orientation().map(|orientation| body(q, &[], *owner).orientation * orientation)
            }
            PlacedPort::Coordinate(_) => None,
        }));
    }
}

/// Writes the change of the velocities of a body's port with the changes `dq`, `dv` of its body.
fn write_change(state: &BodyState, port: &BodyPort, [dq, dv]: [&[f64]; 2], out: &mut [f64]) {
    let s = port.arm();
    let vector = |x: &[f64], k: usize| Vector3::new(x[k], x[k + 1], x[k + 2]);
    let (turn, spin) = (vector(dq, 3), vector(dv, 3));
    let omega = &state.angular_velocity;
    let of_arm = turn.cross(&omega.cross(s)) + spin.cross(s);
    let of_point = vector(dv, 0) + state.orientation * of_arm;
    port.write(&of_point, &(state.orientation * (turn.cross(omega) + spin)), out);
}

/// The 6 × 6 block of a matrix for turns, by columns.
fn turning_block(turning: &Matrix3<f64>) -> [f64; 36] {
    let mut block = [0.0; 36];
    turning.iter().enumerate().for_each(|(k, x)| block[6 * (3 + k / 3) + 3 + k % 3] = *x);
    block
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
