//! Pitt and Peters' states: steady states, poles, signs. The rotor is that of the closed forms.

use std::f64::consts::PI;

use cosimo_aerodynamics::FrameMotion;
use cosimo_aerodynamics::inflow::{InflowModel, Rotation};
use cosimo_aerodynamics::rotor::{Rotor, RotorLoads, RotorState};
use cosimo_aerodynamics::spec::{RotorSpec, WindSpec};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use crate::closed_forms;
use crate::rigid::Rigid;

const RADIUS: f64 = 6.0;
const SPEED: f64 = 36.0;
const TIP: f64 = RADIUS * SPEED;
const MASS: f64 = 1.225 * PI * RADIUS * RADIUS;

fn spec() -> RotorSpec {
    closed_forms::spec(InflowModel::PittPeters)
}

fn rigid(velocity: Vector3<f64>) -> Rigid {
    Rigid { velocity, ..Rigid::turning(Rotation::CounterClockwise, SPEED, 8.0_f64.to_radians()) }
}

/// A rotor held at an azimuth, with its loads.
struct Held {
    rotor: Rotor,
    frames: Vec<FrameMotion>,
    loads: RotorLoads,
}

/// A rotor with these states of the inflow.
fn of(rotor: &Rotor, inflow: &Vector3<f64>) -> RotorState {
    RotorState { inflow: *inflow, ..RotorState::new(rotor) }
}

impl Held {
    fn new(rigid: &Rigid, spec: &RotorSpec) -> Self {
        let mut spec = spec.clone();
        rigid.adapt(&mut spec);
        let rotor = spec.build().unwrap();
        Self { frames: rigid.frames(&spec), loads: RotorLoads::new(&rotor), rotor }
    }

    /// Rates of the states, as the loads at this instant have them (m/s²).
    fn rates(&mut self, states: &Vector3<f64>) -> Vector3<f64> {
        self.loads.start(&self.rotor, &self.frames, 0.0, &of(&self.rotor, states), 0.01).unwrap().rates
    }

    /// The states after so many steps.
    fn after(&mut self, mut states: Vector3<f64>, size: f64, count: usize) -> Vector3<f64> {
        for _ in 0..count {
            let step =
                self.loads.start(&self.rotor, &self.frames, 0.0, &of(&self.rotor, &states), size).unwrap();
            states = self.loads.end(&self.rotor, &self.frames, 0.0, &step).unwrap();
        }
        states
    }

    /// Thrust and first moments over the radius of the last evaluation (N), summed here.
    fn forcing(&self) -> Vector3<f64> {
        let stations = self.rotor.blade.stations();
        let mut forcing = Vector3::zeros();
        for (b, blade) in self.loads.blades.iter().enumerate() {
            for k in 0..stations {
                let place = self.frames[1 + b * stations + k].position / RADIUS;
                forcing += Vector3::new(1.0, place.x, place.y) * blade.loads[6 * k + 2];
            }
        }
        forcing
    }
}

/// In hover the mean is that of the uniform inflow and there are no gradients.
#[test]
fn hover_is_that_of_momentum_theory() {
    let rigid = rigid(Vector3::zeros());
    let found = Held::new(&rigid, &spec()).after(Vector3::new(5.0, 1.0, -2.0), 0.01, 400);
    let uniform = rigid.totals(&closed_forms::spec(InflowModel::Uniform)).inflow;
    assert!((found.x / uniform - 1.0).abs() < 1e-9, "{} {uniform}", found.x);
    assert!(found.y.abs() < 1e-9 && found.z.abs() < 1e-9, "{found}");
}

