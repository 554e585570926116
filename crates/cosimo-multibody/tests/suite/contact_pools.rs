//! The pairs that a pool finds, against all pairs one by one.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_multibody::spatial::{
    Body, ContactPool, ContactShape, Frame, PoolSlots, RigidBody, SpatialModel, SpatialModelError,
    SpatialSystem,
};
use nalgebra::{Matrix3, Vector3};
use proptest::prelude::*;

const STEP: f64 = 1e-2;

/// A sphere: where its body is, how it moves and how it strays in a step.
type Sphere = ([f64; 3], [f64; 3], [f64; 3]);

fn name(k: usize) -> String {
    format!("b{k}")
}

fn body(k: usize, (position, velocity, _): &Sphere) -> Body {
    let properties = RigidBody::new(1.0, Matrix3::from_diagonal_element(0.01)).unwrap();
    Body::new(name(k), properties).with_position(*position).with_velocity(*velocity, [0.0; 3])
}

fn frames(bodies: std::ops::Range<usize>) -> Vec<Frame> {
    bodies.map(|k| Frame::on(name(k), [0.0; 3])).collect()
}

/// Spheres of which those before `shared` are first members, and those from `own` on second ones.
fn cloud(
    spheres: &[Sphere],
    radii: [f64; 2],
    [firsts, seconds]: [std::ops::Range<usize>; 2],
) -> SpatialSystem {
    let model = SpatialModel::new().with_gravity([0.0, 0.0, -9.81]);
    let model = spheres.iter().enumerate().fold(model, |model, (k, own)| model.with_body(body(k, own)));
    let shape = ContactShape::SphereSphere { radii };
    let pairs = spheres.len() * spheres.len();
    let pool = ContactPool::new("pile", shape, frames(firsts), frames(seconds)).with_capacity(pairs);
    model.with_contact_pool(pool).build().unwrap()
}

/// The pairs that hold slots, by their bodies, the smaller number first.
fn held(slots: &PoolSlots) -> Vec<[usize; 2]> {
    let bodies: Vec<usize> = slots.bodies().map(|name| name[1..].parse().unwrap()).collect();
    let held = (0..slots.len()).filter(|slot| slots.contact(*slot).is_some());
    let mut pairs: Vec<[usize; 2]> = held
        .map(|slot| {
            let [a, b] = slots.holders(slot).map(|place| bodies[place]);
            [a.min(b), a.max(b)]
        })
        .collect();
    pairs.sort_unstable();
    pairs
}

/// The least distance of two points on straight ways: at one of the ends, or where its square has no slope.
fn least_distance(apart: Vector3<f64>, displacement: Vector3<f64>) -> f64 {
    let inside = -apart.dot(&displacement) / displacement.norm_squared();
    let shares = [0.0, 1.0, inside];
    let valid = shares.into_iter().filter(|share| (0.0..=1.0).contains(share));
    valid.map(|share| (apart + displacement * share).norm()).fold(f64::INFINITY, f64::min)
}

fn sphere() -> impl Strategy<Value = Sphere> {
    let within = |most: f64| [-most..most, -most..most, -most..most];
    (within(0.6), within(60.0), prop_oneof![3 => within(1e-4), 1 => within(0.6)])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Every pair that touches on straight ways has a slot, and none that stays far; of the steps that stray, one with a pair that
    /// meets without a slot is told, by the names of such a pair, and no other.
    #[test]
    fn no_pair_is_missed(
        spheres in proptest::collection::vec(sphere(), 2..24),
        radii in [0.02..0.08, 0.02..0.08],
        split in (0.0..1.0, 0.0..1.0),
    ) {
        let count = spheres.len();
        let first_end = 1 + (split.0 * (count - 1) as f64) as usize;
        let second_start = ((split.1 * (count - 1) as f64) as usize).min(first_end);
        let (firsts, seconds) = (0..first_end.max(second_start + 1), second_start..count);
        let is_nested = |a: usize, b: usize| {
            (Vector3::from(spheres[a].0) - Vector3::from(spheres[b].0)).norm() <= 0.07
        };
        prop_assume!((0..count).all(|a| (0..a).all(|b| !is_nested(a, b))));
        let system = cloud(&spheres, radii, [firsts.clone(), seconds.clone()]);
        let (q, v) = (system.initial_position(), system.initial_velocity());
        let mut slots = system.pool_slots("pile", STEP).unwrap();
        slots.renew(&q, &v);
        let held = held(&slots);
        let is_pair = |a: usize, b: usize| a != b && (firsts.contains(&a) && seconds.contains(&b));
        let least = |a: usize, b: usize, displacement: &dyn Fn(usize) -> Vector3<f64>| {
            let apart = Vector3::from(spheres[b].0) - Vector3::from(spheres[a].0);
            least_distance(apart, displacement(b) - displacement(a))
        };
        let straight = |k: usize| Vector3::from(spheres[k].1) * STEP;
        let strayed = |k: usize| straight(k) + Vector3::from(spheres[k].2);
        let mut met = Vec::new();
        for a in 0..count {
            for b in (0..count).filter(|b| *b != a) {
                if !is_pair(a, b) { continue; }
                // Of a pair that both orders give, the one that comes first counts.
                if b < a && is_pair(b, a) { continue; }
                let reach = radii[0] + radii[1];
                let has_slot = held.contains(&[a.min(b), a.max(b)]);
                prop_assert!(has_slot || least(a, b, &straight) > reach, "b{a} and b{b} have no slot");
                let far = reach + 2.0 * (0.05 * radii[0].max(radii[1]) + STEP * STEP * 9.81) * (1.0 + 1e-9);
                prop_assert!(!has_slot || least(a, b, &straight) <= far, "b{a} and b{b} are far");
                if !has_slot && least(a, b, &strayed) <= reach {
                    met.push([name(a), name(b)]);
                }
            }
        }
        let displacement: Vec<f64> = (0..count).flat_map(|k| {
            let displacement = strayed(k);
            [displacement.x, displacement.y, displacement.z, 0.0, 0.0, 0.0]
        }).collect();
        match slots.missed(&displacement, STEP) {
            None => prop_assert!(met.is_empty(), "{met:?} is missed"),
            Some(found) => prop_assert!(met.iter().any(|pair| pair.each_ref().map(String::as_str) == found), "{found:?}"),
        }
    }
}

