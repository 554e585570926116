//! The air on a rotor as an element of the multibody system, against the same air behind load ports, and by the rules of the
//! contract.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use cosimo::aerodynamics::RotorElement;
use cosimo::aerodynamics::inflow::InflowModel;
use cosimo::aerodynamics::spec::{AirfoilSpec, BladeSpec, RotorSpec};
use cosimo::master::{Master, MasterConfig, NoObserver, RunReport};
use cosimo::mechanics::TimeFunction;
use cosimo::multibody::spatial::{Body, Frame, JointKind, RigidBody, SpatialModel};
use cosimo::native::{MultibodyBuilder, MultibodyPort};
use cosimo::smooth::dae::{Formulation, Method};
use cosimo::subsystem::Subsystem;
use cosimo::subsystem::conformance::Conformance;
use coupling_tests::fitted_order;
use nalgebra::Matrix3;

use crate::rotor_air::{HUB, SPEED, STATIONS, air, bodies, joined, mechanism, value};

const FLAP: f64 = 0.05;

/// Air that everything lags behind in, on an airfoil without corners.
fn lagging(inflow: InflowModel) -> RotorSpec {
    let airfoil =
        AirfoilSpec::Thin { lift_slope: 5.73, zero_lift: -0.1, drag: 0.01, drag_by_square: 0.3, moment: 0.0 };
    RotorSpec { wagner: true, ..air(airfoil, inflow) }
}

/// The hinged blade with the air in its equations of motion, and a port on the hub.
fn inside(spec: &RotorSpec) -> MultibodyBuilder {
    let along = STATIONS.iter().map(|radius| Frame::on("blade", [radius - 3.0, 0.0, 0.0]));
    let nodes = std::iter::once(Frame::on("hub", [0.0; 3])).chain(along).collect();
    let model = bodies(FLAP, JointKind::Revolute, HUB);
    let system = model.with_element("air", nodes, RotorElement::new(spec.build().unwrap())).build().unwrap();
    MultibodyBuilder::new("rotor", system).with_port("hub", MultibodyPort::frame("hub", [0.0; 3]))
}

/// What a run shows at its end.
struct Shown {
    height: f64,
    speed: f64,
    inflow: f64,
    report: RunReport,
}

fn shown(mut master: Master, (owner, prefix): (&str, &str), step: f64) -> Shown {
    let report = master.run(0.16, step, &mut NoObserver).unwrap();
    Shown {
        height: value(&master, "rotor", "blade.z"),
        speed: value(&master, "rotor", "hub.wz"),
        inflow: value(&master, owner, &format!("{prefix}inflow")),
        report,
    }
}

fn run_joined(spec: &RotorSpec, step: f64) -> Shown {
    let config = MasterConfig { tolerance: 1e-12, ..MasterConfig::default() };
    shown(joined(mechanism(FLAP, JointKind::Revolute, HUB), spec, config), ("air", ""), step)
}

fn run_inside(spec: &RotorSpec, step: f64) -> Shown {
    let rotor: Box<dyn Subsystem> = Box::new(inside(spec).build().unwrap());
    let master = Master::new(vec![rotor], Vec::new(), MasterConfig::default(), 0.0).unwrap();
    shown(master, ("rotor", "air."), step)
}

/// The difference goes with the square of the step, of the motion and of the inflow.
#[test]
fn air_inside_and_behind_ports_agree_to_order_two() {
    let steps = [4e-3, 2e-3, 1e-3, 5e-4];
    for inflow in [InflowModel::None, InflowModel::Uniform, InflowModel::Drees, InflowModel::PittPeters] {
        let spec = lagging(inflow);
        let both = steps.map(|step| (run_joined(&spec, step), run_inside(&spec, step)));
        let differences: [fn(&Shown) -> f64; 3] = [|x| x.height, |x| x.speed, |x| x.inflow];
        for (k, of) in differences.into_iter().enumerate() {
            let errors = both.each_ref().map(|(joined, inside)| (of(joined) - of(inside)).abs());
            if errors[0] == 0.0 && inflow == InflowModel::None {
                // There is no inflow.
                continue;
            }
            let order = fitted_order(&steps, &errors);
            assert!((1.9..2.1).contains(&order), "{inflow:?} {k}: order {order} of {errors:?}");
            assert!(errors[3] < 1e-4 * of(&both[3].0).abs(), "{inflow:?} {k}: {errors:?}");
        }
    }
}

