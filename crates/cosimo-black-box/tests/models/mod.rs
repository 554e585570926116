//! Small subsystems that hide what they know.
#![allow(dead_code, reason = "each test file uses some of the models")]
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, Theta};
use cosimo_multibody::planar::{Body, Pin, PlanarModel, Point, PointRows};
use cosimo_native::{Mechanism, MechanismBuilder};
use cosimo_subsystem::conformance::Hidden;
use cosimo_subsystem::{MacroStep, Subsystem};
use nalgebra::DMatrix;

pub(crate) const STEP: MacroStep = MacroStep { time: 0.0, size: 1e-3 };

/// A chain of `n` masses of 1 kg on springs of 1e4 N/m, each mass a port, without damping.
pub(crate) fn chain(n: usize) -> Mechanism {
    let stiffness = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => 2e4,
        1 => -1e4,
        _ => 0.0,
    });
    let system = LinearSystem::new(DMatrix::identity(n, n)).unwrap().with_stiffness(stiffness).unwrap();
    let names: Vec<String> = (0..n).map(|i| format!("q{i}")).collect();
    let ports: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 1)).collect();
    let rows = LinearRows((0..n).map(LinearRow::coordinate).collect());
    MechanismBuilder::new("chain", Box::new(system), Box::new(Theta::default()))
        .with_ports(&ports, Box::new(rows))
        .with_initial_state(0.0, (0..n).map(|i| 1e-3 * i as f64).collect(), vec![0.1; n])
        .build()
        .unwrap()
}

/// A chain that does not tell its compliance.
pub(crate) fn secret_chain(n: usize) -> Hidden<Mechanism> {
    Hidden::new(chain(n)).without_compliance()
}

/// A hinged rod with a vertical port at its tip: its compliance depends on the angle.
pub(crate) fn pendulum() -> Mechanism {
    let model = PlanarModel::new([0.0, -10.0])
        .with_body(Body::new("rod", 2.0, 0.3).at([0.5, 0.0], 0.0))
        .with_pin(Pin::new("hinge", Point::on("rod", [-0.5, 0.0]), Point::ground([0.0, 0.0])))
        .build()
        .unwrap();
    let port = PointRows::along(&model, &Point::on("rod", [0.5, 0.0]), [0.0, 1.0]).unwrap();
    let (q, v) = (model.initial_position().to_vec(), model.initial_velocity().to_vec());
    MechanismBuilder::new("pendulum", Box::new(model), Box::new(Theta::default()))
        .with_ports(&[("tip", 1)], Box::new(port))
        .with_initial_state(0.0, q, v)
        .build()
        .unwrap()
}

/// Compliance of a step.
pub(crate) fn compliance(subsystem: &mut dyn Subsystem, step: MacroStep) -> DMatrix<f64> {
    let loads = vec![0.0; subsystem.description().rows()];
    subsystem.begin(step, &loads).unwrap().compliance.clone()
}
