//! Winds, their gradients, and a wind of one's own.

use cosimo_aerodynamics::RotorAerodynamics;
use cosimo_aerodynamics::inflow::{InflowModel, Rotation};
use cosimo_aerodynamics::rotor::RotorState;
use cosimo_aerodynamics::spec::{FrontSpec, WindSpec};
use cosimo_aerodynamics::wind::Wind;
use cosimo_mechanics::{Step, TimeFunction};
use cosimo_subsystem::{MacroStep, PortMotion, Subsystem, SubsystemError};
use nalgebra::{Matrix3, Vector3};

use crate::rigid::Rigid;
use crate::{closed_forms, tangents};

/// The front of the thesis: `n g(f·x + V t)`, `g(s) = 15 (1 − cos(π s/100))`.
fn front() -> WindSpec {
    WindSpec::Front {
        perturbation_direction: [0.0, 2.0, 0.0],
        front_direction: [0.0, 1.0, 0.0],
        front_velocity: 10.0,
        profile: FrontSpec::OneMinusCosine { peak: 30.0, length: 200.0 },
    }
}

fn winds() -> Vec<WindSpec> {
    vec![
        WindSpec::Still,
        WindSpec::Uniform { velocity: [1.0, 2.0, 3.0] },
        front(),
        WindSpec::Front {
            perturbation_direction: [1.0, 0.0, 1.0],
            front_direction: [0.6, 0.0, 0.8],
            front_velocity: -7.0,
            profile: FrontSpec::Step { peak: 12.0, length: 60.0 },
        },
        WindSpec::Gust { peak: [0.0, 5.0, 1.0], start: 1.0, duration: 4.0 },
        WindSpec::Linear {
            velocity: [1.0, 0.0, -1.0],
            gradient: [[0.1, 0.0, 0.2], [0.3, -0.1, 0.0], [0.0, 0.5, 0.0]],
            origin: [1.0, 2.0, 0.0],
        },
        WindSpec::Shear {
            velocity: [8.0, 1.0, 0.0],
            reference_height: 10.0,
            exponent: 1.0 / 7.0,
            up: [0.0, 0.0, 1.0],
            ground: -20.0,
        },
        WindSpec::Table {
            times: vec![0.0, 2.0, 3.0],
            velocities: vec![[0.0; 3], [4.0, 0.0, 1.0], [1.0, 1.0, 1.0]],
        },
        WindSpec::Sum { winds: vec![front(), WindSpec::Uniform { velocity: [0.0, 0.0, -2.0] }] },
        WindSpec::Varying {
            velocity: [
                TimeFunction::Constant(3.0),
                TimeFunction::Harmonic { mean: 1.0, amplitude: 2.0, frequency: 3.0, phase: 0.0 },
                TimeFunction::Step(Step { from: 0.0, to: 4.0, at: 1.0, duration: 2.0 }),
            ],
        },
    ]
}

#[test]
fn the_front_has_the_profile_over_a_length() {
    let wind = front().build().unwrap();
    let profile = |s: f64| 15.0 * (1.0 - (std::f64::consts::PI * s / 100.0).cos());
    for (y, time) in [(3.0, 2.0), (-40.0, 9.0), (0.0, 10.0), (7.0, 19.0)] {
        let found = wind.velocity(&Vector3::new(5.0, y, 1.0), time);
        assert!((found - Vector3::y() * profile(y + 10.0 * time)).norm() < 1e-12);
    }
    assert!((wind.velocity(&Vector3::zeros(), 10.0).y - 30.0).abs() < 1e-12);
    for time in [-1.0, 0.0, 20.0, 25.0] {
        assert_eq!(wind.velocity(&Vector3::zeros(), time), Vector3::zeros());
    }
}

