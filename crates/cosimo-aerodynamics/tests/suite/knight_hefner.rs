//! Static thrust and torque of untwisted rotors: M. Knight, R. A. Hefner, *Static Thrust Analysis of the Lifting Airscrew*, NACA
//! TN 626, 1937, tables I to IV. `reference/knight_hefner_tn626.csv` has the measured coefficients (with ρ, half of those printed),
//! and the section data that blade-element momentum theory uses.

use cosimo_aerodynamics::inflow::{InflowModel, Rotation};
use cosimo_aerodynamics::spec::{AirfoilSpec, BladeSpec, RotorSpec};

use crate::rigid::{Rigid, stations, thrust_coefficient};

const RADIUS: f64 = 0.762;
const CUTOUT: f64 = 0.127;
/// 960 rpm.
const SPEED: f64 = 960.0 * std::f64::consts::TAU / 60.0;

#[derive(Debug)]
struct Row {
    blades: usize,
    collective: f64,
    thrust: f64,
    torque: f64,
    /// The same by an independent computation with the same sections and tip loss.
    computed_thrust: f64,
    computed_torque: f64,
}

fn rows() -> Vec<Row> {
    let text = include_str!("../reference/knight_hefner_tn626.csv");
    let lines = text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    lines
        .map(|line| {
            let n: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
            Row {
                blades: n[0] as usize,
                collective: n[1],
                thrust: n[2],
                torque: n[3],
                computed_thrust: n[4],
                computed_torque: n[5],
            }
        })
        .collect()
}

/// `C_T` and `C_Q`.
fn coefficients(row: &Row) -> [f64; 2] {
    let airfoil = AirfoilSpec::Thin {
        lift_slope: 5.75,
        zero_lift: 0.0,
        drag: 0.0113,
        drag_by_square: 1.25,
        moment: 0.0,
    };
    let blade = BladeSpec::straight(stations(CUTOUT, RADIUS, 41), [CUTOUT, RADIUS], 0.0508, airfoil);
    let spec = RotorSpec {
        inflow: InflowModel::Annular,
        tip_loss: true,
        ..RotorSpec::new(row.blades, blade, RADIUS, SPEED)
    };
    let found = Rigid::turning(Rotation::CounterClockwise, SPEED, row.collective.to_radians()).totals(&spec);
    [found.thrust, found.torque / RADIUS].map(|load| thrust_coefficient(load, RADIUS, SPEED))
}

#[test]
fn thrust_and_torque_are_those_measured() {
    let rows: Vec<Row> = rows().into_iter().filter(|row| row.collective >= 6.0).collect();
    assert_eq!(rows.len(), 19);
    let (mut thrust, mut torque, mut worst) = (0.0, 0.0, 0.0_f64);
    for row in &rows {
        let [ct, cq] = coefficients(row);
        thrust += (ct / row.thrust - 1.0).abs() / 19.0;
        torque += (cq / row.torque - 1.0).abs() / 19.0;
        worst = worst.max((ct / row.thrust - 1.0).abs());
    }
    assert!(thrust < 0.05 && torque < 0.05 && worst < 0.15, "{thrust} {torque} {worst}");
}

#[test]
fn an_independent_computation_agrees() {
    for row in rows().iter().filter(|row| row.collective >= 2.0) {
        let [ct, cq] = coefficients(row);
        assert!((ct / row.computed_thrust - 1.0).abs() < 0.01, "{row:?}: {ct}");
        assert!((cq / row.computed_torque - 1.0).abs() < 0.01, "{row:?}: {cq}");
    }
}
