//! Rods, whole and cut.

use cosimo_master::{Interface, InterfaceLaw, Master, MasterConfig};
use cosimo_multibody::planar::{self, Pin, PlanarModel, Point};
use cosimo_multibody::spatial::{Body, JointKind, RigidBody, SpatialModel, SpatialSystem};
use cosimo_native::{MultibodyBuilder, MultibodyPort, PlanarBuilder, PlanarPort};
use cosimo_smooth::dae::Method;
use cosimo_subsystem::Subsystem;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

pub(crate) const GENERALIZED_ALPHA: Method = Method::GeneralizedAlpha { spectral_radius: 0.8 };
pub(crate) const MIDPOINT: Method = Method::Midpoint;
pub(crate) const MULTISTEP: Method = Method::Multistep { spectral_radius: 0.6 };

const Y: [f64; 3] = [0.0, 1.0, 0.0];

/// A rod of the mass 1 kg/m of its length along `x` from `from` to `to` (m), in a body of inertia that differs in all axes.
fn rod(name: &str, from: f64, to: f64) -> Body {
    let length = to - from;
    let across = length * length * length / 12.0;
    let inertia = Matrix3::from_diagonal(&Vector3::new(0.02 * length, across, across));
    Body::new(name, RigidBody::new(length, inertia).unwrap()).with_position([0.5 * (from + to), 0.0, 0.0])
}

fn model() -> SpatialModel {
    SpatialModel::new().with_gravity([0.0, 0.0, -9.81])
}

/// Spin of the upper and the lower rod of the double pendulum at the start (rad/s): it leaves the plane.
const SPINS: [[f64; 3]; 2] = [[0.0, 0.4, 0.0], [0.0, -0.5, 2.0]];

fn upper() -> Body {
    rod("upper", 0.0, 1.0).with_velocity([0.0, 0.0, -0.5 * SPINS[0][1]], SPINS[0])
}

fn lower() -> Body {
    let [_, wy, wz] = SPINS[1];
    rod("lower", 1.0, 1.6).with_velocity([0.0, 0.3 * wz, -SPINS[0][1] - 0.3 * wy], SPINS[1])
}

/// The double pendulum in one: a hinge about `y` and a spherical joint.
pub(crate) fn double_pendulum() -> SpatialSystem {
    let model = model().with_body(upper()).with_body(lower());
    let model = model.with_joint_at("hinge", JointKind::Revolute, [None, Some("upper")], ([0.0; 3], Y));
    let bodies = [Some("upper"), Some("lower")];
    model.with_joint_at("elbow", JointKind::Spherical, bodies, ([1.0, 0.0, 0.0], Y)).build().unwrap()
}

/// One of its rods.
pub(crate) fn part_of_double_pendulum(name: &str) -> SpatialSystem {
    match name {
        "upper" => {
            let model = model().with_body(upper());
            let bodies = [None, Some("upper")];
            model.with_joint_at("hinge", JointKind::Revolute, bodies, ([0.0; 3], Y)).build().unwrap()
        }
        _ => model().with_body(lower()).build().unwrap(),
    }
}

/// Spin of the whole rod (rad/s) on its universal joint.
const SPIN: [f64; 3] = [0.0, 0.7, 1.5];

fn swinging(name: &str, from: f64, to: f64) -> Body {
    let centre = 0.5 * (from + to);
    rod(name, from, to).with_velocity([0.0, centre * SPIN[2], -centre * SPIN[1]], SPIN)
}

/// A rod of 1.6 m on a spherical joint, cut at 1 m into bodies that are `Fixed` to each other.
pub(crate) fn whole_rod() -> SpatialSystem {
    let model = model().with_body(swinging("upper", 0.0, 1.0)).with_body(swinging("lower", 1.0, 1.6));
    let model = model.with_joint_at("ball", JointKind::Spherical, [None, Some("upper")], ([0.0; 3], Y));
    let bodies = [Some("upper"), Some("lower")];
    model.with_joint_at("weld", JointKind::Fixed, bodies, ([1.0, 0.0, 0.0], Y)).build().unwrap()
}

