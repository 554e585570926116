//! Øye's separation point on a blade that stands in a wind: its lag, its lift, and the loop that it makes.

use cosimo_aerodynamics::airfoil::{Airfoil, AirfoilTable};
use cosimo_aerodynamics::inflow::{InflowModel, Rotation};
use cosimo_aerodynamics::rotor::{Rotor, RotorLoads, RotorState};
use cosimo_aerodynamics::spec::{AirfoilSpec, BladeSpec, RotorSpec, WindSpec};

use crate::rigid::Rigid;

const CHORD: f64 = 0.5;
const WIND: f64 = 30.0;
const MACH: f64 = WIND / 340.294;
/// `T c/V` (s).
const LAG: f64 = 4.0 * CHORD / WIND;

/// A blade of 1 m at an angle of attack (rad) in the wind, at rest.
fn standing(alpha: f64) -> (Rigid, RotorSpec) {
    let blade = BladeSpec::straight(vec![1.0, 2.0], [1.0, 2.0], CHORD, AirfoilSpec::Naca0012);
    let wind = WindSpec::Uniform { velocity: [0.0, -WIND, 0.0] };
    let spec = RotorSpec {
        inflow: InflowModel::None,
        stall_time_constant: Some(4.0),
        wind,
        ..RotorSpec::new(1, blade, 2.0, 30.0)
    };
    (Rigid::turning(Rotation::CounterClockwise, 0.0, alpha), spec)
}

fn lift_of(rotor: &Rotor, rigid: &Rigid, spec: &RotorSpec, loads: &RotorLoads) -> f64 {
    loads.totals(rotor, &rigid.frames(spec)).unwrap().thrust / (0.5 * 1.225 * WIND * WIND * CHORD)
}

/// Separation point and lift coefficient after so many steps at a fixed angle, from a separation point.
fn after(alpha: f64, start: f64, (size, count): (f64, usize)) -> [f64; 2] {
    let (rigid, spec) = standing(alpha);
    let rotor = spec.build().unwrap();
    let (mut loads, mut state) = (RotorLoads::new(&rotor), RotorState::new(&rotor));
    state.sections.fill([start, 0.0, 0.0]);
    let frames = rigid.frames(&spec);
    for _ in 0..count {
        let step = loads.start(&rotor, &frames, 0.0, &state, size).unwrap();
        let inflow = loads.end(&rotor, &frames, size, &step).unwrap();
        loads.write_state(&inflow, &mut state);
    }
    loads.start(&rotor, &frames, 0.0, &state, size).unwrap();
    [state.sections[0][0], lift_of(&rotor, &rigid, &spec, &loads)]
}

fn steady(alpha: f64) -> f64 {
    AirfoilTable::naca0012().unwrap().coefficients(alpha, MACH).lift.value
}

/// `a sin α` with the slope between ±2°: 0.211/2°.
fn attached(alpha: f64) -> f64 {
    0.211 / 2.0_f64.to_radians() * alpha.sin()
}

#[test]
fn steady_flow_has_the_lift_of_the_table() {
    for degrees in [-20.0, 3.0, 11.0, 14.0, 16.0, 25.0, 60.0, 120.0, 172.0] {
        let alpha = f64::to_radians(degrees);
        for [_, lift] in [after(alpha, -1.0, (1e-3, 1)), after(alpha, 0.5, (0.5 * LAG, 60))] {
            assert!((lift - steady(alpha)).abs() < 1e-9, "{degrees}: {lift} {}", steady(alpha));
        }
    }
}

#[test]
fn the_separation_point_lags_exponentially() {
    let alpha = 18.0_f64.to_radians();
    let root = 2.0 * (steady(alpha) / attached(alpha)).sqrt() - 1.0;
    let static_point = root * root;
    let exact = static_point + (1.0 - static_point) * (-1.0_f64).exp();
    let error = |count: usize| {
        let [point, _] = after(alpha, 1.0, (LAG / count as f64, count));
        (point - exact).abs()
    };
    let order = (error(20) / error(40)).log2();
    assert!(error(40) < 1e-4 && (1.95..2.05).contains(&order), "{} {order}", error(40));
}

#[test]
fn attached_flow_has_the_lift_of_thin_airfoils_beyond_stall() {
    let alpha = 18.0_f64.to_radians();
    let [_, lift] = after(alpha, 1.0, (1e-3, 0));
    assert!((lift / attached(alpha) - 1.0).abs() < 1e-12, "{lift} {}", attached(alpha));
}

/// A blade that pitches through stall has more lift on the way up than on the way down.
#[test]
fn pitching_through_stall_makes_a_loop() {
    let (_, spec) = standing(0.0);
    let rotor = spec.build().unwrap();
    let (mut loads, mut state) = (RotorLoads::new(&rotor), RotorState::new(&rotor));
    let rate = std::f64::consts::TAU / (20.0 * LAG);
    let alpha = |time: f64| 14.0_f64.to_radians() - 5.0_f64.to_radians() * (rate * time).cos();
    let size = LAG / 50.0;
    let mut lifts = Vec::new();
    // Two periods; the second is the loop.
    for k in 0..2000 {
        let time = size * k as f64;
        let [here, next] = [time, time + size].map(|t| standing(alpha(t)).0);
        let step = loads.start(&rotor, &here.frames(&spec), time, &state, size).unwrap();
        let inflow = loads.end(&rotor, &next.frames(&spec), time + size, &step).unwrap();
        loads.write_state(&inflow, &mut state);
        lifts.push(lift_of(&rotor, &next, &spec, &loads));
    }
    // The same angle, 14°, on the way up and down.
    let (up, down) = (lifts[1249], lifts[1749]);
    let middle = steady(14.0_f64.to_radians());
    assert!(up > middle + 0.05 && down < middle - 0.05, "{up} {middle} {down}");
}
