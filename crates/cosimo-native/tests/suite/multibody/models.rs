//! Multibody systems with ports of one, three and six coordinates.

use std::sync::Arc;

use cosimo_mechanics::{ContactLaw, TimeFunction};
use cosimo_multibody::spatial::{
    Bearing, Body, Contact, ContactShape, Force, ForceKind, Frame, Gear, GearMesh, JointKind, PenaltyLaw,
    RigidBody, Rope, ScalarFunction, Sensor, SensorKind, SpatialModel, Transfer,
};
use cosimo_native::{MultibodyBuilder, MultibodyPort};
use nalgebra::{Matrix3, Matrix6, UnitQuaternion, Vector3};

const Y: [f64; 3] = [0.0, 1.0, 0.0];

fn diagonal(x: f64, y: f64, z: f64) -> Matrix3<f64> {
    Matrix3::from_diagonal(&Vector3::new(x, y, z))
}

/// A rod from one point to another in the plane of `x` and `z`, its first axis along it.
fn rod(name: &str, mass: f64, from: [f64; 2], to: [f64; 2]) -> Body {
    let displacement = [to[0] - from[0], to[1] - from[1]];
    let length = displacement[0].hypot(displacement[1]);
    let across = mass * length * length / 12.0;
    let turn = UnitQuaternion::from_scaled_axis(Vector3::y() * -displacement[1].atan2(displacement[0]));
    Body::new(name, RigidBody::new(mass, diagonal(0.1 * across, across, across)).unwrap())
        .with_position([0.5 * (from[0] + to[0]), 0.0, 0.5 * (from[1] + to[1])])
        .with_orientation(turn)
}

/// A rod of 1 m hinged at the origin, which falls from 30° below the horizontal.
pub(crate) fn pendulum() -> MultibodyBuilder {
    let system = SpatialModel::new()
        .with_gravity([0.0, 0.0, -9.81])
        .with_body(rod("rod", 2.0, [0.0, 0.0], [0.75_f64.sqrt(), -0.5]))
        .with_joint_at("hinge", JointKind::Revolute, [None, Some("rod")], ([0.0; 3], Y))
        .build()
        .unwrap();
    MultibodyBuilder::new("pendulum", system)
        .with_port("tip", MultibodyPort::point("rod", [0.5, 0.0, 0.0]))
        .with_port("middle", MultibodyPort::along("rod", [0.1, 0.05, 0.0], [1.0, 0.0, 2.0]))
}

/// Two rods that swing in space on spherical joints; ports are the angle between them, the height of the second one's tip in
/// the first one's axes, the distance of a point from the ground, and a tip.
pub(crate) fn elbow() -> MultibodyBuilder {
    let model = SpatialModel::new()
        .with_gravity([0.0, 0.0, -9.81])
        .with_body(rod("upper", 2.0, [0.0, 0.0], [0.8, -0.3]).with_velocity([0.0; 3], [0.2, 0.0, 0.1]))
        .with_body(rod("lower", 1.0, [0.8, -0.3], [1.4, 0.2]))
        .with_joint_at("shoulder", JointKind::Spherical, [None, Some("upper")], ([0.0; 3], Y))
        .with_joint_at("elbow", JointKind::Spherical, [Some("upper"), Some("lower")], ([0.8, 0.0, -0.3], Y));
    let [first, second] = ["upper", "lower"].map(|body| model.frame_at(Some(body), [0.8, 0.0, -0.3], Y));
    let tip = model.frame_at(Some("lower"), [1.4, 0.1, 0.2], Y);
    let anchor = Frame::ground([0.5, -1.0, 1.0]);
    let system = model
        .with_sensor(Sensor::new("bend", SensorKind::Angle, first.clone(), second))
        .with_sensor(Sensor::new("height", SensorKind::Displacement, first, tip.clone()))
        .with_sensor(Sensor::new("rope", SensorKind::Distance, anchor, tip))
        .build()
        .unwrap();
    MultibodyBuilder::new("arm", system)
        .with_port("bend", MultibodyPort::sensor("bend"))
        .with_port("height", MultibodyPort::sensor("height"))
        .with_port("rope", MultibodyPort::sensor("rope"))
        .with_port("tip", MultibodyPort::point("lower", [0.3, 0.0, 0.0]))
}

