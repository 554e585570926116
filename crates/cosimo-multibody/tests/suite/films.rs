//! Journal bearings and seals against closed forms.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::mechanisms::{diagonal, start};
use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_multibody::modes::{Equilibrium, Turning, modes};
use cosimo_multibody::spatial::{
    Bearing, Body, FilmStation, Force, ForceKind, Frame, JointKind, RigidBody, SpatialModel, SpatialSystem,
};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};
use nalgebra::{Complex, Matrix3, Matrix6, Vector3};

const RULES: [Method; 2] = [Method::Midpoint, Method::GeneralizedAlpha { spectral_radius: 1.0 }];

const MASS: f64 = 2.0;
const STIFFNESS: f64 = 5e3;
const DAMPING: f64 = 20.0;

fn settings(method: Method) -> DaeSettings {
    let formulation = match method {
        Method::Midpoint => Formulation::PositionVelocity,
        _ => Formulation::PositionVelocityAcceleration,
    };
    DaeSettings { formulation, tolerance: 1e-12, ..DaeSettings::default() }
}

/// `[k, κ; −κ, k]` across `z`.
fn crossed(direct: f64, cross: f64) -> Matrix3<f64> {
    Matrix3::new(direct, cross, 0.0, -cross, direct, 0.0, 0.0, 0.0, direct)
}

/// Growth and frequency of the forward whirl: `m s² + c s + k − i κ = 0` for `x + i y`.
fn whirl(cross: f64) -> Complex<f64> {
    let root = (Complex::new(DAMPING * DAMPING, 0.0)
        - Complex::new(STIFFNESS, -cross) * Complex::new(4.0 * MASS, 0.0))
    .sqrt();
    let roots = [root, -root].map(|root| (root - DAMPING) / (2.0 * MASS));
    if roots[0].re > roots[1].re { roots[0] } else { roots[1] }
}

/// A rotor of Jeffcott in this bearing that spins at this speed, on its forward whirl.
fn rotor(kind: ForceKind, spin: f64, cross: f64, rule: Method) -> DaeSolver<SpatialSystem> {
    let (s, start_at) = (whirl(cross), Complex::new(1e-3, 0.0));
    let rate = s * start_at;
    let body = Body::new("rotor", RigidBody::new(MASS, diagonal(0.1, 0.1, 0.2)).unwrap())
        .with_position([start_at.re, start_at.im, 0.0])
        .with_velocity([rate.re, rate.im, 0.0], [0.0, 0.0, spin]);
    let force = Force::new("film", kind, Frame::ground([0.0; 3]), Frame::on("rotor", [0.0; 3]));
    start(SpatialModel::new().with_body(body).with_force(force), rule, settings(rule))
}

/// The threshold of instability of cross-coupled stiffness is `c ω = κ` with `ω² = k/m`: the amplitude goes as `exp(Re s t)`, up or down.
#[test]
fn cross_coupled_stiffness_drives_a_whirl_beyond_its_threshold() {
    let threshold = DAMPING * (STIFFNESS / MASS).sqrt();
    assert!(whirl(threshold).re.abs() < 1e-9, "{}", whirl(threshold));
    for rule in RULES {
        for share in [0.5, 1.0, 2.0] {
            let cross = share * threshold;
            let bearing = Bearing::new(crossed(STIFFNESS, cross), Matrix3::identity() * DAMPING);
            let mut solver = rotor(ForceKind::Bearing(bearing), 100.0, cross, rule);
            solver.advance_to(0.3, 1e-4).unwrap();
            let (q, exact) = (&solver.state().q, 1e-3 * (whirl(cross) * 0.3).exp());
            let found = Complex::new(q[0], q[1]);
            assert!((found - exact).norm() < 1e-4 * exact.norm(), "{rule:?}, {share}: {found} {exact}");
        }
    }
}