fn at(position: [f64; 3], velocity: [f64; 3]) -> Sphere {
    (position, velocity, [0.0; 3])
}

/// A slot that is freed is absent at one communication point, and keeps the names of the pair until it serves another.
#[test]
fn a_slot_rests_between_two_pairs() {
    let spheres = [0.0, 0.1, 1.0, 1.1].map(|x| at([x, 0.0, 0.0], [0.0; 3]));
    let system = cloud(&spheres, [0.05; 2], [0..4, 0..4]);
    let mut slots = system.pool_slots("pile", STEP).unwrap();
    let mut q = system.initial_position();
    let v = system.initial_velocity();
    // The last one comes when the first pair has parted.
    q[7 * 3] = 5.0;
    slots.renew(&q, &v);
    assert_eq!(held(&slots), [[0, 1]]);
    q[7] = 3.0;
    slots.renew(&q, &v);
    assert_eq!(held(&slots), [[0, 1]], "one step apart is not enough");
    q[7 * 3] = 1.1;
    slots.renew(&q, &v);
    assert_eq!(held(&slots), [[2, 3]]);
    assert!(
        slots.contact(0).is_none() && slots.contact(1).is_some(),
        "the free slot is not the one just freed"
    );
    assert_eq!(slots.holders(0), [0, 5]);
    q[7] = 0.1;
    slots.renew(&q, &v);
    assert_eq!(slots.holders(0), [0, 5]);
    assert_eq!(held(&slots), [[0, 1], [2, 3]]);
}

/// What is saved comes back, also where a system of another history takes it, and what is not of this pool is refused.
#[test]
fn slots_are_saved() {
    let spheres = [0.0, 0.1, 0.2, 1.1].map(|x| at([x, 0.0, 0.0], [0.0; 3]));
    let system = cloud(&spheres, [0.05; 2], [0..4, 0..4]);
    let (mut q, v) = (system.initial_position(), system.initial_velocity());
    let mut slots = system.pool_slots("pile", STEP).unwrap();
    slots.renew(&q, &v);
    q[0] = -1.0;
    (0..2).for_each(|_| slots.renew(&q, &v));
    let save = |slots: &PoolSlots| {
        let mut saved = Vec::new();
        slots.save(&mut saved);
        saved
    };
    let saved = save(&slots);
    assert_eq!(saved.len(), slots.saved_length());
    let mut other = system.pool_slots("pile", STEP).unwrap();
    assert!(other.fits(&saved));
    other.restore(&saved, &q, &v);
    assert_eq!((save(&other), held(&other)), (saved.clone(), held(&slots)));
    for (place, value) in [(1, 4.0), (1, 0.5), (2, -3.0), (3, -2.0)] {
        let mut bad = saved.clone();
        bad[place] = value;
        assert!(!other.fits(&bad), "{place}");
    }
    assert!(!other.fits(&saved[1..]));
}

#[test]
fn more_near_pairs_than_slots_are_told() {
    let spheres = [0.0, 0.1, 0.2, 0.3].map(|x| at([x, 0.0, 0.0], [0.0; 3]));
    let model = SpatialModel::new();
    let model = spheres.iter().enumerate().fold(model, |model, (k, own)| model.with_body(body(k, own)));
    let shape = ContactShape::SphereSphere { radii: [0.05; 2] };
    let pool = ContactPool::new("pile", shape, frames(0..4), frames(0..4)).with_capacity(2);
    let system = model.with_contact_pool(pool).build().unwrap();
    let mut slots = system.pool_slots("pile", STEP).unwrap();
    slots.renew(&system.initial_position(), &system.initial_velocity());
    let found = slots.exhausted().unwrap();
    assert_eq!((found.capacity, found.near), (2, 3));
    assert!(found.to_string().contains("`pile` has a capacity of 2, and 3 pairs"), "{found}");
}

#[test]
fn pools_that_cannot_be_are_refused() {
    let build = |radii: [f64; 2], second: f64, capacity: usize| {
        let spheres = [0.0, second].map(|x| at([x, 0.0, 0.0], [0.0; 3]));
        let model = SpatialModel::new().with_body(body(0, &spheres[0])).with_body(body(1, &spheres[1]));
        let pool = ContactPool::new("pile", ContactShape::SphereSphere { radii }, frames(0..1), frames(1..2));
        model.with_contact_pool(pool.with_capacity(capacity)).build()
    };
    assert!(build([0.05; 2], 0.1, 1).is_ok());
    for (built, expected) in [
        (build([0.05; 2], 0.1, 0), "contact `pile`: capacity is 0.0, must be at least 1"),
        (build([0.0; 2], 0.1, 1), "contact `pile`: sum of the radii is 0.0"),
        (build([-0.1, 0.2], 0.5, 1), "contact `pile`: radius is -0.1"),
        (build([0.2, 0.05], 0.1, 1), "contact `pile`: `b1` and `b0` are one inside the other"),
    ] {
        let error: SpatialModelError = built.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}
