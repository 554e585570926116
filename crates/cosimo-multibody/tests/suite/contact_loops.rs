//! Penalty contacts of a ball beside a fine integration of its scalar equation `m δ¨ = m g + f(t) − F(δ, δ̇)`.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::sync::Arc;

use crate::mechanisms::{diagonal, start};
use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_multibody::spatial::{
    Body, BodyFunction, Force, ForceKind, Frame, Onset, PenaltyLaw, RigidBody, SpatialModel, SpatialSystem,
};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};
use nalgebra::Vector3;

const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.1;

/// Downward force on the ball besides gravity and the floor (N), from a time on (s).
#[derive(Clone, Copy, Debug)]
struct Load {
    force: f64,
    from: f64,
}

const NONE: Load = Load { force: 0.0, from: 0.0 };

impl Load {
    fn at(self, t: f64) -> f64 {
        if t >= self.from { self.force } else { 0.0 }
    }
}

/// A ball of 1 kg in contact with a floor, to this depth and with this rate of the depth.
#[derive(Clone, Copy, Debug)]
struct Ball {
    depth: f64,
    rate: f64,
    load: Load,
}

fn solver(law: PenaltyLaw, ball: Ball) -> DaeSolver<SpatialSystem> {
    let body = Body::new("ball", RigidBody::new(1.0, diagonal(0.004, 0.004, 0.004)).unwrap());
    let body =
        body.with_position([0.0, 0.0, RADIUS - ball.depth]).with_velocity([0.0, 0.0, -ball.rate], [0.0; 3]);
    let on_ball = || Frame::on("ball", [0.0; 3]);
    let floor = ForceKind::SpherePlane { radius: RADIUS, law };
    let load = ball.load;
    let press = BodyFunction(Arc::new(move |t, _, _| [Vector3::z() * -load.at(t), Vector3::zeros()]));
    let model = SpatialModel::new()
        .with_gravity([0.0, 0.0, -GRAVITY])
        .with_body(body)
        .with_force(Force::new("floor", floor, Frame::ground([0.0; 3]), on_ball()))
        .with_force(Force::new("press", ForceKind::OnBody(press), Frame::ground([0.0; 3]), on_ball()));
    let settings =
        DaeSettings { formulation: Formulation::Position, tolerance: 1e-12, ..DaeSettings::default() };
    start(model, Method::GeneralizedAlpha { spectral_radius: 0.9 }, settings)
}

/// Depth, its rate, and the force of the floor.
fn found(solver: &DaeSolver<SpatialSystem>, load: Load) -> [f64; 3] {
    let state = solver.state();
    let mut out = [0.0; 6];
    let motion = Motion { t: state.time, q: &state.q, v: &state.v };
    solver.system().balance(motion, &[0.0; 6], &[], &mut out);
    [RADIUS - state.q[2], -state.v[2], GRAVITY + load.at(state.time) - out[2]]
}

/// The scalar equation by the classical Runge-Kutta rule: time, depth and rate, with the largest speed of approach and the
/// depth at which the contact began.
struct Scalar {
    law: PenaltyLaw,
    load: Load,
    time: f64,
    x: [f64; 2],
    fastest: f64,
    began: f64,
}

impl Scalar {
    fn new(law: PenaltyLaw, ball: Ball) -> Self {
        let Ball { depth, rate, load } = ball;
        Self { law, load, time: 0.0, x: [depth, rate], fastest: rate.max(0.0), began: depth }
    }

    fn force(&self, [depth, rate]: [f64; 2]) -> f64 {
        let speed = self.fastest.max(rate);
        let began = self.began.min(depth);
        let impact = |k: f64, n: f64, chi: f64| {
            let hysteresis = if speed > 0.0 { chi * rate / speed } else { 0.0 };
            k * depth.powf(n) + hysteresis * k * (depth.powf(n) - began.powf(n))
        };
        if depth <= 0.0 {
            return 0.0;
        }
        let force = match self.law {
            PenaltyLaw::KelvinVoigt { stiffness, damping } => stiffness * depth + damping * rate,
            PenaltyLaw::Hertz { stiffness, exponent } => impact(stiffness, exponent, 0.0),
            PenaltyLaw::HuntCrossley { stiffness, exponent, restitution: e } => {
                impact(stiffness, exponent, 1.5 * (1.0 - e))
            }
            PenaltyLaw::LankaraniNikravesh { stiffness, exponent, restitution: e } => {
                impact(stiffness, exponent, 0.75 * (1.0 - e * e))
            }
            PenaltyLaw::Flores { stiffness, exponent, restitution: e } => {
                impact(stiffness, exponent, 8.0 * (1.0 - e) / (5.0 * e))
            }
        };
        force.max(0.0)
    }

