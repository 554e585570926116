//! Over-constrained loops that are guessed far from closed: at the guess no row is redundant, in the closed loop some are.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::mechanisms::{andrews, n_four_bar, slider_crank};
use cosimo_dynamics::Level;
use cosimo_multibody::spatial::{Frame, Joint, JointKind, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, Method};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Starts a model whose bodies are each thrown off in every direction: by up to `displacement` (m) and about `angle` (rad).
fn thrown(
    model: SpatialModel,
    (displacement, angle): (f64, f64),
    seed: usize,
) -> Result<DaeSolver<SpatialSystem>, DaeError> {
    let system = model.build().unwrap();
    let mut q = system.initial_position();
    let noise = |k: usize| (12.9898 * (k + 97 * seed) as f64).sin() * 43758.5453 % 1.0;
    for (body, own) in q.chunks_exact_mut(7).enumerate() {
        let off = |k: usize| noise(6 * body + k);
        (0..3).for_each(|k| own[k] += displacement * off(k));
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(off(3), off(4), off(5)) * angle);
        let before = Quaternion::new(own[3], own[4], own[5], own[6]);
        let after = turn.quaternion() * before;
        own[3..].copy_from_slice(&[after.w, after.i, after.j, after.k]);
    }
    let v = system.initial_velocity();
    let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
    DaeSolver::new(system, rule, DaeSettings::default(), (0.0, q, v))
}

/// From guesses a hundredth of a radian off to some where bodies lie across: they close in their plane, and the rows that depend
/// on others there are found.
#[test]
fn planar_mechanisms_in_space_close_from_guesses_out_of_their_plane() {
    let models = [
        ("four-bar", n_four_bar as fn(usize) -> SpatialModel, 1, 1.0, 3),
        ("two loops", n_four_bar, 2, 1.0, 6),
        ("ten loops", n_four_bar, 10, 1.0, 30),
        ("slider-crank", |_| slider_crank(), 1, 1.0, 1),
        ("squeezer", |_| andrews::model(), 1, 0.05, 9),
    ];
    for (name, model, loops, length, redundant) in models {
        // Ten loops fall into a flat position, a singular one, from farther off.
        let farthest = if loops < 10 { 0.8 } else { 0.4 };
        let guesses = [(0.0, 0.01), (0.0, 0.1), (0.05, 0.2), (0.1, 0.4), (0.2, 0.8)];
        for (displacement, angle) in guesses.into_iter().filter(|guess| guess.1 <= farthest) {
            for seed in 0..3 {
                let solver = thrown(model(loops), (displacement * length, angle), seed);
                let mut solver =
                    solver.unwrap_or_else(|error| panic!("{name} {displacement} m {angle} rad: {error}"));
                assert_eq!(solver.redundant_rows().len(), redundant, "{name} {displacement} m {angle} rad");
                assert!(solver.violation(Level::Position) < 1e-9, "{name} {displacement} m {angle} rad");
                let bodies = solver.state().q.chunks_exact(7);
                let off = bodies.flat_map(|q| [q[2], q[4], q[5]]).fold(0.0, |m: f64, x| m.max(x.abs()));
                assert!(off < 1e-8, "{name} {displacement} m {angle} rad: {off:.1e} out of the plane");
            }
        }
    }
}

/// What is too short is named, with what is left in the loop; from guesses that are led there in strides, a joint of the loop.
#[test]
fn loops_that_cannot_close_are_named() {
    let (foot, tip) = (Frame::ground([9.0, 0.0, 0.0]), Frame::on("bar 0", [0.0; 3]));
    let rope = Joint::new("rope", JointKind::Spherical, foot, tip);
    for (displacement, angle) in [(0.0, 0.0), (0.0, 0.1), (0.1, 0.4)] {
        let error = thrown(n_four_bar(1).with_joint(rope.clone()), (displacement, angle), 1).unwrap_err();
        let DaeError::Open { constraint, residual } = &error else { unreachable!("{error}") };
        let joints = ["foot 0", "foot 1", "left 0", "right 0", "rope"];
        let named = if angle < 0.3 { &joints[4..] } else { &joints };
        assert!(
            named.iter().any(|joint| constraint.contains(joint)),
            "{displacement} m {angle} rad: {error}"
        );
        // Eight metres are missing, over all joints between the ground and the end of the rope.
        assert!(*residual > 1.0 && *residual < 9.0, "{error}");
    }
}
