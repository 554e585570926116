//! States of the inflow are stepped at order two; loads of blades do not depend on how many frames they have.

use cosimo_aerodynamics::inflow::{InflowModel, Rotation};
use cosimo_aerodynamics::rotor::{RotorLoads, RotorState};
use nalgebra::Vector3;

use crate::closed_forms;
use crate::rigid::{Rigid, stations};

/// The states after half a second of a rotor in forward flight, from rest of the air.
fn states(steps: usize) -> Vector3<f64> {
    let mut spec = closed_forms::spec(InflowModel::PittPeters);
    // Outside of the reversed flow, over whose edge the coefficients have a corner.
    spec.blade.span = [1.5, 6.0];
    spec.blade.airfoils[0].from = 1.5;
    let rigid = Rigid {
        velocity: Vector3::new(25.0, 10.0, -1.0),
        ..Rigid::turning(Rotation::CounterClockwise, 36.0, 0.14)
    };
    let rotor = spec.build().unwrap();
    let mut loads = RotorLoads::new(&rotor);
    let size = 0.5 / steps as f64;
    let frames = |k: usize| Rigid { azimuth: 36.0 * size * k as f64, ..rigid.clone() }.frames(&spec);
    let mut states = RotorState::new(&rotor);
    for k in 0..steps {
        let time = size * k as f64;
        let step = loads.start(&rotor, &frames(k), time, &states, size).unwrap();
        let inflow = loads.end(&rotor, &frames(k + 1), time + size, &step).unwrap();
        loads.write_state(&inflow, &mut states);
    }
    states.inflow
}

#[test]
fn states_are_of_order_two() {
    let exact = states(3200);
    let errors = [50, 100, 200].map(|steps| (states(steps) - exact).norm());
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((1.85..2.15).contains(&order), "{order}: {errors:?}");
    }
}

#[test]
fn the_number_of_frames_does_not_matter() {
    let thrust = |count: usize| {
        let mut spec = closed_forms::spec(InflowModel::Uniform);
        spec.blade.stations = stations(0.0, 6.0, count);
        spec.blade.gauss_points = 3;
        Rigid::turning(Rotation::CounterClockwise, 36.0, 0.14).totals(&spec).thrust
    };
    assert!((thrust(9) / thrust(65) - 1.0).abs() < 2e-4, "{} {}", thrust(9), thrust(65));
}

/// Force, moment and power of all loads are kept when they are given to the frames: those of rigid blades do not depend on where the
/// frames are.
#[test]
fn loads_are_given_to_frames_without_loss() {
    let totals = |from: f64, count: usize| {
        let mut spec = closed_forms::spec(InflowModel::None);
        spec.blade.span = [2.0, 6.0];
        spec.blade.airfoils[0].from = 2.0;
        // Pieces of the span are the same: where the frames are, and breaks of the chord elsewhere.
        let breaks = stations(2.0, 6.0, 17);
        let pieces = breaks.windows(2).map(|k| [k[0], k[1], 0.4, 0.4]).collect();
        spec.blade.chord = cosimo_aerodynamics::blade::Distribution::new(pieces);
        let mut radii = vec![from];
        radii.extend(stations(2.0, 6.0, count).into_iter().filter(|r| *r > from));
        spec.blade.stations = radii;
        let rigid = Rigid {
            velocity: Vector3::new(30.0, 5.0, 0.0),
            flap: [0.3, 0.1, 2.0],
            ..Rigid::turning(Rotation::Clockwise, 36.0, 0.14)
        };
        rigid.totals(&spec)
    };
    let (many, few) = (totals(2.0, 17), totals(0.5, 2));
    assert!((many.thrust / few.thrust - 1.0).abs() < 1e-11, "{} {}", many.thrust, few.thrust);
    assert!((many.torque / few.torque - 1.0).abs() < 1e-11, "{} {}", many.torque, few.torque);
}
