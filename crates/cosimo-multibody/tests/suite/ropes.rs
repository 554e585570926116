//! Ropes against closed forms.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::mechanisms::{diagonal, start};
use cosimo_multibody::spatial::{Body, Frame, RigidBody, Rope, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};

const RULES: [Method; 2] = [Method::Midpoint, Method::GeneralizedAlpha { spectral_radius: 0.8 }];

const GRAVITY: f64 = 10.0;

fn settings(method: Method) -> DaeSettings {
    let formulation = match method {
        Method::Midpoint => Formulation::PositionVelocity,
        _ => Formulation::PositionVelocityAcceleration,
    };
    DaeSettings { formulation, tolerance: 1e-12, ..DaeSettings::default() }
}

/// A body of this mass (kg) at this place in the plane of x and z (m), at this speed upwards (m/s).
fn stone(name: &str, mass: f64, [x, z]: [f64; 2], speed: f64) -> Body {
    let body = Body::new(name, RigidBody::new(mass, diagonal(1.0, 1.0, 1.0)).unwrap());
    body.with_position([x, 0.0, z]).with_velocity([0.0, 0.0, speed], [0.0; 3])
}

fn shown(solver: &DaeSolver<SpatialSystem>) -> [f64; 2] {
    let mut out = [0.0; 2];
    solver.system().observe_elements(solver.state().motion(), &mut out);
    out
}

/// Two masses over two points of the ground: `z̈ = ±g (m₁ − m₂)/(m₁ + m₂)` under the tension `2 m₁ m₂ g/(m₁ + m₂)`, which is there from
/// the start.
#[test]
fn two_masses_over_a_pulley_are_the_machine_of_atwood() {
    let (heavy, light, stiffness) = (3.0, 2.0, 1e4);
    let tension = 2.0 * heavy * light * GRAVITY / (heavy + light);
    for rule in RULES {
        let rope = Rope { length: 6.0 - tension / stiffness, stiffness, damping: 20.0 };
        let points = vec![
            Frame::on("heavy", [0.0; 3]),
            Frame::ground([-1.0, 0.0, 4.0]),
            Frame::ground([1.0, 0.0, 4.0]),
            Frame::on("light", [0.0; 3]),
        ];
        let model = SpatialModel::new()
            .with_gravity([0.0, 0.0, -GRAVITY])
            .with_body(stone("heavy", heavy, [-1.0, 2.0], 0.0))
            .with_body(stone("light", light, [1.0, 2.0], 0.0))
            .with_element("rope", points, rope);
        let mut solver = start(model, rule, settings(rule));
        solver.advance_to(0.5, 1e-3).unwrap();
        let acceleration = GRAVITY * (heavy - light) / (heavy + light);
        let v = &solver.state().v;
        assert!((v[2] + 0.5 * acceleration).abs() < 1e-7, "{rule:?}: {}", v[2]);
        assert!((v[8] - 0.5 * acceleration).abs() < 1e-7, "{rule:?}: {}", v[8]);
        let [found, length] = shown(&solver);
        assert!((found - tension).abs() < 1e-5 && (length - 6.0).abs() < 1e-9, "{rule:?}: {found} {length}");
    }
}

/// A movable pulley on a body carries twice the tension: what hangs on it rests where `2 F = m g`.
#[test]
fn a_rope_through_a_body_carries_it_by_both_parts() {
    let (mass, stiffness) = (4.0, 1e3);
    let length = 4.0 - mass * GRAVITY / 2.0 / stiffness;
    for rule in RULES {
        let points =
            vec![Frame::ground([0.0, 0.0, 2.0]), Frame::on("hook", [0.0; 3]), Frame::ground([0.0, 0.0, 2.0])];
        let model = SpatialModel::new()
            .with_gravity([0.0, 0.0, -GRAVITY])
            .with_body(stone("hook", mass, [0.0, 0.0], 0.0))
            .with_element("rope", points, Rope { length, stiffness, damping: 0.0 });
        let mut solver = start(model, rule, settings(rule));
        solver.advance_to(0.5, 1e-2).unwrap();
        assert!(solver.state().v[2].abs() < 1e-10, "{rule:?}: {}", solver.state().v[2]);
        assert!((shown(&solver)[0] - mass * GRAVITY / 2.0).abs() < 1e-9, "{rule:?}");
    }
}

/// A stone that is thrown up from a slack rope flies freely until it is tight again; damping never pushes.
#[test]
fn slack_ropes_do_nothing_and_none_pushes() {
    for rule in RULES {
        let points = vec![Frame::ground([0.0, 0.0, 2.0]), Frame::on("stone", [0.0; 3])];
        let model = SpatialModel::new()
            .with_gravity([0.0, 0.0, -GRAVITY])
            .with_body(stone("stone", 2.0, [0.0, 0.5], 3.0))
            .with_element("rope", points, Rope { length: 2.0, stiffness: 1e4, damping: 200.0 });
        let mut solver = start(model, rule, settings(rule));
        // It is tight at z = 0, where 0.5 + 3 t − 5 t² = 0.
        let tight = (3.0 + 19.0_f64.sqrt()) / 10.0;
        let (mut time, mut most) = (0.0, 0.0_f64);
        while time < 3.0 {
            time += 1e-3;
            solver.advance_to(time, 1e-3).unwrap();
            let [tension, length] = shown(&solver);
            assert!(tension >= 0.0 && (length > 2.0 || tension == 0.0), "{rule:?}: {tension} at {length} m");
            most = most.max(tension);
            if time < tight {
                let exact = 3.0 - GRAVITY * time;
                assert!((solver.state().v[2] - exact).abs() < 1e-9, "{rule:?} at {time}");
            }
        }
        assert!(most > 100.0, "{rule:?}: {most}");
    }
}

#[test]
fn ropes_are_checked() {
    let rejection = |rope: Rope, points: Vec<Frame>| {
        let model = SpatialModel::new().with_body(stone("a", 1.0, [0.0, 0.0], 0.0));
        model.with_element("r", points, rope).build().map(|_: SpatialSystem| ()).unwrap_err().to_string()
    };
    let ends = || vec![Frame::ground([0.0, 0.0, 1.0]), Frame::on("a", [0.0; 3])];
    let rope = Rope { length: 1.0, stiffness: 1e3, damping: 0.0 };
    let found = rejection(Rope { length: 0.0, ..rope }, ends());
    assert!(found.contains("element `r`: length is 0.0, must be positive"), "{found}");
    let rope = Rope { length: 1.0, stiffness: 1e3, damping: -1.0 };
    assert!(rejection(rope, ends()).contains("damping is -1.0"));
    let rope = Rope { length: 1.0, stiffness: 1e3, damping: 0.0 };
    assert!(rejection(rope, vec![Frame::on("a", [0.0; 3])]).contains("at least two"));
}
