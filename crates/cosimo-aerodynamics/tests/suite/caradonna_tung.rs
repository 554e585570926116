//! Ratios of thrust in hover: F. X. Caradonna, C. Tung, *Experimental and Analytical Studies of a Model Helicopter Rotor in Hover*, NASA
//! TM 81232, 1981. Two untwisted NACA 0012 blades, R 1.143 m, c 0.1905 m, 1250 rpm: `C_T` 0.00213, 0.00459 and 0.00796 at 5°, 8°
//! and 12°. Momentum theory of annuli is 30 to 43 % high for two blades so wide, whose tip vortices pass close to each other; what
//! is compared is how the thrust grows.

use cosimo_aerodynamics::inflow::{InflowModel, Rotation};
use cosimo_aerodynamics::spec::{AirfoilSpec, BladeSpec, RotorSpec};

use crate::rigid::{Rigid, stations, thrust_coefficient};

const RADIUS: f64 = 1.143;
const SPEED: f64 = 1250.0 * std::f64::consts::TAU / 60.0;

fn coefficient(degrees: f64) -> f64 {
    let blade = BladeSpec::straight(stations(0.2, RADIUS, 31), [0.2, RADIUS], 0.1905, AirfoilSpec::Naca0012);
    let spec =
        RotorSpec { inflow: InflowModel::Annular, tip_loss: true, ..RotorSpec::new(2, blade, RADIUS, SPEED) };
    let rigid = Rigid::turning(Rotation::CounterClockwise, SPEED, degrees.to_radians());
    thrust_coefficient(rigid.totals(&spec).thrust, RADIUS, SPEED)
}

#[test]
fn thrust_grows_with_collective_as_measured() {
    let found = [5.0, 8.0, 12.0].map(coefficient);
    for (ratio, measured) in
        [(found[1] / found[0], 0.004_59 / 0.002_13), (found[2] / found[1], 0.007_96 / 0.004_59)]
    {
        assert!((ratio / measured - 1.0).abs() < 0.15, "{ratio} {measured}: {found:?}");
    }
}
