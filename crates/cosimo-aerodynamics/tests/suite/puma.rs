//! The main rotor of the SA 330 Puma with rigid blades: hover, and a parked rotor in a gust.
//!
//! Data: W. G. Bousman et al., *A comparison of lifting-line and CFD methods with flight test data from a research Puma helicopter*,
//! NASA TM 110421, 1996. Loads were computed beforehand by an independent strip theory with the same table.

use std::f64::consts::PI;

use cosimo_aerodynamics::blade::Distribution;
use cosimo_aerodynamics::inflow::{InflowModel, Rotation};
use cosimo_aerodynamics::spec::{AirfoilSpec, BladeSpec, RotorSpec, WindSpec};
use nalgebra::Vector3;

use crate::rigid::{Rigid, stations, thrust_coefficient};

const RADIUS: f64 = 7.49;
const CUTOUT: f64 = 2.08;
const SPEED: f64 = 267.4 * PI / 30.0;
const FLAP_HINGE: f64 = 0.289;

/// Twist: first and last radius (m), values there (deg).
const TWIST: &[[f64; 4]] = &[
    [0.280, 0.760, 0.0, 0.0],
    [0.760, 1.757, 0.0, 0.0],
    [1.757, 2.007, 0.0, -0.1],
    [2.007, 2.257, -0.1, -0.3],
    [2.257, 2.507, -0.3, -0.617],
    [2.507, 2.757, -0.617, -0.983],
    [2.757, 3.007, -0.983, -1.283],
    [3.007, 3.257, -1.283, -1.6],
    [3.257, 3.507, -1.6, -1.867],
    [3.507, 6.257, -1.867, -4.8],
    [6.257, 7.490, -4.8, -6.117],
];

fn spec(inflow: InflowModel) -> RotorSpec {
    let mut radii = vec![FLAP_HINGE];
    radii.extend(stations(CUTOUT, RADIUS, 13));
    let mut blade = BladeSpec::straight(radii, [CUTOUT, RADIUS], 0.537, AirfoilSpec::Naca0012);
    blade.twist = Distribution::new(TWIST.to_vec()).scaled(PI / 180.0);
    RotorSpec { inflow, ..RotorSpec::new(4, blade, RADIUS, SPEED) }
}

fn agrees(found: f64, expected: f64, tolerance: f64) {
    assert!((found / expected - 1.0).abs() < tolerance, "{found} {expected}: {:e}", found / expected - 1.0);
}

/// Hover with rigid blades at a flap angle (deg).
fn hover(collective: f64, flap: f64) -> (f64, f64, f64) {
    let rigid = Rigid {
        flap: [FLAP_HINGE, flap.to_radians(), 0.0],
        ..Rigid::turning(Rotation::Clockwise, SPEED, collective.to_radians())
    };
    let found = rigid.totals(&spec(InflowModel::Uniform));
    (thrust_coefficient(found.thrust, RADIUS, SPEED), found.thrust, found.power)
}

#[test]
fn hover_of_the_puma() {
    for (collective, coefficient, thrust) in [(0.0, -0.002_627, -24.9e3), (10.0, 0.003_957, 37.6e3)] {
        let (ct, t, _) = hover(collective, 0.0);
        agrees(ct, coefficient, 0.003);
        agrees(t, thrust, 0.003);
    }
    let (_, thrust, power) = hover(11.6, 0.0);
    agrees(thrust, 53.6e3, 0.003);
    agrees(power, 800e3, 0.003);
}

/// Moment (N m) of the air about the flap hinge of a blade, up, of the parked rotor in a wind across it.
fn parked(blade: usize, wind: f64) -> f64 {
    let rigid = Rigid::turning(Rotation::Clockwise, 0.0, 10.0_f64.to_radians());
    // The blade at azimuth 0 has its leading edge towards −y: it meets a wind along +y.
    let spec =
        RotorSpec { wind: WindSpec::Uniform { velocity: [0.0, wind, 0.0] }, ..spec(InflowModel::PittPeters) };
    let (rotor, loads) = rigid.loads(&spec);
    let frames = rigid.frames(&spec);
    let stations = rotor.blade.stations();
    let own = &frames[1 + blade * stations..1 + (blade + 1) * stations];
    let outwards = (own[1].position - own[0].position).normalize();
    let hinge = outwards * FLAP_HINGE;
    let up = outwards.cross(&Vector3::z());
    let of_frame = |k: usize| {
        let load = &loads.blades[blade].loads;
        let [force, couple] =
            [0, 3].map(|j| Vector3::from_column_slice(&load.as_slice()[6 * k + j..6 * k + j + 3]));
        (couple + (own[k].position - hinge).cross(&force)).dot(&up)
    };
    (0..stations).map(of_frame).sum()
}

#[test]
fn a_gust_lifts_the_blade_that_faces_it_and_presses_the_other() {
    let (first, third) = (parked(0, 30.0), parked(2, 30.0));
    agrees(first, 4713.0, 0.002);
    agrees(third, -4447.0, 0.002);
    // Blades along the wind have next to none.
    assert!(parked(1, 30.0).abs() < 1.0 && parked(3, 30.0).abs() < 1.0);
    // The weight of a blade, 2391.5 N m, is lifted at 21.37 m/s.
    agrees(parked(0, 21.37), 2391.5, 0.003);
}
