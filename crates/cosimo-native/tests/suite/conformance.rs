//! Every mechanism, with every rule, keeps the contract.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_dynamics::{GeneralizedAlpha, Multistep};
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, StepRule, Theta};
use cosimo_mechanics::ContactLaw;
use cosimo_multibody::planar::{Body, Pin, PlanarModel, PlaneContact, Point};
use cosimo_multibody::spatial::{BodyState, RigidBody};
use cosimo_native::{
    BodyPort, FreeBody, FreeBodyBuilder, Mechanism, MechanismBuilder, Planar, PlanarBuilder, PlanarPort,
    PointMassBuilder, PointMassPort,
};
use cosimo_nonsmooth::{MovingPlane, PlaneMotion};
use cosimo_smooth::dae::Method;
use cosimo_subsystem::conformance::Conformance;
use nalgebra::{DMatrix, Matrix3, UnitQuaternion, Vector3};

type MakeRule = fn() -> Box<dyn StepRule>;

fn rules() -> Vec<(MakeRule, f64)> {
    // The last number: energy that the rule may create or dissipate, relative to the energy exchanged.
    vec![
        (|| Box::new(Theta::default()), 1e-9),
        (|| Box::new(Theta::new(1.0).unwrap()), 0.5),
        (|| Box::new(Multistep::new(0.6).unwrap()), 0.1),
        (|| Box::new(Multistep::backward_differentiation(1).unwrap()), 0.5),
        (|| Box::new(GeneralizedAlpha::new(0.8).unwrap()), 0.1),
        (|| Box::new(GeneralizedAlpha::hht(-0.1).unwrap()), 0.1),
        (|| Box::new(GeneralizedAlpha::newmark(0.8).unwrap()), 0.5),
    ]
}

/// Three masses, springs, dampers, a constraint, two ports and a contact.
fn linear(rule: Box<dyn StepRule>) -> Mechanism {
    let stiffness =
        DMatrix::from_row_slice(3, 3, &[300.0, -100.0, 0.0, -100.0, 250.0, -150.0, 0.0, -150.0, 150.0]);
    let system =
        LinearSystem::new(DMatrix::from_diagonal(&nalgebra::DVector::from_column_slice(&[1.0, 2.0, 0.5])))
            .unwrap()
            .with_damping(&stiffness * 1e-3)
            .unwrap()
            .with_stiffness(stiffness)
            .unwrap()
            .with_force(vec![0.0, -10.0, 1.0])
            .unwrap();
    MechanismBuilder::new("linear", system)
        .with_rule(rule)
        .with_ports(
            &[("end", 1), ("all", 3)],
            LinearRows(
                std::iter::once(LinearRow::coordinate(0)).chain((0..3).map(LinearRow::coordinate)).collect(),
            ),
        )
        .with_contacts(&[("stop", 0.5)], LinearRows(vec![LinearRow::dense(&[0.0, 1.0, 1.0], -1.0)]))
        .with_initial_state(vec![0.1, 0.0, -0.1], vec![0.0, 1.0, 0.0])
        .with_coordinate_quantities(&["a".to_owned(), "b".to_owned(), "c".to_owned()])
        .build()
        .unwrap()
}

fn constrained(rule: Box<dyn StepRule>) -> Mechanism {
    let system = LinearSystem::new(DMatrix::from_diagonal_element(3, 3, 2.0))
        .unwrap()
        .with_stiffness(DMatrix::from_diagonal_element(3, 3, 80.0))
        .unwrap()
        .with_constraint(LinearRow::dense(&[1.0, -1.0, 0.0], 0.25));
    MechanismBuilder::new("constrained", system)
        .with_rule(rule)
        .with_ports(&[("end", 1)], LinearRows(vec![LinearRow::coordinate(1)]))
        .with_initial_state(vec![0.25, 0.0, 0.1], vec![0.0, 0.0, 1.0])
        .build()
        .unwrap()
}

fn node(rule: Box<dyn StepRule>) -> Mechanism {
    let floor = PlaneMotion {
        velocity: Vector3::new(0.0, 0.0, 0.2),
        ..PlaneMotion::at_rest(Vector3::zeros(), Vector3::z())
    };
    PointMassBuilder::new("node", 0.7)
        .with_gravity(Vector3::new(0.0, 1.0, -10.0))
        .with_initial_state(Vector3::new(0.0, 0.3, 1.0), Vector3::new(1.0, 0.0, 0.0))
        .with_port("centre", PointMassPort::Centre)
        .with_plane(MovingPlane { name: "floor".into(), motion: floor, law: ContactLaw::frictionless(0.8) })
        .with_rule(rule)
        .build()
        .unwrap()
}

