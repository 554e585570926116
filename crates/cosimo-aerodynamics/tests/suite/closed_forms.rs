//! Hover and climb of a rotor against closed forms for small angles, and against quadratures that are written here.
//!
//! The rotor: 4 blades, R 6 m, c 0.4 m, 36 rad/s, 1.225 kg/m³, lift slope 5.73, no drag, blades from the axis to the tip.

use std::f64::consts::PI;

use cosimo_aerodynamics::blade::Distribution;
use cosimo_aerodynamics::inflow::{InflowModel, Rotation};
use cosimo_aerodynamics::spec::{AirfoilSpec, BladeSpec, GroundSpec, RotorSpec, WindSpec};
use nalgebra::Vector3;

use crate::rigid::{Rigid, stations, thrust_coefficient};

const RADIUS: f64 = 6.0;
const CHORD: f64 = 0.4;
const SPEED: f64 = 36.0;
const SLOPE: f64 = 5.73;
const BLADES: f64 = 4.0;
const COLLECTIVE: f64 = 8.0 * PI / 180.0;
const TIP: f64 = RADIUS * SPEED;
const SOLIDITY: f64 = BLADES * CHORD / (PI * RADIUS);

fn lifting() -> AirfoilSpec {
    AirfoilSpec::Thin { lift_slope: SLOPE, zero_lift: 0.0, drag: 0.0, drag_by_square: 0.0, moment: 0.0 }
}

pub(crate) fn spec(inflow: InflowModel) -> RotorSpec {
    let blade = BladeSpec::straight(stations(0.0, RADIUS, 31), [0.0, RADIUS], CHORD, lifting());
    RotorSpec { inflow, ..RotorSpec::new(4, blade, RADIUS, SPEED) }
}

fn hover() -> Rigid {
    Rigid::turning(Rotation::CounterClockwise, SPEED, COLLECTIVE)
}

/// Simpson's rule on (0, R).
fn integral(function: impl Fn(f64) -> f64) -> f64 {
    let n = 4000;
    let h = RADIUS / n as f64;
    let weight = |k: usize| if k == 0 || k == n { 1.0 } else { 2.0 + 2.0 * (k % 2) as f64 };
    (0..=n).map(|k| weight(k) * function(k as f64 * h)).sum::<f64>() * h / 3.0
}

/// Force along the axis per unit span of one blade, exact angles: lift across the flow.
fn lift_along_axis(radius: f64, induced: f64, pitch: f64) -> f64 {
    let speed = (SPEED * radius).hypot(induced);
    let alpha = pitch - induced.atan2(SPEED * radius);
    0.5 * 1.225 * CHORD * speed * SLOPE * alpha * SPEED * radius
}

/// The root of an increasing function.
fn bisect(function: impl Fn(f64) -> f64, mut lower: f64, mut upper: f64) -> f64 {
    for _ in 0..100 {
        let middle = 0.5 * (lower + upper);
        if function(middle) > 0.0 { upper = middle } else { lower = middle }
    }
    0.5 * (lower + upper)
}

fn agrees(found: f64, expected: f64, tolerance: f64) {
    assert!((found / expected - 1.0).abs() < tolerance, "{found} {expected}: {:e}", found / expected - 1.0);
}

#[test]
fn uniform_inflow_in_hover() {
    let found = hover().totals(&spec(InflowModel::Uniform));
    let coefficient = thrust_coefficient(found.thrust, RADIUS, SPEED);
    // CT = σa/2 (θ/3 − λ/2), λ = √(CT/2)
    agrees(coefficient, 0.005_148_92, 0.01);
    agrees(found.inflow / TIP, 0.050_739_2, 0.01);
    agrees(found.inflow, 10.9597, 0.01);
    let area = PI * RADIUS * RADIUS;
    let thrust = |v: f64| BLADES * integral(|r| lift_along_axis(r, v, COLLECTIVE));
    let induced = bisect(|v| 2.0 * 1.225 * area * v * v - thrust(v), 0.0, 50.0);
    agrees(found.inflow, induced, 1e-3);
    agrees(found.thrust, thrust(induced), 1e-3);
    agrees(found.power, found.thrust * found.inflow, 1e-3);
}

