//! A rotor in the air: a multibody system whose frames are joined to the load ports of its aerodynamics, against closed forms.
//!
//! The blade is that of the closed forms of helicopter textbooks: R 6 m, c 0.4 m, 10 kg/m, lift slope 5.73, hinged at the rotor axis,
//! at 36 rad/s in air of 1.225 kg/m³; Lock number 5.0539.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use cosimo::aerodynamics::RotorAerodynamics;
use cosimo::aerodynamics::inflow::InflowModel;
use cosimo::aerodynamics::spec::{AirfoilSpec, BladeSpec, RotorSpec};
use cosimo::master::{Interface, InterfaceLaw, Master, MasterConfig, NoObserver, RunReport};
use cosimo::multibody::spatial::{Body, JointKind, RigidBody, SpatialModel};
use cosimo::native::{Multibody, MultibodyBuilder, MultibodyPort};
use cosimo::subsystem::Subsystem;
use coupling_tests::fitted_order;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

const RADIUS: f64 = 6.0;
const CHORD: f64 = 0.4;
pub(crate) const SPEED: f64 = 36.0;
const SLOPE: f64 = 5.73;
const LOCK: f64 = 5.0539;
/// Radii of the frames along the blade (m).
pub(crate) const STATIONS: [f64; 4] = [0.0, 2.0, 4.0, 6.0];
/// Moment of inertia of the hub about the axis (kg m²).
pub(crate) const HUB: f64 = 500.0;

/// A hub that turns about the vertical with one uniform blade, flapped up by an angle; the hinge is rigid or free.
pub(crate) fn bodies(flap: f64, joint: JointKind, hub: f64) -> SpatialModel {
    let inertia = Matrix3::from_diagonal(&Vector3::new(1e-3, 180.0, 180.0));
    let turned = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), -flap);
    let centre = turned * Vector3::new(3.0, 0.0, 0.0);
    let spin = Vector3::z() * SPEED;
    let blade = Body::new("blade", RigidBody::new(60.0, inertia).unwrap())
        .with_position(centre)
        .with_orientation(turned)
        .with_velocity(spin.cross(&centre), spin);
    let axle = Body::new("hub", RigidBody::new(100.0, Matrix3::from_diagonal_element(hub)).unwrap())
        .with_velocity([0.0; 3], spin);
    SpatialModel::new()
        .with_body(axle)
        .with_body(blade)
        .with_joint_at("shaft", JointKind::Revolute, [None, Some("hub")], ([0.0; 3], [0.0, 0.0, 1.0]))
        .with_joint_at("flap", joint, [Some("hub"), Some("blade")], ([0.0; 3], [0.0, 1.0, 0.0]))
}

/// The same with ports on the hub and along the blade.
pub(crate) fn mechanism(flap: f64, joint: JointKind, hub: f64) -> Multibody {
    let system = bodies(flap, joint, hub).build().unwrap();
    let mut builder =
        MultibodyBuilder::new("rotor", system).with_port("hub", MultibodyPort::frame("hub", [0.0; 3]));
    for (k, radius) in STATIONS.iter().enumerate() {
        let port = MultibodyPort::frame("blade", [radius - 3.0, 0.0, 0.0]);
        builder = builder.with_port(format!("blade_{}", k + 1), port);
    }
    builder.build().unwrap()
}

/// The air on the blade.
pub(crate) fn air(airfoil: AirfoilSpec, inflow: InflowModel) -> RotorSpec {
    let blade = BladeSpec::straight(STATIONS.to_vec(), [0.0, RADIUS], CHORD, airfoil);
    RotorSpec { inflow, ..RotorSpec::new(1, blade, RADIUS, SPEED) }
}

/// The mechanism and its air, joined.
fn master(mechanism: Multibody, airfoil: AirfoilSpec, inflow: InflowModel) -> Master {
    joined(mechanism, &air(airfoil, inflow), MasterConfig::default())
}

