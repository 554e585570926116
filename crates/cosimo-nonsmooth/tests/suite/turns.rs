//! Slips that stop or turn round inside a step, at any of its phases, against closed forms.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{assert_balance, energy, envelope_order, step_sizes};
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, Theta};
use cosimo_mechanics::ContactLaw;
use cosimo_nonsmooth::{
    ContactChangeKind, ContactLaws, ImpactResolution, MoreauJean, MovingPlane, MovingPlanes, PlaneMotion,
};
use nalgebra::{DMatrix, Vector3, dmatrix};

const G: f64 = 9.81;
/// Shares of a step at which the slip stops.
const PHASES: [f64; 13] = [1e-3, 0.05, 0.15, 0.25, 0.35, 0.45, 0.5, 0.55, 0.65, 0.75, 0.85, 0.95, 0.999];

/// A block of 1 kg on a plane that rises by `angle`, sliding up it, and back where friction does not hold it.
struct Slope {
    angle: f64,
    friction: f64,
    speed: f64,
}

impl Slope {
    /// Sliding up so fast that it stops after `time` (s).
    fn stopping_after(time: f64, angle: f64, friction: f64) -> Self {
        let slope = Self { angle, friction, speed: 0.0 };
        Self { speed: slope.deceleration() * time, ..slope }
    }

    fn along(&self) -> Vector3<f64> {
        let (sine, cosine) = self.angle.sin_cos();
        Vector3::new(cosine, 0.0, sine)
    }

    /// Of the way up (m/s²).
    fn deceleration(&self) -> f64 {
        G * (self.angle.sin() + self.friction * self.angle.cos())
    }

    /// Of the way back (m/s²); zero where it stays.
    fn acceleration(&self) -> f64 {
        G * (self.angle.sin() - self.friction * self.angle.cos()).max(0.0)
    }

    /// Way up and its rate after `time` (s).
    fn exact(&self, time: f64) -> [f64; 2] {
        let (down, back) = (self.deceleration(), self.acceleration());
        let stop = self.speed / down;
        if time < stop {
            return [(self.speed - 0.5 * down * time) * time, self.speed - down * time];
        }
        let after = time - stop;
        [0.5 * self.speed * stop - 0.5 * back * after * after, -back * after]
    }

    fn start(&self) -> MoreauJean {
        let (sine, cosine) = self.angle.sin_cos();
        let plane = MovingPlane {
            name: "plane".into(),
            motion: PlaneMotion::at_rest(Vector3::zeros(), Vector3::new(-sine, 0.0, cosine)),
            law: ContactLaw::with_friction(0.0, self.friction),
        };
        let planes = MovingPlanes::new(vec![plane], 0.0).unwrap();
        let laws = planes.laws();
        let system = MovingPlanes::point_mass(1.0, Vector3::new(0.0, 0.0, -G)).unwrap();
        let start = (0.0, vec![0.0; 3], (self.along() * self.speed).as_slice().to_vec());
        let contacts = (Box::new(planes) as _, laws);
        MoreauJean::new(system, Theta::default(), contacts, ImpactResolution::SubStep, start).unwrap()
    }

    /// Way up and its rate of a stepper.
    fn found(&self, stepper: &MoreauJean) -> [f64; 2] {
        let state = stepper.stepper().state();
        [&state.q, &state.v].map(|x| Vector3::new(x[0], x[1], x[2]).dot(&self.along()))
    }
}

/// Friction has its own direction before and after the turn, whenever in a step that is: it never pushes, and way and speed
/// are those of the closed form.
#[test]
fn a_turn_at_any_phase_of_a_step_is_exact() {
    for (h, phase) in [1e-3, 5e-4].into_iter().flat_map(|h| PHASES.map(|phase| (h, phase))) {
        let slope = Slope::stopping_after((20.0 + phase) * h, 0.4, 0.2);
        let mut stepper = slope.start();
        for k in 1..=40 {
            let before = energy(&stepper);
            stepper.step(h).unwrap();
            assert_balance(&stepper, before, energy(&stepper));
            let exact = slope.exact(f64::from(k) * h);
            for (found, exact) in slope.found(&stepper).into_iter().zip(exact) {
                assert!((found - exact).abs() < 1e-13, "{h}, {phase}, step {k}: {found} {exact}");
            }
            // Along the slope upwards: against the slip until it stops, then against its way back.
            let share = f64::clamp(20.0 + phase - f64::from(k - 1), 0.0, 1.0);
            let friction = &stepper.contacts().impulses[1..3];
            let bound = 0.2 * G * 0.4_f64.cos() * h;
            let impulse = friction[0].hypot(friction[1]);
            assert!((impulse - bound * (1.0 - 2.0 * share).abs()).abs() < 1e-15, "{h}, {phase}, step {k}");
        }
    }
}