    fn step(&mut self, h: f64) {
        let slope = |t: f64, x: [f64; 2]| [x[1], GRAVITY + self.load.at(t) - self.force(x)];
        let along = |k: [f64; 2], h: f64| [self.x[0] + h * k[0], self.x[1] + h * k[1]];
        let middle = self.time + 0.5 * h;
        let first = slope(self.time, self.x);
        let second = slope(middle, along(first, 0.5 * h));
        let third = slope(middle, along(second, 0.5 * h));
        let last = slope(self.time + h, along(third, h));
        for i in 0..2 {
            self.x[i] += h / 6.0 * (first[i] + 2.0 * second[i] + 2.0 * third[i] + last[i]);
        }
        self.time += h;
        self.fastest = self.fastest.max(self.x[1]);
        self.began = self.began.min(self.x[0]);
    }

    fn advance(&mut self, steps: usize, h: f64) -> [f64; 3] {
        (0..steps).for_each(|_| self.step(h));
        [self.x[0], self.x[1], self.force(self.x)]
    }
}

/// Laws of impact with this restitution.
fn impact_laws(stiffness: f64, restitution: f64) -> [PenaltyLaw; 3] {
    let exponent = 1.5;
    [
        PenaltyLaw::HuntCrossley { stiffness, exponent, restitution },
        PenaltyLaw::LankaraniNikravesh { stiffness, exponent, restitution },
        PenaltyLaw::Flores { stiffness, exponent, restitution },
    ]
}

/// Largest difference of depth, rate and force over `steps` of size `h`, each as a share of the largest value; and the
/// largest depth.
fn differences(law: PenaltyLaw, ball: Ball, h: f64, steps: usize) -> ([f64; 3], f64) {
    const FINER: usize = 8;
    let (mut solver, mut scalar) = (solver(law, ball), Scalar::new(law, ball));
    let (mut most, mut off) = ([0.0_f64; 3], [0.0_f64; 3]);
    for _ in 0..steps {
        solver.step(h).unwrap();
        let exact = scalar.advance(FINER, h / FINER as f64);
        for ((found, exact), k) in found(&solver, ball.load).into_iter().zip(exact).zip(0..) {
            most[k] = most[k].max(exact.abs());
            off[k] = off[k].max((found - exact).abs());
        }
    }
    ([0, 1, 2].map(|k| off[k] / most[k]), most[0])
}

/// A steel ball after a fall of 0.9 m, pressed together and sprung back: the loop of force and depth, at every step.
#[test]
fn loops_of_force_and_depth_are_those_of_the_scalar_equation() {
    let stiffness = 2.4e10;
    let ball = Ball { depth: 0.0, rate: 4.202_142_310_774_350_5, load: NONE };
    let mut laws = vec![
        PenaltyLaw::KelvinVoigt { stiffness: 4e8, damping: 4e3 },
        PenaltyLaw::Hertz { stiffness, exponent: 1.5 },
    ];
    laws.extend([0.2, 0.5, 0.8].iter().flat_map(|e| impact_laws(stiffness, *e)));
    for law in laws {
        // A damper that meets the floor at once makes the force jump: the ball starts inside.
        let ball =
            if let PenaltyLaw::KelvinVoigt { .. } = law { Ball { depth: 1e-15, ..ball } } else { ball };
        let ([depth, rate, force], most) = differences(law, ball, 4e-8, 10_000);
        assert!(depth.max(rate).max(force) < 1e-6, "{law:?}: {depth:e} {rate:e} {force:e}");
        // It has been through the contact and left.
        let mut solver = solver(law, ball);
        solver.advance_to(1e4 * 4e-8, 4e-8).unwrap();
        let [end, rate, force] = found(&solver, NONE);
        assert!(most > 1e-4 && end < 0.0 && rate < -0.1 && force.abs() < 1e-9, "{law:?}: {end} {rate}");
    }
}

