//! Systems whose motion is known in one or two coordinates, in a plane and in space, and step rules.

use cosimo_dynamics::{GeneralizedAlpha, Multistep};
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, StepRule, Theta};
use cosimo_mechanics::ContactLaw;
use cosimo_multibody::planar::{self, Pin, PlanarModel, Point, SpringDamper};
use cosimo_multibody::spatial::{
    self, ContactShape, Force, ForceKind, Frame, JointKind, RigidBody, SpatialModel,
};
use cosimo_native::{
    MechanismBuilder, Multibody, MultibodyBuilder, MultibodyPort, PlanarBuilder, PlanarPort,
};
use cosimo_smooth::dae::Method;
use cosimo_subsystem::Subsystem;
use nalgebra::{DMatrix, DVector, Matrix3};

const X: [f64; 3] = [1.0, 0.0, 0.0];

/// Every rule that takes ports.
pub(super) const RULES: [Method; 12] = [
    Method::Midpoint,
    Method::Theta { theta: 0.75 },
    Method::ImplicitEuler,
    Method::Multistep { spectral_radius: 0.0 },
    Method::Multistep { spectral_radius: 0.6 },
    Method::Multistep { spectral_radius: 1.0 },
    Method::GeneralizedAlpha { spectral_radius: 0.0 },
    Method::GeneralizedAlpha { spectral_radius: 0.3 },
    Method::GeneralizedAlpha { spectral_radius: 0.8 },
    Method::Hht { alpha: -0.2 },
    Method::Newmark { gamma: 0.5 },
    Method::Newmark { gamma: 0.6 },
];

/// Rules of constrained systems with those of linear ones.
pub(super) type Twin = (Method, fn() -> Box<dyn StepRule>);
pub(super) const TWINS: [Twin; 6] = [
    (Method::Midpoint, || Box::new(Theta::default())),
    (Method::Theta { theta: 0.75 }, || Box::new(Theta::new(0.75).unwrap())),
    (Method::ImplicitEuler, || Box::new(Theta::new(1.0).unwrap())),
    (Method::Multistep { spectral_radius: 0.6 }, || Box::new(Multistep::new(0.6).unwrap())),
    (Method::GeneralizedAlpha { spectral_radius: 0.0 }, || Box::new(GeneralizedAlpha::new(0.0).unwrap())),
    (Method::GeneralizedAlpha { spectral_radius: 0.8 }, || Box::new(GeneralizedAlpha::new(0.8).unwrap())),
];

/// Mass (kg) that moves freely along `x`, and its speed at the start (m/s).
pub(super) const MASS: f64 = 2.5;
const SPEED: f64 = 0.3;

/// Builds a subsystem whose steps follow a rule.
pub(super) type Build = fn(Method) -> Box<dyn Subsystem>;

/// The mass in a plane, without joints, and in space, on a rail.
pub(super) const MASSES: [Build; 2] = [
    |method| {
        let body =
            planar::Body::new("mass", MASS, 0.4).with_pose([0.1, 0.0], 0.0).with_velocity([SPEED, 0.0], 0.0);
        let system = PlanarModel::new([0.0; 2]).with_body(body).build().unwrap();
        let builder = PlanarBuilder::new("mass", system).with_method(method);
        let builder = builder.with_port("x", PlanarPort::along(Point::on("mass", [0.0; 2]), [1.0, 0.0]));
        Box::new(builder.build().unwrap())
    },
    |method| {
        let body = spatial_body("mass", MASS, 0.1, SPEED);
        let system = SpatialModel::new()
            .with_body(body)
            .with_joint_at("rail", JointKind::Prismatic, [None, Some("mass")], ([0.0; 3], X))
            .build()
            .unwrap();
        let builder = MultibodyBuilder::new("mass", system).with_method(method);
        Box::new(builder.with_port("x", MultibodyPort::along("mass", [0.0; 3], X)).build().unwrap())
    },
];

fn spatial_body(name: &str, mass: f64, x: f64, speed: f64) -> spatial::Body {
    let body = RigidBody::new(mass, Matrix3::from_diagonal_element(0.4)).unwrap();
    spatial::Body::new(name, body).with_position([x, 0.0, 0.0]).with_velocity([speed, 0.0, 0.0], [0.0; 3])
}

/// Two masses in a row behind a wall, on springs of 1 m with dampers: masses (kg), stiffnesses (N/m), dampings (N s/m), displacements
/// (m) and speeds (m/s).
const CHAIN_MASSES: [f64; 2] = [1.5, 0.7];
const STIFFNESSES: [f64; 2] = [4e3, 9e3];
const DAMPINGS: [f64; 2] = [2.0, 3.0];
const DISPLACEMENTS: [f64; 2] = [0.01, -0.02];
const SPEEDS: [f64; 2] = [0.2, -0.1];

/// The chain as a linear system, with a port on each mass.
pub(super) fn linear_chain(rule: Box<dyn StepRule>) -> Box<dyn Subsystem> {
    let tied = |[first, second]: [f64; 2]| {
        DMatrix::from_row_slice(2, 2, &[first + second, -second, -second, second])
    };
    let mass = DMatrix::from_diagonal(&DVector::from_column_slice(&CHAIN_MASSES));
    let system = LinearSystem::new(mass).unwrap().with_stiffness(tied(STIFFNESSES)).unwrap();
    let system = system.with_damping(tied(DAMPINGS)).unwrap();
    let rows = LinearRows((0..2).map(LinearRow::coordinate).collect());
    let builder = MechanismBuilder::new("chain", system)
        .with_rule(rule)
        .with_ports(&[("a", 1), ("b", 1)], rows)
        .with_initial_state(DISPLACEMENTS.to_vec(), SPEEDS.to_vec());
    Box::new(builder.build().unwrap())
}

