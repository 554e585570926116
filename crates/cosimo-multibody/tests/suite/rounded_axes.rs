//! Over-constrained loops whose axes are parallel to a few digits, as files have them: they move as with exact ones.

use crate::mechanisms::{Z, diagonal, rod, start};
use cosimo_dynamics::Level;
use cosimo_multibody::spatial::{Body, JointKind, RigidBody, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};

const RULE: Method = Method::GeneralizedAlpha { spectral_radius: 0.8 };

/// A four-bar in the plane of x and y, the axis of one of its revolutes off by an angle (rad).
fn four_bar(tilted: usize, angle: f64) -> SpatialModel {
    let mut model = SpatialModel::new()
        .with_gravity([0.0, -9.81, 0.0])
        .with_body(rod("left", [0.0, 0.0], [0.3, 0.8], 0.0, [0.0; 2]))
        .with_body(rod("coupler", [0.3, 0.8], [1.7, 0.9], 0.0, [0.0; 2]))
        .with_body(rod("right", [1.2, 0.0], [1.7, 0.9], 0.0, [0.0; 2]));
    let joints = [
        ("a", None, "left", [0.0, 0.0]),
        ("b", Some("left"), "coupler", [0.3, 0.8]),
        ("c", Some("coupler"), "right", [1.7, 0.9]),
        ("d", None, "right", [1.2, 0.0]),
    ];
    for (k, (name, first, second, [x, y])) in joints.into_iter().enumerate() {
        let axis = if k == tilted { [angle.sin(), 0.0, angle.cos()] } else { Z };
        let at = ([x, y, 0.0], axis);
        model = model.with_joint_at(name, JointKind::Revolute, [first, Some(second)], at);
    }
    model
}

fn solver(model: SpatialModel, formulation: Formulation) -> DaeSolver<SpatialSystem> {
    start(model, RULE, DaeSettings { formulation, ..DaeSettings::default() })
}

#[test]
fn axes_in_six_digits_move_as_exact_ones() {
    for formulation in crate::mechanisms::STABILISED {
        let mut exact = solver(four_bar(0, 0.0), formulation);
        assert_eq!(exact.misfit(), 0.0);
        exact.advance_to(1.0, 1e-3).unwrap();
        for tilted in 0..4 {
            for angle in [1e-9, 1e-8, 1e-7, 3e-7, 1e-6] {
                let mut found = solver(four_bar(tilted, angle), formulation);
                assert_eq!(found.redundant_rows().len(), 3, "{tilted} {angle}");
                found.advance_to(1.0, 1e-3).unwrap();
                let pairs = found.state().q.iter().zip(&exact.state().q);
                let off = pairs.fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
                assert!(off < 10.0 * angle + 1e-9, "{formulation:?} {tilted} {angle}: {off:.1e}");
                let open = found.violation(Level::Position);
                assert!(open < 4.0 * angle + 1e-11, "{formulation:?} {tilted} {angle}: {open:.1e}");
                let misfit = found.misfit();
                assert!(angle < 1e-7 || (0.01 * angle..angle).contains(&misfit), "{angle}: {misfit}");
            }
        }
    }
}

/// In two or three digits the loop is locked: what locks it is reported.
#[test]
fn what_locks_a_loop_is_told() {
    for tilted in 0..4 {
        let found = solver(four_bar(tilted, 1e-3), Formulation::default());
        let near = found.nearly_redundant_rows();
        assert!(near.iter().any(|(row, share)| row.constraint == "d" && *share < 1e-3), "{near:?}");
    }
    assert!(solver(four_bar(0, 0.0), Formulation::default()).nearly_redundant_rows().is_empty());
}

/// Small moments of inertia make rows with lever arms nearly parallel in the metric of the mass: they are kept, and nothing is
/// reported of them.
#[test]
fn points_of_mass_keep_their_rows() {
    for inertia in [1e-6, 1e-9, 1e-11, 1e-13] {
        let body = RigidBody::new(1.0, diagonal(inertia, inertia, inertia)).unwrap();
        let model = SpatialModel::new()
            .with_gravity([0.0, -9.81, 0.0])
            .with_body(Body::new("point", body).with_position([1.0, 0.0, 0.0]))
            .with_joint_at("hinge", JointKind::Revolute, [None, Some("point")], ([0.0; 3], Z));
        let mut solver = solver(model, Formulation::default());
        assert!(solver.redundant_rows().is_empty() && solver.nearly_redundant_rows().is_empty(), "{inertia}");
        solver.advance_to(1.0, 1e-3).unwrap();
        let q = &solver.state().q;
        assert!((q[0].hypot(q[1]) - 1.0).abs() < 1e-10, "{inertia}: {q:?}");
    }
}

/// A motor that comes after a loop whose axes are not quite parallel turns it, and short bars keep their rows.
#[test]
fn what_holds_the_freedom_of_a_rounded_loop_is_kept() {
    let size = 1e-5;
    let bar = RigidBody::new(1e-9, diagonal(1e-20, 1e-20, 1e-20)).unwrap();
    let short = SpatialModel::new()
        .with_body(Body::new("bar", bar).with_position([0.5 * size, 0.0, 0.0]))
        .with_joint_at("hinge", JointKind::Revolute, [None, Some("bar")], ([0.0; 3], Z));
    let short = solver(short, Formulation::default());
    assert!(short.redundant_rows().is_empty() && short.nearly_redundant_rows().is_empty());
    for angle in [0.0, 3e-7] {
        let lock = JointKind::Spherical;
        let model =
            four_bar(1, angle).with_joint_at("lock", lock, [None, Some("coupler")], ([1.0, 0.85, 0.0], Z));
        let found = solver(model, Formulation::default());
        // 18 coordinates are held by 18 of the 23 rows: two of the lock's three are redundant or the loop's are.
        assert_eq!(found.redundant_rows().len(), 5, "{angle}: {:?}", found.redundant_rows());
        assert!(found.redundant_rows().iter().any(|row| row.constraint == "d"));
        assert!(found.redundant_rows().iter().filter(|row| row.constraint == "lock").count() < 3);
    }
}
