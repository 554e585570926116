//! The lag of the circulation on a blade that stands in a wind: Wagner's function after a sudden change of the angle of attack.

use cosimo_aerodynamics::inflow::{InflowModel, Rotation};
use cosimo_aerodynamics::rotor::{RotorLoads, RotorState};
use cosimo_aerodynamics::spec::{AirfoilSpec, BladeSpec, RotorSpec, WindSpec};

use crate::rigid::Rigid;

const CHORD: f64 = 0.5;
const WIND: f64 = 30.0;

/// Lift over that of steady flow, so many half chords after the angle of attack has jumped from zero to 1°.
fn indicial(half_chords: f64, count: usize) -> f64 {
    let airfoil =
        AirfoilSpec::Thin { lift_slope: 6.0, zero_lift: 0.0, drag: 0.0, drag_by_square: 0.0, moment: 0.0 };
    let blade = BladeSpec::straight(vec![1.0, 2.0], [1.0, 2.0], CHORD, airfoil);
    let wind = WindSpec::Uniform { velocity: [0.0, -WIND, 0.0] };
    let base = RotorSpec::new(1, blade, 2.0, 30.0);
    let spec = RotorSpec { inflow: InflowModel::None, wagner: true, wind, ..base };
    let rotor = spec.build().unwrap();
    let (mut loads, mut state) = (RotorLoads::new(&rotor), RotorState::new(&rotor));
    let at =
        |degrees: f64| Rigid::turning(Rotation::CounterClockwise, 0.0, degrees.to_radians()).frames(&spec);
    let size = half_chords * 0.5 * CHORD / WIND / count as f64;
    let step = loads.start(&rotor, &at(0.0), 0.0, &state, size).unwrap();
    let inflow = loads.end(&rotor, &at(0.0), size, &step).unwrap();
    loads.write_state(&inflow, &mut state);
    let (frames, mut lift) = (at(1.0), 0.0);
    for _ in 0..count {
        let step = loads.start(&rotor, &frames, 0.0, &state, size).unwrap();
        let inflow = loads.end(&rotor, &frames, size, &step).unwrap();
        loads.write_state(&inflow, &mut state);
        lift = loads.totals(&rotor, &frames).unwrap().thrust;
    }
    lift / (0.5 * 1.225 * WIND * WIND * CHORD * 6.0 * 1.0_f64.to_radians())
}

#[test]
fn lift_grows_by_wagners_function() {
    for s in [0.5_f64, 2.0, 10.0, 40.0] {
        let expected = 1.0 - 0.165 * (-0.0455 * s).exp() - 0.335 * (-0.3 * s).exp();
        let found = indicial(s, 400);
        // Of small angles: the velocity changes by their squares.
        assert!((found - expected).abs() < 5e-4, "{s}: {found} {expected}");
    }
}