/// `V L⁻¹ v = C/(ρA)` with `L` written out along the flight, for flight along x.
#[test]
fn steady_states_in_forward_flight() {
    for speed in [10.0, 43.2, 90.0] {
        let mut held = Held::new(&rigid(Vector3::new(speed, 0.0, -1.0)), &spec());
        let states = held.after(Vector3::new(5.0, 0.0, 0.0), 0.02, 500);
        assert!(held.rates(&states).norm() < 1e-8);
        let forcing = held.forcing() / MASS;
        let through = states.x - 1.0;
        let total = speed.hypot(through);
        let mass_flow = (speed * speed + through * (through + states.x)) / total;
        let wake = (speed / through).atan();
        let x = (0.5 * wake).tan();
        // Rows: mean, gradient downwind (along −x), gradient across (along y); columns: thrust, first moments.
        let l = Matrix3::new(
            0.5 / total,
            -15.0 * PI / 64.0 * x / mass_flow,
            0.0,
            15.0 * PI / 64.0 * x / total,
            4.0 * wake.cos() / (1.0 + wake.cos()) / mass_flow,
            0.0,
            0.0,
            0.0,
            4.0 / (1.0 + wake.cos()) / mass_flow,
        );
        let expected = l * Vector3::new(forcing.x, -forcing.y, forcing.z);
        let found = Vector3::new(states.x, -states.y, states.z);
        assert!((found - expected).norm() < 1e-8 * expected.norm(), "{speed}: {found} {expected}");
    }
}

/// The wake builds up from front to rear: there is more inflow downwind, whichever way the rotor turns.
#[test]
fn inflow_builds_up_downwind() {
    for rotation in [Rotation::CounterClockwise, Rotation::Clockwise] {
        let velocity = Vector3::new(36.0, 48.0, 0.0);
        let mut held = Held::new(&Rigid { rotation, ..rigid(velocity) }, &spec());
        let states = held.after(Vector3::new(5.0, 0.0, 0.0), 0.02, 500);
        assert!(Vector3::new(states.y, states.z, 0.0).dot(&velocity) < 0.0, "{states}");
    }
}

/// More lift on one side makes more inflow there.
#[test]
fn lift_on_one_side_makes_inflow_there() {
    for (rows, side) in [
        ([0.0, 0.4, 0.0], Vector3::y()),
        ([0.4, 0.0, 0.0], Vector3::x()),
        ([-0.3, 0.2, 0.0], Vector3::new(-0.3, 0.2, 0.0)),
    ] {
        // Wind upwards on that side.
        let wind =
            WindSpec::Linear { velocity: [0.0; 3], gradient: [[0.0; 3], [0.0; 3], rows], origin: [0.0; 3] };
        for rotation in [Rotation::CounterClockwise, Rotation::Clockwise] {
            let rigid = Rigid { rotation, ..rigid(Vector3::zeros()) };
            let mut held = Held::new(&rigid, &RotorSpec { wind: wind.clone(), ..spec() });
            let states = held.after(Vector3::new(5.0, 0.0, 0.0), 0.01, 500);
            let gradient = Vector3::new(states.y, states.z, 0.0);
            assert!(
                gradient.dot(&side) > 0.0 && gradient.cross(&side).norm() < 1e-6 * gradient.norm(),
                "{gradient}"
            );
            // 2 V̄ … in hover: V̄ = 2 v₀, L = 2, so that the gradient is the first moment over ρA v₀.
            let moment = held.forcing() / (MASS * states.x);
            assert!((gradient.x - moment.y).abs() < 1e-7 && (gradient.y - moment.z).abs() < 1e-7);
        }
    }
}

/// In front, lift makes more mean inflow than behind (`L₁₃ < 0` for the moment of lift behind): the wake builds up on its way.
#[test]
fn lift_in_front_makes_more_mean_inflow() {
    let mean = |slope: f64| {
        let wind = WindSpec::Linear {
            velocity: [0.0; 3],
            gradient: [[0.0; 3], [0.0; 3], [slope, 0.0, 0.0]],
            origin: [0.0; 3],
        };
        let mut held = Held::new(&rigid(Vector3::new(60.0, 0.0, 0.0)), &RotorSpec { wind, ..spec() });
        let states = held.after(Vector3::new(5.0, 0.0, 0.0), 0.02, 500);
        states.x / held.forcing().x
    };
    // Flight along x: the front of the disk is at positive x.
    assert!(mean(0.3) > mean(0.0) && mean(0.0) > mean(-0.3));
}