/// A ball set down on the floor, closed by nothing but its weight: the motion does not depend on the step, and ends where
/// the floor carries it.
#[test]
fn a_ball_set_down_sinks_as_its_equation_says() {
    let ball = Ball { depth: 0.0, rate: 0.0, load: NONE };
    for law in impact_laws(1e6, 0.5) {
        let [coarse, fine] = [1e-4, 1e-5].map(|h| differences(law, ball, h, (0.05 / h) as usize).0);
        for (coarse, fine) in coarse.iter().zip(fine) {
            assert!(fine < 2e-3 && fine < 0.15 * coarse, "{law:?}: {coarse:e} {fine:e}");
        }
        let mut solver = solver(law, ball);
        solver.advance_to(2.0, 1e-4).unwrap();
        let ([depth, ..], exact) = (found(&solver, NONE), (GRAVITY / 1e6_f64).powf(1.0 / 1.5));
        assert!((depth / exact - 1.0).abs() < 1e-6, "{law:?}: {depth} instead of {exact}");
    }
}

/// A ball at rest on the floor that is loaded, lightly or heavily, goes to the depth that carries the load.
#[test]
fn a_loaded_ball_goes_to_its_new_depth() {
    let rest = |force: f64| (force / 1e6).powf(1.0 / 1.5);
    for force in [0.5, 5.0, 200.0, -5.0] {
        let ball = Ball { depth: rest(GRAVITY), rate: 0.0, load: Load { force, from: 0.0 } };
        for law in impact_laws(1e6, 0.2) {
            let [coarse, fine] = [1e-4, 1e-5].map(|h| differences(law, ball, h, (0.04 / h) as usize).0);
            for (coarse, fine) in coarse.iter().zip(fine) {
                assert!(fine < 2e-3 && fine < 0.15 * coarse, "{law:?} {force}: {coarse:e} {fine:e}");
            }
            let mut solver = solver(law, ball);
            solver.advance_to(2.0, 1e-4).unwrap();
            let ([depth, ..], exact) = (found(&solver, ball.load), rest(GRAVITY + force));
            assert!((depth / exact - 1.0).abs() < 1e-6, "{law:?} {force}: {depth} instead of {exact}");
        }
    }
}

/// A ball that was set down and is pulled off: the floor lets it go.
#[test]
fn a_contact_never_pulls() {
    let load = Load { force: -2000.0, from: 0.01 };
    let ball = Ball { depth: 0.0, rate: 0.0, load };
    let mut laws = vec![PenaltyLaw::KelvinVoigt { stiffness: 1e4, damping: 1e3 }];
    laws.extend(impact_laws(1e6, 0.2));
    for law in laws {
        let mut solver = solver(law, ball);
        let (mut least, mut lets_go) = (0.0_f64, false);
        for _ in 0..1_100 {
            solver.step(1e-5).unwrap();
            let [depth, _, force] = found(&solver, load);
            least = least.min(force);
            lets_go |= depth > 0.0 && force < 1e-9;
        }
        assert!(least > -1e-9 && lets_go, "{law:?}: {least}");
        let ([depth, rate, _], _) = differences(law, ball, 1e-6, 11_000);
        assert!(depth < 2e-3 && rate < 2e-3, "{law:?}: {depth:e} {rate:e}");
    }
}

/// Force and derivatives of the laws where it would pull: zero, all three.
#[test]
fn a_force_let_go_has_no_derivatives() {
    let onset = Onset { velocity: 0.5, depth: 0.0 };
    let mut laws = vec![PenaltyLaw::KelvinVoigt { stiffness: 1e6, damping: 1e4 }];
    laws.extend(impact_laws(1e6, 0.2));
    for law in laws {
        assert_eq!(law.force(1e-4, -20.0, &onset), [0.0; 3], "{law:?}");
        assert!(law.force(1e-4, -1e-3, &onset)[0] > 0.0, "{law:?}");
    }
}