/// Induced velocity of an annulus in hover.
fn annulus(radius: f64, pitch: f64) -> f64 {
    let balance = |v: f64| 4.0 * PI * radius * 1.225 * v * v - BLADES * lift_along_axis(radius, v, pitch);
    bisect(balance, 0.0, 100.0)
}

#[test]
fn annular_inflow_in_hover() {
    let (rotor, loads) = hover().loads(&spec(InflowModel::Annular));
    let found = loads.totals(&rotor, &hover().frames(&spec(InflowModel::Annular))).unwrap();
    let coefficient = thrust_coefficient(found.thrust, RADIUS, SPEED);
    agrees(coefficient, 0.005_285_85, 0.01);
    // κ = C_P/(C_T^{3/2}/√2)
    let power = thrust_coefficient(found.power / TIP, RADIUS, SPEED);
    agrees(power / (coefficient.powf(1.5) / 2.0_f64.sqrt()), 1.0811, 0.01);
    let thrust = BLADES
        * integral(|r| if r > 0.0 { lift_along_axis(r, annulus(r, COLLECTIVE), COLLECTIVE) } else { 0.0 });
    agrees(found.thrust, thrust, 1e-3);
    // λ(r) = σa/16 (√(1 + 32 θ r/(σa)) − 1), where angles are small.
    let s = SOLIDITY * SLOPE;
    for (radius, point) in rotor.blade.radii().zip(&loads.blades[2].points) {
        let r = radius / RADIUS;
        agrees(point.induced, annulus(radius, COLLECTIVE), 1e-9);
        if r > 0.3 {
            agrees(point.induced / TIP, s / 16.0 * ((1.0 + 32.0 * COLLECTIVE * r / s).sqrt() - 1.0), 0.01);
        }
    }
}

#[test]
fn ideal_twist_has_uniform_annular_inflow() {
    // θ = 5° R/r, with the pieces fine where it is steep; λ = 0.0485294, CT = 0.00471021 for small angles.
    let tip = 5.0_f64.to_radians();
    let knots = stations(0.2 * RADIUS, RADIUS, 161);
    let pieces = knots.windows(2).map(|k| [k[0], k[1], tip * RADIUS / k[0], tip * RADIUS / k[1]]).collect();
    let mut spec = spec(InflowModel::Annular);
    spec.blade.span = [0.2 * RADIUS, RADIUS];
    spec.blade.stations = stations(0.2 * RADIUS, RADIUS, 31);
    spec.blade.twist = Distribution::new(pieces);
    let rotor = Rigid { collective: 0.0, ..hover() };
    let (built, loads) = rotor.loads(&spec);
    for (radius, point) in built.blade.radii().zip(&loads.blades[0].points) {
        agrees(point.induced / TIP, 0.048_529_4, if radius > 0.5 * RADIUS { 0.01 } else { 0.05 });
    }
    // The inner 4 % of the area are cut off.
    let coefficient = thrust_coefficient(rotor.totals(&spec).thrust, RADIUS, SPEED);
    agrees(coefficient, 0.004_710_21 * 0.96, 0.01);
}

#[test]
fn both_directions_of_rotation_are_mirror_images() {
    for inflow in [InflowModel::Uniform, InflowModel::Annular, InflowModel::Drees] {
        let velocity = Vector3::new(30.0, 0.0, -2.0);
        let [left, right] = [Rotation::CounterClockwise, Rotation::Clockwise].map(|rotation| {
            Rigid { velocity, azimuth: 0.3, ..Rigid::turning(rotation, SPEED, COLLECTIVE) }
                .totals(&spec(inflow))
        });
        for (a, b) in [(left.thrust, right.thrust), (left.torque, right.torque), (left.inflow, right.inflow)]
        {
            assert!((a - b).abs() < 1e-9 * a.abs(), "{inflow:?}: {a} {b}");
        }
        assert!(left.torque > 0.0 || inflow == InflowModel::Drees);
    }
}