/// The mechanism and this air, joined.
pub(crate) fn joined(mechanism: Multibody, spec: &RotorSpec, config: MasterConfig) -> Master {
    let air = RotorAerodynamics::new("air", spec).unwrap();
    let mut interfaces = vec![Interface::new("hub", "rotor.hub", "air.hub", InterfaceLaw::Load)];
    for k in 1..=STATIONS.len() {
        let (own, other) = (format!("rotor.blade_{k}"), format!("air.blade_1_{k}"));
        interfaces.push(Interface::new(format!("air {k}"), &own, &other, InterfaceLaw::Load));
    }
    let parts: Vec<Box<dyn Subsystem>> = vec![Box::new(mechanism), Box::new(air)];
    Master::new(parts, interfaces, config, 0.0).unwrap()
}

pub(crate) fn value(master: &Master, owner: &str, name: &str) -> f64 {
    let mut values = vec![0.0; master.labels().len()];
    master.observe(&mut values).unwrap();
    let found = master.labels().iter().position(|label| label.owner == owner && label.name == name);
    values[found.unwrap()]
}

fn run(master: &mut Master, time: f64, step: f64) -> RunReport {
    master.run(time, step, &mut NoObserver).unwrap()
}

/// A blade that flaps in flat pitch: `β'' + γ/8 β' + (1 − γ c/(12 R)) β = 0` over the azimuth. The last term is what the three-quarter
/// chord of a coned blade meets: the rotor turns the section, too, by `Ω sin β`.
#[test]
fn a_blade_flaps_with_the_poles_of_theory() {
    let start = 0.5_f64.to_radians();
    let damping = LOCK / 16.0;
    let square = 1.0 - LOCK * CHORD / (12.0 * RADIUS) - damping * damping;
    let frequency = square.sqrt();
    let airfoil =
        AirfoilSpec::Thin { lift_slope: SLOPE, zero_lift: 0.0, drag: 0.0, drag_by_square: 0.0, moment: 0.0 };
    // A heavy hub, so that the speed stays.
    let mut master = master(mechanism(start, JointKind::Revolute, 1e9), airfoil, InflowModel::None);
    for k in 1..=12 {
        let psi = 0.5 * f64::from(k);
        run(&mut master, psi / SPEED, 0.5 / SPEED / 64.0);
        let decay = (-damping * psi).exp();
        let expected =
            start * decay * ((frequency * psi).cos() + damping / frequency * (frequency * psi).sin());
        let found = (value(&master, "rotor", "blade.z") / 3.0).asin();
        assert!((found - expected).abs() < 2e-3 * start, "ψ {psi}: {found} {expected}");
    }
}

/// A rotor that only drags slows down as `Ω = Ω₀/(1 + k Ω₀ t/I)`, `k = ½ ρ c d₀ R⁴/4`.
fn slowed(step: f64) -> (f64, RunReport) {
    let airfoil =
        AirfoilSpec::Thin { lift_slope: 0.0, zero_lift: 0.0, drag: 0.05, drag_by_square: 0.0, moment: 0.0 };
    let mut master = master(mechanism(0.0, JointKind::Fixed, HUB), airfoil, InflowModel::None);
    let report = run(&mut master, 0.32, step);
    (value(&master, "rotor", "hub.wz"), report)
}

#[test]
fn drag_slows_a_rotor_down_with_order_two() {
    let drag = 0.5 * 1.225 * CHORD * 0.05 * RADIUS.powi(4) / 4.0;
    // The blade about the axis: 180 + 60 · 3².
    let expected = SPEED / (1.0 + drag * SPEED * 0.32 / (HUB + 720.0));
    let steps = [8e-3, 4e-3, 2e-3];
    let errors = steps.map(|step| (slowed(step).0 - expected).abs());
    let order = fitted_order(&steps, &errors);
    assert!((1.8..2.2).contains(&order) && errors[2] < 1e-4 * SPEED, "{order} {errors:?}");
    let (speed, report) = slowed(2e-3);
    let lost = 0.5 * (HUB + 720.0) * (SPEED * SPEED - speed * speed);
    assert!((report.energy.dissipated / lost - 1.0).abs() < 1e-3, "{:?} {lost}", report.energy);
}

/// The loads are stiff for a step and pass to and fro little: tangents are exact, the inflow's included.
#[test]
fn few_passes_with_dynamic_inflow() {
    let mut master =
        master(mechanism(0.05, JointKind::Revolute, HUB), AirfoilSpec::Naca0012, InflowModel::PittPeters);
    let report = run(&mut master, 0.2, 1e-3);
    let mean = report.master_iterations as f64 / report.steps as f64;
    assert!(mean < 3.5, "{mean}");
}
