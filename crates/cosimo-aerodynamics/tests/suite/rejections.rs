//! Descriptions that break a rule are refused by kind.

use cosimo_aerodynamics::airfoil::AirfoilError;
use cosimo_aerodynamics::blade::{BladeError, Distribution, DistributionError};
use cosimo_aerodynamics::inflow::InflowModel;
use cosimo_aerodynamics::rotor::RotorState;
use cosimo_aerodynamics::spec::{AirfoilSpec, FrontSpec, GroundSpec, RotorSpec, SpecError, WindSpec};
use cosimo_aerodynamics::{AerodynamicError, FrameMotion};
use cosimo_mechanics::TimeTableError;

use crate::tangents;

fn refused(change: impl Fn(&mut RotorSpec)) -> SpecError {
    let mut spec = tangents::spec(InflowModel::PittPeters);
    change(&mut spec);
    spec.build().unwrap_err()
}

fn blade(change: impl Fn(&mut RotorSpec)) -> BladeError {
    match refused(change) {
        SpecError::Blade(error) => error,
        other => panic!("{other}"),
    }
}

#[test]
fn blades_that_break_a_rule() {
    assert_eq!(blade(|s| s.blade.chord = Distribution::constant(-0.4)), BladeError::Chord { chord: -0.4 });
    assert!(matches!(blade(|s| s.blade.chord = Distribution::default()), BladeError::Chord { .. }));
    assert_eq!(blade(|s| s.blade.stations = vec![0.5, 6.0, 3.0]), BladeError::Stations { station: 2 });
    assert_eq!(blade(|s| s.blade.stations = vec![-0.5, 6.0]), BladeError::Stations { station: 0 });
    assert!(matches!(blade(|s| s.blade.stations = vec![6.0]), BladeError::Stations { .. }));
    assert!(matches!(blade(|s| s.blade.stations = vec![]), BladeError::Stations { .. }));
    assert!(matches!(blade(|s| s.blade.stations[1] = f64::NAN), BladeError::Stations { station: 1 }));
    assert_eq!(blade(|s| s.blade.span = [0.2, 6.0]), BladeError::Span { from: 0.2, to: 6.0 });
    assert!(matches!(blade(|s| s.blade.span = [4.0, 4.0]), BladeError::Span { .. }));
    assert_eq!(blade(|s| s.blade.suction_side = [0.0, 3.0, 0.0]), BladeError::Directions);
    assert_eq!(blade(|s| s.blade.leading_edge = [0.0; 3]), BladeError::Directions);
    assert_eq!(blade(|s| s.blade.leading_edge = [f64::NAN, 0.0, 0.0]), BladeError::Directions);
    assert_eq!(blade(|s| s.blade.gauss_points = 0), BladeError::GaussPoints { found: 0 });
    assert_eq!(blade(|s| s.blade.gauss_points = 5), BladeError::GaussPoints { found: 5 });
    assert!(
        matches!(blade(|s| s.blade.airfoils[0].to = 5.0), BladeError::NoAirfoil { radius } if radius > 5.0)
    );
    let gap = Distribution::new(vec![[0.0, 2.0, 0.0, 0.1], [2.5, 6.0, 0.1, 0.0]]);
    let order = DistributionError::Order { piece: 1, from: 2.5, to: 6.0 };
    assert_eq!(
        blade(|s| s.blade.twist = gap.clone()),
        BladeError::Distribution { what: "twist", source: order }
    );
    let nan = Distribution::constant(f64::INFINITY);
    assert!(matches!(
        blade(|s| s.blade.quarter_chord = nan.clone()),
        BladeError::Distribution { source: DistributionError::NotFinite { piece: 0 }, .. }
    ));
}

