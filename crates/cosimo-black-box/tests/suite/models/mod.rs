//! Small subsystems that hide what they know.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, StepRule, Theta};
use cosimo_multibody::planar::{Body, Pin, PlanarModel, Point};
use cosimo_multibody::spatial::{Body as SpatialBody, JointKind, RigidBody, SpatialModel};
use cosimo_native::{
    Mechanism, MechanismBuilder, Multibody, MultibodyBuilder, MultibodyPort, Planar, PlanarBuilder,
    PlanarPort,
};
use cosimo_subsystem::conformance::Hidden;
use cosimo_subsystem::{MacroStep, Subsystem};
use nalgebra::DMatrix;

pub(crate) const STEP: MacroStep = MacroStep { time: 0.0, size: 1e-3 };

/// A chain of `n` masses of 1 kg on springs of 1e4 N/m, each mass a port, without damping.
pub(crate) fn chain(n: usize) -> Mechanism {
    chain_by(n, Box::new(Theta::default()))
}

/// The same by another rule.
pub(crate) fn chain_by(n: usize, rule: Box<dyn StepRule>) -> Mechanism {
    let stiffness = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => 2e4,
        1 => -1e4,
        _ => 0.0,
    });
    let system = LinearSystem::new(DMatrix::identity(n, n)).unwrap().with_stiffness(stiffness).unwrap();
    let names: Vec<String> = (0..n).map(|i| format!("q{i}")).collect();
    let ports: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 1)).collect();
    let rows = LinearRows((0..n).map(LinearRow::coordinate).collect());
    MechanismBuilder::new("chain", system)
        .with_rule(rule)
        .with_ports(&ports, rows)
        .with_initial_state((0..n).map(|i| 1e-3 * i as f64).collect::<Vec<_>>(), vec![0.1; n])
        .build()
        .unwrap()
}

/// A chain that does not report its inverse mass.
pub(crate) fn secret_chain(n: usize) -> Hidden<Mechanism> {
    Hidden::new(chain(n)).without_inverse_mass()
}

/// A hinged rod with a vertical port at its tip: its inverse mass depends on the angle.
pub(crate) fn pendulum() -> Planar {
    hinged_rod(|rod, tip| rod.with_port("tip", PlanarPort::along(tip.clone(), [0.0, 1.0])))
}

/// The same with all coordinates of the tip, of which one hardly moves while the rod is level.
pub(crate) fn level_rod() -> Planar {
    hinged_rod(|rod, tip| rod.with_port("tip", PlanarPort::point(tip.clone())))
}

fn hinged_rod(with_port: impl Fn(PlanarBuilder, &Point) -> PlanarBuilder) -> Planar {
    let model = PlanarModel::new([0.0, -10.0])
        .with_body(Body::new("rod", 2.0, 0.3).with_pose([0.5, 0.0], 0.0))
        .with_pin(Pin::new("hinge", Point::on("rod", [-0.5, 0.0]), Point::ground([0.0, 0.0])))
        .build()
        .unwrap();
    let rod = with_port(PlanarBuilder::new("pendulum", model), &Point::on("rod", [0.5, 0.0]));
    rod.build().unwrap()
}

/// A level rod in space on a hinge, by the solver of multibody systems: two of the three coordinates of its tip are held.
pub(crate) fn held_rod() -> Multibody {
    hinged_arm(MultibodyPort::point("rod", [0.5, 0.0, 0.0]))
}

/// The same with a frame at its tip: five of its six coordinates are held or follow the one.
pub(crate) fn hinged_frame() -> Multibody {
    hinged_arm(MultibodyPort::frame("rod", [0.5, 0.0, 0.0]))
}

fn hinged_arm(tip: MultibodyPort) -> Multibody {
    let rod = RigidBody::new(2.0, nalgebra::Matrix3::from_diagonal(&[0.01, 0.2, 0.2].into())).unwrap();
    let system = SpatialModel::new()
        .with_gravity([0.0, 0.0, -9.81])
        .with_body(SpatialBody::new("rod", rod).with_position([0.5, 0.0, 0.0]))
        .with_joint_at("hinge", JointKind::Revolute, [None, Some("rod")], ([0.0; 3], [0.0, 1.0, 0.0]))
        .build()
        .unwrap();
    MultibodyBuilder::new("arm", system).with_port("tip", tip).build().unwrap()
}

/// Inverse mass of a step.
pub(crate) fn inverse_mass(subsystem: &mut dyn Subsystem, step: MacroStep) -> DMatrix<f64> {
    let loads = vec![0.0; subsystem.description().rows()];
    subsystem.begin(step, &loads).unwrap().inverse_mass.to_dense()
}
