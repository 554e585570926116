//! Bodies that rest on each other, as friction problems of any size.

#![allow(dead_code, reason = "tests and the bench use their own shares")]
#![expect(clippy::unwrap_used, reason = "a refused problem must stop the test")]

use cosimo_complementarity::friction::{BodyDelassus, ContactArm};
use nalgebra::{Matrix3, Matrix6, SMatrix, Vector3, Vector6};

/// A friction problem of rigid bodies under gravity, for one time step.
pub(crate) struct Pile {
    /// `W`.
    pub(crate) delassus: BodyDelassus<3, 6>,
    /// Contact velocities without impulses (m/s).
    pub(crate) offset: Vec<f64>,
    /// Coefficients of friction.
    pub(crate) friction: Vec<f64>,
}

/// A contact of body `upper` on body `lower`, or on the ground.
struct Touch {
    upper: usize,
    lower: Option<usize>,
    point: Vector3<f64>,
    normal: Vector3<f64>,
}

/// Balls of unequal size thrown together: those of a cubic lattice, moved and grown until neighbours touch, each with a
/// velocity of its own on top of its fall. Every ball has about six contacts; the lowest lie on the ground.
pub(crate) fn packing(side: usize) -> Pile {
    packing_of(side, 12_345)
}

/// The same, of other balls for every seed.
pub(crate) fn packing_of(side: usize, seed: u64) -> Pile {
    packing_at(side, seed, 0.02, 0.5)
}

/// The same, with velocities up to this one (m/s) and this friction: at rest but for its fall where there are none.
pub(crate) fn packing_at(side: usize, seed: u64, speed: f64, friction: f64) -> Pile {
    let mut random = sequence(seed);
    let place =
        |k: usize| Vector3::new((k % side) as f64, (k / side % side) as f64, (k / side / side) as f64);
    let mut shake = || Vector3::new(random(), random(), random());
    let centres: Vec<Vector3<f64>> =
        (0..side.pow(3)).map(|k| place(k) + Vector3::z() * 0.5 + shake() * 0.12).collect();
    let velocities: Vec<Vector3<f64>> = (0..centres.len()).map(|_| shake() * speed).collect();
    let mut touches = Vec::new();
    for upper in 0..centres.len() {
        if upper < side * side {
            let point = Vector3::new(centres[upper].x, centres[upper].y, 0.0);
            touches.push(Touch { upper, lower: None, point, normal: Vector3::z() });
        }
        for step in [1, side, side * side] {
            let fits = match step {
                1 => upper % side > 0,
                _ => upper / step % side > 0,
            };
            if fits && (centres[upper] - centres[upper - step]).norm() < 1.06 {
                let lower = upper - step;
                let normal = (centres[upper] - centres[lower]).normalize();
                let point = (centres[upper] + centres[lower]) * 0.5;
                touches.push(Touch { upper, lower: Some(lower), point, normal });
            }
        }
    }
    let inverse = Vector6::new(1.0, 1.0, 1.0, 10.0, 10.0, 10.0);
    let mut pile = pile(&centres, Matrix6::from_diagonal(&inverse), &touches, friction);
    for (touch, offset) in touches.iter().zip(pile.offset.chunks_exact_mut(3)) {
        let below = touch.lower.map_or_else(Vector3::zeros, |lower| velocities[lower]);
        let relative = axes(&touch.normal) * (velocities[touch.upper] - below);
        offset.iter_mut().zip(relative.iter()).for_each(|(q, v)| *q += v);
    }
    pile
}

/// A fixed sequence of numbers in [−1, 1].
fn sequence(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Normal and two tangents, by rows.
fn axes(n: &Vector3<f64>) -> Matrix3<f64> {
    let other = if n.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    let t = n.cross(&other).normalize();
    Matrix3::from_rows(&[n.transpose(), t.transpose(), n.cross(&t).transpose()])
}

fn cross(a: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

fn arm(body: usize, sign: f64, centre: &Vector3<f64>, touch: &Touch) -> ContactArm<3, 6> {
    let axes = axes(&touch.normal);
    let mut rows = SMatrix::<f64, 3, 6>::zeros();
    rows.fixed_view_mut::<3, 3>(0, 0).copy_from(&(axes * sign));
    rows.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-axes * cross(&(touch.point - centre)) * sign));
    ContactArm { body, rows }
}

