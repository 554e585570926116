//! Motions of mechanisms, and what is reported of their constraints; the orders of the rules are in `orders.rs`.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::mechanisms::{Z, chain, heavy_top, hinges, n_four_bar, slider_crank, start};
use cosimo_dynamics::{ConstrainedSystem, Level};
use cosimo_mechanics::TimeFunction;
use cosimo_multibody::spatial::{Body, Frame, Joint, JointKind, RigidBody, SpatialModel};
use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, Formulation, Method, TangentPolicy};

fn table(name: &str) -> Vec<Vec<f64>> {
    let mut reader = csv::Reader::from_path(format!("tests/reference/{name}.csv")).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn settings(formulation: Formulation) -> DaeSettings {
    DaeSettings { formulation, tolerance: 1e-12, ..DaeSettings::default() }
}

/// Largest distance of the top's centre of mass, difference of its angular velocity, and distance of orientations.
fn top_errors(method: Method, formulation: Formulation, h: f64, end: f64) -> [f64; 3] {
    let mut solver = start(heavy_top(), method, settings(formulation));
    let mut errors = [0.0_f64; 3];
    for row in table("heavy_top").iter().filter(|row| row[0] <= end + 1e-9) {
        solver.advance_to(row[0], h).unwrap();
        let (q, v) = (&solver.state().q, &solver.state().v);
        let sign = q[3..7].iter().zip(&row[4..8]).map(|(a, b)| a * b).sum::<f64>().signum();
        for (k, (found, exact)) in
            [(&q[..3], &row[1..4]), (&v[3..6], &row[8..11]), (&q[3..7], &row[4..8])].into_iter().enumerate()
        {
            let sign = if k == 2 { sign } else { 1.0 };
            for (a, b) in found.iter().zip(exact) {
                errors[k] = errors[k].max((sign * a - b).abs());
            }
        }
    }
    errors
}

#[test]
fn heavy_top_by_the_midpoint_rule() {
    let [coarse, fine] =
        [2.5e-4, 1.25e-4].map(|h| top_errors(Method::Midpoint, Formulation::PositionVelocity, h, 0.5));
    for (coarse, fine) in coarse.iter().zip(fine) {
        assert!(((coarse / fine).log2() - 2.0).abs() < 0.1, "{coarse:.2e} to {fine:.2e}");
    }
}

#[test]
fn heavy_top_to_two_seconds() {
    let found = top_errors(Method::Bdf { order: 5 }, Formulation::PositionVelocityAcceleration, 1e-4, 2.0);
    assert!(found[0] < 2e-7 && found[1] < 1e-5 && found[2] < 1e-6, "{found:?}");
}

/// Where projections have no direction the error says what passes.
#[test]
fn steps_that_fail_at_singular_positions_name_the_way_out() {
    let alpha = Method::GeneralizedAlpha { spectral_radius: 0.8 };
    for (method, formulation) in [
        (alpha, Formulation::PositionVelocityAcceleration),
        (alpha, Formulation::PositionVelocity),
        (Method::Midpoint, Formulation::PositionVelocity),
    ] {
        let mut solver = start(n_four_bar(2), method, settings(formulation));
        let error = solver.advance_to(10.0, 2e-3).unwrap_err();
        assert!(solver.state().time > 0.5, "{error}");
        let text = error.to_string();
        assert!(
            text.contains("`index-3` (`Formulation::Position`) with `generalized-alpha` passes"),
            "{text}"
        );
        let structure = solver.system().structure();
        let joints = (0..structure.constraints().len()).map(|k| solver.system().constraint_name(k));
        let bodies = solver.system().bodies().iter().map(|body| format!("body `{}`", body.name));
        let places: Vec<String> = joints.map(|name| format!("`{name}`")).chain(bodies).collect();
        match error {
            DaeError::Singular { place } => {
                assert!(places.contains(&place), "{place}");
            }
            DaeError::NearSingular { share, .. } => assert!(share < 0.1, "{share}"),
            other => panic!("{other}"),
        }
    }
    // A step too long for a mechanism far from such positions is that, whatever its units.
    let mut solver = start(
        heavy_top(),
        alpha,
        DaeSettings { max_iterations: 1, ..settings(Formulation::PositionVelocity) },
    );
    assert!(matches!(solver.step(0.1).unwrap_err(), DaeError::NotConverged { .. } | DaeError::Stiff { .. }));
}

#[test]
fn redundant_rows_of_a_four_bar_are_named() {
    let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
    let mut solver = start(n_four_bar(1), rule, DaeSettings::default());
    let rows = solver.redundant_rows();
    // 18 coordinates, one freedom, 20 rows: three are redundant, those out of the plane in the joint that closes the loop.
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(rows.iter().all(|row| row.constraint == "right 0" && row.row >= 2), "{rows:?}");
    solver.advance_to(1.0, 1e-3).unwrap();
    assert!(solver.violation(Level::Position) < 1e-12);
}

/// The crank of 0.5 m turns at 10 rad/s and drives the slider by the rod of 1.5 m: `x = r cos θ + √(l² − r² sin² θ)`.
#[test]
fn a_driven_slider_crank_is_where_geometry_puts_it() {
    let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
    let law = TimeFunction::Linear { start: 0.0, rate: 10.0 };
    let driven =
        slider_crank().with_joint_at("motor", JointKind::Angle(law), [None, Some("crank")], ([0.0; 3], Z));
    // The start is at rest: the motor's speed is found by the solver.
    let mut solver = start(driven, rule, settings(Formulation::PositionVelocityAcceleration));
    assert_eq!(solver.redundant_rows().len(), 1);
    assert!((solver.state().v[5] - 10.0).abs() < 1e-12);
    for step in 1..=500 {
        solver.step(2e-3).unwrap();
        let theta = 10.0 * 2e-3 * f64::from(step);
        let (s, c) = theta.sin_cos();
        let root = (1.5_f64 * 1.5 - 0.25 * s * s).sqrt();
        let (x, rate) = (0.5 * c + root, -5.0 * s - 2.5 * s * c / root);
        let state = solver.state();
        assert!((state.q[14] - x).abs() < 1e-12, "{step}");
        assert!((state.v[12] - rate).abs() < 1e-10, "{step}: {} {rate}", state.v[12]);
        // d/dt of the rate, by the chain rule in θ.
        let second = -0.5 * c - 0.25 * (c * c - s * s) / root - 0.0625 * s * s * c * c / root.powi(3);
        assert!((state.a[12] - 100.0 * second).abs() < 1e-8, "{step}: {}", state.a[12]);
    }
}

#[test]
fn rough_guesses_are_closed_and_what_cannot_close_is_named() {
    let solve = |model: SpatialModel| {
        let system = model.build().unwrap();
        let mut q = system.initial_position();
        q.iter_mut().enumerate().filter(|(i, _)| i % 7 < 2).for_each(|(i, x)| *x += 0.05 * (i as f64).sin());
        let v = system.initial_velocity();
        let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
        DaeSolver::new(system, rule, DaeSettings::default(), (0.0, q, v))
    };
    let mut closed = solve(n_four_bar(2)).unwrap();
    assert!(closed.violation(Level::Position) < 1e-12 && closed.violation(Level::Velocity) < 1e-12);
    assert!(closed.violation(Level::Acceleration) < 1e-9);
    let open = Joint::new(
        "rope",
        JointKind::Spherical,
        Frame::ground([9.0, 0.0, 0.0]),
        Frame::on("bar 0", [0.0; 3]),
    );
    let error = solve(n_four_bar(1).with_joint(open)).unwrap_err().to_string();
    assert!(error.contains("cannot be closed") && error.contains("`rope`"), "{error}");
}

/// The tangent is exact although the top turns by a sixth of a radian a step: after a correction of size `d` the next one is
/// of the order of its square. A tangent without the derivative of the turn would contract by a tenth at best.
#[test]
fn the_full_tangent_converges_quadratically_however_far_bodies_turn() {
    let rules = [
        Method::GeneralizedAlpha { spectral_radius: 0.9 },
        Method::Multistep { spectral_radius: 0.6 },
        Method::Bdf { order: 3 },
    ];
    for method in rules {
        for formulation in [Formulation::Position, Formulation::Velocity] {
            let settings =
                DaeSettings { tangent: TangentPolicy::Full, tolerance: 1e-12, ..settings(formulation) };
            let mut solver = start(heavy_top(), method, settings);
            for step in 0..200 {
                let effort = solver.step(1e-3).unwrap();
                assert!(effort.iterations <= 4, "{method:?} {formulation:?}, step {step}: {effort:?}");
            }
        }
    }
}

/// Short steps of a long chain: round-off of its positions divided by the step is above the tolerance, so that no
/// correction ever gets below it. Steps end there in a few iterations, whatever the tangent, and lose nothing.
#[test]
fn short_steps_of_a_long_chain_end_at_round_off() {
    let tip = |tangent, tolerance| {
        let settings = DaeSettings { tangent, tolerance, ..DaeSettings::default() };
        let mut solver =
            start(hinges(chain(100), 100), Method::GeneralizedAlpha { spectral_radius: 0.8 }, settings);
        for step in 0..60 {
            let effort = solver.step(2e-5).unwrap();
            assert!(effort.iterations <= 8, "{tangent:?}, step {step}: {effort:?}");
        }
        assert!(solver.violation(Level::Position) < 1e-12);
        let q = &solver.state().q;
        [q[q.len() - 7], q[q.len() - 6], q[q.len() - 5]]
    };
    let expected = tip(TangentPolicy::Full, 1e-7);
    for tangent in [TangentPolicy::Full, TangentPolicy::Modified, TangentPolicy::Frozen] {
        let found = tip(tangent, 1e-12);
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-11, "{tangent:?}: {found} for {expected}");
        }
    }
}