/// The same rod at rest along `x`.
pub(crate) fn horizontal_rod() -> MultibodyBuilder {
    let system = SpatialModel::new()
        .with_gravity([0.0, 0.0, -9.81])
        .with_body(rod("rod", 2.0, [0.0, 0.0], [1.0, 0.0]))
        .with_joint_at("hinge", JointKind::Revolute, [None, Some("rod")], ([0.0; 3], Y))
        .build()
        .unwrap();
    MultibodyBuilder::new("rod", system)
}

/// The same rod with a damper on its hinge, pushed by a moment of 0.5 N m.
pub(crate) fn damped_rod() -> MultibodyBuilder {
    let damper = ForceKind::TorsionSpring { stiffness: 0.0, damping: 0.8, free_angle: 0.0 };
    let push = ForceKind::AboutAxis(ScalarFunction(Arc::new(|_, _, _| [0.5, 0.0, 0.0])));
    let model = SpatialModel::new()
        .with_gravity([0.0, 0.0, -9.81])
        .with_body(rod("rod", 2.0, [0.0, 0.0], [1.0, 0.0]))
        .with_joint_at("hinge", JointKind::Revolute, [None, Some("rod")], ([0.0; 3], Y));
    let ends = [model.frame_at(None, [0.0; 3], Y), model.frame_at(Some("rod"), [0.0; 3], Y)];
    let [first, second] = ends;
    let model = model.with_force(Force::new("damper", damper, first.clone(), second.clone()));
    MultibodyBuilder::new("rod", model.with_force(Force::new("push", push, first, second)).build().unwrap())
}

/// Four bars of revolutes in space, three of whose rows are redundant, moving; a frame on the coupler.
pub(crate) fn four_bar() -> MultibodyBuilder {
    let mut model = SpatialModel::new()
        .with_gravity([0.0, 0.0, -9.81])
        .with_body(
            rod("crank", 1.0, [0.0, 0.0], [0.1, 0.5]).with_velocity([0.25, 0.0, -0.05], [0.0, 1.0, 0.0]),
        )
        .with_body(rod("coupler", 2.0, [0.1, 0.5], [1.2, 0.8]))
        .with_body(rod("rocker", 1.5, [1.0, 0.0], [1.2, 0.8]));
    for (name, bodies, point) in [
        ("a", [None, Some("crank")], [0.0, 0.0, 0.0]),
        ("b", [Some("crank"), Some("coupler")], [0.1, 0.0, 0.5]),
        ("c", [Some("coupler"), Some("rocker")], [1.2, 0.0, 0.8]),
        ("d", [None, Some("rocker")], [1.0, 0.0, 0.0]),
    ] {
        model = model.with_joint_at(name, JointKind::Revolute, bodies, (point, Y));
    }
    MultibodyBuilder::new("four-bar", model.build().unwrap())
        .with_port("frame", MultibodyPort::frame("coupler", [0.0, 0.0, 0.0]))
        .with_port("crank", MultibodyPort::along("crank", [0.1, 0.0, 0.0], [1.0, 0.0, 0.0]))
}

/// A body of any inertia and offset centre of mass that tumbles, without joints, with a frame and a point.
pub(crate) fn free_body() -> MultibodyBuilder {
    let body = RigidBody::new(2.0, diagonal(0.05, 0.12, 0.15)).unwrap();
    let body = Body::new("body", body)
        .with_centre_of_mass([0.1, 0.05, -0.02])
        .with_position([1.0, 2.0, 3.0])
        .with_orientation(UnitQuaternion::from_scaled_axis(Vector3::new(0.4, -0.3, 0.9)))
        .with_velocity([0.3, 0.2, 1.0], [2.0, 0.1, -3.0]);
    let system = SpatialModel::new().with_gravity([0.0, 0.0, -9.81]).with_body(body).build().unwrap();
    let tip = MultibodyPort::Frame {
        body: "body".to_owned(),
        point: Vector3::new(0.3, -0.2, 0.1),
        orientation: UnitQuaternion::from_scaled_axis(Vector3::new(-0.2, 0.5, 0.1)),
    };
    MultibodyBuilder::new("free body", system)
        .with_port("tip", tip)
        .with_port("corner", MultibodyPort::point("body", [0.0, 0.3, 0.0]))
}