fn pile(centres: &[Vector3<f64>], inverse_mass: Matrix6<f64>, touches: &[Touch], friction: f64) -> Pile {
    thrown(centres, touches, friction, &|_| (inverse_mass, Vector6::zeros()))
}

/// Bodies given by `M⁻¹` and their velocities, which fall for a step of 1 ms.
fn thrown(
    centres: &[Vector3<f64>],
    touches: &[Touch],
    friction: f64,
    body: &dyn Fn(usize) -> (Matrix6<f64>, Vector6<f64>),
) -> Pile {
    let arms: Vec<Vec<_>> = touches
        .iter()
        .map(|touch| {
            let mut arms = vec![arm(touch.upper, 1.0, &centres[touch.upper], touch)];
            arms.extend(touch.lower.map(|lower| arm(lower, -1.0, &centres[lower], touch)));
            arms
        })
        .collect();
    let bodies: Vec<_> = (0..centres.len()).map(body).collect();
    let fall = Vector6::new(0.0, 0.0, -9.81e-3, 0.0, 0.0, 0.0);
    let velocity = |arms: &Vec<ContactArm<3, 6>>| {
        let of_arm = |arm: &ContactArm<3, 6>| arm.rows * (bodies[arm.body].1 + fall);
        arms.iter().fold(Vector3::zeros(), |sum: Vector3<f64>, arm| sum + of_arm(arm))
    };
    let offset = arms.iter().flat_map(|arms| velocity(arms).data.0[0]).collect();
    let masses: Vec<_> = bodies.iter().map(|body| body.0).collect();
    let delassus = BodyDelassus::new(&masses, arms).unwrap();
    Pile { delassus, offset, friction: vec![friction; touches.len()] }
}

/// A column of balls, each heavier than the one below by the same factor, the uppermost by `ratio` than the lowest, which
/// carries them all.
pub(crate) fn column(balls: usize, ratio: f64, friction: f64) -> Pile {
    let centres: Vec<_> = (0..balls).map(|ball| Vector3::z() * (ball as f64 + 0.5)).collect();
    let touch = |upper: usize| {
        let point = Vector3::z() * upper as f64;
        Touch { upper, lower: upper.checked_sub(1), point, normal: Vector3::z() }
    };
    let inverse = Matrix6::from_diagonal(&Vector6::new(1.0, 1.0, 1.0, 10.0, 10.0, 10.0));
    let mass = |ball: usize| ratio.powf(ball as f64 / (balls - 1) as f64);
    let touches: Vec<_> = (0..balls).map(touch).collect();
    thrown(&centres, &touches, friction, &|ball| (inverse / mass(ball), Vector6::zeros()))
}

/// A wall of bricks in running bond, 2 × 1 × 1 each, four contacts wherever one lies on another: hyperstatic. A push
/// along the wall, as a share of gravity, makes it work.
pub(crate) fn wall(courses: usize, bricks: usize, push: f64) -> Pile {
    wall_of((courses, bricks), push, || 0.0)
}

/// The same by a careless hand: bricks out of their places by up to a tenth of their length, others for every seed.
pub(crate) fn careless_wall(courses: usize, bricks: usize, push: f64, seed: u64) -> Pile {
    let mut random = sequence(seed);
    wall_of((courses, bricks), push, || 0.2 * random())
}

/// Centres and contacts of bricks in running bond.
fn courses(
    (courses, bricks): (usize, usize),
    mut slip: impl FnMut() -> f64,
) -> (Vec<Vector3<f64>>, Vec<Touch>) {
    let (mut centres, mut touches) = (Vec::new(), Vec::new());
    for course in 0..courses {
        let shift = if course % 2 == 0 { 0.0 } else { 1.0 };
        for brick in 0..bricks {
            let centre = Vector3::new(2.0 * brick as f64 + shift + slip(), 0.0, course as f64 + 0.5);
            let upper = centres.len();
            centres.push(centre);
            let below: Vec<(Option<usize>, f64, f64)> = if course == 0 {
                vec![(None, centre.x - 1.0, centre.x + 1.0)]
            } else {
                let first = (course - 1) * bricks;
                (first..first + bricks)
                    .map(|lower| {
                        let x = centres[lower].x;
                        (Some(lower), (x - 1.0).max(centre.x - 1.0), (x + 1.0).min(centre.x + 1.0))
                    })
                    .filter(|(_, from, to)| to - from > 0.1)
                    .collect()
            };
            for (lower, from, to) in below {
                for (x, y) in [(from, -0.5), (from, 0.5), (to, -0.5), (to, 0.5)] {
                    let point = Vector3::new(x, y, course as f64);
                    touches.push(Touch { upper, lower, point, normal: Vector3::z() });
                }
            }
        }
    }
    (centres, touches)
}

