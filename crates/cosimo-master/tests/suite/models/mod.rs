//! Small coupled models for the master's own tests.
#![allow(dead_code, reason = "each test file uses some of the models")]
#![expect(clippy::unwrap_used, reason = "tests")]

pub(crate) mod chains;
pub(crate) mod network;
pub(crate) mod tampered;
pub(crate) mod witness;

use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, StepRule, Theta};
use cosimo_multibody::planar::{Body, Pin, PlanarModel, Point};
use cosimo_native::{MechanismBuilder, PlanarBuilder, PlanarPort};
use cosimo_subsystem::Subsystem;
use nalgebra::dmatrix;

/// A point mass (kg) on a line under gravity, 10 m/s², with one port.
pub(crate) fn mass(name: &str, mass: f64, height: f64, rule: Box<dyn StepRule>) -> Box<dyn Subsystem> {
    Box::new(builder(name, mass, height, rule).build().unwrap())
}

/// A point mass (kg) without gravity, with one port.
pub(crate) fn floating_mass(name: &str, mass: f64, height: f64) -> Box<dyn Subsystem> {
    let builder = MechanismBuilder::new(name, LinearSystem::new(dmatrix![mass]).unwrap());
    let port = LinearRows(vec![LinearRow::coordinate(0)]);
    let builder = builder.with_ports(&[("end", 1)], port);
    Box::new(builder.with_initial_state(vec![height], vec![0.0]).build().unwrap())
}

/// A point mass under gravity with a floor at zero, restitution 0.8.
pub(crate) fn bouncing_mass(name: &str, mass: f64, height: f64) -> Box<dyn Subsystem> {
    let floor = LinearRows(vec![LinearRow::coordinate(0)]);
    let builder = builder(name, mass, height, Box::new(Theta::default()));
    Box::new(builder.with_contacts(&[("floor", 0.8)], floor).build().unwrap())
}

fn builder(name: &str, mass: f64, height: f64, rule: Box<dyn StepRule>) -> MechanismBuilder {
    let system = LinearSystem::new(dmatrix![mass]).unwrap().with_force(vec![-10.0 * mass]).unwrap();
    MechanismBuilder::new(name, system)
        .with_rule(rule)
        .with_ports(&[("end", 1)], LinearRows(vec![LinearRow::coordinate(0)]))
        .with_initial_state(vec![height], vec![0.0])
        .with_coordinate_quantities(&["z".to_owned()])
}

/// A rod hinged at its end, horizontal at the start, with a port near the hinge.
pub(crate) fn rod(name: &str) -> Box<dyn Subsystem> {
    let model = PlanarModel::new([0.0, -10.0])
        .with_body(Body::new("rod", 67.5, 316.406_25).with_pose([3.75, 0.0], 0.0))
        .with_pin(Pin::new("hinge", Point::on("rod", [-3.75, 0.0]), Point::ground([0.0, 0.0])))
        .build()
        .unwrap();
    let builder = PlanarBuilder::new(name, model);
    let tip = Point::on("rod", [-3.45, 0.0]);
    Box::new(builder.with_port("end", PlanarPort::along(tip.clone(), [0.0, 1.0])).build().unwrap())
}
