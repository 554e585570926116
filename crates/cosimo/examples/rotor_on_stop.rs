//! A blade turns in the air, flaps down and bounces off its droop stop: a mechanism by a smooth rule,
//! the node on the stop by Moreau and Jean's, blade elements. Every solver is one argument.

use std::io::Write;

use cosimo::aerodynamics::inflow::InflowModel;
use cosimo::mechanics::TimeFunction;
use cosimo::prelude::*;

type Error = Box<dyn std::error::Error>;
type Rule = Box<dyn StepRule>;
const SPEED: f64 = 6.0; // rad/s
const STATIONS: [f64; 4] = [0.5, 2.08, 4.5, 7.4]; // m

/// A driven hub and a blade on a flap hinge, level at the start.
fn mechanism(method: Method) -> Result<impl Subsystem, Error> {
    let hub = RigidBody::new(100.0, Matrix3::from_diagonal_element(20.0))?;
    let blade = RigidBody::new(91.0, Matrix3::from_diagonal(&[1.0, 393.0, 393.0].into()))?;
    let blade = Body::new("blade", blade).with_position([3.889, 0.0, 0.0]);
    let blade = blade.with_velocity([0.0, 3.889 * SPEED, 0.0], [0.0, 0.0, SPEED]);
    let all = SpatialModel::new().with_gravity([0.0, 0.0, -9.81]);
    let all = all.with_body(Body::new("hub", hub)).with_body(blade);
    let turning = JointKind::Angle(TimeFunction::linear(0.0, SPEED));
    let (ground, end) = (Frame::ground([0.0; 3]), Frame::on("hub", [0.0; 3]));
    let shaft = Joint::new("shaft", JointKind::Revolute, ground.clone(), end.clone());
    let drive = Joint::new("drive", turning, ground, end);
    let all = all.with_joint(shaft).with_joint(drive);
    let [inner, outer] = [("hub", 0.289), ("blade", -3.6)]
        .map(|(body, x)| Frame::on(body, [x, 0.0, 0.0]).with_axis([0.0, -1.0, 0.0]));
    let hinge = Joint::new("hinge", JointKind::Revolute, inner.clone(), outer.clone());
    let flap = Sensor::new("flap", SensorKind::Angle, inner, outer);
    let system = all.with_joint(hinge).with_sensor(flap).build()?;
    let mut rotor = MultibodyBuilder::new("rotor", system).with_method(method);
    rotor = rotor.with_port("hub", MultibodyPort::frame("hub", [0.0; 3]));
    for (k, r) in (1..).zip(STATIONS) {
        let station = MultibodyPort::frame("blade", [r - 3.889, 0.0, 0.0]);
        rotor = rotor.with_port(format!("blade_1_{k}"), station);
    }
    rotor = rotor.with_port("flap", MultibodyPort::sensor("flap"));
    Ok(rotor.build()?)
}

/// A node on the flap angle, which does not droop by more than 3.5°.
fn node(rule: Rule) -> Result<impl Subsystem, Error> {
    let node = MechanismBuilder::new("node", LinearSystem::masses([0.5])?).with_rule(rule);
    let droop = LinearRow::dense(&[1.0], -3.5_f64.to_radians());
    let node = node.with_contact("stop", 0.8, droop);
    Ok(node.with_port("flap", [LinearRow::coordinate(0)]).build()?)
}

/// The air of a rotor of one blade.
fn air(inflow: InflowModel) -> Result<impl Subsystem, Error> {
    let blade = BladeSpec::straight(STATIONS.into(), [2.08, 7.4], 0.537, AirfoilSpec::thin(6.0));
    let rotor = RotorSpec::new(1, blade, 7.49, 28.0).with_inflow(inflow);
    Ok(RotorAerodynamics::new("air", &rotor)?)
}

fn simulate(smooth: Method, nonsmooth: Rule, inflow: InflowModel) -> Result<(), Error> {
    let mut model = Model::new();
    let rotor = model.add(mechanism(smooth)?)?;
    let node = model.add(node(nonsmooth)?)?;
    let air = model.add(air(inflow)?)?;
    model.rigid("joint", node.port("flap"), rotor.port("flap"))?;
    for port in ["hub", "blade_1_1", "blade_1_2", "blade_1_3", "blade_1_4"] {
        model.load(format!("air_{port}"), rotor.port(port), air.port(port))?;
    }
    let trajectory = model.simulate(6.0, 1e-3)?;
    let flap = trajectory.last(rotor.quantity("flap.angle"))?.to_degrees();
    let hit = trajectory.events()[0].time;
    let mut out = std::io::stdout();
    Ok(writeln!(out, "hits at {hit} s, ends at {flap} degrees")?)
}

fn main() -> Result<(), Error> {
    let multistep = Method::multistep(0.6);
    let two_step = Multistep::new(0.6)?.into();
    simulate(multistep, Theta::default().into(), InflowModel::None)?;
    simulate(Method::Midpoint, two_step, InflowModel::None)?;
    simulate(multistep, Theta::default().into(), InflowModel::PittPeters)
}