/// `M⁻¹` of a 2 × 1 × 1 brick of 1 kg.
fn brick() -> Matrix6<f64> {
    let inertia = Vector3::new(2.0, 5.0, 5.0) / 12.0;
    let inverse = Vector6::new(1.0, 1.0, 1.0, 1.0 / inertia.x, 1.0 / inertia.y, 1.0 / inertia.z);
    Matrix6::from_diagonal(&inverse)
}

fn wall_of(size: (usize, usize), push: f64, slip: impl FnMut() -> f64) -> Pile {
    let (centres, touches) = courses(size, slip);
    let mut pile = pile(&centres, brick(), &touches, 0.6);
    // The ground is moved under the lowest course.
    for (touch, offset) in touches.iter().zip(pile.offset.chunks_exact_mut(3)) {
        if touch.lower.is_none() {
            offset[1] += push * 9.81e-3;
        }
    }
    pile
}

/// A wall that something has gone through: every brick has velocities of its own, up to this one (m/s).
pub(crate) fn kicked_wall(size: (usize, usize), kick: f64, friction: f64, seed: u64) -> Pile {
    let (centres, touches) = courses(size, || 0.0);
    kicked(&centres, &touches, kick, friction, seed)
}

fn kicked(centres: &[Vector3<f64>], touches: &[Touch], kick: f64, friction: f64, seed: u64) -> Pile {
    let mut random = sequence(seed);
    let kicks: Vec<_> = centres.iter().map(|_| Vector6::from_fn(|_, _| kick * random())).collect();
    thrown(centres, touches, friction, &|body| (brick(), kicks[body]))
}

/// The same with head joints: neighbours of a course touch at the four corners of their ends.
pub(crate) fn kicked_wall_with_head_joints(
    size: (usize, usize),
    kick: f64,
    friction: f64,
    seed: u64,
) -> Pile {
    let (centres, mut touches) = courses(size, || 0.0);
    for lower in (0..centres.len()).filter(|brick| (brick + 1) % size.1 != 0) {
        for (y, z) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
            let point = centres[lower] + Vector3::new(1.0, y, z);
            touches.push(Touch { upper: lower + 1, lower: Some(lower), point, normal: Vector3::x() });
        }
    }
    kicked(&centres, &touches, kick, friction, seed)
}

/// Balls of radius ½ in layers, each in the pocket of four of the layer below, on the ground: `side` balls along the
/// edge of the lowest layer.
pub(crate) fn pyramid(side: usize, layers: usize) -> Pile {
    let (mut centres, mut touches): (Vec<Vector3<f64>>, Vec<Touch>) = (Vec::new(), Vec::new());
    let mut below = 0..0;
    for layer in 0..layers.min(side) {
        let count = side - layer;
        let first = centres.len();
        let height = 0.5 + layer as f64 * 0.5_f64.sqrt();
        for i in 0..count {
            for j in 0..count {
                let shift = 0.5 * layer as f64;
                let centre = Vector3::new(i as f64 + shift, j as f64 + shift, height);
                let upper = centres.len();
                centres.push(centre);
                if layer == 0 {
                    let point = centre - Vector3::z() * 0.5;
                    touches.push(Touch { upper, lower: None, point, normal: Vector3::z() });
                    continue;
                }
                for (a, b) in [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)] {
                    let lower = below.start + a * (count + 1) + b;
                    let normal = (centre - centres[lower]).normalize();
                    touches.push(Touch { upper, lower: Some(lower), point: centre - normal * 0.5, normal });
                }
            }
        }
        below = first..centres.len();
    }
    let inertia = 0.4 * 0.25;
    let inverse = Vector6::new(1.0, 1.0, 1.0, 1.0 / inertia, 1.0 / inertia, 1.0 / inertia);
    pile(&centres, Matrix6::from_diagonal(&inverse), &touches, 0.5)
}
