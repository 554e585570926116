//! Mistakes in spatial models, each named.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_mechanics::TimeFunction;
use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, Joint, JointKind, PenaltyLaw, RigidBody, SpatialModel, SpatialModelError,
};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

fn body(name: &str) -> Body {
    Body::new(name, RigidBody::new(1.0, Matrix3::identity()).unwrap())
}

fn rejection(model: SpatialModel) -> String {
    model.build().unwrap_err().to_string()
}

fn hinge(name: &str, first: Frame, second: Frame) -> Joint {
    Joint::new(name, JointKind::Revolute, first, second)
}

fn spring(first: Frame, second: Frame) -> Force {
    let kind = ForceKind::Spring { stiffness: 1.0, damping: 0.0, free_length: 1.0, preload: 0.0 };
    Force::new("coil", kind, first, second)
}

#[test]
fn every_mistake_is_named() {
    let two =
        || SpatialModel::new().with_body(body("arm")).with_body(body("bob").with_position([1.0, 0.0, 0.0]));
    let ground = || Frame::ground([0.0; 3]);
    assert_eq!(rejection(SpatialModel::new()), "a spatial system needs at least one body");
    assert_eq!(rejection(two().with_body(body("arm"))), "there are two bodies named `arm`; rename one");
    let missing = two().with_force(spring(Frame::on("arm", [0.0; 3]), Frame::on("bop", [0.0; 3])));
    assert_eq!(
        rejection(missing),
        "force `coil` refers to body `bop`, which does not exist; there are: arm, bob"
    );
    let same = two().with_joint(hinge("pin", Frame::on("arm", [0.0; 3]), Frame::on("arm", [1.0, 0.0, 0.0])));
    assert!(rejection(same).starts_with("joint `pin` joins two frames of the same body"));
    let twice = two().with_joint(hinge("pin", ground(), Frame::on("arm", [0.0; 3]))).with_joint(hinge(
        "pin",
        ground(),
        Frame::on("bob", [0.0; 3]),
    ));
    assert_eq!(rejection(twice), "there are two joints named `pin`; rename one");
    let long = UnitQuaternion::new_unchecked(Quaternion::new(1.0, 0.1, 0.0, 0.0));
    let found = rejection(SpatialModel::new().with_body(body("arm").with_orientation(long)));
    assert!(found.starts_with("body `arm`: length of the quaternion is 1.00498"), "{found}");
    let nan = SpatialModel::new().with_body(body("arm").with_position([0.0, f64::NAN, 0.0]));
    assert_eq!(rejection(nan), "body `arm`: position is NaN, must be finite");
    let line = two().with_force(spring(ground(), Frame::on("arm", [0.0; 3])));
    assert!(rejection(line).starts_with("force `coil`: its two points coincide at the start"));
    let rod = Joint::new(
        "rod",
        JointKind::Distance(TimeFunction::Constant(1.0)),
        ground(),
        Frame::on("arm", [0.0; 3]),
    );
    assert!(rejection(two().with_joint(rod)).starts_with("joint `rod`: its two points coincide"));
    let law = PenaltyLaw::Flores { stiffness: 1e5, exponent: 1.5, restitution: 0.0 };
    let ball = ForceKind::SpherePlane { radius: 0.1, law };
    let found = rejection(two().with_force(Force::new("floor", ball, ground(), Frame::on("arm", [0.0; 3]))));
    assert_eq!(found, "force `floor`: restitution is 0.0, must be in [0, 1], above 0 for the law of Flores");
    let none = Joint::new("none", JointKind::Custom(Vec::new()), ground(), Frame::on("arm", [0.0; 3]));
    assert_eq!(
        two().with_joint(none).build().unwrap_err(),
        SpatialModelError::RowCount { owner: "joint `none`".to_owned(), rows: 0 }
    );
}

#[test]
fn a_body_without_inertia_is_refused() {
    let flat = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 0.0));
    assert!(RigidBody::new(1.0, flat).unwrap_err().to_string().contains("must be positive"));
    assert!(RigidBody::new(0.0, Matrix3::identity()).unwrap_err().to_string().contains("mass is 0"));
    let found = RigidBody::new(1e-320, Matrix3::identity()).unwrap_err().to_string();
    assert_eq!(found, "the mass is 1e-320, must be positive and finite, 2.3e-308 or more");
    let tiny = RigidBody::new(1.0, Matrix3::from_diagonal_element(1e-310)).unwrap_err().to_string();
    assert!(tiny.contains("is 1e-310 kg m², must be 2.3e-308 or more"), "{tiny}");
}

#[test]
fn motions_that_no_position_follows_are_named_with_the_time() {
    let joined = |kind: JointKind| {
        let second = Frame::on("arm", [0.0; 3]);
        SpatialModel::new()
            .with_body(body("arm").with_position([0.5, 0.0, 0.0]))
            .with_joint(Joint::new("rope", kind, Frame::ground([0.0; 3]), second))
            .build()
            .unwrap()
    };
    let harmonic = TimeFunction::Harmonic { mean: 0.5, amplitude: 0.6, frequency: 30.0, phase: 0.0 };
    let rope = joined(JointKind::Distance(harmonic));
    // The sine is −5/6 first at π + asin(5/6), the least is at 3π/2.
    rope.check_motions(0.0, 0.1).unwrap();
    assert_eq!(
        rope.check_motions(0.0, 0.2).unwrap_err().to_string(),
        "joint `rope`: its distance (m) is -1.000e-1 at t = 1.570796e-1 s, must be positive"
    );
    let shrinking = TimeFunction::Linear { start: 1.0, rate: -0.5 };
    joined(JointKind::Distance(shrinking.clone())).check_motions(0.0, 1.9).unwrap();
    assert!(joined(JointKind::Distance(shrinking)).check_motions(0.0, 2.0).is_err());
    assert!(joined(JointKind::Distance(TimeFunction::Constant(-1.0))).check_motions(0.0, 2.0).is_err());
    let curve = TimeFunction::through(vec![0.0, 0.1, 1.0], vec![0.5, -0.1, 2.0]).unwrap();
    assert!(joined(JointKind::Distance(curve)).check_motions(0.0, 1.0).is_err());
    // A distance of 1 − t + t²/4, zero at t = 2.
    let braking =
        TimeFunction::with_speed(TimeFunction::Linear { start: -1.0, rate: 0.5 }, 1.0, 0.0, 1.0).unwrap();
    joined(JointKind::Distance(braking.clone())).check_motions(0.0, 1.9).unwrap();
    assert!(joined(JointKind::Distance(braking)).check_motions(0.0, 5.0).is_err());
    let cosine = TimeFunction::Linear { start: 0.0, rate: 0.5 };
    joined(JointKind::DotProduct(cosine.clone())).check_motions(0.0, 1.9).unwrap();
    let error = joined(JointKind::DotProduct(cosine)).check_motions(0.0, 2.5).unwrap_err().to_string();
    assert!(error.contains("its product of directions is 1.250e0 at t = 2.5"), "{error}");
    let nowhere = JointKind::Coordinate { direction: [0.0; 3], motion: TimeFunction::Constant(0.0) };
    let found = rejection(SpatialModel::new().with_body(body("arm")).with_joint(Joint::new(
        "level",
        nowhere,
        Frame::ground([0.0; 3]),
        Frame::on("arm", [0.0; 3]),
    )));
    assert_eq!(found, "joint `level`: length of the direction is 0.0, must be positive and finite");
}
