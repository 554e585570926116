//! A step allocates nothing after the first one.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::models::{bouncing_mass, mass, rod};
use allocation_counter::measure;
use cosimo_dynamics::Multistep;
use cosimo_dynamics::Theta;
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
use cosimo_master::{
    Acceleration, Impacts, InitialState, Interface, InterfaceLaw, LoadTangents, Master, MasterConfig,
    NoObserver, Scheme, StepControl,
};
use cosimo_mechanics::ContactLaw;
use cosimo_multibody::spatial::{Body, Force, ForceKind, JointKind, PenaltyLaw, RigidBody, SpatialModel};
use cosimo_native::{
    ForceElement, MechanismBuilder, MultibodyBuilder, MultibodyPort, PointMassBuilder, PointMassPort,
    QuadraticDrag,
};
use cosimo_nonsmooth::{MovingPlane, PlaneMotion};
use cosimo_smooth::dae::Method;
use cosimo_subsystem::Subsystem;
use nalgebra::{DMatrix, Matrix3, Vector3};

fn assert_silent(name: &str, mut master: Master, steps: usize, h: f64) {
    // The matrices of impacts are made where the first one happens.
    while master.time() < 0.3 {
        master.step(h).unwrap();
    }
    let info = measure(|| {
        for _ in 0..steps {
            master.step(h).unwrap();
        }
    });
    assert_eq!(info.count_total, 0, "{name}");
}

/// The same of a model with friction whose every step keeps the energy balance: contacts and dampers put nothing in, and the
/// step creates no more than this (J).
fn assert_silent_and_balanced(name: &str, make: impl Fn() -> Master, (steps, h): (usize, f64), created: f64) {
    assert_silent(name, make(), steps, h);
    let mut master = make();
    let mut before = master.energy();
    for step in 0..steps {
        master.step(h).unwrap();
        let after = master.energy();
        let round_off = 1e-12 * (1.0 + after.end.abs() + after.external.abs() + after.contact.abs());
        let dissipated = after.dissipated - before.dissipated;
        let work = (after.contact - before.contact) + (after.external - before.external) - dissipated;
        let made = after.end - before.end - work;
        assert!(made.abs() <= created + round_off, "{name}, step {step}: {made:e} J created");
        assert!(
            after.contact <= before.contact + round_off && dissipated >= -round_off,
            "{name}, step {step}"
        );
        before = after;
    }
    assert!(master.energy().contact < -1e-3, "{name}: {:?}", master.energy());
}

fn joined(law: InterfaceLaw, config: MasterConfig) -> Master {
    let subsystems =
        vec![bouncing_mass("node", 0.5, 0.05), mass("body", 2.0, 0.05, Box::new(Theta::default()))];
    Master::new(subsystems, vec![Interface::new("joint", "node.end", "body.end", law)], config, 0.0).unwrap()
}

#[test]
fn a_bouncing_ball_allocates_nothing() {
    let master =
        Master::new(vec![bouncing_mass("ball", 1.0, 0.05)], vec![], MasterConfig::default(), 0.0).unwrap();
    assert_silent("ball", master, 2000, 1e-3);
}

#[test]
fn coupled_masses_with_impacts_allocate_nothing() {
    let config = MasterConfig::default;
    assert_silent("rigid", joined(InterfaceLaw::Rigid, config()), 2000, 1e-3);
    assert_silent("spring", joined(InterfaceLaw::spring(1e3, 2.0, 1), config()), 2000, 1e-3);
    assert_silent("tikhonov", joined(InterfaceLaw::Tikhonov { constant: 1e-12 }, config()), 2000, 1e-3);
    let subsystems = vec![
        bouncing_mass("node", 1.0, 0.05),
        mass("body", 1.0, 0.05, Box::new(Multistep::new(0.6).unwrap())),
    ];
    let spring = Interface::new("joint", "node.end", "body.end", InterfaceLaw::spring(1e3, 0.0, 1));
    assert_silent("multistep", Master::new(subsystems, vec![spring], config(), 0.0).unwrap(), 2000, 1e-3);
}

/// A sphere in space above a floor, which may turn about its point.
fn node(turning: f64) -> Box<dyn Subsystem> {
    node_with(turning, ContactLaw::frictionless(0.8))
}

