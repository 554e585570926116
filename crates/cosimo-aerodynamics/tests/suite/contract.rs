//! The rules of the contract, for a subsystem with load ports.

use cosimo_aerodynamics::RotorAerodynamics;
use cosimo_aerodynamics::inflow::InflowModel;
use cosimo_aerodynamics::spec::AirfoilSpec;
use cosimo_subsystem::Stepped;
use cosimo_subsystem::{LoadResponse, MacroStep, PortMotion, Snapshot, StepLoads, Subsystem, SubsystemError};

use crate::tangents;

const SIZE: f64 = 4e-3;

fn make(inflow: InflowModel) -> (Stepped<RotorAerodynamics>, PortMotion) {
    let mut spec = tangents::spec(inflow);
    spec.records_sections = true;
    spec.stall_time_constant = Some(4.0);
    spec.wagner = true;
    spec.blade.airfoils[0].airfoil = AirfoilSpec::Naca0012;
    (RotorAerodynamics::new("air", &spec).unwrap(), tangents::motion(&spec, 36.0))
}

fn loads(motion: &PortMotion) -> StepLoads {
    StepLoads { motion: motion.clone(), ..StepLoads::zeros(0) }
}

fn step(k: usize) -> MacroStep {
    MacroStep { time: SIZE * k as f64, size: SIZE }
}

/// Begins, responds, commits.
fn take(air: &mut Stepped<RotorAerodynamics>, motion: &PortMotion, k: usize) -> LoadResponse {
    air.begin(step(k), &[]).unwrap();
    let response = air.respond(motion).unwrap().clone();
    air.commit(&loads(motion)).unwrap();
    response
}

fn observed(air: &Stepped<RotorAerodynamics>) -> Vec<f64> {
    let mut out = vec![f64::NAN; air.description().quantities.len()];
    air.observe(&mut out);
    out
}

#[test]
fn the_description_holds() {
    let (air, _) = make(InflowModel::PittPeters);
    let description = air.description();
    description.validate().unwrap();
    assert_eq!(description.load_ports.len(), 1 + 3 * 3);
    assert!(description.load_ports.iter().all(|port| port.is_frame));
    assert_eq!(description.load_ports[4].name, "blade_2_1");
    assert!(description.quantities.iter().any(|quantity| quantity.name == "blade_3.alpha_4"));
}

#[test]
fn responses_are_repeatable_and_leave_no_trace() {
    for inflow in [InflowModel::Uniform, InflowModel::PittPeters, InflowModel::Annular] {
        let (mut air, motion) = make(inflow);
        let mut other = motion.clone();
        other.end.velocities.iter_mut().for_each(|v| *v *= 1.1);
        take(&mut air, &motion, 0);
        let saved = air.save().unwrap();
        air.begin(step(1), &[]).unwrap();
        let first = air.respond(&motion).unwrap().clone();
        let second = air.respond(&other).unwrap().clone();
        assert_ne!(first, second);
        assert_eq!(air.respond(&motion).unwrap(), &first);
        assert_eq!(air.save().unwrap(), saved);
        air.discard();
        assert_eq!(air.save().unwrap(), saved);
        assert!(matches!(air.respond(&motion), Err(SubsystemError::NotBegun { .. })));
        // A commit does not depend on the responses before it.
        air.begin(step(1), &[]).unwrap();
        air.commit(&loads(&motion)).unwrap();
        let (mut twin, _) = make(inflow);
        take(&mut twin, &motion, 0);
        take(&mut twin, &motion, 1);
        assert_eq!(twin.save().unwrap(), air.save().unwrap());
    }
}

#[test]
fn a_restored_run_repeats_bit_for_bit() {
    let (mut air, motion) = make(InflowModel::PittPeters);
    (0..3).for_each(|k| drop(take(&mut air, &motion, k)));
    let saved = air.save().unwrap();
    let ahead: Vec<LoadResponse> = (3..6).map(|k| take(&mut air, &motion, k)).collect();
    let end = (observed(&air), air.save().unwrap());
    let (mut elsewhere, _) = make(InflowModel::PittPeters);
    for again in [&mut air, &mut elsewhere] {
        again.restore(&saved).unwrap();
        assert_eq!(again.save().unwrap(), saved);
        let found: Vec<LoadResponse> = (3..6).map(|k| take(again, &motion, k)).collect();
        assert_eq!(found, ahead);
        assert_eq!((observed(again), again.save().unwrap()), end);
    }
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let (mut air, motion) = make(InflowModel::PittPeters);
    take(&mut air, &motion, 0);
    let saved = air.save().unwrap();
    assert!(matches!(air.begin(step(1), &[1.0]), Err(SubsystemError::LoadLength { .. })));
    for size in [0.0, -1e-3, f64::NAN, f64::INFINITY] {
        assert!(matches!(air.begin(MacroStep { time: 0.0, size }, &[]), Err(SubsystemError::BadStep { .. })));
    }
    air.begin(step(1), &[]).unwrap();
    let mut bad = motion.clone();
    bad.end.positions[7] = f64::NAN;
    assert!(matches!(air.respond(&bad), Err(SubsystemError::MotionNotFinite { .. })));
    assert!(matches!(air.commit(&loads(&bad)), Err(SubsystemError::MotionNotFinite { .. })));
    bad.end.positions.pop();
    assert!(matches!(air.respond(&bad), Err(SubsystemError::MotionShape { .. })));
    for snapshot in [Snapshot::encode("air", &[1.0]).unwrap(), Snapshot::encode("sea", &[1.0; 9]).unwrap()] {
        assert!(matches!(air.restore(&snapshot), Err(SubsystemError::BadSnapshot { .. })));
    }
    assert!(matches!(air.evaluate(&[]), Err(SubsystemError::Unsupported { .. })));
    assert_eq!(air.save().unwrap(), saved);
}

/// What the ports put in is dissipated, what they get out comes from the wind; the rest of the ledger is zero.
#[test]
fn the_ledger_closes() {
    let (mut air, motion) = make(InflowModel::PittPeters);
    air.begin(step(0), &[]).unwrap();
    let response = air.respond(&motion).unwrap().clone();
    let ledger = air.commit(&loads(&motion)).unwrap();
    let moved = motion.end.positions.iter().zip(&motion.start.positions).map(|(a, b)| a - b);
    let mean = response.start.iter().zip(&response.end).map(|(a, b)| 0.5 * (a + b));
    let work: f64 = -moved.zip(mean).map(|(z, load)| z * load).sum::<f64>();
    assert!((ledger.port_work - work).abs() < 1e-12 * work.abs() && work != 0.0);
    assert_eq!(ledger.port_work + ledger.external_work - ledger.dissipated, 0.0);
    assert!(ledger.dissipated >= 0.0 && ledger.external_work >= 0.0);
}
