//! Derivatives of penalty contacts against central finite differences: every law on every geometry, in each branch.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::differences::{balance, tangent_mismatch};
use cosimo_dynamics::ConstrainedSystem;
use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, PenaltyLaw, RigidBody, Sensor, SensorKind, SpatialModel, SpatialSystem,
};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

const DEPTH: f64 = 0.3;
const SPEED: f64 = 0.8;

/// Every law, with the rate of penetration below which it would pull.
fn laws() -> [(PenaltyLaw, f64); 5] {
    let (stiffness, exponent, restitution) = (50.0, 1.5, 0.6);
    [
        (PenaltyLaw::KelvinVoigt { stiffness, damping: 7.0 }, -stiffness * DEPTH / 7.0),
        (PenaltyLaw::Hertz { stiffness, exponent }, f64::NEG_INFINITY),
        (PenaltyLaw::HuntCrossley { stiffness, exponent, restitution }, -SPEED / 0.6),
        (PenaltyLaw::LankaraniNikravesh { stiffness, exponent, restitution }, -SPEED / 0.48),
        (PenaltyLaw::Flores { stiffness, exponent: 2.2, restitution }, -SPEED * 3.0 / 3.2),
    ]
}

/// Two turned bodies, the frames of a contact, and velocities.
struct Scene {
    model: SpatialModel,
    frames: [Frame; 2],
    velocity: [f64; 12],
}

fn scene(seed: usize) -> Scene {
    let number = |k: usize| (1.7 * k as f64 + 12.9 * seed as f64 + (k * seed) as f64).sin();
    let vector = |k: usize| Vector3::new(number(k), number(k + 1), number(k + 2));
    let turn = |k: usize, size: f64| UnitQuaternion::from_scaled_axis(vector(k) * size);
    let inertia = Matrix3::new(2.0, 0.2, -0.1, 0.2, 3.0, 0.3, -0.1, 0.3, 4.0);
    let body = |name: &str, k: usize| {
        Body::new(name, RigidBody::new(1.5, inertia).unwrap())
            .with_centre_of_mass(vector(k) * 0.2)
            .with_orientation(turn(k + 3, 0.4))
    };
    let model = SpatialModel::new()
        .with_body(body("a", 0))
        // In front of the plane, whose normal is nearly z.
        .with_body(body("b", 6).with_position([0.4, -0.3, 3.0]));
    let frame = |name: &str, k: usize| Frame::on(name, vector(k) * 0.3).with_orientation(turn(k + 3, 0.3));
    let velocity = std::array::from_fn(|k| number(k + 20));
    Scene { model, frames: [frame("a", 30), frame("b", 36)], velocity }
}

/// Value and rate of the number that a contact depends on.
fn measured(scene: &Scene, kind: SensorKind, v: &[f64]) -> [f64; 2] {
    let [first, second] = scene.frames.clone();
    let system = scene.model.clone().with_sensor(Sensor::new("it", kind, first, second)).build().unwrap();
    let mut out = [0.0; 2];
    system.observe_sensors(&system.initial_position(), v, &[], &mut out);
    out
}

/// The four contacts, by the number they depend on, its sign in the gap, and the kind that is `DEPTH` deep at this value.
type Contact = (SensorKind, f64, fn(f64, PenaltyLaw) -> ForceKind);

const CONTACTS: [Contact; 4] = [
    (SensorKind::Displacement, 1.0, |z, law| ForceKind::SpherePlane { radius: z + DEPTH, law }),
    (SensorKind::Distance, 1.0, |l, law| ForceKind::SphereSphere { radii: [0.4 * l, 0.6 * l + DEPTH], law }),
    (SensorKind::Angle, -1.0, |a, law| ForceKind::Stop { limit: a - DEPTH, is_upper: true, law }),
    (SensorKind::Angle, 1.0, |a, law| ForceKind::Stop { limit: a + DEPTH, is_upper: false, law }),
];

/// The system of one contact that penetrates at this rate, and its velocities; `began` is the depth where it began.
fn contact(
    seed: usize,
    contact: &Contact,
    law: PenaltyLaw,
    rate: f64,
    began: f64,
) -> (SpatialSystem, Vec<f64>) {
    let (sensor, sign, kind) = contact;
    let scene = scene(seed);
    let [value, own_rate] = measured(&scene, *sensor, &scene.velocity);
    let v: Vec<f64> = scene.velocity.iter().map(|v| v * -sign * rate / own_rate).collect();
    let [first, second] = scene.frames;
    let force = Force::new("contact", kind(value, law), first, second);
    let mut system = scene.model.with_force(force).build().unwrap();
    let memory = if *sensor == SensorKind::Angle { vec![value, SPEED, began] } else { vec![SPEED, began] };
    assert_eq!(system.restore_memory(&memory), Some(memory.len()));
    (system, v)
}

#[test]
fn derivatives_of_every_law_are_exact_in_every_branch() {
    for seed in 0..8 {
        for (place, of) in CONTACTS.iter().enumerate() {
            for (law, pulls) in laws() {
                for (rate, began) in [
                    (0.6, 0.0),
                    (0.5 * pulls.max(-1.0), 0.0),
                    (2.0 * pulls.max(-1.0), 0.0),
                    (0.6, 0.5 * DEPTH),
                    (0.6, 2.0 * DEPTH),
                ] {
                    let (system, v) = contact(seed, of, law, rate, began);
                    let q = system.initial_position();
                    let found = tangent_mismatch(&system, (0.0, &q, &v));
                    assert!(
                        found.iter().all(|off| *off < 1e-7),
                        "{law:?} at {place}, {seed}, {rate}: {found:?}"
                    );
                    let rest = [0.0; 12];
                    let mut free = balance(&system, (0.0, &q, &v), &rest, &[]);
                    let inertia = scene(seed).model.build().unwrap();
                    let own = balance(&inertia, (0.0, &q, &v), &rest, &[]);
                    free.iter_mut().zip(own).for_each(|(free, own)| *free -= own);
                    let has_force = free.iter().any(|force| force.abs() > 1e-3);
                    assert_eq!(has_force, rate > pulls, "{law:?} at {place}, {seed}, {rate}");
                }
            }
        }
    }
}

/// Without penetration there is neither force nor derivative.
#[test]
fn an_open_contact_has_no_tangent() {
    for (sensor, sign, _) in CONTACTS {
        let scene = scene(1);
        let [value, _] = measured(&scene, sensor, &scene.velocity);
        let law = laws()[2].0;
        let kind = match sensor {
            SensorKind::Displacement => ForceKind::SpherePlane { radius: value - 0.1, law },
            SensorKind::Distance => ForceKind::SphereSphere { radii: [0.1, value - 0.2], law },
            _ => ForceKind::Stop { limit: value - 0.1 * sign, is_upper: sign < 0.0, law },
        };
        let [first, second] = scene.frames.clone();
        let open = scene.model.clone().with_force(Force::new("open", kind, first, second)).build().unwrap();
        let (q, rest) = (open.initial_position(), [0.0; 12]);
        let state = (0.0, q.as_slice(), scene.velocity.as_slice());
        let alone = scene.model.build().unwrap();
        assert_eq!(balance(&open, state, &rest, &[]), balance(&alone, state, &rest, &[]), "{sensor:?}");
        assert!(tangent_mismatch(&open, state).iter().all(|off| *off < 1e-7), "{sensor:?}");
    }
}
