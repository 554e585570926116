//! Two bodies, and what they are together.

use cosimo_master::{Interface, InterfaceLaw, Master, MasterConfig};
use cosimo_multibody::spatial::{BodyState, RigidBody};
use cosimo_native::{BodyPort, FreeBodyBuilder};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// A body with its state at the start and the arm of its port (m).
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) body: RigidBody,
    pub(crate) start: BodyState,
    pub(crate) arm: Vector3<f64>,
}

pub(crate) fn turned(x: f64, y: f64, z: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(Vector3::new(x, y, z))
}

/// Two bodies of different inertia, turned against each other, that move as one with these velocities of the point where
/// their ports meet.
pub(crate) fn pair(velocity: Vector3<f64>, spin: Vector3<f64>) -> [Part; 2] {
    let inertias = [
        Matrix3::new(2.0, 0.2, -0.1, 0.2, 3.0, 0.3, -0.1, 0.3, 4.0),
        Matrix3::new(0.5, -0.05, 0.0, -0.05, 0.7, 0.1, 0.0, 0.1, 0.4),
    ];
    let arms = [Vector3::new(0.4, -0.3, 0.5), Vector3::new(-0.2, 0.6, 0.1)];
    let orientations = [turned(0.4, 1.1, -0.3), turned(-1.0, 0.3, 2.0)];
    let joint = Vector3::new(0.1, 0.2, -0.3);
    let part = |i: usize| {
        let arm = orientations[i] * arms[i];
        let start = BodyState {
            position: joint - arm,
            orientation: orientations[i],
            velocity: velocity - spin.cross(&arm),
            angular_velocity: orientations[i].inverse() * spin,
        };
        let mass = [3.0, 1.2][i];
        Part { body: RigidBody::new(mass, inertias[i]).unwrap(), start, arm: arms[i] }
    };
    [part(0), part(1)]
}

/// The rotation of body a seen from body b, as an offset of a joint of frames.
pub(crate) fn offset(parts: &[Part; 2]) -> Vec<f64> {
    let relative = parts[1].start.orientation.inverse() * parts[0].start.orientation;
    [0.0; 3].iter().chain(relative.scaled_axis().iter()).copied().collect()
}

/// The coupled bodies, with ports of six coordinates (`hub`) and of three (`pin`).
pub(crate) fn couple(
    parts: &[Part; 2],
    port: &str,
    (law, offset): (InterfaceLaw, Vec<f64>),
    config: MasterConfig,
) -> Master {
    let build = |part: &Part, name: &str| {
        let identity = UnitQuaternion::identity();
        let body = FreeBodyBuilder::new(name, part.body.clone())
            .with_initial_state(part.start)
            .with_port("hub", BodyPort::Frame { arm: part.arm, orientation: identity })
            .with_port("pin", BodyPort::Point { arm: part.arm })
            .build();
        Box::new(body.unwrap()) as _
    };
    let interface =
        Interface::new("joint", format!("a.{port}"), format!("b.{port}"), law).with_offset(offset);
    Master::new(vec![build(&parts[0], "a"), build(&parts[1], "b")], vec![interface], config, 0.0).unwrap()
}

/// State of body `name`, from the quantities that the master shows.
pub(crate) fn state(master: &Master, name: &str) -> BodyState {
    let labels = master.labels();
    let mut values = vec![0.0; labels.len()];
    master.observe(&mut values).unwrap();
    let first = labels.iter().position(|label| label.owner == name && label.name == "x").unwrap();
    let vector = |k: usize| Vector3::new(values[first + k], values[first + k + 1], values[first + k + 2]);
    let q =
        nalgebra::Quaternion::new(values[first + 3], values[first + 4], values[first + 5], values[first + 6]);
    let orientation = UnitQuaternion::new_unchecked(q);
    BodyState {
        position: vector(0),
        orientation,
        velocity: vector(7),
        angular_velocity: orientation.inverse() * vector(10),
    }
}

/// Momentum, angular momentum about the origin, and kinetic energy of both bodies.
pub(crate) fn totals(parts: &[Part; 2], states: [BodyState; 2]) -> (Vector3<f64>, Vector3<f64>, f64) {
    let mut sums = (Vector3::zeros(), Vector3::zeros(), 0.0);
    for (part, state) in parts.iter().zip(states) {
        let momentum = part.body.momentum(&state);
        sums.0 += momentum;
        sums.1 += part.body.angular_momentum(&state) + state.position.cross(&momentum);
        sums.2 += part.body.kinetic_energy(&state);
    }
    sums
}