/// A sphere that turns, over a moving floor with friction and in front of a wall without.
fn rolling(rule: Box<dyn StepRule>) -> Mechanism {
    let at_rest = PlaneMotion::at_rest(Vector3::zeros(), Vector3::z());
    let floor = PlaneMotion { velocity: Vector3::new(0.4, 0.0, 0.2), ..at_rest };
    let wall = PlaneMotion::at_rest(Vector3::new(3.0, 0.0, 0.0), Vector3::new(-1.0, 0.1, 0.0));
    let plane = |name: &str, motion, law| MovingPlane { name: name.into(), motion, law };
    PointMassBuilder::new("rolling", 0.7)
        .with_radius(0.1)
        .with_spin(3e-3, Vector3::new(1.0, -2.0, 0.5))
        .with_gravity(Vector3::new(0.0, 1.0, -10.0))
        .with_initial_state(Vector3::new(0.0, 0.3, 1.0), Vector3::new(1.0, 0.0, 0.0))
        .with_port("centre", PointMassPort::Centre)
        .with_plane(plane("floor", floor, ContactLaw::with_friction(0.8, 0.3)))
        .with_plane(plane("wall", wall, ContactLaw::frictionless(0.5)))
        .with_rule(rule)
        .build()
        .unwrap()
}

/// A hinged rod over a stop with friction.
fn pendulum(method: Method) -> Planar {
    let model = PlanarModel::new([0.0, -10.0])
        .with_body(Body::new("rod", 2.0, 0.3).with_pose([0.5, 0.0], 0.0))
        .with_pin(Pin::new("hinge", Point::on("rod", [-0.5, 0.0]), Point::ground([0.0, 0.0])))
        .build()
        .unwrap();
    let stop = PlaneContact {
        name: "stop".into(),
        point: Point::on("rod", [0.4, 0.1]),
        plane: [0.0, -2.0],
        normal: [0.0, 1.0],
    };
    PlanarBuilder::new("pendulum", model)
        .with_method(method)
        .with_port("tip", PlanarPort::along(Point::on("rod", [0.5, 0.0]), [0.0, 1.0]))
        .with_contact(stop, ContactLaw::with_friction(0.5, 0.3))
        .build()
        .unwrap()
}

#[test]
fn linear_mechanisms_keep_the_contract_with_every_rule() {
    for (rule, ledger) in rules() {
        for make in [linear, constrained] {
            Conformance::new(|| make(rule())).ledger_tolerance(ledger).check().assert_passed();
        }
    }
}

#[test]
fn nodes_keep_the_contract_with_every_rule() {
    for (rule, ledger) in rules() {
        for make in [node, rolling] {
            Conformance::new(|| make(rule())).ledger_tolerance(ledger).check().assert_passed();
        }
    }
}

#[test]
fn planar_systems_keep_the_contract_with_every_rule() {
    for (method, ledger) in [
        (Method::Midpoint, 1e-4),
        (Method::Theta { theta: 1.0 }, 0.5),
        (Method::Multistep { spectral_radius: 0.6 }, 0.1),
        (Method::GeneralizedAlpha { spectral_radius: 0.8 }, 0.1),
    ] {
        let conformance = Conformance::new(|| pendulum(method)).derivative_tolerance(1e-5);
        conformance.ledger_tolerance(ledger).check().assert_passed();
    }
}

/// A body that tumbles, with a port of every size.
fn free_body() -> FreeBody {
    let inertia = Matrix3::new(2.0, 0.2, -0.1, 0.2, 3.0, 0.3, -0.1, 0.3, 4.0);
    let body = RigidBody::new(1.5, inertia).unwrap().with_gravity(Vector3::new(0.0, 1.0, -9.0));
    let turned = |x: f64, y: f64, z: f64| UnitQuaternion::from_scaled_axis(Vector3::new(x, y, z));
    FreeBodyBuilder::new("body", body)
        .with_initial_state(BodyState {
            position: Vector3::new(0.1, -0.2, 0.3),
            orientation: turned(0.4, 1.1, -0.3),
            velocity: Vector3::new(1.0, 2.0, 0.5),
            angular_velocity: Vector3::new(0.7, 5.0, -0.4),
        })
        .with_port("tip", BodyPort::Point { arm: Vector3::new(0.3, 0.2, -0.1) })
        .with_port(
            "hub",
            BodyPort::Frame { arm: Vector3::new(-0.5, 0.1, 0.2), orientation: turned(1.0, 0.0, 0.5) },
        )
        .with_port("side", BodyPort::Along { arm: Vector3::x(), direction: Vector3::new(0.0, 3.0, 4.0) })
        .with_port("centre", BodyPort::Frame { arm: Vector3::zeros(), orientation: turned(0.0, 0.0, 0.0) })
        .build()
        .unwrap()
}

#[test]
fn free_bodies_conform() {
    Conformance::new(free_body).check().assert_passed();
    // Steps in which the body turns by a tenth of a radian.
    Conformance::new(free_body).step(0.02).check().assert_passed();
}
