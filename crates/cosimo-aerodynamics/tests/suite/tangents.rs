//! Tangents of all loads against central differences, for every inflow model, with wind that changes in space, tip loss, frames that
//! are turned and bent, and sections ahead of the line through the frames.

use cosimo_aerodynamics::RotorAerodynamics;
use cosimo_aerodynamics::blade::Distribution;
use cosimo_aerodynamics::inflow::{InflowModel, Rotation};
use cosimo_aerodynamics::spec::{AirfoilSpec, BladeSpec, GroundSpec, RotorSpec, WindSpec};
use cosimo_subsystem::Stepped;
use cosimo_subsystem::{LoadResponse, MacroStep, PortMotion, PortState, Subsystem};
use nalgebra::{UnitQuaternion, Vector3};

use crate::rigid::Rigid;

const SIZE: f64 = 4e-3;

pub(crate) fn spec(inflow: InflowModel) -> RotorSpec {
    let airfoil = AirfoilSpec::Thin {
        lift_slope: 5.7,
        zero_lift: 0.02,
        drag: 0.01,
        drag_by_square: 1.1,
        moment: -0.03,
    };
    let mut blade = BladeSpec::straight(vec![0.5, 3.0, 6.0], [1.0, 6.0], 0.4, airfoil);
    blade.twist = Distribution::new(vec![[0.5, 6.0, 0.15, 0.05]]);
    blade.quarter_chord = Distribution::constant(0.06);
    let wind = WindSpec::Sum {
        winds: vec![
            WindSpec::Linear {
                velocity: [3.0, -6.0, 1.0],
                gradient: [[0.1, 0.2, -0.1], [0.0, 0.3, 0.1], [0.4, -0.2, 0.1]],
                origin: [0.5, 0.0, 0.0],
            },
            WindSpec::Gust { peak: [1.0, 2.0, 0.5], start: -0.3, duration: 1.0 },
        ],
    };
    RotorSpec { inflow, wind, tip_loss: true, ..RotorSpec::new(3, blade, 6.0, 36.0) }
}

/// A motion over a step in which nothing is aligned with anything.
pub(crate) fn motion(spec: &RotorSpec, speed: f64) -> PortMotion {
    let at = |azimuth: f64, flap: f64| {
        let rigid = Rigid {
            azimuth,
            flap: [0.2, flap, 1.3],
            velocity: Vector3::new(14.0, 5.0, -2.0),
            ..Rigid::turning(spec.rotation, speed, 0.12)
        };
        let tilt = UnitQuaternion::from_scaled_axis(Vector3::new(0.11, -0.07, 0.05));
        let mut frames = rigid.frames(spec);
        for (k, frame) in frames.iter_mut().enumerate() {
            // Bent and twisted a little, differently at every frame.
            let bent = Vector3::new(0.02, -0.03, 0.01) * (k as f64).sin();
            frame.orientation = tilt * UnitQuaternion::from_scaled_axis(bent) * frame.orientation;
            frame.position = tilt * frame.position + bent;
            frame.velocity = tilt * frame.velocity + bent * 7.0;
            frame.angular_velocity = tilt * frame.angular_velocity + bent * 5.0;
        }
        frames
    };
    let (start, end) = (at(0.4, 0.03), at(0.4 + speed * SIZE, 0.03 + 1.3 * SIZE));
    let mut motion = PortMotion::zeros(6 * start.len(), start.len());
    for (frames, state) in [(&start, &mut motion.start), (&end, &mut motion.end)] {
        for (k, frame) in frames.iter().enumerate() {
            let turned = (frame.orientation * start[k].orientation.inverse()).scaled_axis();
            state.positions[6 * k..6 * k + 3].copy_from_slice(frame.position.as_slice());
            state.positions[6 * k + 3..6 * k + 6].copy_from_slice(turned.as_slice());
            state.velocities[6 * k..6 * k + 3].copy_from_slice(frame.velocity.as_slice());
            state.velocities[6 * k + 3..6 * k + 6].copy_from_slice(frame.angular_velocity.as_slice());
            state.orientations[k] = frame.orientation;
        }
    }
    motion
}