/// Where friction holds it, the block stops at its time and place and stays.
#[test]
fn a_stop_at_any_phase_of_a_step_is_exact() {
    for (h, phase) in [1e-3, 5e-4].into_iter().flat_map(|h| PHASES.map(|phase| (h, phase))) {
        let stop = (20.0 + phase) * h;
        let slope = Slope::stopping_after(stop, 0.2, 0.3);
        let (mut stepper, mut stuck) = (slope.start(), Vec::new());
        for k in 1..=1000 {
            let before = energy(&stepper);
            stepper.step(h).unwrap();
            assert_balance(&stepper, before, energy(&stepper));
            let exact = slope.exact(f64::from(k) * h);
            for (found, exact) in slope.found(&stepper).into_iter().zip(exact) {
                assert!((found - exact).abs() < 1e-13, "{h}, {phase}, step {k}: {found} {exact}");
            }
            let changes = &stepper.contacts().changes;
            stuck.extend(changes.iter().filter(|c| c.kind == ContactChangeKind::Stick).map(|c| c.time));
        }
        let [time] = stuck[..] else { panic!("{h}, {phase}: {stuck:?}") };
        assert!((time - stop).abs() < 1e-12, "{h}, {phase}: {time} {stop}");
    }
}

/// Spring of 100 N/m with dry friction, released at 0.5 m: half cycles about `±μ m g/k`, the last of which ends in the dead
/// band.
fn oscillator(time: f64) -> f64 {
    let (omega, shift) = (10.0, 0.2 * G / 100.0);
    let turns = (time * omega / std::f64::consts::PI).floor().min(13.0);
    let (side, rest) = (if turns % 2.0 == 0.0 { 1.0 } else { -1.0 }, 0.5 - 2.0 * shift * turns);
    if turns == 13.0 {
        return side * rest;
    }
    side * ((rest - shift) * (omega * time - turns * std::f64::consts::PI).cos() + shift)
}

/// Largest error of the way of the oscillator with steps of `h` (s).
fn error_of_oscillator(h: f64) -> f64 {
    let system = LinearSystem::new(DMatrix::identity(2, 2)).unwrap();
    let system = system.with_stiffness(dmatrix![100.0, 0.0; 0.0, 0.0]).unwrap();
    let system = system.with_force(vec![0.0, -G]).unwrap();
    let rows = LinearRows(vec![LinearRow::coordinate(1), LinearRow::coordinate(0)]);
    let laws = ContactLaws::new([(ContactLaw::with_friction(0.0, 0.2), 1)]);
    let start = (0.0, vec![0.5, 0.0], vec![0.0, 0.0]);
    let contacts = (Box::new(rows) as _, laws);
    let mut stepper =
        MoreauJean::new(system, Theta::default(), contacts, ImpactResolution::SubStep, start).unwrap();
    let error = |_| {
        stepper.step(h).unwrap();
        let state = stepper.stepper().state();
        (state.q[0] - oscillator(state.time)).abs()
    };
    (0..(4.5 / h).round() as usize).map(error).fold(0.0, f64::max)
}

/// Sliding along a line with reversals is of order two: twelve turns and a stop at whatever phases the steps have.
#[test]
fn a_spring_with_dry_friction_is_of_order_two() {
    let steps = step_sizes(30, (4e-3, 2e-4), 4.5);
    let errors: Vec<f64> = steps.iter().map(|h| error_of_oscillator(*h)).collect();
    for (h, error) in steps.iter().zip(&errors) {
        assert!(*error < 70.0 * h * h, "{h}: {error}");
    }
    let order = envelope_order(&steps, &errors);
    assert!((1.9..2.1).contains(&order), "{order}");
}