/// A chain of `count` links of 0.1 m along a bent curve, on spherical joints.
pub(crate) fn chain(count: usize) -> MultibodyBuilder {
    let mut model = SpatialModel::new().with_gravity([0.0, 0.0, -9.81]);
    let (mut points, mut angle) = (vec![[0.0, 0.0]], 0.5_f64);
    for k in 0..count {
        let [x, z] = points[k];
        points.push([x + 0.1 * angle.cos(), z + 0.1 * angle.sin()]);
        model = model.with_body(rod(&format!("link {k}"), 0.1, points[k], points[k + 1]));
        angle -= 0.7 * (1.0 + k as f64).sin();
    }
    for k in 0..count {
        let (before, own) = (k.checked_sub(1).map(|b| format!("link {b}")), format!("link {k}"));
        let bodies = [before.as_deref(), Some(own.as_str())];
        let at = ([points[k][0], 0.0, points[k][1]], Y);
        model = model.with_joint_at(format!("joint {k}"), JointKind::Spherical, bodies, at);
    }
    let last = format!("link {}", count - 1);
    MultibodyBuilder::new("chain", model.build().unwrap())
        .with_port("end", MultibodyPort::point(last, [0.05, 0.0, 0.0]))
        .with_port("middle", MultibodyPort::frame(format!("link {}", count / 2), [0.0, 0.01, 0.0]))
}

/// All forces: two bodies with springs, dampers, a bushing, a penalty contact that is closed, and a prescribed angle.
pub(crate) fn sprung() -> MultibodyBuilder {
    let spring = ForceKind::Spring { stiffness: 400.0, damping: 3.0, free_length: 0.7, preload: 1.0 };
    let torsion = ForceKind::TorsionSpring { stiffness: 5.0, damping: 0.2, free_angle: 0.1 };
    let bushing = ForceKind::Bushing {
        stiffness: Box::new(Matrix6::from_diagonal_element(300.0)),
        damping: Box::new(Matrix6::from_diagonal_element(2.0)),
    };
    let law = PenaltyLaw::HuntCrossley { stiffness: 1e4, exponent: 1.5, restitution: 0.6 };
    let angle = TimeFunction::Harmonic { mean: 0.0, amplitude: 0.3, frequency: 12.5, phase: 0.0 };
    let model = SpatialModel::new()
        .with_gravity([0.0, 0.0, -9.81])
        .with_body(rod("crank", 1.0, [0.0, 0.0], [0.5, 0.0]))
        .with_body(rod("arm", 2.0, [0.5, 0.0], [1.3, 0.1]).with_velocity([0.0, 0.0, 0.0], [0.1, 0.0, 0.2]))
        .with_body(rod("ball", 0.5, [1.0, 0.45], [1.2, 0.45]).with_velocity([0.0, 0.1, -1.0], [0.0; 3]));
    let hinge = model.frame_at(None, [0.0; 3], Y);
    let on_crank = model.frame_at(Some("crank"), [0.0; 3], Y);
    let drive = cosimo_multibody::spatial::Joint::new(
        "drive",
        JointKind::Angle(angle),
        hinge.clone(),
        on_crank.clone(),
    );
    let system = model
        .with_joint_at("hinge", JointKind::Revolute, [None, Some("crank")], ([0.0; 3], Y))
        .with_joint(drive)
        .with_force(Force::new(
            "spring",
            spring,
            Frame::ground([1.0, 0.3, 0.7]),
            Frame::on("arm", [0.2, 0.0, 0.0]),
        ))
        .with_force(Force::new("torsion", torsion, hinge, on_crank))
        .with_force(Force::new(
            "bushing",
            bushing,
            Frame::on("crank", [0.25, 0.0, 0.0]),
            Frame::on("arm", [-0.4, 0.0, 0.0]),
        ))
        .with_force(Force::new(
            "contact",
            ForceKind::SphereSphere { radii: [0.2, 0.2], law },
            Frame::on("arm", [0.2, 0.0, 0.0]),
            Frame::on("ball", [0.0; 3]),
        ))
        .build()
        .unwrap();
    MultibodyBuilder::new("sprung", system)
        .with_port("arm", MultibodyPort::frame("arm", [0.4, 0.0, 0.0]))
        .with_port("ball", MultibodyPort::along("ball", [0.0; 3], [0.0, 0.0, 1.0]))
}