#[test]
fn rotors_that_break_a_rule() {
    let parameter = |change: &dyn Fn(&mut RotorSpec)| match refused(change) {
        SpecError::OutOfRange { parameter, .. } | SpecError::Direction { parameter } => parameter,
        other => panic!("{other}"),
    };
    assert_eq!(parameter(&|s| s.blades = 0), "blades");
    assert_eq!(parameter(&|s| s.radius = 5.9), "blade.span");
    assert_eq!(parameter(&|s| s.radius = f64::NAN), "radius");
    assert_eq!(parameter(&|s| s.nominal_speed = -3.0), "nominal_speed");
    assert_eq!(parameter(&|s| s.air.density = 0.0), "air.density");
    assert_eq!(parameter(&|s| s.air.sound_speed = f64::INFINITY), "air.sound_speed");
    assert_eq!(parameter(&|s| s.axis = [0.0; 3]), "axis");
    assert_eq!(parameter(&|s| s.reference = Some([f64::NAN, 0.0, 0.0])), "reference");
    assert_eq!(parameter(&|s| s.wind = WindSpec::Uniform { velocity: [0.0, f64::NAN, 0.0] }), "velocity");
    assert_eq!(parameter(&|s| s.stall_time_constant = Some(0.0)), "stall_time_constant");
    let ground = Some(GroundSpec { up: [0.0; 3], height: 0.0 });
    assert_eq!(parameter(&|s| s.ground = ground), "ground.up");
    let annular = |s: &mut RotorSpec| (s.inflow, s.ground) = (InflowModel::Annular, ground);
    assert_eq!(refused(annular), SpecError::GroundOfAnnuli);
    let gust = WindSpec::Gust { peak: [1.0; 3], start: 0.0, duration: 0.0 };
    assert_eq!(parameter(&|s| s.wind = WindSpec::Sum { winds: vec![gust.clone()] }), "duration");
    let front = WindSpec::Front {
        perturbation_direction: [0.0, 1.0, 0.0],
        front_direction: [0.0; 3],
        front_velocity: 1.0,
        profile: FrontSpec::Step { peak: 1.0, length: 1.0 },
    };
    assert_eq!(parameter(&|s| s.wind = front.clone()), "front_direction");
    let table = WindSpec::Table { times: vec![0.0, 0.0], velocities: vec![[0.0; 3]; 2] };
    assert!(matches!(
        refused(|s| s.wind = table.clone()),
        SpecError::WindTable(TimeTableError::Entry { index: 1 })
    ));
    let chirp = r#"{ "kind": "varying", "velocity": [0, 0,
        { "amplitude": 1, "frequency": 1, "end_frequency": 2, "duration": 0 }] }"#;
    let chirp: WindSpec = serde_json::from_str(chirp).unwrap();
    assert_eq!(parameter(&|s| s.wind = chirp.clone()), "velocity");
    let airfoil = AirfoilSpec::C81 { text: "short".to_owned() };
    assert!(matches!(
        refused(|s| s.blade.airfoils[0].airfoil = airfoil.clone()),
        SpecError::Airfoil { index: 0, source: AirfoilError::Field { line: 1, column: 31, .. } }
    ));
}

#[test]
fn a_rotor_axis_along_the_reference_is_told() {
    let mut spec = tangents::spec(InflowModel::PittPeters);
    spec.reference = Some([0.0, 0.0, 1.0]);
    let rotor = spec.build().unwrap();
    let frames = vec![FrameMotion::default(); rotor.frames()];
    let mut loads = cosimo_aerodynamics::rotor::RotorLoads::new(&rotor);
    let found = loads.start(&rotor, &frames, 0.0, &RotorState::new(&rotor), 0.1);
    assert_eq!(found.unwrap_err(), AerodynamicError::AxisAlongReference);
}

/// A description goes through a file without loss, with defaults for what is left out, and unknown names are refused.
#[test]
fn descriptions_can_be_written_and_read() {
    let spec = tangents::spec(InflowModel::PittPeters);
    let text = serde_json::to_string(&spec).unwrap();
    assert_eq!(serde_json::from_str::<RotorSpec>(&text).unwrap(), spec);
    let short = r#"{
        "blades": 4, "radius": 6, "nominal_speed": 36, "rotation": "clockwise", "inflow": "pitt-peters",
        "wind": {"kind": "uniform", "velocity": [0, 3, 0]},
        "blade": {
            "stations": [0.5, 6], "span": [1, 6], "chord": [[1, 6, 0.4, 0.3]],
            "airfoils": [{"from": 1, "to": 6, "airfoil": {"kind": "naca0012"}}]
        }
    }"#;
    let read: RotorSpec = serde_json::from_str(short).unwrap();
    assert_eq!(read.blade.gauss_points, 2);
    read.build().unwrap();
    let unknown = short.replacen("\"span\"", "\"spam\"", 1);
    assert!(serde_json::from_str::<RotorSpec>(&unknown).unwrap_err().to_string().contains("spam"));
}
