//! Derivatives of gears, cams, ropes and bearings against finite differences at random states.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::differences::{Dense, balance, by_numbers, by_position, mismatch, slope};
use cosimo_dynamics::{ConstrainedSystem, Level, Motion};
use cosimo_mechanics::TimeFunction;
use cosimo_multibody::spatial::{
    Bearing, Body, FilmStation, Force, ForceKind, Frame, Gear, GearMesh, RigidBody, Rope, Sensor, SensorKind,
    SpatialModel, SpatialSystem, Transfer,
};
use nalgebra::{DVector, Matrix3, Matrix6, UnitQuaternion, Vector3};
use proptest::collection::vec;
use proptest::prelude::*;

fn frame(body: Option<&str>, p: &[f64]) -> Frame {
    let point = [p[0], p[1], p[2]];
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(p[3], p[4], p[5]));
    body.map_or_else(|| Frame::ground(point), |name| Frame::on(name, point)).with_orientation(turn)
}

/// Three bodies far from each other.
fn bodies(p: &[f64]) -> SpatialModel {
    let inertia = Matrix3::new(2.0, 0.2, -0.1, 0.2, 3.0, 0.3, -0.1, 0.3, 4.0);
    let mut model = SpatialModel::new();
    for (i, (name, offset)) in [("a", 2.0), ("b", -3.0), ("c", 6.0)].into_iter().enumerate() {
        let p = &p[5 * i..];
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(p[0], p[1], p[2]));
        let body = Body::new(name, RigidBody::new(1.5, inertia).unwrap()).with_position([offset, p[3], p[4]]);
        model = model.with_body(body.with_orientation(turn).with_centre_of_mass([p[2], p[3], 0.1]));
    }
    model
}

/// Gears and cams between angles, displacements and distances, on two to four bodies, one of them on both sides.
fn geared(p: &[f64]) -> SpatialSystem {
    let sensor = |name: &str, kind, first, second, k: usize| {
        Sensor::new(name, kind, frame(first, &p[k..]), frame(second, &p[k + 6..]))
    };
    let cam = TimeFunction::Harmonic { mean: 1.0, amplitude: 0.5, frequency: 2.0, phase: 0.3 };
    let offset = Some(0.2);
    bodies(p)
        .with_sensor(sensor("turn", SensorKind::Angle, None, Some("a"), 0))
        .with_sensor(sensor("other", SensorKind::Angle, Some("a"), Some("b"), 1))
        .with_sensor(sensor("rise", SensorKind::Displacement, Some("c"), Some("b"), 2))
        .with_sensor(sensor("reach", SensorKind::Distance, Some("b"), Some("c"), 3))
        .with_gear(Gear::new("stage", ["turn", "other"], -0.5))
        .with_gear(
            Gear::new("rack", ["other", "rise"], 0.3).with_transfer(Transfer::Ratio { ratio: 0.3, offset }),
        )
        .with_gear(Gear::new("cam", ["turn", "rise"], 1.0).with_transfer(Transfer::Curve(cam.clone())))
        .with_gear(Gear::new("long", ["reach", "rise"], 1.0).with_transfer(Transfer::Curve(cam)))
        .build()
        .unwrap()
}

/// Gears with losses, a tight rope over points of all bodies, and bearings.
fn forced(p: &[f64]) -> SpatialSystem {
    let matrix = |seed: usize| Matrix3::from_fn(|i, j| 20.0 * p[(seed + 3 * i + j) % p.len()]);
    let six = |seed: usize| Box::new(Matrix6::from_fn(|i, j| 9.0 * p[(seed + 5 * i + j) % p.len()]));
    let station = |speed, seed| FilmStation { speed, stiffness: matrix(seed), damping: matrix(seed + 4) };
    let bearing = Bearing { stations: vec![station(-9.0, 1), station(9.0, 7)] };
    let mesh = GearMesh {
        coordinates: [SensorKind::Angle, SensorKind::Displacement],
        turns: [0, 0],
        ratio: 0.7,
        // The loss has a kink where the teeth carry nothing: they are loaded well, either way.
        offset: 20.0_f64.copysign(p[0]),
        efficiency: 0.8,
        stiffness: 30.0,
        damping: 2.0,
        slip_speed: 3.0,
    };
    let nodes = [None, Some("a"), Some("c"), Some("b")];
    let nodes = nodes.iter().enumerate().map(|(k, body)| frame(*body, &p[k..])).collect();
    let over = [Some("a"), None, Some("b"), Some("a"), Some("c")];
    let over = over.iter().enumerate().map(|(k, body)| frame(*body, &p[2 * k..])).collect();
    let bushing = ForceKind::NonSymmetricBushing { stiffness: six(2), damping: six(5) };
    bodies(p)
        .with_element("mesh", nodes, mesh)
        .with_element("rope", over, Rope { length: 1.0, stiffness: 20.0, damping: 0.5 })
        .with_force(Force::new(
            "film",
            ForceKind::Bearing(bearing),
            frame(Some("a"), p),
            frame(Some("b"), &p[4..]),
        ))
        .with_force(Force::new("seal", bushing, frame(Some("c"), &p[2..]), frame(Some("a"), &p[9..])))
        .build()
        .unwrap()
}