/// The chain in a plane and in space; rows stand at 1 m and 2 m where the springs are relaxed.
pub(super) const CHAINS: [fn(Method) -> Box<dyn Subsystem>; 2] = [
    |method| {
        let mut model = PlanarModel::new([0.0; 2]);
        let mut before = Point::ground([0.0; 2]);
        for (k, name) in ["a", "b"].into_iter().enumerate() {
            let body = planar::Body::new(name, CHAIN_MASSES[k], 0.1);
            let place = [1.0 + k as f64 + DISPLACEMENTS[k], 0.0];
            let own = Point::on(name, [0.0; 2]);
            let spring = SpringDamper {
                between: [before, own.clone()],
                stiffness: STIFFNESSES[k],
                damping: DAMPINGS[k],
                length: 1.0,
            };
            model = model
                .with_body(body.with_pose(place, 0.0).with_velocity([SPEEDS[k], 0.0], 0.0))
                .with_spring(spring);
            before = own;
        }
        let mut builder = PlanarBuilder::new("chain", model.build().unwrap()).with_method(method);
        for name in ["a", "b"] {
            builder = builder.with_port(name, PlanarPort::along(Point::on(name, [0.0; 2]), [1.0, 0.0]));
        }
        Box::new(builder.build().unwrap())
    },
    |method| {
        let mut model = SpatialModel::new();
        let mut before = Frame::ground([0.0; 3]);
        for (k, name) in ["a", "b"].into_iter().enumerate() {
            let body = spatial_body(name, CHAIN_MASSES[k], 1.0 + k as f64 + DISPLACEMENTS[k], SPEEDS[k]);
            let (stiffness, damping) = (STIFFNESSES[k], DAMPINGS[k]);
            let spring = ForceKind::Spring { stiffness, damping, free_length: 1.0, preload: 0.0 };
            let own = Frame::on(name, [0.0; 3]);
            let rail = format!("rail of {name}");
            model = model
                .with_body(body)
                .with_joint_at(&rail, JointKind::Prismatic, [None, Some(name)], ([0.0; 3], X))
                .with_force(Force::new(format!("spring to {name}"), spring, before, own.clone()));
            before = own;
        }
        let mut builder = MultibodyBuilder::new("chain", model.build().unwrap()).with_method(method);
        for name in ["a", "b"] {
            builder = builder.with_port(name, MultibodyPort::along(name, [0.0; 3], X));
        }
        Box::new(builder.build().unwrap())
    },
];

/// Weight (N) of a rod of 1 m that hangs at rest, and its inertia about the hinge (kg m²).
pub(super) const ROD_WEIGHT: f64 = 19.62;
pub(super) const ROD_INERTIA: f64 = 2.0 / 3.0;

/// The rod, in a plane and in space, with ports across and along it at its tip.
pub(super) const HANGING: [fn(Method) -> Box<dyn Subsystem>; 2] = [
    |method| {
        let system = PlanarModel::new([0.0, -9.81])
            .with_body(planar::Body::new("rod", 2.0, 2.0 / 12.0).with_pose([0.0, -0.5], 0.0))
            .with_pin(Pin::new("hinge", Point::on("rod", [0.0, 0.5]), Point::ground([0.0; 2])))
            .build()
            .unwrap();
        let tip = Point::on("rod", [0.0, -0.5]);
        let builder = PlanarBuilder::new("rod", system).with_method(method);
        let builder = builder.with_port("across", PlanarPort::along(tip.clone(), [1.0, 0.0]));
        Box::new(builder.with_port("along", PlanarPort::along(tip.clone(), [0.0, 1.0])).build().unwrap())
    },
    |method| {
        let body = RigidBody::new(2.0, Matrix3::from_diagonal_element(2.0 / 12.0)).unwrap();
        let system = SpatialModel::new()
            .with_gravity([0.0, 0.0, -9.81])
            .with_body(spatial::Body::new("rod", body).with_position([0.0, 0.0, -0.5]))
            .with_joint_at("hinge", JointKind::Revolute, [None, Some("rod")], ([0.0; 3], [0.0, 1.0, 0.0]))
            .build()
            .unwrap();
        let tip = |direction| MultibodyPort::along("rod", [0.0, 0.0, -0.5], direction);
        let builder = MultibodyBuilder::new("rod", system).with_method(method);
        let builder = builder.with_port("across", tip(X)).with_port("along", tip([0.0, 0.0, 1.0]));
        Box::new(builder.build().unwrap())
    },
];

/// A ball in space that turns about its axis z, above a floor with friction.
pub(super) fn turning_ball(method: Method) -> Multibody {
    let ball = RigidBody::new(MASS, Matrix3::from_diagonal_element(0.4)).unwrap();
    let ball = spatial::Body::new("ball", ball)
        .with_position([0.0, 0.0, 2.0])
        .with_velocity([0.0; 3], [0.0, 0.0, 7.0]);
    let floor = Frame::ground([0.0; 3]).with_axis([0.0, 0.0, 1.0]);
    let shape = ContactShape::SpherePlane { radius: 0.2 };
    let system = SpatialModel::new()
        .with_body(ball)
        .with_contact(spatial::Contact::new("floor", shape, floor, Frame::on("ball", [0.0; 3])))
        .build()
        .unwrap();
    let builder = MultibodyBuilder::new("ball", system).with_method(method);
    builder.with_contact("floor", ContactLaw::with_friction(0.5, 0.3)).build().unwrap()
}