/// What the air takes out of the motion is external work; the rest of the ledger closes with the square of the step.
#[test]
fn the_work_of_the_air_is_external() {
    let spec = lagging(InflowModel::PittPeters);
    let runs = [2e-3, 1e-3].map(|step| run_inside(&spec, step).report.energy);
    for energy in &runs {
        let taken = energy.start - energy.end;
        assert!(energy.external < -0.99 * taken && energy.dissipated == 0.0, "{energy:?}");
    }
    let left = runs.map(|energy| energy.monitor_sum);
    assert!((3.5..4.5).contains(&(left[0] / left[1])) && left[1].abs() < 1e-3 * 8959.0, "{left:?}");
}

/// Every method keeps the contract: bits, snapshots, jumps, inverse mass, ledger.
#[test]
fn the_contract_is_kept() {
    let rules = [
        (Method::Midpoint, Formulation::PositionVelocity),
        (Method::GeneralizedAlpha { spectral_radius: 0.8 }, Formulation::PositionVelocityAcceleration),
        (Method::Multistep { spectral_radius: 0.6 }, Formulation::Position),
    ];
    for inflow in [InflowModel::Uniform, InflowModel::PittPeters, InflowModel::Annular] {
        for (method, formulation) in rules {
            let spec = lagging(inflow);
            let make = || inside(&spec).with_method(method).with_formulation(formulation).build().unwrap();
            let suite = Conformance::new(make).step(1e-3).steps(8).ledger_tolerance(1e-2);
            let suite = suite.loads(|row, time| 100.0 * (row as f64 + 300.0 * time).cos());
            let report = suite.velocity_change(0.1).check();
            assert!(report.has_passed(), "{inflow:?}, {method:?}: {report}");
        }
    }
}

/// Flap hinge from the axis (m), tip (m), chord (m), mass per length (kg/m), lift slope.
const HINGE: f64 = 0.3;
const TIP: f64 = 6.0;
const CHORD: f64 = 0.4;
const MASS: f64 = 10.0;
const SLOPE: f64 = 5.73;

/// A rigid blade on a flap hinge, pitched by `amplitude · sin Ωt` on a shaft that turns by `Ωt`: what a tilted swashplate does.
fn cyclic(amplitude: f64) -> Master {
    let (length, spin) = (TIP - HINGE, [0.0, 0.0, SPEED]);
    let centre = HINGE + 0.5 * length;
    let across = MASS * length.powi(3) / 12.0;
    let rod = RigidBody::new(MASS * length, Matrix3::from_diagonal(&[1e-3, across, across].into())).unwrap();
    let small = |mass: f64| RigidBody::new(mass, Matrix3::from_diagonal_element(1e-4)).unwrap();
    let moving = |name: &str, body, x: f64| {
        Body::new(name, body).with_position([x, 0.0, 0.0]).with_velocity([0.0, SPEED * x, 0.0], spin)
    };
    let turn = TimeFunction::Linear { start: 0.0, rate: SPEED };
    let pitch = TimeFunction::Harmonic { mean: 0.0, amplitude, frequency: SPEED, phase: 0.0 };
    let (shaft, bearing) = (([0.0; 3], [0.0, 0.0, 1.0]), ([HINGE, 0.0, 0.0], [1.0, 0.0, 0.0]));
    let stations = vec![HINGE, 2.0, 4.0, TIP];
    let along = stations.iter().map(|radius| Frame::on("blade", [radius - centre, 0.0, 0.0]));
    let nodes = std::iter::once(Frame::on("hub", [0.0; 3])).chain(along).collect();
    let airfoil =
        AirfoilSpec::Thin { lift_slope: SLOPE, zero_lift: 0.0, drag: 0.0, drag_by_square: 0.0, moment: 0.0 };
    let blade = BladeSpec::straight(stations.clone(), [HINGE, TIP], CHORD, airfoil);
    let spec = RotorSpec { inflow: InflowModel::None, ..RotorSpec::new(1, blade, TIP, SPEED) };
    let system = SpatialModel::new()
        .with_body(moving("hub", small(1.0), 0.0))
        .with_body(moving("cuff", small(1e-3), HINGE))
        .with_body(moving("blade", rod, centre))
        .with_joint_at("shaft", JointKind::Revolute, [None, Some("hub")], shaft)
        .with_joint_at("drive", JointKind::Angle(turn), [None, Some("hub")], shaft)
        .with_joint_at(
            "flap",
            JointKind::Revolute,
            [Some("hub"), Some("cuff")],
            (bearing.0, [0.0, -1.0, 0.0]),
        )
        .with_joint_at("bearing", JointKind::Revolute, [Some("cuff"), Some("blade")], bearing)
        .with_joint_at("pitch", JointKind::Angle(pitch), [Some("cuff"), Some("blade")], bearing)
        .with_element("air", nodes, RotorElement::new(spec.build().unwrap()))
        .build()
        .unwrap();
    let rotor: Box<dyn Subsystem> = Box::new(MultibodyBuilder::new("rotor", system).build().unwrap());
    Master::new(vec![rotor], Vec::new(), MasterConfig::default(), 0.0).unwrap()
}