/// Two rods on a hinge that does not hold their turn, with every contact: a foot and a heel on the ground, a ball on a plane of the other rod, two balls, and stops of the
/// angle and of a distance; and ports besides.
pub(crate) fn touching() -> MultibodyBuilder {
    let model = SpatialModel::new()
        .with_gravity([1.0, 0.0, -9.81])
        .with_body(rod("upper", 2.0, [0.0, 0.6], [0.8, 0.4]).with_velocity([0.2, 0.1, -0.4], [0.2, 0.0, 0.3]))
        .with_body(rod("lower", 1.0, [0.8, 0.4], [1.4, 0.2]))
        .with_joint_at("elbow", JointKind::Spherical, [Some("upper"), Some("lower")], ([0.8, 0.0, 0.4], Y));
    let [first, second] = ["upper", "lower"].map(|body| model.frame_at(Some(body), [0.8, 0.0, 0.4], Y));
    let (ground, tip) = (Frame::ground([0.0; 3]), model.frame_at(Some("lower"), [1.4, 0.1, 0.2], Y));
    let shell = model.frame_at(Some("upper"), [0.3, 0.1, 0.5], [0.0, 0.3, 1.0]);
    let plane = |radius| ContactShape::SpherePlane { radius };
    let balls = ContactShape::SphereSphere { radii: [0.2, 0.1] };
    let system = model
        .with_sensor(Sensor::new("bend", SensorKind::Angle, first, second))
        .with_sensor(Sensor::new("rope", SensorKind::Distance, Frame::ground([0.5, -1.0, 1.0]), tip.clone()))
        .with_contact(Contact::new("foot", plane(0.1), ground.clone(), Frame::on("upper", [-0.4, 0.0, 0.0])))
        .with_contact(Contact::new("heel", plane(0.05), ground, tip.clone()))
        .with_contact(Contact::new("lid", plane(0.02), shell.clone(), tip.clone()))
        .with_contact(Contact::new("balls", balls, shell, tip))
        .with_contact(Contact::upper_stop("bent", "bend", 0.8))
        .with_contact(Contact::upper_stop("taut", "rope", 2.0))
        .build()
        .unwrap();
    MultibodyBuilder::new("arm", system)
        .with_port("end", MultibodyPort::frame("lower", [0.3, 0.0, 0.0]))
        .with_port("bend", MultibodyPort::sensor("bend"))
        .with_contact("foot", ContactLaw::with_friction(0.3, 0.5))
        .with_contact("bent", ContactLaw::frictionless(0.5))
        .with_contact("heel", ContactLaw::frictionless(0.0))
        .with_contact("lid", ContactLaw::with_friction(0.0, 0.2))
        .with_contact("balls", ContactLaw::with_friction(0.8, 0.1))
        .with_contact("taut", ContactLaw::frictionless(1.0))
}

/// Nine balls that nothing joins, which turn about points beside their centres, on a floor, beside a wall and each other.
pub(crate) fn cloud() -> MultibodyBuilder {
    let (floor, wall) = (
        Frame::ground([0.0; 3]),
        Frame::ground([-0.3, 0.0, 0.0]).with_orientation(turned_to([1.0, 0.0, 0.0])),
    );
    let ball = |k: usize| {
        let (x, y, part) = (0.5 * (k % 3) as f64, 0.5 * (k / 3) as f64, k as f64);
        let inertia = Matrix3::from_diagonal(&Vector3::new(0.010, 0.012 + 1e-3 * part, 0.015));
        Body::new(format!("b{k}"), RigidBody::new(1.0 + 0.1 * part, inertia).unwrap())
            .with_centre_of_mass([0.01 * part.sin(), 0.02, 0.0])
            .with_position([x, y, 0.3 + 0.05 * part.cos()])
            .with_velocity([part.sin(), 0.3 * part.cos(), -0.5], [1.0, part.cos(), 2.0 * part.sin()])
    };
    let on = |k: usize| Frame::on(format!("b{k}"), [0.0; 3]);
    let mut contacts = Vec::new();
    for k in 0..9 {
        let plane = ContactShape::SpherePlane { radius: 0.2 };
        contacts.push((format!("f{k}"), plane.clone(), floor.clone(), on(k), 0.3));
        if k % 3 == 0 {
            contacts.push((format!("w{k}"), plane, wall.clone(), on(k), 0.0));
        }
        let after = [(k % 3 < 2).then_some(k + 1), (k < 6).then_some(k + 3)];
        for other in after.into_iter().flatten() {
            let balls = ContactShape::SphereSphere { radii: [0.2, 0.2] };
            contacts.push((format!("b{k}_{other}"), balls, on(k), on(other), 0.4));
        }
    }
    let model =
        (0..9).fold(SpatialModel::new().with_gravity([0.0, 0.1, -9.81]), |model, k| model.with_body(ball(k)));
    let add = |model: SpatialModel,
               (name, shape, first, second, _): &(String, ContactShape, Frame, Frame, f64)| {
        model.with_contact(Contact::new(name, shape.clone(), first.clone(), second.clone()))
    };
    let system = contacts.iter().fold(model, add).build().unwrap();
    contacts.iter().fold(MultibodyBuilder::new("cloud", system), |builder, (name, .., friction)| {
        builder.with_contact(name, ContactLaw::with_friction(0.5, *friction))
    })
}

