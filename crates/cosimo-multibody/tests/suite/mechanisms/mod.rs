//! Mechanisms of the literature as spatial models.
#![allow(dead_code, reason = "examples and benches use their own shares")]
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_multibody::spatial::{Body, JointKind, RigidBody, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// Every formulation that keeps the constraints.
pub(crate) const STABILISED: [Formulation; 3] =
    [Formulation::Position, Formulation::PositionVelocity, Formulation::PositionVelocityAcceleration];

pub(crate) const Z: [f64; 3] = [0.0, 0.0, 1.0];

pub(crate) fn diagonal(x: f64, y: f64, z: f64) -> Matrix3<f64> {
    Matrix3::from_diagonal(&Vector3::new(x, y, z))
}

/// Starts a system from the state of its model.
pub(crate) fn start(model: SpatialModel, method: Method, settings: DaeSettings) -> DaeSolver<SpatialSystem> {
    let system = model.build().unwrap();
    let (q, v) = (system.initial_position(), system.initial_velocity());
    DaeSolver::new(system, method, settings, (0.0, q, v)).unwrap()
}

/// The heavy top of Géradin and Cardona: fixed at the origin, 1 m below its centre of mass, spinning at 150 rad/s.
pub(crate) fn heavy_top() -> SpatialModel {
    let body = RigidBody::new(15.0, diagonal(0.234_375, 0.468_75, 0.234_375)).unwrap();
    let body = Body::new("top", body).with_centre_of_mass([0.0, 1.0, 0.0]);
    let body = body.with_velocity([0.0; 3], [0.0, 150.0, -4.61538]);
    SpatialModel::new().with_gravity([0.0, 0.0, -9.81]).with_body(body).with_joint_at(
        "tip",
        JointKind::Spherical,
        [None, Some("top")],
        ([0.0; 3], Z),
    )
}

/// A uniform slender rod of unit mass per length from one point to another in the plane of x and y.
pub(crate) fn rod(name: &str, from: [f64; 2], to: [f64; 2], spin: f64, velocity: [f64; 2]) -> Body {
    let displacement = [to[0] - from[0], to[1] - from[1]];
    let length = displacement[0].hypot(displacement[1]);
    let across = length * length * length / 12.0;
    let properties = RigidBody::new(length, diagonal(1e-3, across, across)).unwrap();
    let turn = UnitQuaternion::from_scaled_axis(Vector3::z() * displacement[1].atan2(displacement[0]));
    // Velocities are given at the first end.
    let centre =
        [-0.5 * displacement[1] * spin + velocity[0], 0.5 * displacement[0] * spin + velocity[1], 0.0];
    Body::new(name, properties)
        .with_position([0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), 0.0])
        .with_orientation(turn)
        .with_velocity(centre, [0.0, 0.0, spin])
}

/// `n` loops of four bars, all cranks upright, the first tip at 1 m/s; built in space of revolute joints.
pub(crate) fn n_four_bar(n: usize) -> SpatialModel {
    let mut model = SpatialModel::new().with_gravity([0.0, -9.81, 0.0]);
    for k in 0..=n {
        let x = k as f64;
        model = model.with_body(rod(&format!("crank {k}"), [x, 0.0], [x, 1.0], -1.0, [0.0; 2]));
    }
    for k in 0..n {
        let x = k as f64;
        model = model.with_body(rod(&format!("bar {k}"), [x, 1.0], [x + 1.0, 1.0], 0.0, [1.0, 0.0]));
    }
    for k in 0..=n {
        let (x, crank) = (k as f64, format!("crank {k}"));
        let foot = ([x, 0.0, 0.0], Z);
        model = model.with_joint_at(format!("foot {k}"), JointKind::Revolute, [None, Some(&crank)], foot);
    }
    for k in 0..n {
        let (x, bar) = (k as f64, format!("bar {k}"));
        for (end, name) in [(k, "left"), (k + 1, "right")] {
            let crank = format!("crank {end}");
            let pin = ([x + (end - k) as f64, 1.0, 0.0], Z);
            let bodies = [Some(crank.as_str()), Some(bar.as_str())];
            model = model.with_joint_at(format!("{name} {k}"), JointKind::Revolute, bodies, pin);
        }
    }
    model
}