/// Between two speeds of a table the stiffness is the one in between; a bushing with the same matrix does the same to a shaft that does not
/// turn.
#[test]
fn films_follow_the_speed_of_the_shaft() {
    let cross = 900.0;
    let station = |speed, stiffness| FilmStation { speed, stiffness, damping: Matrix3::identity() * DAMPING };
    let table = Bearing {
        stations: vec![station(50.0, crossed(STIFFNESS, 0.0)), station(150.0, crossed(STIFFNESS, 1800.0))],
    };
    let mut six = [Matrix6::zeros(), Matrix6::zeros()];
    six[0].fixed_view_mut::<3, 3>(0, 0).copy_from(&crossed(STIFFNESS, cross));
    six[1].fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * DAMPING));
    let [stiffness, damping] = six.map(Box::new);
    for rule in RULES {
        let kinds = [
            (ForceKind::Bearing(table.clone()), 100.0),
            (ForceKind::NonSymmetricBushing { stiffness: stiffness.clone(), damping: damping.clone() }, 0.0),
        ];
        for (kind, spin) in kinds {
            let mut solver = rotor(kind, spin, cross, rule);
            solver.advance_to(0.2, 1e-4).unwrap();
            let (q, exact) = (&solver.state().q, 1e-3 * (whirl(cross) * 0.2).exp());
            assert!((Complex::new(q[0], q[1]) - exact).norm() < 1e-4 * exact.norm(), "{rule:?}");
        }
    }
}

/// What a whirl gains comes from outside: the energy changes by what the powers say.
#[test]
fn the_work_of_the_film_is_booked() {
    let cross = 3.0 * DAMPING * (STIFFNESS / MASS).sqrt();
    let bearing = Bearing::new(crossed(STIFFNESS, cross), Matrix3::identity() * DAMPING);
    let mut solver = rotor(ForceKind::Bearing(bearing), 100.0, cross, RULES[1]);
    let power = |solver: &DaeSolver<SpatialSystem>| {
        let state = solver.state();
        let motion = Motion { t: state.time, q: &state.q, v: &state.v };
        solver.system().external_power(motion) - solver.system().dissipated_power(motion)
    };
    let (before, h, mut work) = (solver.energy().total(), 1e-4, 0.0);
    for k in 1..=2000 {
        let from = power(&solver);
        solver.advance_to(h * f64::from(k), h).unwrap();
        work += 0.5 * h * (from + power(&solver));
    }
    let gained = solver.energy().total() - before;
    assert!(gained > 0.01 && (gained - work).abs() < 1e-3 * gained, "{gained} {work}");
}

#[test]
fn films_are_checked() {
    let rejection = |bearing: Bearing| {
        let body = Body::new("rotor", RigidBody::new(MASS, diagonal(0.1, 0.1, 0.2)).unwrap());
        let ends = [Frame::ground([0.0; 3]), Frame::on("rotor", [0.0; 3])];
        let [first, second] = ends;
        let force = Force::new("film", ForceKind::Bearing(bearing), first, second);
        let model = SpatialModel::new().with_body(body).with_force(force);
        model.build().map(|_: SpatialSystem| ()).unwrap_err().to_string()
    };
    let station = |speed| FilmStation { speed, stiffness: Matrix3::identity(), damping: Matrix3::zeros() };
    let found = rejection(Bearing { stations: vec![station(2.0), station(1.0)] });
    assert!(found.contains("force `film`: speed is 1.0, must be greater than the one before"), "{found}");
    assert!(rejection(Bearing { stations: Vec::new() }).contains("at least one"));
    let wrong = Bearing::new(Matrix3::from_diagonal(&Vector3::new(1.0, f64::NAN, 1.0)), Matrix3::zeros());
    assert!(rejection(wrong).contains("stiffness is NaN, must be finite"));
}

/// The eigenvalue of the forward whirl is that of the closed form, in the modes too.
#[test]
fn modes_have_the_whirl() {
    let cross = 1.5 * DAMPING * (STIFFNESS / MASS).sqrt();
    let bearing = Bearing::new(crossed(STIFFNESS, cross), Matrix3::identity() * DAMPING);
    let body = Body::new("rotor", RigidBody::new(MASS, diagonal(0.1, 0.1, 0.2)).unwrap());
    let ends = [Frame::ground([0.0; 3]), Frame::on("rotor", [0.0; 3])];
    let [first, second] = ends;
    let system = SpatialModel::new()
        .with_body(body)
        .with_joint_at("plane", JointKind::Planar, [None, Some("rotor")], ([0.0; 3], [0.0, 0.0, 1.0]))
        .with_force(Force::new("film", ForceKind::Bearing(bearing), first, second))
        .build()
        .unwrap();
    let found = Equilibrium::find(&system, 0.0, &system.initial_position(), Turning::REST).unwrap();
    let modes = modes(&system, &found, (6, 50.0)).unwrap();
    let exact = whirl(cross);
    assert!(
        exact.re > 0.0 && modes.iter().any(|mode| (mode.eigenvalue - exact).norm() < 1e-7 * exact.norm())
    );
}
