//! The air on a rotor as an element of the multibody system, against the same air behind load ports, and by the rules of the
//! contract.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use cosimo::aerodynamics::RotorElement;
use cosimo::aerodynamics::inflow::InflowModel;
use cosimo::aerodynamics::spec::{AirfoilSpec, RotorSpec};
use cosimo::master::{Master, MasterConfig, NoObserver, RunReport};
use cosimo::multibody::spatial::{Frame, JointKind};
use cosimo::native::{MultibodyBuilder, MultibodyPort};
use cosimo::smooth::dae::{Formulation, Method};
use cosimo::subsystem::Subsystem;
use cosimo::subsystem::conformance::Conformance;
use coupling_tests::fitted_order;

use crate::rotor_air::{HUB, STATIONS, air, bodies, joined, mechanism, value};

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