/// Sets the orientations to those of the rotation vectors.
fn turn(motion: &mut PortMotion) {
    let PortMotion { start, end }: &mut PortMotion = motion;
    let PortState { positions, orientations, .. } = end;
    for (k, orientation) in orientations.iter_mut().enumerate() {
        let turned = Vector3::from_column_slice(&positions[6 * k + 3..6 * k + 6]);
        *orientation = UnitQuaternion::from_scaled_axis(turned) * start.orientations[k];
    }
}

fn respond(air: &mut Stepped<RotorAerodynamics>, motion: &PortMotion) -> LoadResponse {
    air.begin(MacroStep { time: 0.1, size: SIZE }, &[]).unwrap();
    air.respond(motion).unwrap().clone()
}

/// Largest difference between the tangents and central differences, relative to the largest entry, of positions and velocities.
fn errors(spec: &RotorSpec, speed: f64) -> [f64; 2] {
    let mut air = RotorAerodynamics::new("air", spec).unwrap();
    let base = motion(spec, speed);
    let response = respond(&mut air, &base);
    let tangents = [&response.position_tangent, &response.velocity_tangent];
    let mut errors = [0.0_f64; 2];
    for (which, tangent) in tangents.into_iter().enumerate() {
        let d = [1e-6, 1e-5][which];
        for j in 0..base.end.positions.len() {
            let [up, down] = [d, -d].map(|d| {
                let mut moved = base.clone();
                let state = &mut moved.end;
                let coordinates = if which == 0 { &mut state.positions } else { &mut state.velocities };
                coordinates[j] += d;
                turn(&mut moved);
                respond(&mut air, &moved).end
            });
            for (i, (up, down)) in up.iter().zip(&down).enumerate() {
                let difference = (up - down) / (2.0 * d);
                let error = (tangent[(i, j)] - difference).abs() / tangent.amax();
                errors[which] = errors[which].max(error);
            }
        }
    }
    errors
}

const MODELS: [InflowModel; 6] = [
    InflowModel::None,
    InflowModel::Uniform,
    InflowModel::Drees,
    InflowModel::Coleman,
    InflowModel::PittPeters,
    InflowModel::Annular,
];

#[test]
fn tangents_are_those_of_central_differences() {
    for inflow in MODELS {
        for rotation in [Rotation::CounterClockwise, Rotation::Clockwise] {
            let mut spec = spec(inflow);
            spec.rotation = rotation;
            spec.blade.leading_edge = [0.0, rotation.sign(), 0.0];
            let [position, velocity] = errors(&spec, 36.0);
            assert!(position < 2e-8 && velocity < 2e-8, "{inflow:?} {rotation:?}: {position:e} {velocity:e}");
        }
    }
}

/// With separation points that lag behind, between steady and stalled flow.
#[test]
fn tangents_with_dynamic_stall() {
    for inflow in [InflowModel::PittPeters, InflowModel::Annular] {
        let mut spec = RotorSpec { stall_time_constant: Some(4.0), wagner: true, ..spec(inflow) };
        spec.blade.airfoils[0].airfoil = AirfoilSpec::Formula;
        spec.blade.twist = Distribution::new(vec![[0.5, 6.0, 0.25, 0.2]]);
        let [position, velocity] = errors(&spec, 36.0);
        assert!(position < 2e-8 && velocity < 2e-8, "{inflow:?}: {position:e} {velocity:e}");
    }
}

/// Over a ground that is not across the rotor axis.
#[test]
fn tangents_over_ground() {
    for inflow in [InflowModel::Uniform, InflowModel::Drees, InflowModel::PittPeters] {
        let ground = Some(GroundSpec { up: [0.1, -0.2, 1.0], height: -4.5 });
        let [position, velocity] = errors(&RotorSpec { ground, ..spec(inflow) }, 36.0);
        assert!(position < 2e-8 && velocity < 2e-8, "{inflow:?}: {position:e} {velocity:e}");
    }
}

/// Parked, and turning so slowly that the inflow is blended.
#[test]
fn tangents_of_slow_rotors() {
    for inflow in MODELS {
        for speed in [0.0, 2.0] {
            let mut spec = spec(inflow);
            spec.blade.airfoils[0].airfoil = AirfoilSpec::Formula;
            let [position, velocity] = errors(&spec, speed);
            assert!(position < 2e-8 && velocity < 2e-8, "{inflow:?} {speed}: {position:e} {velocity:e}");
        }
    }
}