#[test]
fn tables_and_gusts_have_the_values_of_their_formulas() {
    let specs = winds();
    let at = |k: usize, time: f64| specs[k].build().unwrap().velocity(&Vector3::new(1.0, -2.0, 3.0), time);
    assert!((at(7, 1.0) - Vector3::new(2.0, 0.0, 0.5)).norm() < 1e-15);
    assert!((at(9, 2.0) - Vector3::new(3.0, 1.0 + 2.0 * 6.0_f64.sin(), 2.0)).norm() < 1e-14);
    assert!((at(7, 2.5) - Vector3::new(2.5, 0.5, 1.0)).norm() < 1e-15);
    assert_eq!([at(7, -1.0), at(7, 9.0)], [Vector3::zeros(), Vector3::new(1.0, 1.0, 1.0)]);
    assert!((at(4, 3.0) - Vector3::new(0.0, 5.0, 1.0)).norm() < 1e-15);
    assert!((at(4, 2.0) - Vector3::new(0.0, 2.5, 0.5)).norm() < 1e-14);
    assert_eq!([at(4, 0.9), at(4, 5.1)], [Vector3::zeros(); 2]);
    assert!((at(6, 0.0).x - 8.0 * 2.3_f64.powf(1.0 / 7.0)).abs() < 1e-14);
    assert!((at(5, 0.0) - Vector3::new(1.6, 0.4, -3.0)).norm() < 1e-14);
}

/// The same wind without a gradient of its own: the default takes differences.
#[derive(Debug)]
struct Differenced(Box<dyn Wind>);

impl Wind for Differenced {
    fn velocity(&self, position: &Vector3<f64>, time: f64) -> Vector3<f64> {
        self.0.velocity(position, time)
    }
}

#[test]
fn gradients_are_those_of_differences() {
    for spec in winds() {
        let (wind, differenced) = (spec.build().unwrap(), Differenced(spec.build().unwrap()));
        for (place, time) in [(Vector3::new(1.0, -2.0, 3.0), 1.5), (Vector3::new(-5.0, 4.0, 0.5), 2.7)] {
            let error: Matrix3<f64> = wind.gradient(&place, time) - differenced.gradient(&place, time);
            assert!(error.amax() < 1e-7, "{spec:?}: {error}");
        }
    }
}

/// A whirl about the vertical: a rotor that turns with it feels nothing.
#[derive(Debug)]
struct Whirl(f64);

impl Wind for Whirl {
    fn velocity(&self, position: &Vector3<f64>, _time: f64) -> Vector3<f64> {
        (Vector3::z() * self.0).cross(position)
    }
}

#[test]
fn a_wind_of_ones_own() {
    let spec = closed_forms::spec(InflowModel::None);
    let rotor = spec.build_in(Box::new(Whirl(36.0))).unwrap();
    let frames = Rigid::turning(Rotation::CounterClockwise, 36.0, 0.1).frames(&spec);
    let mut loads = cosimo_aerodynamics::rotor::RotorLoads::new(&rotor);
    loads.start(&rotor, &frames, 0.0, &RotorState::new(&rotor), 0.01).unwrap();
    assert!(loads.totals(&rotor, &frames).unwrap().thrust.abs() < 1e-9);
}

#[derive(Debug)]
struct Broken;

impl Wind for Broken {
    fn velocity(&self, position: &Vector3<f64>, _time: f64) -> Vector3<f64> {
        Vector3::new(if position.x > 2.0 { f64::NAN } else { 0.0 }, 0.0, 0.0)
    }
}

#[test]
fn wind_that_is_not_finite_is_told_with_place_and_time() {
    let spec = tangents::spec(InflowModel::PittPeters);
    let rotor = spec.build_in(Box::new(Broken)).unwrap();
    let mut air = RotorAerodynamics::of("air", rotor, false).unwrap();
    let motion: PortMotion = tangents::motion(&spec, 36.0);
    air.begin(MacroStep { time: 0.25, size: 1e-3 }, &[]).unwrap();
    match air.respond(&motion).unwrap_err() {
        SubsystemError::StepFailed { subsystem, reason, .. } => {
            assert!(
                subsystem == "air" && reason.contains("wind at (") && reason.contains("0.25 s"),
                "{reason}"
            );
        }
        other => panic!("{other}"),
    }
}