/// Amplitude and lag (rad) of the flap for a unit of cyclic pitch, in closed form for small angles: with `x = r − e`,
///
/// ```text
///   I β'' + (I + e S) Ω² β = k ∫ r x (Ω r θ − x β' + c/2 (θ' + Ω β)) dr        k = ½ ρ a c Ω
/// ```
///
/// The last bracket is what the three-quarter chord adds.
fn response() -> [f64; 2] {
    let (k, length) = (0.5 * 1.225 * SLOPE * CHORD * SPEED, TIP - HINGE);
    // ∫ rᵖ xᵠ dr by Simpson's rule: cubic at most, exact.
    let integral = |p: i32, q: i32| {
        let at = |x: f64| (x + HINGE).powi(p) * x.powi(q);
        length / 6.0 * (at(0.0) + 4.0 * at(0.5 * length) + at(length))
    };
    // At the frequency of the rotation the inertia drops out.
    let moment = MASS * integral(0, 1);
    let chordwise = 0.5 * CHORD * k * SPEED * integral(1, 1);
    let [force, in_rate] = [k * SPEED * integral(2, 1), chordwise];
    let [left, damping] = [HINGE * moment * SPEED * SPEED - chordwise, k * SPEED * integral(1, 2)];
    [force.hypot(in_rate) / left.hypot(damping), damping.atan2(left) - in_rate.atan2(force)]
}

/// Cyclic pitch flaps a blade a little less than a quarter of a turn later; the textbook has `atan(γ/8/(ν² − 1))` = 82.88°.
#[test]
fn cyclic_pitch_flaps_the_blade_as_in_closed_form() {
    let (amplitude, parts) = (0.01, 128_u32);
    let period = std::f64::consts::TAU / SPEED;
    let mut master = cyclic(amplitude);
    let step = period / f64::from(parts);
    master.run(6.0 * period, step, &mut NoObserver).unwrap();
    let mut harmonics = [0.0; 2];
    for part in 1..=parts {
        let psi = std::f64::consts::TAU * f64::from(part) / f64::from(parts);
        master.run(6.0 * period + psi / SPEED, step, &mut NoObserver).unwrap();
        let flap = (value(&master, "rotor", "blade.z") / (0.5 * (TIP - HINGE))).asin();
        harmonics[0] += 2.0 * flap * psi.sin() / f64::from(parts);
        harmonics[1] -= 2.0 * flap * psi.cos() / f64::from(parts);
    }
    let [gain, lag] = response();
    let (found, lagging) = (harmonics[0].hypot(harmonics[1]) / amplitude, harmonics[1].atan2(harmonics[0]));
    assert!((found / gain - 1.0).abs() < 2e-3, "{found} instead of {gain}");
    assert!((lagging - lag).abs() < 2e-3, "{lagging} instead of {lag}");
    assert!((lagging.to_degrees() - 82.88).abs() < 0.5, "{}°", lagging.to_degrees());
}