/// One of its parts.
pub(crate) fn part_of_rod(name: &str) -> SpatialSystem {
    match name {
        "upper" => {
            let model = model().with_body(swinging("upper", 0.0, 1.0));
            let bodies = [None, Some("upper")];
            model.with_joint_at("ball", JointKind::Spherical, bodies, ([0.0; 3], Y)).build().unwrap()
        }
        _ => model().with_body(swinging("lower", 1.0, 1.6)).build().unwrap(),
    }
}

/// A subsystem of this name with a port `cut` at 1 m.
pub(crate) fn part(
    name: &str,
    system: SpatialSystem,
    port: fn(&str, [f64; 3]) -> MultibodyPort,
    method: Method,
) -> Box<dyn Subsystem> {
    let at = 1.0 - system.bodies()[0].position.x;
    let builder = MultibodyBuilder::new(name, system).with_method(method);
    Box::new(builder.with_port("cut", port(name, [at, 0.0, 0.0])).build().unwrap())
}

/// Both parts, joined rigidly.
pub(crate) fn cut(
    part_of: fn(&str) -> SpatialSystem,
    port: fn(&str, [f64; 3]) -> MultibodyPort,
    methods: [Method; 2],
    config: MasterConfig,
) -> Master {
    let parts = ["upper", "lower"].map(|name| (name, part_of(name)));
    let subsystems =
        parts.into_iter().zip(methods).map(|((name, system), method)| part(name, system, port, method));
    let joint = Interface::new("joint", "upper.cut", "lower.cut", InterfaceLaw::Rigid);
    Master::new(subsystems.collect(), vec![joint], config, 0.0).unwrap()
}

/// A point on the body.
pub(crate) fn point(body: &str, at: [f64; 3]) -> MultibodyPort {
    MultibodyPort::point(body, at)
}

/// A frame on the body.
pub(crate) fn frame(body: &str, at: [f64; 3]) -> MultibodyPort {
    MultibodyPort::frame(body, at)
}

/// The hinged rod of the droop stop, 7.5 m and 67.5 kg, 60° above the horizontal, with the port `arm` 0.3 m from the hinge.
pub(crate) fn heavy_rod() -> Box<dyn Subsystem> {
    let inertia = Matrix3::from_diagonal(&Vector3::new(1.0, 316.406_25, 316.406_25));
    let turn = UnitQuaternion::from_scaled_axis(Vector3::y() * -std::f64::consts::FRAC_PI_3);
    let body = Body::new("rod", RigidBody::new(67.5, inertia).unwrap())
        .with_position(turn * Vector3::x() * 3.75)
        .with_orientation(turn);
    let system = SpatialModel::new()
        .with_gravity([0.0, 0.0, -10.0])
        .with_body(body)
        .with_joint_at("hinge", JointKind::Revolute, [None, Some("rod")], ([0.0; 3], Y))
        .build()
        .unwrap();
    let arm = MultibodyPort::along("rod", [-3.45, 0.0, 0.0], [0.0, 0.0, 1.0]);
    Box::new(MultibodyBuilder::new("rod", system).with_port("arm", arm).build().unwrap())
}

/// The same rod in the plane of `x` and `y`, by the trapezoidal θ-rule.
pub(crate) fn planar_rod() -> Box<dyn Subsystem> {
    let angle = std::f64::consts::FRAC_PI_3;
    let model = PlanarModel::new([0.0, -10.0])
        .with_body(
            planar::Body::new("rod", 67.5, 316.406_25)
                .with_pose([3.75 * angle.cos(), 3.75 * angle.sin()], angle),
        )
        .with_pin(Pin::new("hinge", Point::on("rod", [-3.75, 0.0]), Point::ground([0.0, 0.0])))
        .build()
        .unwrap();
    let rod = PlanarBuilder::new("rod", model);
    let rod = rod.with_port("arm", PlanarPort::along(Point::on("rod", [-3.45, 0.0]), [0.0, 1.0]));
    Box::new(rod.build().unwrap())
}