/// A body whose motion is plane and simple, and whose reactions turn with it: old factors must not pass them as found when only
/// the projections are.
#[test]
fn old_factors_give_the_reactions_of_a_spinning_body() {
    let inertia = nalgebra::Matrix3::new(0.71, -0.03, 0.07, -0.03, 0.56, -0.02, 0.07, -0.02, 0.66);
    let model = || {
        let body = Body::new("body", RigidBody::new(1.6, inertia).unwrap())
            .with_velocity([0.5, 1.0, 0.0], [0.0, 0.0, 3.0]);
        SpatialModel::new().with_gravity([1.0, -2.0, -9.0]).with_body(body).with_joint_at(
            "table",
            JointKind::Planar,
            [None, Some("body")],
            ([0.0; 3], Z),
        )
    };
    let reactions = |tangent| {
        let settings = DaeSettings { tangent, tolerance: 1e-12, ..DaeSettings::default() };
        let mut solver = start(model(), Method::Multistep { spectral_radius: 0.6 }, settings);
        let step = |_| {
            solver.step(5e-3).unwrap();
            solver.state().mu.clone()
        };
        (0..80).flat_map(step).collect::<Vec<f64>>()
    };
    let [full, frozen] = [TangentPolicy::Full, TangentPolicy::Frozen].map(reactions);
    for (full, frozen) in full.iter().zip(&frozen) {
        assert!((full - frozen).abs() < 1e-8, "{frozen} for {full}");
    }
}
