//! Steps that end in singular positions, or next to them, where constraints depend on each other.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};

use crate::mechanisms::{Z, diagonal, n_four_bar, rod, start};
use cosimo_mechanics::{Energy, TimeFunction};
use cosimo_multibody::spatial::{Body, Frame, Joint, JointKind, RigidBody, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, Formulation, Method, TangentPolicy};

const METHODS: [Method; 2] =
    [Method::GeneralizedAlpha { spectral_radius: 0.8 }, Method::Multistep { spectral_radius: 0.8 }];
const TANGENTS: [TangentPolicy; 3] = [TangentPolicy::Full, TangentPolicy::Modified, TangentPolicy::Frozen];

/// Speed of driven cranks (rad/s).
const SPEED: f64 = 5.0;

fn index_3(model: SpatialModel, method: Method, tangent: TangentPolicy) -> DaeSolver<SpatialSystem> {
    let settings = DaeSettings {
        formulation: Formulation::Position,
        tangent,
        tolerance: 1e-12,
        ..DaeSettings::default()
    };
    start(model, method, settings)
}

fn total(energy: Energy) -> f64 {
    energy.kinetic + energy.potential
}

/// Largest error of the energy (J) over 3.3 s, in which the loops lie flat four times.
fn energy_error(n: usize, (method, tangent, h): (Method, TangentPolicy, f64)) -> f64 {
    let mut solver = index_3(n_four_bar(n), method, tangent);
    let (exact, mut error) = (total(solver.energy()), 0.0_f64);
    let (mut height, mut passed) = (solver.state().q[1], 0);
    while solver.state().time < 3.3 {
        let stepped = solver.step(h);
        assert!(stepped.is_ok(), "{n} loops, {method:?}, {tangent:?}, h = {h}: {stepped:?}");
        error = error.max((total(solver.energy()) - exact).abs());
        // On the other branches the cranks do not stay parallel.
        let q = &solver.state().q;
        passed += u32::from(height.signum() != q[1].signum());
        height = q[1];
        for k in 1..=n {
            let apart = (q[7 * k] - q[0] - k as f64).hypot(q[7 * k + 1] - q[1]);
            assert!(apart < 1e-9, "{n} loops, {method:?}, {tangent:?}, h = {h}: {apart:e} m");
        }
    }
    assert_eq!(passed, 4, "{n} loops, {method:?}, {tangent:?}, h = {h}");
    let (steps, effort) = solver.effort();
    let most = if tangent == TangentPolicy::Frozen { 12 } else { 2 };
    assert!(
        effort.iterations <= most * steps + 200,
        "{n} loops, {method:?}, {tangent:?}, h = {h}: {effort:?}"
    );
    error
}

/// Steps from 1 to 3 ms, each with another distance from the flat positions: the energy is constant but for the error of the
/// rules, of second order.
fn loops_pass_flat_positions(n: usize, tangent: TangentPolicy) {
    for method in METHODS {
        let errors = (0..12).map(|k: u8| {
            let k = f64::from(k);
            let h = 1e-3 * 3.0_f64.powf((k + 0.37 * (2.3 * k).sin()) / 11.5);
            energy_error(n, (method, tangent, h)) / (h * h)
        });
        let (least, largest) = errors.fold((f64::INFINITY, 0.0_f64), |(a, b), e| (a.min(e), b.max(e)));
        assert!(largest < 1.3 * least, "{n} loops, {method:?}, {tangent:?}: {least:e} to {largest:e} J/s²");
    }
}

#[test]
fn one_loop_passes_flat_positions_with_any_step() {
    TANGENTS.into_iter().for_each(|tangent| loops_pass_flat_positions(1, tangent));
}

#[test]
fn ten_loops_pass_flat_positions_with_any_step() {
    loops_pass_flat_positions(10, TangentPolicy::Modified);
}