/// The same with this law on its floor.
fn node_with(turning: f64, law: ContactLaw) -> Box<dyn Subsystem> {
    let at_rest = PlaneMotion::at_rest(Vector3::zeros(), Vector3::z());
    let motion = PlaneMotion { angular_velocity: turning * Vector3::x(), ..at_rest };
    let floor = MovingPlane { name: "floor".to_owned(), motion, law };
    let node = PointMassBuilder::new("node", 1.0)
        .with_gravity(Vector3::new(0.5, 0.0, -10.0))
        .with_initial_state(Vector3::new(0.0, 0.0, 0.05), Vector3::zeros())
        .with_port("top", PointMassPort::Along(Vector3::z()))
        .with_plane(floor);
    Box::new(node.build().unwrap())
}

/// Equal masses on springs, all at 0.05 m with 1 m/s towards the floor that the first of them meets.
fn chain(count: usize) -> Box<dyn Subsystem> {
    let stiffness = DMatrix::from_fn(count, count, |i, j| match i.abs_diff(j) {
        0 if i == 0 || i == count - 1 => 1e4,
        0 => 2e4,
        1 => -1e4,
        _ => 0.0,
    });
    let system =
        LinearSystem::new(DMatrix::identity(count, count)).unwrap().with_stiffness(stiffness).unwrap();
    let coordinate = |i: usize| LinearRows(vec![LinearRow::coordinate(i)]);
    let builder = MechanismBuilder::new("chain", system)
        .with_ports(&[("end", 1)], coordinate(count - 1))
        .with_contacts(&[("wall", 0.8)], coordinate(0))
        .with_initial_state(vec![0.05; count], vec![-1.0; count]);
    Box::new(builder.build().unwrap())
}

#[test]
fn nodes_and_chains_allocate_nothing() {
    let alone = |subsystem| Master::new(vec![subsystem], vec![], MasterConfig::default(), 0.0).unwrap();
    let joined = |first: Box<dyn Subsystem>, port: &str, law: InterfaceLaw| {
        let other = mass("body", 1.0, 0.05, Box::new(Theta::default()));
        let joint = Interface::new("joint", port, "body.end", law);
        let config = MasterConfig { initial_state: InitialState::Project, ..MasterConfig::default() };
        Master::new(vec![first, other], vec![joint], config, 0.0).unwrap()
    };
    assert_silent("node", alone(node(0.0)), 2000, 1e-3);
    assert_silent("node on a turning plane", alone(node(0.1)), 500, 1e-3);
    let rough = ContactLaw::with_friction(0.8, 0.03);
    let balanced = |name, make: &dyn Fn() -> Master, steps| {
        assert_silent_and_balanced(name, make, (steps, 1e-3), 0.0);
    };
    balanced("node with friction", &|| alone(node_with(0.0, rough)), 2000);
    balanced("node with friction on a turning plane", &|| alone(node_with(0.1, rough)), 500);
    let rigid = || joined(node_with(0.0, rough), "node.top", InterfaceLaw::Rigid);
    balanced("node with friction, rigid", &rigid, 2000);
    assert_silent("node, rigid", joined(node(0.0), "node.top", InterfaceLaw::Rigid), 2000, 1e-3);
    assert_silent(
        "node, spring",
        joined(node(0.0), "node.top", InterfaceLaw::spring(1e3, 2.0, 1)),
        2000,
        1e-3,
    );
    let mut master = alone(chain(100));
    assert!(master.run(0.1, 1e-3, &mut NoObserver).unwrap().impacts > 2, "the chain does not meet its wall");
    assert_silent("chain of 100", alone(chain(100)), 2000, 1e-3);
    assert_silent("chain of 100, rigid", joined(chain(100), "chain.end", InterfaceLaw::Rigid), 1000, 1e-3);
}

#[test]
fn iterative_schemes_allocate_nothing() {
    let accelerations = [
        Acceleration::None,
        Acceleration::Relaxation { factor: 0.9 },
        Acceleration::Aitken { first: 0.5 },
        Acceleration::IqnIls { reuse: 3, filter: 1e-3 },
    ];
    for scheme in [Scheme::GaussSeidel, Scheme::Jacobi] {
        for acceleration in accelerations {
            let impacts = Impacts::PLAIN;
            let config = || MasterConfig { scheme, acceleration, impacts, ..MasterConfig::default() };
            let name = format!("{scheme:?} {acceleration:?}");
            assert_silent(&name, joined(InterfaceLaw::spring(1e3, 0.0, 1), config()), 1000, 1e-3);
            assert_silent(&format!("{name}, nonlinear"), node_and_rod(config()), 300, 1e-3);
            assert_silent(&format!("{name}, many"), row_of_masses(config()), 300, 1e-3);
        }
    }
}