/// Small deviations decay with the poles of theory: `ẋ = −(2·2 V/M) …` for given loads, more with loads that follow the inflow.
#[test]
fn poles_in_hover() {
    let mut held = Held::new(&rigid(Vector3::zeros()), &spec());
    let steady = held.after(Vector3::new(10.0, 0.0, 0.0), 0.01, 500);
    let d = 1e-5;
    let pole = |held: &mut Held, direction: Vector3<f64>| {
        (held.rates(&(steady + direction * d)) - held.rates(&(steady - direction * d))).dot(&direction)
            / (2.0 * d)
    };
    // M R v̇ + 2 v² = C: the derivative of 2 v |v| is 4 v; that of C_T by λ is −σa/4, that of first moments half of it
    // with the gradients for the mean: −σa/16.
    let loading = 4.0 * 0.4 / (PI * RADIUS) * 5.73;
    let mean = -(4.0 * steady.x + 0.25 * loading * TIP) / (128.0 / (75.0 * PI) * RADIUS);
    let found = pole(&mut held, Vector3::x());
    assert!((found / mean - 1.0).abs() < 0.01, "{found} {mean}");
    // V̄ = 2 v₀ and L = 2; four blades share x²/R² and y²/R² evenly: ∫ r² · r dr halved by the mean of cos².
    let gradient = -(steady.x + loading * TIP / 16.0) / (16.0 / (45.0 * PI) * RADIUS);
    for direction in [Vector3::y(), Vector3::z()] {
        let found = pole(&mut held, direction);
        assert!((found / gradient - 1.0).abs() < 0.01, "{found} {gradient}");
    }
}

#[test]
fn states_do_not_know_the_axes_they_are_counted_along() {
    let velocity = Vector3::new(30.0, 12.0, -2.0);
    let at = |reference: [f64; 3]| {
        let mut held = Held::new(&rigid(velocity), &RotorSpec { reference: Some(reference), ..spec() });
        let states = held.after(Vector3::new(5.0, 0.0, 0.0), 0.02, 300);
        (states.x, states.y.hypot(states.z), held.loads.totals(&held.rotor, &held.frames).unwrap().torque)
    };
    let (a, b) = (at([1.0, 0.0, 0.0]), at([0.3, -0.8, 0.5]));
    for (a, b) in [(a.0, b.0), (a.1, b.1), (a.2, b.2)] {
        assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
    }
}

/// The whole arrangement turned in space: loads turn with it, whatever way the axis points.
#[test]
fn a_rotor_about_any_axis_runs_by_default() {
    let velocity = Vector3::new(30.0, 12.0, -2.0);
    let run = |turn: UnitQuaternion<f64>| {
        let mut held = Held::new(&rigid(velocity), &spec());
        for frame in &mut held.frames {
            frame.position = turn * frame.position;
            frame.velocity = turn * frame.velocity;
            frame.angular_velocity = turn * frame.angular_velocity;
            frame.orientation = turn * frame.orientation;
        }
        let states = held.after(Vector3::new(5.0, 0.0, 0.0), 0.02, 300);
        let totals = held.loads.totals(&held.rotor, &held.frames).unwrap();
        [states.x, states.y.hypot(states.z), totals.thrust, totals.torque]
    };
    let upright = run(UnitQuaternion::identity());
    for x in [-1.0, -0.7, 0.0, 0.7, 1.0] {
        for y in [-1.0, 0.0, 0.1, 1.0] {
            for z in [-1.0, 0.0, 1.0] {
                let Some(axis) = Vector3::new(x, y, z).try_normalize(0.01) else { continue };
                let half_turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), PI);
                let turn = UnitQuaternion::rotation_between(&Vector3::z(), &axis).unwrap_or(half_turn);
                for (found, expected) in run(turn).into_iter().zip(upright) {
                    assert!((found / expected - 1.0).abs() < 1e-9, "axis {axis:?}: {found} {expected}");
                }
            }
        }
    }
}