#[test]
fn glauert_in_forward_flight_and_climb() {
    for velocity in
        [Vector3::new(43.2, 0.0, -3.0), Vector3::new(-20.0, 30.0, 4.0), Vector3::new(0.0, 0.0, 8.0)]
    {
        let found = Rigid { velocity, ..hover() }.totals(&spec(InflowModel::Uniform));
        let speed = velocity.x.hypot(velocity.y).hypot(velocity.z + found.inflow);
        agrees(2.0 * 1.225 * PI * RADIUS * RADIUS * speed * found.inflow, found.thrust, 1e-9);
    }
}

/// Moving through still air is the same as being blown at.
#[test]
fn wind_and_flight_are_the_same() {
    for inflow in [InflowModel::None, InflowModel::Uniform, InflowModel::Coleman, InflowModel::Annular] {
        let velocity = Vector3::new(25.0, -10.0, 3.0);
        let flying = Rigid { velocity, azimuth: 0.7, ..hover() }.totals(&spec(inflow));
        let wind = WindSpec::Uniform { velocity: (-velocity).into() };
        let blown = Rigid { azimuth: 0.7, ..hover() }.totals(&RotorSpec { wind, ..spec(inflow) });
        assert!((flying.thrust - blown.thrust).abs() < 1e-9 * flying.thrust.abs(), "{inflow:?}");
        assert!((flying.torque - blown.torque).abs() < 1e-9 * flying.torque.abs(), "{inflow:?}");
    }
}

#[test]
fn gradients_of_the_inflow_point_downwind() {
    // χ = atan(U/(W + v)), kx by Coleman and Drees.
    for (inflow, along) in
        [(InflowModel::Coleman, Vector3::x()), (InflowModel::Drees, Vector3::new(0.6, 0.8, 0.0))]
    {
        for rotation in [Rotation::CounterClockwise, Rotation::Clockwise] {
            let rigid = Rigid { velocity: along * 43.2, ..Rigid::turning(rotation, SPEED, COLLECTIVE) };
            let (_, loads) = rigid.loads(&spec(inflow));
            let [mean, first, second] = loads.field.into();
            let (wake, advance) = ((43.2 / mean).atan(), 43.2 / TIP);
            let [k_x, k_y] = match inflow {
                InflowModel::Coleman => [(0.5 * wake).tan(), 0.0],
                _ => [4.0 / 3.0 * (1.0 - wake.cos() - 1.8 * advance * advance) / wake.sin(), -2.0 * advance],
            };
            // Downwind is against the flight; the advancing side is where blades move along it.
            let advancing = Vector3::new(along.y, -along.x, 0.0) * rotation.sign();
            let expected = -along * (mean * k_x) + advancing * (mean * k_y);
            assert!(
                (first - expected.x).abs() < 1e-9 && (second - expected.y).abs() < 1e-9,
                "{inflow:?} {rotation:?}"
            );
        }
    }
}

#[test]
fn inflow_is_blended_out_below_a_tenth_of_the_speed() {
    let wind = WindSpec::Uniform { velocity: [0.0, 0.0, 20.0] };
    let at = |share: f64, inflow: InflowModel| {
        let rigid = Rigid::turning(Rotation::CounterClockwise, share * SPEED, COLLECTIVE);
        let mut spec = RotorSpec { wind: wind.clone(), ..spec(inflow) };
        spec.blade.airfoils[0].airfoil = AirfoilSpec::Naca0012;
        rigid.totals(&spec)
    };
    for inflow in [InflowModel::Uniform, InflowModel::Annular] {
        let (parked, without) = (at(0.0, inflow), at(0.0, InflowModel::None));
        assert_eq!(parked.inflow, 0.0, "{inflow:?}");
        assert!((parked.thrust - without.thrust).abs() < 1e-12 * without.thrust, "{inflow:?}");
        assert!(at(0.05, inflow).inflow > 0.0 && at(0.2, inflow).inflow > at(0.05, inflow).inflow);
    }
}