fn node_and_rod(config: MasterConfig) -> Master {
    let spring = InterfaceLaw::spring(1e4, 10.0, 1);
    let joint = Interface::new("joint", "node.end", "rod.end", spring);
    Master::new(vec![bouncing_mass("node", 1.0, 0.001), rod("rod")], vec![joint], config, 0.0).unwrap()
}

/// Bouncing masses, every other one on a spring to the next: more unknowns than secants of one step.
fn row_of_masses(config: MasterConfig) -> Master {
    let (mut subsystems, mut joints) = (Vec::new(), Vec::new());
    for i in 0..8 {
        subsystems.push(bouncing_mass(&format!("a{i}"), 1.0, 0.01 * f64::from(i)));
        subsystems.push(mass(&format!("b{i}"), 2.0, 0.01 * f64::from(i), Box::new(Theta::default())));
        let (spring, [a, b]) = (InterfaceLaw::spring(1e4, 1.0, 1), ["a", "b"].map(|s| format!("{s}{i}.end")));
        joints.push(Interface::new(format!("j{i}"), &a, &b, spring));
    }
    Master::new(subsystems, joints, config, 0.0).unwrap()
}

#[test]
fn a_nonlinear_model_with_impacts_allocates_nothing() {
    let joint = Interface::new("joint", "node.end", "rod.end", InterfaceLaw::Rigid);
    let subsystems = vec![bouncing_mass("node", 1.0, 0.0), rod("rod")];
    let master = Master::new(subsystems, vec![joint], MasterConfig::default(), 0.0).unwrap();
    assert_silent("nonlinear", master, 500, 1e-3);
}

/// Allocations of a run to this time (s) with steps chosen by their error.
fn allocations_of_run(end: f64, subsystems: Vec<Box<dyn Subsystem>>, law: InterfaceLaw) -> u64 {
    let config =
        MasterConfig { step_control: StepControl::Error, error_tolerance: 1e-7, ..MasterConfig::default() };
    let port = format!("{}.end", subsystems[1].description().name);
    let joint = Interface::new("joint", "node.end", &port, law);
    let mut master = Master::new(subsystems, vec![joint], config, 0.0).unwrap();
    let mut refused = 0;
    let info = measure(|| refused = master.run(end, 0.02, &mut NoObserver).unwrap().step_sizes.refused);
    assert!(refused > 0);
    info.count_total
}

/// Once the sizes have been met, a longer run allocates no more than a shorter one.
#[test]
fn steps_chosen_by_their_error_allocate_nothing() {
    let masses =
        || vec![bouncing_mass("node", 0.5, 0.05), mass("body", 2.0, 0.05, Box::new(Theta::default()))];
    for law in [InterfaceLaw::Rigid, InterfaceLaw::spring(1e3, 2.0, 1)] {
        let [short, long] = [1.0, 3.0].map(|end| allocations_of_run(end, masses(), law.clone()));
        assert_eq!(short, long, "{law:?}");
    }
    let rods = || vec![bouncing_mass("node", 1.0, 0.0), rod("rod")];
    let [short, long] = [0.2, 0.5].map(|end| allocations_of_run(end, rods(), InterfaceLaw::Rigid));
    assert_eq!(short, long, "nonlinear");
}