fn constraints(system: &SpatialSystem, level: Level, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
    let mut out = vec![f64::NAN; system.structure().rows()];
    system.constraints(level, Motion { t: 0.0, q, v }, a, &mut out);
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn gears_have_exact_derivatives(
        p in vec(-0.4..0.4f64, 24), v in vec(-2.0..2.0f64, 18), a in vec(-2.0..2.0f64, 18),
        mu in vec(-20.0..20.0f64, 4),
    ) {
        let system = geared(&p);
        let q = system.initial_position();
        let mut dense = Dense::new(&system);
        system.jacobian(0.0, &q, &mut dense);
        system.rate_gradient(Motion { t: 0.0, q: &q, v: &v }, &mut dense);
        system.tangents(Motion { t: 0.0, q: &q, v: &v }, &a, &mu, &mut dense);
        let phi = by_position(&system, &q, |q| constraints(&system, Level::Position, q, &v, &a));
        prop_assert!(mismatch(&dense.jacobian, &phi) < 1e-7);
        let gradient = by_position(&system, &q, |q| constraints(&system, Level::Velocity, q, &v, &a));
        prop_assert!(mismatch(&dense.rate_gradient, &gradient) < 1e-7);
        let found = by_position(&system, &q, |q| balance(&system, (0.0, q, &v), &a, &mu));
        prop_assert!(mismatch(&dense.stiffness, &found) < 1e-7);
        let along = |level, s: f64| {
            let x: Vec<f64> = v.iter().zip(&a).map(|(v, a)| s * v + 0.5 * s * s * a).collect();
            let (mut moved, mut rate) = (q.clone(), vec![0.0; 18]);
            system.structure().coordinates().move_by(&q, &x, &mut moved);
            let x_rate: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + s * a).collect();
            system.structure().coordinates().velocity(&x, &x_rate, &mut rate);
            DVector::from_vec(constraints(&system, level, &moved, &rate, &a))
        };
        for (below, level) in [(Level::Position, Level::Velocity), (Level::Velocity, Level::Acceleration)] {
            let (found, stated) = (slope(|s| along(below, s)), along(level, 0.0));
            prop_assert!((&stated - &found).amax() / (1.0 + found.amax()) < 1e-7, "{stated} {found}");
        }
    }

    #[test]
    fn meshes_ropes_and_films_have_exact_derivatives(
        p in vec(-0.4..0.4f64, 24), v in vec(-2.0..2.0f64, 18),
    ) {
        let system = forced(&p);
        let q = system.initial_position();
        let mut dense = Dense::new(&system);
        let rest = vec![0.0; 18];
        system.tangents(Motion { t: 0.0, q: &q, v: &v }, &rest, &[], &mut dense);
        let stiffness = by_position(&system, &q, |q| balance(&system, (0.0, q, &v), &rest, &[]));
        prop_assert!(mismatch(&dense.stiffness, &stiffness) < 1e-6, "{}", mismatch(&dense.stiffness, &stiffness));
        let damping = by_numbers(&v, |v| balance(&system, (0.0, &q, v), &rest, &[]));
        prop_assert!(mismatch(&dense.damping, &damping) < 1e-6);
        // What the forces do is the loss of potential energy, what damping takes and what comes from outside.
        let motion = Motion { t: 0.0, q: &q, v: &v };
        let free = bodies(&p).build().unwrap();
        let (with, without) = (balance(&system, (0.0, &q, &v), &rest, &[]), balance(&free, (0.0, &q, &v), &rest, &[]));
        let power: f64 = with.iter().zip(&without).zip(&v).map(|((a, b), v)| (b - a) * v).sum();
        let stored = by_position(&system, &q, |q| vec![system.energy(Motion { t: 0.0, q, v: &rest }).potential]);
        let stored: f64 = stored.iter().zip(&v).map(|(slope, v)| slope * v).sum();
        let stated = system.external_power(motion) - system.dissipated_power(motion) - stored;
        prop_assert!((power - stated).abs() < 1e-5 * (1.0 + power.abs()), "{power} {stated}");
    }
}