/// The tip loss takes the lift at the tips, as an independent quadrature with Prandtl's factor has it.
#[test]
fn tip_loss_in_hover() {
    let blade_factor = |r: f64, v: f64| {
        let sine = v / v.hypot(SPEED * r);
        let exponent = 0.5 * BLADES * (RADIUS - r) / (r * sine);
        2.0 / PI * (-exponent).exp().min(1.0).acos()
    };
    let annular = Rigid::totals(&hover(), &RotorSpec { tip_loss: true, ..spec(InflowModel::Annular) });
    let induced = |r: f64| {
        let balance = |v: f64| {
            4.0 * PI * r * 1.225 * blade_factor(r, v) * v * v - BLADES * lift_along_axis(r, v, COLLECTIVE)
        };
        bisect(balance, 1e-6, 100.0)
    };
    let thrust =
        BLADES * integral(|r| if r > 0.0 { lift_along_axis(r, induced(r), COLLECTIVE) } else { 0.0 });
    agrees(annular.thrust, thrust, 2e-3);
    let field = hover().totals(&RotorSpec { tip_loss: true, ..spec(InflowModel::Uniform) });
    let area = PI * RADIUS * RADIUS;
    let lost = |v: f64| {
        BLADES
            * integral(|r| if r > 0.0 { blade_factor(r, v) * lift_along_axis(r, v, COLLECTIVE) } else { 0.0 })
    };
    let v = bisect(|v| 2.0 * 1.225 * area * v * v - lost(v), 1e-3, 50.0);
    agrees(field.thrust, lost(v), 2e-3);
    assert!(field.thrust < hover().totals(&spec(InflowModel::Uniform)).thrust);
}

/// Cheeseman and Bennett: for the same thrust the induced velocity is `1 − (R/4z)²` of that of free air, less so in forward flight.
#[test]
fn near_the_ground_less_is_induced() {
    let free = |thrust: f64| (thrust / (2.0 * 1.225 * PI * RADIUS * RADIUS)).sqrt();
    for (height, nearest) in [(6.0, 6.0), (9.0, 9.0), (1.0, 3.0)] {
        let ground = Some(GroundSpec { up: [0.0, 0.0, 2.0], height: -height });
        let found = hover().totals(&RotorSpec { ground, ..spec(InflowModel::Uniform) });
        let factor = 1.0 - (RADIUS / (4.0 * nearest)).powi(2);
        agrees(found.inflow, factor * free(found.thrust), 1e-9);
    }
    let flying = Rigid { velocity: Vector3::new(20.0, 0.0, 0.0), ..hover() };
    let ground = Some(GroundSpec { up: [0.0, 0.0, 1.0], height: -6.0 });
    let found = flying.totals(&RotorSpec { ground, ..spec(InflowModel::Uniform) });
    let balance = |v: f64| 2.0 * 1.225 * PI * RADIUS * RADIUS * v * v.hypot(20.0) - found.thrust;
    let induced = bisect(balance, 0.0, 50.0);
    let factor = 1.0 - 0.0625 / (1.0 + (20.0 / induced).powi(2));
    agrees(found.inflow, factor * induced, 1e-9);
}

/// Blades that do not flap, in forward flight, over all azimuths: `C_T = σa/2 (θ/3 (1 + 3/2 μ²) − λ/2)` for small angles, without the
/// reversed flow near the root, which is of order `μ⁴`.
#[test]
fn mean_thrust_in_forward_flight() {
    let (advance, through, pitch) = (0.2, 0.02, 4.0_f64.to_radians());
    let velocity = Vector3::new(advance * TIP, 0.0, through * TIP);
    let count = 24;
    let at = |k: usize| {
        let azimuth = PI / 2.0 * k as f64 / count as f64;
        let rigid = Rigid { velocity, azimuth, collective: pitch, ..hover() };
        rigid.totals(&spec(InflowModel::None)).thrust
    };
    let mean = (0..count).map(at).sum::<f64>() / count as f64;
    let expected = 0.5 * SOLIDITY * SLOPE * (pitch / 3.0 * (1.0 + 1.5 * advance * advance) - 0.5 * through);
    agrees(thrust_coefficient(mean, RADIUS, SPEED), expected, 0.01);
}
