//! Rows of contacts: derivatives against finite differences at random states, what forces keep, and closed forms.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::sync::Arc;

use crate::differences::slope;
use cosimo_dynamics::{ConstrainedSystem, State, StateChange};
use cosimo_multibody::spatial::{
    Body, Contact, ContactShape, Frame, GapFunction, Geometry, Gradient, Hessian, Pair, PlacedContact,
    RigidBody, Sensor, SensorKind, SpatialModel, SpatialModelError, SpatialSystem,
};
use nalgebra::{DVector, Matrix3, UnitQuaternion, Vector3};
use proptest::collection::vec;
use proptest::prelude::*;

/// Half the square of the distance of two points, less a constant.
#[derive(Debug)]
struct Bowl;

impl GapFunction for Bowl {
    fn value(&self, pair: &Pair) -> f64 {
        0.5 * DISTANCE.value(pair).powi(2) - 0.3
    }

    fn gradient(&self, pair: &Pair) -> Gradient {
        let length = DISTANCE.value(pair);
        Gradient(DISTANCE.gradient(pair).0.map(|part| part * length))
    }

    fn hessian(&self, pair: &Pair) -> Hessian {
        let (length, gradient) = (DISTANCE.value(pair), DISTANCE.gradient(pair).0);
        let mut out = DISTANCE.hessian(pair);
        for (row, g) in out.0.iter_mut().zip(&gradient) {
            for (block, h) in row.iter_mut().zip(&gradient) {
                *block = *block * length + g * h.transpose();
            }
        }
        out
    }
}

const DISTANCE: Geometry =
    Geometry::Distance { arms: [Vector3::new(0.1, 0.2, -0.3), Vector3::new(0.3, -0.1, 0.2)] };

fn frame(body: Option<&str>, p: &[f64]) -> Frame {
    let point = [0.3 * p[0], 0.3 * p[1], 0.3 * p[2]];
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(p[3], p[4], p[5]));
    body.map_or_else(|| Frame::ground(point), |name| Frame::on(name, point)).with_orientation(turn)
}

/// Every contact between the ground and two bodies, several metres apart.
fn system(p: &[f64]) -> SpatialSystem {
    let body = |name: &str, k: usize, x: f64| {
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(p[k], p[k + 1], p[k + 2]));
        let properties = RigidBody::new(1.3, Matrix3::from_diagonal(&Vector3::new(1.0, 1.2, 0.9))).unwrap();
        Body::new(name, properties)
            .with_centre_of_mass([0.1, 0.2 * p[k], -0.1])
            .with_position([x, p[k + 3], p[k + 4]])
            .with_orientation(turn)
    };
    let (plane, spheres) =
        (ContactShape::SpherePlane { radius: 0.4 }, ContactShape::SphereSphere { radii: [0.3, 0.7] });
    let sensor = |name: &str, kind, k: usize| {
        Sensor::new(name, kind, frame(Some("a"), &p[k..]), frame(Some("b"), &p[k + 2..]))
    };
    let between = |name: &str, shape: &ContactShape, first, second, k: usize| {
        Contact::new(name, shape.clone(), frame(first, &p[k..]), frame(second, &p[k + 5..]))
    };
    SpatialModel::new()
        .with_body(body("a", 0, 2.0))
        .with_body(body("b", 6, -2.0))
        .with_sensor(sensor("angle", SensorKind::Angle, 1))
        .with_sensor(sensor("way", SensorKind::Displacement, 2))
        .with_sensor(sensor("rope", SensorKind::Distance, 3))
        .with_contact(between("floor", &plane, None, Some("a"), 0))
        .with_contact(between("deck", &plane, Some("a"), Some("b"), 2))
        .with_contact(between("ceiling", &plane, Some("b"), None, 4))
        .with_contact(between("balls", &spheres, Some("a"), Some("b"), 6))
        .with_contact(between("post", &spheres, None, Some("b"), 1))
        .with_contact(between("bowl", &ContactShape::Custom(Arc::new(Bowl)), Some("a"), Some("b"), 0))
        .with_contact(Contact::upper_stop("bent", "angle", MOST_BENT))
        .with_contact(Contact::lower_stop("out", "way", -1.0))
        .with_contact(Contact::upper_stop("taut", "rope", 5.0))
        .build()
        .unwrap()
}