/// A hinged rod of a multibody system, rigidly joined to a node that bounces, or alone with two ports.
fn hinged(method: Method) -> Box<dyn Subsystem> {
    let across = Matrix3::from_diagonal(&Vector3::new(0.01, 0.2, 0.2));
    let rod = Body::new("rod", RigidBody::new(2.0, across).unwrap()).with_position([0.5, 0.0, 0.05]);
    let law = PenaltyLaw::Flores { stiffness: 1e4, exponent: 1.5, restitution: 0.7 };
    let lower = ForceKind::Stop { limit: 1.0, is_upper: true, law };
    let model = SpatialModel::new().with_gravity([0.0, 0.0, -10.0]).with_body(rod);
    let y = [0.0, 1.0, 0.0];
    let frames = [None, Some("rod")].map(|body| model.frame_at(body, [0.0, 0.0, 0.05], y));
    let [first, second] = frames;
    let system = model
        .with_joint_at("hinge", JointKind::Revolute, [None, Some("rod")], ([0.0, 0.0, 0.05], y))
        .with_force(Force::new("stop", lower, first, second))
        .build()
        .unwrap();
    let rod = MultibodyBuilder::new("rod", system)
        .with_method(method)
        .with_port("end", MultibodyPort::along("rod", [0.5, 0.0, 0.0], [0.0, 0.0, 1.0]))
        .with_port("frame", MultibodyPort::frame("rod", [0.2, 0.0, 0.0]));
    Box::new(rod.build().unwrap())
}

#[test]
fn a_multibody_system_allocates_nothing() {
    for method in [
        Method::Midpoint,
        Method::GeneralizedAlpha { spectral_radius: 0.8 },
        Method::Multistep { spectral_radius: 0.6 },
    ] {
        let master = Master::new(vec![hinged(method)], vec![], MasterConfig::default(), 0.0).unwrap();
        assert_silent("alone", master, 1000, 1e-3);
    }
    let joint = Interface::new("joint", "node.top", "rod.end", InterfaceLaw::Rigid);
    let subsystems = vec![node(0.0), hinged(Method::Midpoint)];
    let master = Master::new(subsystems, vec![joint], MasterConfig::default(), 0.0).unwrap();
    assert_silent("joined to a node", master, 2000, 1e-3);
}

/// A chain of balls above a floor, joined by springs.
fn balls_in_a_chain(count: usize) -> (Vec<Box<dyn Subsystem>>, Vec<Interface>) {
    let ball = |k: usize| -> Box<dyn Subsystem> {
        let floor = MovingPlane {
            name: "floor".to_owned(),
            motion: PlaneMotion::at_rest(Vector3::zeros(), Vector3::z()),
            law: ContactLaw::frictionless(0.5),
        };
        let node = PointMassBuilder::new(format!("b{k}"), 1.0)
            .with_initial_state(Vector3::z(), Vector3::zeros())
            .with_port("left", PointMassPort::Along(Vector3::x()))
            .with_port("right", PointMassPort::Along(Vector3::x()))
            .with_plane(floor);
        Box::new(node.build().unwrap())
    };
    let spring = |k: usize| {
        let [left, right] = [format!("b{k}.right"), format!("b{}.left", k + 1)];
        Interface::new(format!("s{k}"), &left, &right, InterfaceLaw::spring(1e3, 0.0, 1))
    };
    ((0..count).map(ball).collect(), (0..count - 1).map(spring).collect())
}

/// The matrices of the contacts of joined subsystems, which grow with the square of their number, are those of a run. What a built
/// model has of the kind is room for some contacts that are closed at once, and one square of
/// the interface.
#[test]
fn building_a_model_takes_no_memory_for_the_matrices_of_contacts() {
    let count = 800;
    let (balls, springs) = balls_in_a_chain(count);
    let mut master = None;
    let info = measure(|| {
        master = Some(Master::new(balls, springs, MasterConfig::default(), 0.0).unwrap());
    });
    let square = (8 * count * count) as u64;
    assert!(info.bytes_max < 2 * square, "{} bytes, one square is {square}", info.bytes_max);
}

#[test]
fn load_ports_allocate_nothing() {
    for load_tangents in [LoadTangents::Always, LoadTangents::Never] {
        let stone = PointMassBuilder::new("stone", 1.0)
            .with_gravity(Vector3::new(0.0, 0.0, -10.0))
            .with_port("centre", PointMassPort::Centre);
        let drag = ForceElement::new("air", QuadraticDrag { coefficient: 0.1, size: 3 });
        let subsystems: Vec<Box<dyn Subsystem>> = vec![Box::new(stone.build().unwrap()), Box::new(drag)];
        let load = Interface::new("drag", "stone.centre", "air.body", InterfaceLaw::Load);
        let config = MasterConfig { load_tangents, ..MasterConfig::default() };
        let master = Master::new(subsystems, vec![load], config, 0.0).unwrap();
        assert_silent("drag", master, 2000, 1e-3);
    }
}