/// The rotation that brings `z` to this direction.
fn turned_to(z: [f64; 3]) -> UnitQuaternion<f64> {
    UnitQuaternion::rotation_between(&Vector3::z(), &Vector3::from(z)).unwrap()
}

/// A wheel of 0.3 kg m² on a hinge about `z` at this place along `x` (m), with a sensor of its angle.
fn wheel(model: SpatialModel, name: &str, x: f64, spin: f64) -> SpatialModel {
    let properties = RigidBody::new(1.0, Matrix3::from_diagonal_element(0.3)).unwrap();
    let body =
        Body::new(name, properties).with_position([x, 0.0, 0.0]).with_velocity([0.0; 3], [0.0, 0.0, spin]);
    let (point, axis) = ([x, 0.0, 0.0], [0.0, 0.0, 1.0]);
    let sensor = Sensor::new(name, SensorKind::Angle, Frame::ground(point), Frame::on(name, [0.0; 3]));
    model
        .with_body(body)
        .with_joint_at(name, JointKind::Revolute, [None, Some(name)], (point, axis))
        .with_sensor(sensor)
}

/// Three wheels with an exact gear and one with losses, a follower on a cam, a weight on a rope, and a rotor in a bearing.
pub(super) fn geared() -> MultibodyBuilder {
    let lift = TimeFunction::Harmonic { mean: 0.0, amplitude: 0.05, frequency: 1.0, phase: 0.0 };
    let model = [("a", 0.0, 2.0), ("b", 1.0, -1.0), ("c", 2.0, -2.0)]
        .into_iter()
        .fold(SpatialModel::new().with_gravity([0.0, -3.0, -9.81]), |model, (name, x, spin)| {
            wheel(model, name, x, spin)
        });
    let body =
        |name: &str| Body::new(name, RigidBody::new(2.0, Matrix3::from_diagonal_element(0.2)).unwrap());
    let ground = |x: f64| Frame::ground([x, 0.0, 0.0]);
    let on = |name: &str| Frame::on(name, [0.0; 3]);
    let mesh = GearMesh {
        coordinates: [SensorKind::Angle; 2],
        turns: [0, 0],
        ratio: 2.0,
        offset: 0.0,
        efficiency: 0.9,
        stiffness: 2e3,
        damping: 3.0,
        slip_speed: 0.1,
    };
    let stiffness = Matrix3::new(900.0, 200.0, 0.0, -200.0, 900.0, 0.0, 0.0, 0.0, 900.0);
    let film = Bearing::new(stiffness, Matrix3::identity() * 5.0);
    let rope = Rope { length: 1.9, stiffness: 400.0, damping: 2.0 };
    let over = vec![Frame::ground([-1.0, 0.0, 2.0]), on("weight"), Frame::on("rotor", [0.0, 0.1, 0.0])];
    let system = model
        .with_body(body("follower").with_velocity([0.0, 0.0, 0.1], [0.0; 3]))
        .with_body(body("weight").with_position([-1.0, 0.0, 1.0]))
        .with_body(body("rotor").with_position([0.0, 0.01, 1.0]).with_velocity([0.0; 3], [0.0, 0.0, 5.0]))
        .with_joint_at("guide", JointKind::Prismatic, [None, Some("follower")], ([0.0; 3], [0.0, 0.0, 1.0]))
        .with_sensor(Sensor::new("lift", SensorKind::Displacement, ground(0.0), on("follower")))
        .with_gear(Gear::new("stage", ["a", "b"], -0.5))
        .with_gear(Gear::new("cam", ["a", "lift"], 1.0).with_transfer(Transfer::Curve(lift)))
        .with_element("mesh", vec![ground(1.0), on("b"), ground(2.0), on("c")], mesh)
        .with_element("rope", over, rope)
        .with_force(Force::new("film", ForceKind::Bearing(film), Frame::ground([0.0, 0.0, 1.0]), on("rotor")))
        .build()
        .unwrap();
    MultibodyBuilder::new("geared", system)
        .with_port("wheel", MultibodyPort::sensor("b"))
        .with_port("weight", MultibodyPort::point("weight", [0.0; 3]))
}
