//! Controlled errors through a force that jumps: `ẍ = −cos t`, and 10 m/s² more from 0.5 s on.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod mechanisms;

use std::sync::Arc;

use cosimo_multibody::spatial::{Body, BodyFunction, Force, ForceKind, Frame, RigidBody, SpatialModel};
use cosimo_smooth::dae::{DaeSettings, ErrorControl, Method};
use mechanisms::{diagonal, start};
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
