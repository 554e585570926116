//! Controlled errors through a force that jumps: `ẍ = −cos t`, and 10 m/s² more from 0.5 s on.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::sync::Arc;

use crate::mechanisms::{diagonal, start};
use cosimo_multibody::spatial::{
    Body, BodyFunction, Force, ForceKind, Frame, PenaltyLaw, RigidBody, SpatialModel, SpatialSystem,
};
use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, ErrorControl, Formulation, Method};
use nalgebra::Vector3;

const JUMP: (f64, f64) = (0.5, 10.0);

fn pushed() -> SpatialModel {
    let push = |t: f64| Vector3::x() * (if t < JUMP.0 { 0.0 } else { JUMP.1 } - t.cos());
    let push = BodyFunction(Arc::new(move |t, _, _| [push(t), Vector3::zeros()]));
    let body = Body::new("body", RigidBody::new(1.0, diagonal(1.0, 1.0, 1.0)).unwrap());
    let ends = (Frame::ground([0.0; 3]), Frame::on("body", [0.0; 3]));
    SpatialModel::new().with_body(body).with_force(Force::new(
        "push",
        ForceKind::OnBody(push),
        ends.0,
        ends.1,
    ))
}

/// The past says nothing of what comes after the jump, and the first step without it is held to the tolerance as well.
#[test]
fn a_jump_costs_steps_but_no_error() {
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let method = Method::AdaptiveBdf { largest_order: 5 };
        let settings = DaeSettings { tolerance: 1e-13, ..DaeSettings::default() };
        let (mut solver, mut control) =
            (start(pushed(), method, settings), ErrorControl::new(tolerance).unwrap());
        let steps = solver.advance_within(1.0, &mut control).unwrap();
        let after = 1.0 - JUMP.0;
        let exact = (1.0_f64.cos() - 1.0 + 0.5 * JUMP.1 * after * after, JUMP.1 * after - 1.0_f64.sin());
        let state = solver.state();
        let error = (state.q[0] - exact.0).abs().max((state.v[0] - exact.1).abs());
        assert!(error < 3.0 * tolerance && steps < 200, "{tolerance:e}: {error:e} in {steps} steps");
    }
}

const LAW: PenaltyLaw = PenaltyLaw::KelvinVoigt { stiffness: 1e4, damping: 100.0 };

/// A ball of 1 kg that meets a damped floor at 1 m/s, from this height of its centre (m).
fn falling(height: f64, method: Method) -> DaeSolver<SpatialSystem> {
    let body = Body::new("ball", RigidBody::new(1.0, diagonal(1.0, 1.0, 1.0)).unwrap());
    let ends = (Frame::ground([0.0; 3]), Frame::on("ball", [0.0; 3]));
    let kind = ForceKind::SpherePlane { radius: 0.1, law: LAW };
    let model = SpatialModel::new()
        .with_body(body.with_position([0.0, 0.0, height]).with_velocity([0.0, 0.0, -1.0], [0.0; 3]))
        .with_force(Force::new("floor", kind, ends.0, ends.1));
    let formulation = Formulation::PositionVelocity;
    start(model, method, DaeSettings { formulation, ..DaeSettings::default() })
}

/// Near the end of a step implicit Euler has no solution: of the end without the contact the depth is positive, of that with
/// it negative. The error names the contact; halved steps get past.
#[test]
fn a_step_without_a_solution_names_the_contact() {
    // 1 m/s over 1 ms, and a contact that begins 0.02 mm before the end.
    let (h, early) = (1e-3, 2e-5);
    let mut solver = falling(0.1 + h - early, Method::ImplicitEuler);
    let error = solver.step(h).unwrap_err();
    assert_eq!(error, DaeError::ForceJumps { name: "force `floor`".to_owned(), time: 0.0, size: h });
    assert!(error.to_string().contains("hunt-crossley"), "{error}");
    solver.step(0.5 * h).unwrap();
    // Where the contact is not in reach, or has begun, the step is solved.
    falling(0.1 + 2.0 * h, Method::ImplicitEuler).step(h).unwrap();
    falling(0.1 - early, Method::ImplicitEuler).step(h).unwrap();
}

/// Wherever in a step the contact closes: the ball comes back with `exp(−(π − 2 φ) tan φ)` of its speed, where the damping
/// ratio `sin φ` is a half, to the first order of the step, as the force jumps.
#[test]
fn many_steps_get_past_the_jump() {
    let angle = std::f64::consts::FRAC_PI_6;
    let exact = (-(std::f64::consts::PI - 2.0 * angle) * angle.tan()).exp();
    let rules = [
        Method::ImplicitEuler,
        Method::Midpoint,
        Method::GeneralizedAlpha { spectral_radius: 0.8 },
        Method::Multistep { spectral_radius: 0.6 },
        Method::Bdf { order: 2 },
    ];
    for method in rules {
        let mut in_parts = 0;
        let mut largest = |h: f64| {
            let errors = (0..200).map(|phase| {
                let mut solver = falling(0.1 + h * (3.0 + f64::from(phase) / 200.0), method);
                let steps = solver.advance_to(0.1, h).unwrap();
                in_parts += usize::from(steps > (0.1 / h).round() as usize);
                (solver.state().v[2] - exact).abs()
            });
            errors.fold(0.0, f64::max)
        };
        let [coarse, fine] = [1e-3, 2.5e-4].map(&mut largest);
        assert!(fine < 0.02 && coarse > 3.3 * fine, "{method:?}: {coarse:.2e}, {fine:.2e}");
        assert!(in_parts > 0, "{method:?}: no step is one of those without a solution");
    }
}