/// Of the angle of the stop `bent` (rad).
const MOST_BENT: f64 = 0.4;

const NAMES: [&str; 9] = ["floor", "deck", "ceiling", "balls", "post", "bowl", "bent", "out", "taut"];

fn rows(contact: &PlacedContact) -> usize {
    if contact.has_slips() { 3 } else { 1 }
}

/// A state some way from the start.
fn moved(system: &SpatialSystem, x: &[f64]) -> Vec<f64> {
    let start = system.initial_position();
    let mut q = start.clone();
    let x: Vec<f64> = x.iter().map(|x| 0.7 * x).collect();
    system.structure().coordinates().move_by(&start, &x, &mut q);
    q
}

fn rates(contact: &PlacedContact, q: &[f64], v: &[f64]) -> Vec<f64> {
    let mut out = vec![f64::NAN; rows(contact)];
    contact.rates(q, v, &mut out);
    out
}

fn force(contact: &PlacedContact, q: &[f64], loads: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; 12];
    contact.add_force(q, loads, &mut out);
    out
}

/// Whether the angle is far from its jump by a full turn, and from where it is not defined: the second axis along the axis that it turns
/// about. Its slopes grow there as the inverse distance, and differences are not as exact.
fn is_regular(system: &SpatialSystem, q: &[f64]) -> bool {
    let bent = system.contact("bent").unwrap();
    let slopes = force(&bent, q, &[1.0]);
    (MOST_BENT - system.gap(&bent, q)).abs() < 3.0 && slopes.iter().all(|slope| slope.abs() < 3.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn derivatives_are_those_of_finite_differences(
        p in vec(-1.0..1.0f64, 20), x in vec(-1.0..1.0f64, 12), v in vec(-1.0..1.0f64, 12),
        dq in vec(-1.0..1.0f64, 12), dv in vec(-1.0..1.0f64, 12), loads in vec(-1.0..1.0f64, 3),
    ) {
        let system = system(&p);
        let coordinates = system.structure().coordinates();
        let q = moved(&system, &x);
        prop_assume!(is_regular(&system, &q));
        let step = |by: &[f64], share: f64| {
            let (mut to, by) = (q.clone(), by.iter().map(|x| share * x).collect::<Vec<_>>());
            coordinates.move_by(&q, &by, &mut to);
            to
        };
        for name in NAMES {
            let contact = system.contact(name).unwrap();
            let loads = &loads[..rows(&contact)];
            let found = rates(&contact, &q, &v);
            let of_gap = slope(|share| DVector::from_element(1, system.gap(&contact, &step(&v, share))))[0];
            prop_assert!((found[0] - of_gap).abs() < 1e-7, "{name}: gap rate {} and {of_gap}", found[0]);
            // Loads do the work that the rates say.
            let power: f64 = force(&contact, &q, loads).iter().zip(&v).map(|(f, v)| f * v).sum();
            let work: f64 = loads.iter().zip(&found).map(|(load, rate)| load * rate).sum();
            prop_assert!((power - work).abs() < 1e-12, "{name}: power {power} and {work}");
            let mut changes = vec![f64::NAN; rows(&contact)];
            contact.rate_changes(State { q: &q, v: &v }, StateChange { dq: &dq, dv: &dv }, &mut changes);
            let of_rates = slope(|share| {
                let v: Vec<f64> = v.iter().zip(&dv).map(|(v, dv)| v + share * dv).collect();
                DVector::from_vec(rates(&contact, &step(&dq, share), &v))
            });
            let of_changes = DVector::from_vec(changes);
            let worst = (&of_changes - of_rates).amax();
            prop_assert!(worst < 1e-7, "{name}: change of the rates off by {worst}");
            // By bodies, as the answers of many contacts are put together.
            let mut by_bodies = vec![0.0; rows(&contact)];
            contact.give_rate_gradients(State { q: &q, v: &v }, by_bodies.len(), |body, gradients| {
                for (gradient, increments) in gradients.iter().zip([&dq, &dv]) {
                    let columns = gradient.chunks_exact(rows(&contact));
                    for (column, x) in columns.zip(&increments[6 * body..6 * body + 6]) {
                        by_bodies.iter_mut().zip(column).for_each(|(sum, z)| *sum += z * x);
                    }
                }
            });
            let worst = (DVector::from_vec(by_bodies) - of_changes).amax();
            prop_assert!(worst < 1e-12, "{name}: change of the rates by bodies off by {worst}");
        }
    }

    /// Momentum and angular momentum about the origin of two bodies that touch, closed or not.
    #[test]
    fn loads_between_bodies_keep_momenta(
        p in vec(-1.0..1.0f64, 20), x in vec(-1.0..1.0f64, 12), loads in vec(-1.0..1.0f64, 3),
    ) {
        let system = system(&p);
        let q = moved(&system, &x);
        for name in ["deck", "balls", "bent", "out", "taut"] {
            let contact = system.contact(name).unwrap();
            let f = force(&contact, &q, &loads[..rows(&contact)]);
            let (mut sum, mut moment) = (Vector3::zeros(), Vector3::zeros());
            for body in 0..2 {
                let state = system.body_state(body, &q, &[0.0; 12]).unwrap();
                let own = Vector3::from_column_slice(&f[6 * body..6 * body + 3]);
                let about = Vector3::from_column_slice(&f[6 * body + 3..6 * body + 6]);
                sum += own;
                moment += state.position.cross(&own) + state.orientation * about;
            }
            prop_assert!(sum.norm() < 1e-14 && moment.norm() < 1e-13, "{name}: {sum} {moment}");
        }
    }
}

/// A sphere that rolls along x on a floor does not slide; one that spins about the normal alone does not either.
#[test]
fn slips_are_those_of_the_surfaces() {
    let system = |velocity: [f64; 3], spin: [f64; 3]| {
        let ball = RigidBody::new(1.0, Matrix3::from_diagonal_element(0.01)).unwrap();
        SpatialModel::new()
            .with_body(Body::new("ball", ball).with_position([1.0, 2.0, 0.7]).with_velocity(velocity, spin))
            .with_contact(Contact::new(
                "floor",
                ContactShape::SpherePlane { radius: 0.5 },
                Frame::ground([0.0; 3]),
                Frame::on("ball", [0.0; 3]),
            ))
            .build()
            .unwrap()
    };
    for (velocity, spin, exact) in [
        ([1.0, 0.0, -0.3], [0.0, 2.0, 0.0], [-0.3, 0.0, 0.0]),
        ([0.0; 3], [0.0, 0.0, 5.0], [0.0; 3]),
        ([0.2, 0.4, 0.0], [2.0, 0.0, 1.0], [0.0, 0.2, 1.4]),
    ] {
        let system = system(velocity, spin);
        let floor = system.contact("floor").unwrap();
        let found = rates(&floor, &system.initial_position(), &system.initial_velocity());
        assert!((system.gap(&floor, &system.initial_position()) - 0.2).abs() < 1e-15);
        assert!(found.iter().zip(exact).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?} {exact:?}");
    }
}

#[test]
fn what_is_no_contact_is_refused() {
    let build = |contact: Contact| {
        let ball = RigidBody::new(1.0, Matrix3::from_diagonal_element(0.01)).unwrap();
        SpatialModel::new().with_body(Body::new("ball", ball)).with_contact(contact).build().unwrap_err()
    };
    let (ground, ball) = (Frame::ground([0.0; 3]), Frame::on("ball", [0.0; 3]));
    let plane = |radius| ContactShape::SpherePlane { radius };
    for (contact, text) in [
        (
            Contact::new("a", plane(-1.0), ground.clone(), ball.clone()),
            "contact `a`: radius is -1.0, must be finite and not negative",
        ),
        (
            Contact::new("a", plane(1.0), ball.clone(), ball.clone()),
            "contact `a` joins two frames of the same body, or of the ground; join two different ones",
        ),
        (
            Contact::new("a", ContactShape::SphereSphere { radii: [1.0; 2] }, ground, ball),
            "contact `a`: its two points coincide at the start, so that the line between them has no direction",
        ),
        (
            Contact::lower_stop("a", "angle", 0.0),
            "contact `a` is a stop of sensor `angle`, which is none of a distance, a displacement or an angle; there are: ",
        ),
        (Contact::upper_stop("a", "angle", f64::NAN), "contact `a`: limit is NaN, must be finite"),
    ] {
        let error: SpatialModelError = build(contact);
        assert_eq!(error.to_string(), text);
    }
}