/// A crank of 1 m that turns evenly from this angle drives a slider by a rod of this length.
fn driven_slider_crank(start: f64, length: f64) -> SpatialModel {
    let (s, c) = start.sin_cos();
    let reach = c + (length * length - s * s).sqrt();
    let rod_speed = -SPEED * c / (reach - c);
    let slider = Body::new("slider", RigidBody::new(1.0, diagonal(0.01, 0.01, 0.01)).unwrap());
    let tip = [-SPEED * s, SPEED * c];
    let joint = |name: &str, bodies, x, y| (name.to_string(), bodies, ([x, y, 0.0], Z));
    let revolutes = [
        joint("bearing", [None, Some("crank")], 0.0, 0.0),
        joint("big end", [Some("crank"), Some("rod")], c, s),
        joint("small end", [Some("rod"), Some("slider")], reach, 0.0),
    ];
    let model = SpatialModel::new()
        .with_gravity([0.0, -9.81, 0.0])
        .with_body(rod("crank", [0.0; 2], [c, s], SPEED, [0.0; 2]))
        .with_body(rod("rod", [c, s], [reach, 0.0], rod_speed, tip))
        .with_body(
            slider
                .with_position([reach, 0.0, 0.0])
                .with_velocity([tip[0] + rod_speed * s, 0.0, 0.0], [0.0; 3]),
        );
    let model = revolutes.into_iter().fold(model, |model, (name, bodies, place)| {
        model.with_joint_at(&name, JointKind::Revolute, bodies, place)
    });
    let guide = ([reach, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let motor = JointKind::Angle(TimeFunction::Linear { start, rate: SPEED });
    let ends = [Frame::ground([0.0; 3]), Frame::on("crank", [0.0; 3])].map(|frame| frame.with_axis(Z));
    let [first, second] = ends;
    model
        .with_joint_at("guide", JointKind::Prismatic, [None, Some("slider")], guide)
        .with_joint(Joint::new("motor", motor, first, second))
}

/// Crank and rod of 1 m lie on each other where the crank is upright, and there the rod may turn with the crank or against it.
/// A step ends at this share of a step from there; the slider is at `2 cos θ` all the same. What round-off leaves of the position
/// there is its root at most, and of the velocity that over the step.
#[test]
fn a_slider_crank_of_equal_lengths_passes_where_they_coincide() {
    let share = |k: i32| 10.0_f64.powf(-9.0 + 0.8 * f64::from(k)) * if k % 2 == 0 { 1.0 } else { -1.0 };
    let shares = [0.0, 1e-8, 1e-6, 1e-4, 1e-2].into_iter().chain((0..10).map(share));
    for (share, h) in shares.flat_map(|share| [5e-4, 1e-3, 2e-3].map(|h| (share, h))) {
        for (method, tangent) in METHODS.into_iter().flat_map(|m| TANGENTS.map(|t| (m, t))) {
            let first = FRAC_PI_2 - SPEED * h * (50.0 + share);
            let mut solver = index_3(driven_slider_crank(first, 1.0), method, tangent);
            for step in 1..=100 {
                let name = format!("{share:e} of {h} s, {method:?}, {tangent:?}, step {step}");
                let stepped = solver.step(h);
                assert!(stepped.is_ok(), "{name}: {stepped:?}");
                let (s, c) = (first + SPEED * solver.state().time).sin_cos();
                let (x, v) = (solver.state().q[14], solver.state().v[12]);
                let (allowed, order) = if step == 50 { (3e-7, 100.0) } else { (1e-12, 50.0) };
                assert!((x - 2.0 * c).abs() < allowed, "{name}: {:e} m", x - 2.0 * c);
                let error = (v + 2.0 * SPEED * s).abs();
                let noise = if (50..80).contains(&step) { 1e-6 / h } else { 0.0 };
                assert!(error < order * h * h + noise, "{name}: {error:e} m/s");
            }
        }
    }
}

/// A rod of half the crank does not reach the guide beyond a sixth of a turn less: such steps have no solution and are refused.
#[test]
fn a_crank_is_not_driven_beyond_the_reach_of_its_rod() {
    for (method, tangent) in METHODS.into_iter().flat_map(|m| TANGENTS.map(|t| (m, t))) {
        let mut solver = index_3(driven_slider_crank(0.1, 0.5), method, tangent);
        let last = (FRAC_PI_6 - 0.1) / SPEED;
        let error = loop {
            match solver.step(1e-3) {
                Ok(_) => assert!(solver.state().time <= last, "{method:?}, {tangent:?}"),
                Err(error) => break error,
            }
        };
        assert!(solver.state().time > last - 2e-3, "{method:?}, {tangent:?}: {error}");
        let DaeError::Unreachable { constraints, .. } = &error else {
            panic!("{method:?}, {tangent:?}: {error}")
        };
        assert_eq!(constraints, "`motor`");
    }
}