/// A crank of 0.5 m, a rod of 1.5 m and a slider, with the crank level.
pub(crate) fn slider_crank() -> SpatialModel {
    let body = |mass: f64| RigidBody::new(mass, diagonal(0.02, 0.03, 0.04)).unwrap();
    SpatialModel::new()
        .with_gravity([0.0, -9.81, 0.0])
        .with_body(Body::new("crank", body(1.0)).with_position([0.25, 0.0, 0.0]))
        .with_body(Body::new("rod", body(2.0)).with_position([1.25, 0.0, 0.0]))
        .with_body(Body::new("slider", body(3.0)).with_position([2.0, 0.0, 0.0]))
        .with_joint_at("bearing", JointKind::Revolute, [None, Some("crank")], ([0.0; 3], Z))
        .with_joint_at("big end", JointKind::Revolute, [Some("crank"), Some("rod")], ([0.5, 0.0, 0.0], Z))
        .with_joint_at("small end", JointKind::Spherical, [Some("rod"), Some("slider")], ([2.0, 0.0, 0.0], Z))
        .with_joint_at(
            "guide",
            JointKind::Prismatic,
            [None, Some("slider")],
            ([2.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        )
}

/// A chain of `n` slender links of 0.1 m and 0.1 kg from the origin along a curve, hinged about y and z in turn.
pub(crate) fn chain(n: usize) -> SpatialModel {
    let mut model = SpatialModel::new().with_gravity([0.0, 0.0, -9.81]);
    let link = RigidBody::new(0.1, diagonal(2e-5, 1e-4, 1e-4)).unwrap();
    let (mut joint, mut turn) = (Vector3::zeros(), UnitQuaternion::identity());
    for k in 0..n {
        turn *= UnitQuaternion::from_scaled_axis(hinge_axis(k) * (0.2 * (0.3 * k as f64).sin()));
        let displacement = turn * Vector3::x() * 0.1;
        let centre: Vector3<f64> = joint + displacement * 0.5;
        joint += displacement;
        model = model
            .with_body(Body::new(format!("{k}"), link.clone()).with_position(centre).with_orientation(turn));
    }
    model
}

/// Axis of a hinge of the [`chain`].
fn hinge_axis(k: usize) -> Vector3<f64> {
    if k.is_multiple_of(2) { Vector3::y() } else { Vector3::z() }
}

/// Hinges of the [`chain`].
pub(crate) fn hinges(mut model: SpatialModel, n: usize) -> SpatialModel {
    use cosimo_multibody::spatial::{Frame, Joint};
    for k in 0..n {
        let axis: [f64; 3] = hinge_axis(k).into();
        let first = k.checked_sub(1).map_or_else(
            || Frame::ground([0.0; 3]),
            |before| Frame::on(format!("{before}"), [0.05, 0.0, 0.0]),
        );
        let second = Frame::on(format!("{k}"), [-0.05, 0.0, 0.0]);
        let kind = JointKind::Revolute;
        model =
            model.with_joint(Joint::new(format!("{k}"), kind, first.with_axis(axis), second.with_axis(axis)));
    }
    model
}

/// Andrews' squeezing mechanism: seven bodies in a plane, built in space of ten revolutes, nine of whose rows are redundant.
///
/// Data and coordinates: E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, Springer 1996, section VII.7.
pub(crate) mod andrews {
    use std::sync::Arc;

    use cosimo_multibody::spatial::{
        Body, BodyFunction, Force, ForceKind, Frame, JointKind, RigidBody, SpatialModel,
    };
    use nalgebra::{UnitQuaternion, Vector3};

    use super::{Z, diagonal};

    const A: [f64; 2] = [-0.06934, -0.00227];
    const B: [f64; 2] = [-0.03635, 0.03273];
    const C: [f64; 3] = [0.014, 0.072, 0.0];
    /// Masses (kg) and moments of inertia (kg m²).
    const BODIES: [(f64, f64); 7] = [
        (0.04325, 2.194e-6),
        (0.00365, 4.41e-7),
        (0.02373, 5.255e-6),
        (0.00706, 5.667e-7),
        (0.0705, 1.169e-5),
        (0.00706, 5.667e-7),
        (0.05498, 1.912e-5),
    ];
    /// `β, Θ, γ, Φ, δ, Ω, ε` at the start (rad).
    const START: [f64; 7] = [
        -0.061_713_890_014_276_365,
        0.0,
        0.455_279_819_163_070_37,
        0.222_668_390_165_885_83,
        0.487_364_979_543_842_45,
        -0.222_668_390_165_885_8,
        1.230_547_444_549_821,
    ];

    fn along(angle: f64, length: f64) -> [f64; 2] {
        [length * angle.cos(), length * angle.sin()]
    }

    fn plus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
        [a[0] + b[0], a[1] + b[1]]
    }

    /// `(s sin φ, −s cos φ)`.
    fn across(angle: f64, length: f64) -> [f64; 2] {
        [length * angle.sin(), -length * angle.cos()]
    }

    /// Angles of the bodies for the seven coordinates.
    pub(crate) fn angles([beta, theta, gamma, phi, delta, omega, epsilon]: [f64; 7]) -> [f64; 7] {
        [beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon]
    }

    /// Coordinates at 30 ms, of the reference.
    const END: [f64; 7] = [
        15.810_771_195_135_676,
        -15.756_371_058_389_309,
        0.040_822_240_119_471_48,
        -0.534_730_116_342_385,
        0.524_409_965_879_944_9,
        0.534_730_116_342_384_7,
        1.048_080_741_041_932_6,
    ];

    /// Largest difference of the bodies' angles from some, whole turns apart (rad).
    pub(crate) fn largest_difference(q: &[f64], exact: [f64; 7]) -> f64 {
        let found = q.chunks_exact(7).map(|q| 2.0 * q[6].atan2(q[3]));
        let turn = 2.0 * std::f64::consts::PI;
        let off = found.zip(exact).map(|(a, b)| a - b - turn * ((a - b) / turn).round());
        off.fold(0.0, |m: f64, d| m.max(d.abs()))
    }

    /// The largest difference at 30 ms (rad).
    pub(crate) fn error_at_the_end(q: &[f64]) -> f64 {
        largest_difference(q, angles(END))
    }

    fn in_space(p: [f64; 2]) -> [f64; 3] {
        [p[0], p[1], 0.0]
    }

    /// The model; the origin of every body's frame is its centre of mass, its x axis at the angle of [`angles`].
    pub(crate) fn model() -> SpatialModel {
        let [beta, turned, gamma, raised, delta, lowered, epsilon] = angles(START);
        let crank_end = along(beta, 0.007);
        let e = plus(crank_end, along(turned, -0.028));
        let (g, h) = (plus(A, along(delta, 0.04)), plus(A, across(epsilon, 0.04)));
        let centres = [
            along(beta, 0.00092),
            plus(crank_end, along(turned, -0.0115)),
            plus(plus(B, across(gamma, 0.01874)), along(gamma, 0.01043)),
            plus(g, across(raised, 0.02 - 0.01421)),
            plus(plus(A, along(delta, 0.02308)), across(delta, -0.00916)),
            plus(h, along(lowered, 0.02 - 0.01421)),
            plus(plus(A, across(epsilon, 0.01228)), along(epsilon, -0.00449)),
        ];
        let mut model = SpatialModel::new();
        for (k, ((mass, inertia), centre)) in BODIES.into_iter().zip(centres).enumerate() {
            let properties = RigidBody::new(mass, diagonal(inertia, inertia, inertia)).unwrap();
            let turn = UnitQuaternion::from_scaled_axis(Vector3::z() * angles(START)[k]);
            model = model.with_body(
                Body::new(format!("K{}", k + 1), properties)
                    .with_position(in_space(centre))
                    .with_orientation(turn),
            );
        }
        let joints = [
            ("O", None, "K1", [0.0, 0.0]),
            ("F", Some("K1"), "K2", crank_end),
            ("B", None, "K3", B),
            ("A5", None, "K5", A),
            ("A7", None, "K7", A),
            ("E3", Some("K2"), "K3", e),
            ("E4", Some("K2"), "K4", e),
            ("E6", Some("K2"), "K6", e),
            ("G", Some("K4"), "K5", g),
            ("H", Some("K6"), "K7", h),
        ];
        for (name, first, second, point) in joints {
            let at = (in_space(point), Z);
            model = model.with_joint_at(name, JointKind::Revolute, [first, Some(second)], at);
        }
        let d = plus(plus(B, across(gamma, 0.018)), along(gamma, 0.02));
        let end = model.frame_at(Some("K3"), in_space(d), Z);
        let coil = ForceKind::Spring { stiffness: 4530.0, damping: 0.0, free_length: 0.07785, preload: 0.0 };
        let motor = BodyFunction(Arc::new(|_, _, _| [Vector3::zeros(), Vector3::z() * 0.033]));
        model.with_force(Force::new("coil", coil, Frame::ground(C), end)).with_force(Force::new(
            "motor",
            ForceKind::OnBody(motor),
            Frame::ground([0.0; 3]),
            Frame::on("K1", [0.0; 3]),
        ))
    }
}
